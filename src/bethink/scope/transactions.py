"""Scopes, shares, events and tombstones as units of work."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypedDict, cast

from bethink.scope import queries
from bethink.scope.children import is_child
from bethink.scope.namespace import Namespace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bethink.scope.namespace import Kind
    from bethink.scope.queries import EventRow
    from bethink.storage.work import Work


class Writing(NamedTuple):
    """What a write carries with it: who writes, when, and where fresh numbers come from."""

    now: int  #: microseconds
    fresh: Callable[[], int]
    actor: str = "application"


class ScopeKeys(TypedDict):
    """The columns that every statement on a scope names."""

    tenant: str
    scope: int


class ScopeColumns(TypedDict):
    """The columns by which a scope is registered."""

    tenant: str
    kind: str
    owner: str
    name: str
    user: str
    session: str


class ScopeRow(NamedTuple):
    """A scope as the store knows it: the two columns that every statement names, and a revision."""

    tenant: str
    scope: int
    revision: int  #: of the write under way, or of the newest one when reading

    @property
    def keys(self) -> ScopeKeys:
        """Return the columns that every statement on this scope names."""
        return {"tenant": self.tenant, "scope": self.scope}


def scope_columns(namespace: Namespace) -> ScopeColumns:
    """Return a namespace as the parameters of a statement; an absent label is the empty text."""
    return {
        "tenant": namespace.tenant,
        "kind": namespace.kind,
        "owner": namespace.owner,
        "name": namespace.name,
        "user": namespace.user or "",
        "session": namespace.session or "",
    }


def touch(namespace: Namespace, writing: Writing) -> Work[ScopeRow]:
    """Take the next revision of a scope, making the scope where it is new.

    The row stays locked until the transaction ends, so that the writes of one scope come one after another.
    """
    names = scope_columns(namespace)
    rows = yield from queries.advance_scope(**names, now=writing.now)
    if not rows:
        rows = yield from queries.touch_scope(**names, fresh=writing.fresh(), now=writing.now)
    (row,) = rows
    return ScopeRow(namespace.tenant, row.scope_id, row.revision)


def advance(place: ScopeRow, by: int) -> Work[None]:
    """Take several revisions of a scope at once; the row is locked by the write under way."""
    yield from queries.advance_by(**place.keys, by=by)


def raise_revision(place: ScopeRow, revision: int) -> Work[None]:
    """Go on counting a scope's writes from a greater number, after what was written before came back from elsewhere."""
    yield from queries.raise_revision(**place.keys, revision=revision)


def lock_scope(tenant: str, scope: int) -> Work[ScopeRow | None]:
    """Keep others from writing to a scope until this is committed; None where it was erased."""
    rows = yield from queries.hold_scope(tenant=tenant, scope=scope)
    return ScopeRow(tenant, scope, rows[0]) if rows else None


def find(namespace: Namespace) -> Work[ScopeRow | None]:
    """Find a scope; None where nothing was ever written to it."""
    rows = yield from queries.find_scope(**scope_columns(namespace))
    return ScopeRow(namespace.tenant, rows[0].scope_id, rows[0].revision) if rows else None


def children(namespace: Namespace) -> Work[list[Namespace]]:
    """List the namespaces below one; the pure rule has the last word on which they are."""
    rows = yield from queries.child_scopes(
        tenant=namespace.tenant,
        kind=namespace.kind,
        owner=namespace.owner,
        name=namespace.name,
        user=namespace.user or "",
    )
    below = [replace(namespace, session=row.session) for row in rows]
    return [child for child in below if is_child(namespace, child)]


def note_event(place: ScopeRow, writing: Writing, kind: str, subject: Mapping[str, Any]) -> Work[None]:
    """Record what this write did, by ids and counts alone."""
    yield from queries.add_event(
        tenant=place.tenant,
        scope=place.scope,
        revision=place.revision,
        kind=kind,
        subject=json.dumps(subject, separators=(",", ":")),
        actor=writing.actor,
        now=writing.now,
    )


def events_since(place: ScopeRow, revision: int) -> Work[list[EventRow]]:
    """List what happened in a scope after a revision."""
    return (yield from queries.events_since(**place.keys, since=revision))


class Registered(Protocol):
    """A row of the register of scopes, as far as it names one."""

    @property
    def kind(self) -> str:
        """Return agent, pool or team."""
        ...

    @property
    def owner(self) -> str:
        """Return whose agent it is."""
        ...

    @property
    def name(self) -> str:
        """Return the agent, the pool or the team."""
        ...

    @property
    def user_id(self) -> str:
        """Return the user; empty where there is none."""
        ...

    @property
    def session(self) -> str:
        """Return the session; empty where there is none."""
        ...


def from_columns(tenant: str, row: Registered) -> Namespace:
    """Return the namespace of a row, as `columns` wrote it."""
    return Namespace(
        tenant=tenant,
        kind=cast("Kind", row.kind),
        owner=row.owner,
        name=row.name,
        user=row.user_id or None,
        session=row.session or None,
    )


def scopes_of(tenant: str) -> Work[list[tuple[Namespace, ScopeRow]]]:
    """List every scope of a tenant."""
    rows = yield from queries.all_scopes(tenant=tenant)
    return [(from_columns(tenant, row), ScopeRow(tenant, row.scope_id, row.revision)) for row in rows]


def scopes_of_user(tenant: str, user: str | None) -> Work[list[tuple[Namespace, ScopeRow]]]:
    """List what agents keep of one user, with whatever agent; without a user, of themselves."""
    rows = yield from queries.scopes_of_user(tenant=tenant, user=user or "")
    return [(from_columns(tenant, row), ScopeRow(tenant, row.scope_id, row.revision)) for row in rows]


def scope_numbered(tenant: str, number: int) -> Work[Namespace | None]:
    """Find the scope of a number; None where there is none."""
    rows = yield from queries.numbered_scope(tenant=tenant, scope=number)
    return from_columns(tenant, rows[0]) if rows else None


def digest(*parts: str) -> str:
    """Return what a tombstone keeps of a name: enough to recognise it, not enough to read it."""
    from hashlib import blake2b  # here, since few callers need it and it is slow to import

    return blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
