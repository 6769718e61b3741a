"""Undo the newest items of a session, clear it, or delete it for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.notes.transactions import remove_conversation
from bethink.scope.tombstones import Tombstone, of_session, put
from bethink.scope.transactions import note_event, touch
from bethink.sessions import queries
from bethink.sessions.log_bodies import newest_entries
from bethink.sessions.log_lookup import find_in, find_session
from bethink.sessions.values import Head

if TYPE_CHECKING:
    from collections.abc import Callable

    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Writing
    from bethink.sessions.log_lookup import SessionRow
    from bethink.sessions.values import Body
    from bethink.storage.work import Work


def remove_newest(
    namespace: Namespace,
    name: str,
    rule: Callable[[list[Body]], int | None],
    *,
    writing: Writing,
    reason: str,
) -> Work[tuple[Head, list[Body]]]:
    """Remove the newest entries of a session; `rule` says how many of the tail, or None to see more of it.

    Returns the head and what was removed, oldest first. An audit row without content stays.
    """
    place = yield from touch(namespace, writing)
    log = yield from find_in(place, name)
    if log is None or log.count == 0:
        return Head(
            session=name, revision=log.revision if log else 0, seq=log.head if log else 0, count=0
        ), []
    size, found, places, number = 16, [], [], None
    while number is None:
        found, places = yield from newest_entries(log, size)
        number = rule(found)
        if len(found) < size:
            break
        size *= 4
    number = len(found) if number is None else number
    if number == 0:
        return Head(session=name, revision=log.revision, seq=log.head, count=log.count), []
    removed, first = found[-number:], places[-number]
    (before,) = yield from queries.count_items(**log.keys, last=first - 1)
    gone = log.count - before.items
    yield from queries.remove_items(**log.keys, first=first)
    yield from queries.remove_versions(**log.keys, first=first)
    yield from queries.remove_summaries(**log.keys, first=first)
    (shrunk,) = yield from queries.shrink_session(
        **log.keys, removed=gone, revision=place.revision, now=writing.now
    )
    yield from note_event(
        place,
        writing,
        f"session.{reason}",
        {"session": log.session, "from": first, "to": log.head, "items": gone},
    )
    return Head(session=name, revision=place.revision, seq=shrunk.head, count=shrunk.count), removed


def clear(namespace: Namespace, name: str, *, writing: Writing) -> Work[Head]:
    """Remove every entry of a session; its name, title and place counter stay."""
    place = yield from touch(namespace, writing)
    log = yield from find_in(place, name)
    if log is None:
        return Head(session=name, revision=0, seq=0, count=0)
    yield from queries.remove_items(**log.keys, first=0)
    yield from queries.remove_versions(**log.keys, first=0)
    yield from queries.remove_summaries(**log.keys, first=0)
    # Operation ids stay, and those of items: an append that is repeated late must not fill a cleared session again.
    yield from queries.shrink_session(**log.keys, removed=log.count, revision=place.revision, now=writing.now)
    yield from note_event(
        place,
        writing,
        "session.cleared",
        {"session": log.session, "from": 1, "to": log.head, "items": log.count},
    )
    return Head(session=name, revision=place.revision, seq=log.head, count=0)


def delete(namespace: Namespace, name: str, *, keep_notes: bool, writing: Writing) -> Work[SessionRow]:
    """Remove a session for good, and leave a tombstone at its revision.

    Its conversation notes go with it unless they are to be kept; other notes stay.

    Raises:
        NotFoundError: there is no such session.
    """
    place = yield from touch(namespace, writing)
    log = yield from find_session(place, name)
    yield from queries.remove_items(**log.keys, first=0)
    yield from queries.remove_summaries(**log.keys, first=0)
    yield from queries.remove_usage(**log.keys)
    yield from queries.remove_keys(**log.keys)
    yield from queries.remove_versions(**log.keys, first=0)
    yield from queries.remove_details(**log.keys)
    yield from queries.remove_operations(**log.keys)
    yield from queries.remove_attempts(**log.keys)
    yield from queries.remove_session(**log.keys)
    notes = 0
    if not keep_notes:
        notes = yield from remove_conversation(place, name)
    mark = of_session(namespace, name)
    yield from put(
        place.tenant, Tombstone(kind="session", digest=mark, revision=place.revision, at=writing.now)
    )
    yield from note_event(
        place,
        writing,
        "session.deleted",
        {"session": log.session, "from": 1, "to": log.head, "items": log.count, "notes": notes},
    )
    return log
