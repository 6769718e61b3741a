"""Access control: which rights a principal has in a namespace.

The rules, in order; nothing else gives a right, and declaring a pool in an agent least of all:

1. Nobody reaches into another tenant.
2. The application itself (no principal) may do everything, and so may an admin.
3. In the namespaces of a user, that user may read, write and delete. Nobody else, the agent's owner included.
4. In a pool or a team, its owner may do everything, others what they, their groups or everyone were granted.
5. What belongs to an agent but to no user is the application's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.errors import DeniedError
from bethink.scope.values import (
    ALL_RIGHTS,
    EVERYONE,
    GROUP,
    NO_RIGHTS,
    OWN_RIGHTS,
    SYSTEM,
    Grant,
    Principal,
    Right,
    Rights,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.scope.namespace import Namespace

_NOBODY = frozenset({"", "anonymous", SYSTEM})  # `system` owns what nobody in particular owns, and never asks


def rights_on(
    principal: Principal | None,
    namespace: Namespace,
    *,
    tenant: str,
    owner: str | None = None,
    grants: Iterable[Grant] = (),
) -> Rights:
    """Return what the principal, who belongs to `tenant`, may do in the namespace.

    `owner` and `grants` are those that the register keeps for a pool or a team; an unregistered one has none.
    """
    if namespace.tenant != tenant or (principal is not None and principal.id in _NOBODY):
        return NO_RIGHTS
    if principal is None or principal.admin:
        return ALL_RIGHTS
    if namespace.kind == "agent":
        return OWN_RIGHTS if namespace.user == principal.id else NO_RIGHTS
    if owner == principal.id:
        return ALL_RIGHTS
    addressed = _addressed(principal)
    given = NO_RIGHTS
    for each in grants:
        if each.to in addressed:
            given |= each.rights
    return given


def has_right(
    principal: Principal | None,
    right: Right,
    namespace: Namespace,
    *,
    tenant: str,
    owner: str | None = None,
    grants: Iterable[Grant] = (),
) -> bool:
    """Tell whether the principal has one right in the namespace."""
    return getattr(rights_on(principal, namespace, tenant=tenant, owner=owner, grants=grants), right)


def require_right(
    principal: Principal | None,
    right: Right,
    namespace: Namespace,
    *,
    tenant: str,
    owner: str | None = None,
    grants: Iterable[Grant] = (),
) -> None:
    """Raise `DeniedError` unless the principal has this right in the namespace."""
    rights = rights_on(principal, namespace, tenant=tenant, owner=owner, grants=grants)
    if getattr(rights, right):
        return
    who = None if principal is None else principal.id
    remedy = (
        "use the principal's own scope" if namespace.kind == "agent" else f"ask the owner to grant {right!r}"
    )
    error = DeniedError(
        f"{who!r} does not have the {right!r} right on {namespace}; {remedy}",
        principal=who,
        right=right,
        namespace=str(namespace),
    )
    error.unseen = rights == NO_RIGHTS
    raise error


def _addressed(principal: Principal) -> set[str]:
    """Return the addressees of grants that mean this principal; an id like a group's means nobody."""
    addressed = {EVERYONE, *(GROUP + each for each in principal.groups)}
    if not principal.id.startswith(GROUP):
        addressed.add(principal.id)
    return addressed
