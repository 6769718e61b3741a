"""Pools and teams: registration and grants, checked inside each transaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar, cast

from bethink.errors import ConflictError, NotFoundError
from bethink.scope import queries
from bethink.scope.access import has_right, require_right
from bethink.scope.namespace import Namespace
from bethink.scope.transactions import find
from bethink.scope.values import Grant, Principal, Rights
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from bethink.scope.namespace import Kind
    from bethink.scope.transactions import Writing
    from bethink.scope.values import Right
    from bethink.storage.work import Work

T = TypeVar("T")
P = ParamSpec("P")


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A pool or a team as the register knows it."""

    name: str  #: the name it was registered with
    owner: str  #: the principal that registered it
    created_at: datetime  #: aware, UTC
    grants: tuple[Grant, ...] = ()  #: who may do what in it


def with_right(
    principal: Principal | None,
    right: Right,
    tenant: str,
    work: Callable[Concatenate[Namespace, P], Work[T]],
    namespace: Namespace,
    *args: P.args,
    **kwargs: P.kwargs,
) -> Work[T]:
    """Run a unit on a namespace if the principal has the right, in the same transaction as the check.

    Raises:
        DeniedError: the principal lacks the right.
        NotFoundError: the pool or team is not registered.
    """
    if namespace.kind == "agent":
        require_right(principal, right, namespace, tenant=tenant)
    else:
        share = yield from registered(namespace)
        require_right(principal, right, namespace, tenant=tenant, owner=share.owner, grants=share.grants)
    return (yield from work(namespace, *args, **kwargs))


def with_right_and_read(
    principal: Principal | None,
    right: Right,
    tenant: str,
    work: Callable[Concatenate[Namespace, P], Work[T]],
    namespace: Namespace,
    *args: P.args,
    **kwargs: P.kwargs,
) -> Work[tuple[T, bool]]:
    """Do what `guarded` does in a pool or a team, and tell whether the principal may read the answer."""
    share = yield from registered(namespace)
    require_right(principal, right, namespace, tenant=tenant, owner=share.owner, grants=share.grants)
    found = yield from work(namespace, *args, **kwargs)
    readable = has_right(principal, "read", namespace, tenant=tenant, owner=share.owner, grants=share.grants)
    return found, readable


def check_share(principal: Principal | None, right: Right, namespace: Namespace) -> Work[None]:
    """Make sure that the principal has a right on a pool or a team.

    Raises:
        DeniedError: the principal lacks the right.
        NotFoundError: it is not registered.
    """
    share = yield from registered(namespace)
    require_right(
        principal, right, namespace, tenant=namespace.tenant, owner=share.owner, grants=share.grants
    )


def registered(namespace: Namespace) -> Work[Share]:
    """Find the register's entry of a pool or a team.

    Raises:
        NotFoundError: there is none.
    """
    rows = yield from queries.find_share(tenant=namespace.tenant, kind=namespace.kind, name=namespace.name)
    if not rows:
        error = NotFoundError(
            f"no {namespace.kind} with this name is registered; an admin or the application creates "
            "it first, with an owner",
            kind=namespace.kind,
            id=namespace.name,
        )
        error.unseen = True
        raise error
    (row,) = rows
    granted = yield from queries.find_grants(
        tenant=namespace.tenant, kind=namespace.kind, name=namespace.name
    )
    return Share(
        name=namespace.name,
        owner=row.owner,
        created_at=to_datetime(row.created_at),
        grants=tuple(Grant(each.grantee, Rights.parse(each.rights)) for each in granted),
    )


def create(namespace: Namespace, owner: str, *, writing: Writing) -> Work[Share]:
    """Register a pool or a team.

    Raises:
        ConflictError: the name is taken, by whomever.
    """
    keys = {"tenant": namespace.tenant, "kind": namespace.kind, "name": namespace.name}
    rows = yield from queries.add_share(**keys, owner=owner, now=writing.now)
    if not rows:
        raise ConflictError(
            f"a {namespace.kind} with this name exists; choose another name, or ask its owner for a grant",
            name=namespace.name,
        )
    return Share(name=namespace.name, owner=owner, created_at=to_datetime(writing.now))


def grant(
    namespace: Namespace, to: str, rights: Rights, *, principal: Principal | None, writing: Writing
) -> Work[Share]:
    """Give rights in place of those given before; none at all takes them back."""
    share = yield from registered(namespace)
    require_right(
        principal, "admin", namespace, tenant=namespace.tenant, owner=share.owner, grants=share.grants
    )
    keys = {"tenant": namespace.tenant, "kind": namespace.kind, "name": namespace.name}
    if str(rights):
        yield from queries.put_grant(**keys, grantee=to, rights=str(rights), now=writing.now)
    else:
        yield from queries.remove_grant(**keys, grantee=to)
    return (yield from registered(namespace))


def all_shares(tenant: str) -> Work[list[Namespace]]:
    """List the namespaces of the pools and teams of a tenant."""
    rows = yield from queries.every_share(tenant=tenant)
    return [Namespace(tenant=tenant, kind=cast("Kind", row.kind), name=row.name) for row in rows]


def listing(kind: str, tenant: str) -> Work[list[Share]]:
    """List the pools or the teams of a tenant, with their grants."""
    rows = yield from queries.all_shares(tenant=tenant, kind=kind)
    shares: list[Share] = []
    for row in rows:
        granted = yield from queries.find_grants(tenant=tenant, kind=kind, name=row.name)
        shares.append(
            Share(
                name=row.name,
                owner=row.owner,
                created_at=to_datetime(row.created_at),
                grants=tuple(Grant(each.grantee, Rights.parse(each.rights)) for each in granted),
            )
        )
    return shares


def unregister(namespace: Namespace, *, principal: Principal | None) -> Work[None]:
    """Take a pool or a team out of the register.

    Raises:
        ConflictError: it still holds memories; erase them first.
    """
    share = yield from registered(namespace)
    require_right(
        principal, "admin", namespace, tenant=namespace.tenant, owner=share.owner, grants=share.grants
    )
    if (yield from find(namespace)) is not None:
        raise ConflictError(
            f"the {namespace.kind} still contains memories; erase it first", name=namespace.name
        )
    keys = {"tenant": namespace.tenant, "kind": namespace.kind, "name": namespace.name}
    yield from queries.remove_grants(**keys)
    yield from queries.remove_share(**keys)
