"""Items by the caller's own ids, their versions, and branches of a session, as units of work."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from bethink.errors import NotFoundError
from bethink.scope.transactions import note_event, touch
from bethink.sessions import queries
from bethink.sessions.log_append import note_earlier_items, seqs_of
from bethink.sessions.log_items import to_items
from bethink.sessions.log_lookup import find_in, find_log, find_session, moved_on
from bethink.sessions.values import Branch, Origins, Superseded
from bethink.times import to_datetime

if TYPE_CHECKING:
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.sessions.log_append import NewItem
    from bethink.sessions.log_lookup import SessionRow
    from bethink.sessions.values import Item
    from bethink.storage.work import Work


def item(namespace: Namespace, name: str, key: str | int) -> Work[Item | None]:
    """Find an item by the caller's id, or by its place; None where it is not in the log."""
    log = yield from find_log(namespace, name)
    seq = None if log is None else (yield from _place(log, key))
    if log is None or seq is None:
        return None
    found = to_items(name, log.session, (yield from queries.find_items(**log.keys, seq=seq)))
    return found[0] if found else None


def replace(
    namespace: Namespace,
    name: str,
    key: str | int,
    new: NewItem,
    *,
    writing: Writing,
    expected: int | None = None,
) -> Work[Item]:
    """Put an item in the place of another one, which is kept as superseded.

    Raises:
        NotFoundError: there is no such session or item.
        ConflictError: the session was written since the revision that was expected.
    """
    place = yield from touch(namespace, writing)
    log = yield from find_session(place, name)
    if expected is not None and expected != log.revision:
        raise moved_on(name, expected, log.revision)
    seq = yield from _place(log, key)
    rows = [] if seq is None else (yield from queries.find_items(**log.keys, seq=seq))
    if seq is None or not rows:
        raise NotFoundError("no such item in the session", kind="item", id=key)
    (before,) = rows
    yield from queries.add_version(**log.keys, seq=seq, now=writing.now)
    yield from queries.replace_item(
        **log.keys,
        seq=seq,
        body=new.body,
        at=before.at if new.at is None else new.at,
        speaker=before.speaker if new.speaker is None else new.speaker,
        revision=place.revision,
    )
    yield from note_earlier_items(place, log.session, [new], writing)
    yield from queries.remove_summaries(**log.keys, first=seq)
    yield from queries.mark_session(**log.keys, revision=place.revision, now=writing.now)
    yield from note_event(
        place, writing, "session.replaced", {"session": log.session, "from": seq, "to": seq, "items": 1}
    )
    rows = yield from queries.find_items(**log.keys, seq=seq)
    return to_items(name, log.session, rows)[0]


def versions(namespace: Namespace, name: str, key: str | int) -> Work[list[Superseded]]:
    """Return what an item was before, oldest first."""
    log = yield from find_log(namespace, name)
    seq = None if log is None else (yield from _place(log, key))
    if log is None or seq is None:
        return []
    rows = yield from queries.list_versions(**log.keys, seq=seq)
    items = [to_items(name, log.session, [row]) for row in rows]
    return [
        Superseded(item=found[0], replaced_at=to_datetime(row.replaced_at))
        for found, row in zip(items, rows, strict=True)
        if found
    ]


def branches(namespace: Namespace, name: str) -> Work[list[Branch]]:
    """List the sessions that were forked from one, the newest first."""
    log = yield from find_log(namespace, name)
    found: list[Branch] = []
    for row in [] if log is None else (yield from queries.list_branches(**log.keys)):
        branch = None if log is None else (yield from by_number(log.place, row.session_id))
        if branch is not None:
            found.append(Branch(session=branch.info(), at=row.forked_seq or 0))
    return found


def origins(namespace: Namespace, name: str) -> Work[Origins]:
    """Return where a session comes from, and for how long its items are kept."""
    log = yield from find_log(namespace, name)
    rows = [] if log is None else (yield from queries.find_details(**log.keys))
    if not rows or log is None:
        return Origins()
    (row,) = rows
    found = None if row.parent_id is None else (yield from by_number(log.place, row.parent_id))
    return Origins(
        parent=None if found is None else found.name,
        at=row.forked_seq,
        ttl=None if row.ttl is None else timedelta(microseconds=row.ttl),
    )


def by_number(place: ScopeRow, number: int) -> Work[SessionRow | None]:
    """Find a session by its number; None where it is gone."""
    rows = yield from queries.session_by_id(tenant=place.tenant, scope=place.scope, session=number)
    return (yield from find_in(place, rows[0])) if rows else None


def _place(log: SessionRow, key: str | int) -> Work[int | None]:
    if isinstance(key, int):
        return key
    return (yield from seqs_of(log, [key])).get(key)
