"""Commit a turn if the session has not changed since, or record its failure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bethink.scope.transactions import touch
from bethink.sessions import queries
from bethink.sessions.log_append import append
from bethink.sessions.log_lookup import find_in, find_log, head, moved_on
from bethink.sessions.log_removal import remove_newest
from bethink.sessions.values import Attempt, Head
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Writing
    from bethink.sessions.log_append import NewItem
    from bethink.storage.work import Work


def commit(
    namespace: Namespace,
    name: str,
    items: Sequence[NewItem],
    *,
    removed: int,
    expected: int,
    writing: Writing,
    operation: str | None = None,
    asked: str | None = None,
) -> Work[Head]:
    """Store a turn: remove what it took back, add what it said, if nothing came between.

    Raises:
        ConflictError: the session was written since the turn began.
    """
    if removed:
        yield from touch(namespace, writing)  # from here on nobody comes between
        now = yield from head(namespace, name)
        if now.revision != expected:
            raise moved_on(name, expected, now.revision)
        after, _ = yield from remove_newest(
            namespace,
            name,
            lambda bodies: removed if len(bodies) >= removed else None,
            writing=writing,
            reason="popped",
        )
        expected = after.revision
    if not items:
        return (yield from head(namespace, name))
    return (
        yield from append(
            namespace, name, items, expected=expected, writing=writing, operation=operation, asked=asked
        )
    )


def record_attempt(
    namespace: Namespace, name: str, *, error: str, calls: Sequence[str], writing: Writing
) -> Work[None]:
    """Remember that a turn failed: the kind of the error and the names of the tools it had called.

    The log did not change, so the session keeps its revision: a turn beside this one may still be stored.
    """
    place = yield from touch(namespace, writing)
    log = yield from find_in(place, name)
    session = log.session if log is not None else None
    if session is None:
        (made,) = yield from queries.advance_session(
            **place.keys,
            fresh=writing.fresh(),
            name=name,
            added=0,
            revision=0,
            now=writing.now,
        )
        session = made.session_id
    yield from queries.add_attempt(
        tenant=place.tenant,
        scope=place.scope,
        session=session,
        attempt=writing.fresh(),
        now=writing.now,
        error=error,
        calls=json.dumps(list(calls)),
    )


def attempts(namespace: Namespace, name: str, *, limit: int) -> Work[list[Attempt]]:
    """List the failed turns of a session, newest first."""
    log = yield from find_log(namespace, name)
    if log is None:
        return []
    rows = yield from queries.list_attempts(**log.keys, limit=limit)
    return [
        Attempt(at=to_datetime(row.at), error=row.error, calls=tuple(json.loads(row.calls))) for row in rows
    ]
