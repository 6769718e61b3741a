"""Find, describe, list and name sessions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from bethink.errors import ConflictError, NotFoundError
from bethink.scope.transactions import find, touch
from bethink.sessions import queries
from bethink.times import to_datetime

if TYPE_CHECKING:
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.sessions.queries import ChangedSessionRow, ListedSessionRow
    from bethink.sessions.values import Head, SessionInfo
    from bethink.storage.work import Work

END = 1 << 62  #: after the newest entry of a log


class SessionKeys(TypedDict):
    """The columns that every statement on a session names."""

    tenant: str
    scope: int
    session: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SessionRow:
    """A session as the store knows it."""

    place: ScopeRow
    session: int
    name: str
    title: str | None
    head: int
    count: int
    revision: int
    metadata: str
    created_at: int
    updated_at: int
    distilled: int

    @property
    def keys(self) -> SessionKeys:
        """Return the columns that every statement on this log names."""
        return {"tenant": self.place.tenant, "scope": self.place.scope, "session": self.session}

    def info(self) -> SessionInfo:
        """Return the session as a list shows it."""
        return _info(self)


def _info(row: SessionRow | ListedSessionRow) -> SessionInfo:
    from bethink.sessions.values import SessionInfo

    return SessionInfo(
        id=row.name,
        title=row.title,
        count=row.count,
        revision=row.revision,
        created_at=to_datetime(row.created_at),
        updated_at=to_datetime(row.updated_at),
        metadata=json.loads(row.metadata),
    )


def moved_on(name: str, expected: int, actual: int) -> ConflictError:
    """Return the error of a write that came too late."""
    return ConflictError(
        "the session has changed since it was read; read it again and retry",
        expected=expected,
        actual=actual,
        session=name,
    )


def find_in(place: ScopeRow, name: str) -> Work[SessionRow | None]:
    """Find a session of a scope that is known already."""
    rows = yield from queries.find_session(tenant=place.tenant, scope=place.scope, name=name)
    if not rows:
        return None
    (row,) = rows
    return SessionRow(
        place=place,
        session=row.session_id,
        name=row.name,
        title=row.title,
        head=row.head,
        count=row.count,
        revision=row.revision,
        metadata=row.metadata,
        created_at=row.created_at,
        updated_at=row.updated_at,
        distilled=row.distilled,
    )


def find_session(place: ScopeRow, name: str) -> Work[SessionRow]:
    """Return a session of a place.

    Raises:
        NotFoundError: there is none of this name.
    """
    log = yield from find_in(place, name)
    if log is None:
        raise NotFoundError("no such session in this scope", kind="session", id=name)
    return log


def find_log(namespace: Namespace, name: str) -> Work[SessionRow | None]:
    """Find a session; None where nothing was ever appended to it, or it was deleted."""
    place = yield from find(namespace)
    return None if place is None else (yield from find_in(place, name))


def head(namespace: Namespace, name: str) -> Work[Head]:
    """Return where a session stands; one that is not there stands at zero."""
    from bethink.sessions.values import Head

    log = yield from find_log(namespace, name)
    if log is None:
        return Head(session=name, revision=0, seq=0, count=0)
    return Head(session=name, revision=log.revision, seq=log.head, count=log.count)


def describe(namespace: Namespace, name: str) -> Work[SessionInfo | None]:
    """Return a session as a list shows it."""
    log = yield from find_log(namespace, name)
    return log.info() if log else None


def changed_sessions(place: ScopeRow, since: int) -> Work[list[ChangedSessionRow]]:
    """List the sessions of a scope that were written after a revision."""
    return (yield from queries.sessions_since(**place.keys, since=since))


def relabel(
    namespace: Namespace,
    name: str,
    *,
    title: str | None,
    metadata: str | None,
    writing: Writing,
    expected: int | None = None,
) -> Work[SessionInfo]:
    """Change the title or the metadata of a session; None leaves them as they are.

    Raises:
        NotFoundError: there is no such session.
        ConflictError: the session was written since the revision that was expected.
    """
    place = yield from touch(namespace, writing)
    log = yield from find_session(place, name)
    if expected is not None and expected != log.revision:
        raise moved_on(name, expected, log.revision)
    yield from queries.describe_session(
        **log.keys,
        title=log.title if title is None else title,
        metadata=log.metadata if metadata is None else metadata,
        revision=place.revision,
        now=writing.now,
    )
    found = yield from find_in(place, name)
    if found is None:
        raise NotFoundError("the session was deleted at the same time", kind="session", id=name)
    return found.info()


def listing(
    namespace: Namespace, *, limit: int, before: tuple[int, int] = (END, END)
) -> Work[tuple[list[SessionInfo], int, tuple[int, int] | None]]:
    """List the sessions of a scope, the one written last first, with the total and where the next page starts."""
    place = yield from find(namespace)
    if place is None:
        return [], 0, None
    rows = yield from queries.list_sessions(
        tenant=place.tenant, scope=place.scope, revision=before[0], session=before[1], limit=limit + 1
    )
    (total,) = yield from queries.count_sessions(tenant=place.tenant, scope=place.scope)
    found = [_info(row) for row in rows[:limit]]
    more = (rows[limit - 1].revision, rows[limit - 1].session_id) if len(rows) > limit else None
    return found, total, more


def written_last(place: ScopeRow, *, since: int) -> Work[str | None]:
    """Return the name of the session of a scope that was written last, if that was after an instant."""
    rows = yield from queries.list_sessions(**place.keys, revision=END, session=END, limit=1)
    return next((row.name for row in rows if row.updated_at >= since), None)
