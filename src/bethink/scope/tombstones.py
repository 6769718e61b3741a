"""Tombstones: digests of what was deleted for good, so that no import or replay brings it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bethink.scope import queries
from bethink.scope.transactions import digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.scope.namespace import Namespace
    from bethink.scope.queries import ErasureRow
    from bethink.scope.transactions import ScopeRow
    from bethink.storage.work import Work


class Tombstone(NamedTuple):
    """Something that was deleted for good."""

    kind: str  #: note, session, namespace, user or tenant
    digest: str
    revision: int
    at: int  #: microseconds


def of_note(namespace: Namespace, word: str) -> str:
    """Return the mark of a note."""
    return digest("note", str(namespace), word)


def of_session(namespace: Namespace, name: str) -> str:
    """Return the mark of a session."""
    return digest("session", str(namespace), name)


def of_namespace(namespace: Namespace) -> str:
    """Return the mark of a namespace."""
    return digest("namespace", str(namespace))


def of_user(tenant: str, user: str) -> str:
    """Return the mark of a user."""
    return digest("user", tenant, user)


def of_tenant(tenant: str) -> str:
    """Return the mark of a tenant."""
    return digest("tenant", tenant)


def enclosing_marks(namespace: Namespace) -> list[tuple[str, str]]:
    """Return the kinds and marks of whatever takes a whole namespace with it."""
    marks = [("namespace", of_namespace(namespace)), ("tenant", of_tenant(namespace.tenant))]
    return marks + ([("user", of_user(namespace.tenant, namespace.user))] if namespace.user else [])


def deleted_at(namespace: Namespace, session: str | None = None) -> Work[int | None]:
    """Return when a namespace, or a session in it, was deleted last; None where it never was."""
    marks = enclosing_marks(namespace)
    if session is not None:
        marks.append(("session", of_session(namespace, session)))
    return max(
        (found.at for found in (yield from existing_tombstones(namespace.tenant, marks))), default=None
    )


def existing_tombstones(tenant: str, marks: Iterable[tuple[str, str]]) -> Work[list[Tombstone]]:
    """Return those of some tombstones that are there."""
    found: list[Tombstone] = []
    for kind, mark in marks:
        rows = yield from queries.find_tombstone(tenant=tenant, kind=kind, digest=mark)
        found += [Tombstone(kind=kind, digest=mark, revision=row.revision, at=row.at) for row in rows]
    return found


def all_tombstones(tenant: str) -> Work[list[Tombstone]]:
    """Return every tombstone of a tenant."""
    rows = yield from queries.all_tombstones(tenant=tenant)
    return [Tombstone(kind=row.kind, digest=row.digest, revision=row.revision, at=row.at) for row in rows]


def put(tenant: str, tombstone: Tombstone) -> Work[None]:
    """Set a tombstone as another database has it."""
    yield from queries.put_tombstone(
        tenant=tenant,
        kind=tombstone.kind,
        digest=tombstone.digest,
        revision=tombstone.revision,
        now=tombstone.at,
    )


def set_scope_tombstone(place: ScopeRow, namespace: Namespace, *, now: int) -> Work[None]:
    """Set the tombstone of a whole scope, with whose it was, by a digest, so that its user can be told."""
    yield from queries.bury_scope(
        tenant=place.tenant,
        digest=of_namespace(namespace),
        revision=place.revision,
        audience=of_user(place.tenant, namespace.user) if namespace.user else "",
        now=now,
    )


def erasures_since(tenant: str, at: int) -> Work[list[ErasureRow]]:
    """List what was erased as a whole since an instant."""
    return (yield from queries.erasures_since(tenant=tenant, since=at))


def remove_tombstone(tenant: str, tombstone: Tombstone) -> Work[None]:
    """Take a tombstone away: what it stood for may come back."""
    yield from queries.lift_tombstone(tenant=tenant, kind=tombstone.kind, digest=tombstone.digest)
