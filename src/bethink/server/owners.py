"""Ownership of agents and teams: who owns them, and who may use them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.errors import DeniedError
from bethink.scope.labels import label
from bethink.scope.values import EVERYONE, GROUP, SYSTEM, Principal

if TYPE_CHECKING:
    from collections.abc import Iterable


def owner_for(principal: Principal | None, owner: str | None, *, name: str) -> str:
    """Return in whose name somebody describes a thing: their own, and as an admin anybody's.

    Raises:
        DeniedError: it is somebody else's.
    """
    if principal is None or principal.admin:
        return label(owner or SYSTEM, argument="owner")
    if owner not in {None, principal.id}:
        raise DeniedError(
            "only its owner may change this description",
            principal=principal.id,
            right="admin",
            namespace=name,
        )
    return principal.id


def visible_owners(principal: Principal | None, owner: str | None) -> list[str]:
    """Return whose things somebody means, first theirs and then the system's, where nobody is named."""
    if owner is not None:
        return [label(owner, argument="owner")]
    return [SYSTEM] if principal is None else [principal.id, SYSTEM]


def may_use(principal: Principal | None, owner: str, shared_with: Iterable[str]) -> bool:
    """Tell whether somebody may use a thing: its owner, an admin, and those whom it is shared with."""
    if principal is None or principal.admin or owner == principal.id:
        return True
    addressed = {EVERYONE, principal.id, *(GROUP + each for each in principal.groups)}
    return not addressed.isdisjoint(shared_with)
