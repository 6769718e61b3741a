"""Append items to a session, idempotent by operation id and by the caller's item ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bethink.errors import ConflictError
from bethink.scope import overdue
from bethink.scope.transactions import digest, touch
from bethink.sessions import queries
from bethink.sessions.log_lookup import find_in, find_log, moved_on
from bethink.sessions.values import Head
from bethink.storage.statements import SIXTEEN, sixteens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.sessions.log_lookup import SessionRow
    from bethink.storage.work import Work


class NewItem(NamedTuple):
    """An entry about to be appended, already encoded."""

    body: str
    at: int | None
    speaker: str | None
    origin: str
    key: str | None = None  #: the caller's own id


def append(
    namespace: Namespace,
    name: str,
    items: Sequence[NewItem],
    *,
    writing: Writing,
    operation: str | None = None,
    expected: int | None = None,
    asked: str | None = None,
) -> Work[Head]:
    """Add entries to the end of a session, all or none.

    An operation id stands for the items, or for what was `asked` where that makes other items each time.

    Raises:
        ConflictError: the session was written since the revision that was expected, or the operation id was
            used for other items.
    """
    fingerprint = ""
    if operation is not None:
        fingerprint = digest(asked) if asked is not None else digest(*(item.body for item in items))
        known = yield from repeated_append(namespace, name, operation, fingerprint)
        if known is not None:
            return known
    place = yield from touch(namespace, writing)
    if expected is not None:
        log = yield from find_in(place, name)
        actual = log.revision if log else 0
        if actual != expected:
            raise moved_on(name, expected, actual)
    known = 0
    if any(item.key is not None for item in items):
        items, known, log = yield from _unknown_items(place, name, items)
        if not items and log is not None:
            return Head(
                session=name, revision=log.revision, seq=log.head, count=log.count, repeated=True, known=known
            )
    added, revision, now = len(items), place.revision, writing.now
    rows = yield from queries.advance_known_session(
        **place.keys, name=name, added=added, revision=revision, now=now
    )
    if not rows:
        rows = yield from queries.advance_session(
            **place.keys, name=name, added=added, revision=revision, now=now, fresh=writing.fresh()
        )
    (advanced,) = rows
    session, head, count = advanced.session_id, advanced.head, advanced.count
    first = head - added + 1
    yield from queries.add_item_many(
        [
            {
                "tenant": place.tenant,
                "scope": place.scope,
                "session": session,
                "seq": seq,
                "body": item.body,
                "at": item.at,
                "speaker": item.speaker,
                "origin": item.origin,
                "revision": place.revision,
            }
            for seq, item in enumerate(items, first)
        ]
    )
    yield from note_earlier_items(place, session, items, writing)
    keyed = [(item.key, seq) for seq, item in enumerate(items, first) if item.key is not None]
    if keyed:
        yield from queries.add_key_many(
            [{**place.keys, "session": session, "key": key, "seq": seq} for key, seq in keyed]
        )
    if operation is not None:
        yield from queries.add_operation(
            tenant=place.tenant,
            scope=place.scope,
            session=session,
            operation=operation,
            digest=fingerprint,
            revision=place.revision,
            head=head,
            count=count,
        )
    return Head(session=name, revision=place.revision, seq=head, count=count, known=known)


def note_earlier_items(
    place: ScopeRow, session: int, items: Sequence[NewItem], writing: Writing
) -> Work[None]:
    """Take notice of items that were said before they came in, where their session keeps items for a time only."""
    earliest = min((item.at for item in items if item.at is not None), default=writing.now)
    if earliest >= writing.now:
        return
    ttl = yield from ttl_of(place, session)
    if ttl is not None:
        yield from overdue.set_due_earlier(place, earliest + ttl)


def ttl_of(place: ScopeRow, session: int) -> Work[int | None]:
    """Return for how long the items of a session are kept, in microseconds; None: for ever."""
    rows = yield from queries.find_details(**place.keys, session=session)
    return rows[0].ttl if rows else None


def _unknown_items(
    place: ScopeRow, name: str, items: Sequence[NewItem]
) -> Work[tuple[Sequence[NewItem], int, SessionRow | None]]:
    """Leave out the items whose ids are known in a session already, or come twice; say how many these are."""
    log = yield from find_in(place, name)
    asked = [item.key for item in items if item.key is not None]
    seen = set[str]() if log is None else set((yield from seqs_of(log, asked)))
    fresh: list[NewItem] = []
    for item in items:
        if item.key is None:
            fresh.append(item)
        elif item.key not in seen:
            seen.add(item.key)
            fresh.append(item)
    return fresh, len(items) - len(fresh), log


def seqs_of(log: SessionRow, keys: Sequence[str]) -> Work[dict[str, int]]:
    """Return the places of items by the caller's ids; those that are not known are left out."""
    found: dict[str, int] = {}
    for some in sixteens(list(keys)):
        rows = yield from queries.keys_among(**log.keys, **dict(zip(SIXTEEN, some, strict=True)))
        found.update((row.key, row.seq) for row in rows)
    return found


def repeated_append(namespace: Namespace, name: str, operation: str, fingerprint: str) -> Work[Head | None]:
    """Find what an operation id did before.

    Raises:
        ConflictError: it was used for something else.
    """
    log = yield from find_log(namespace, name)
    if log is None:
        return None
    rows = yield from queries.find_operation(**log.keys, operation=operation)
    if not rows:
        return None
    (known,) = rows
    if known.digest != fingerprint:
        raise ConflictError(
            "this operation id was already used for other items; use a new id for every append",
            operation=operation,
            expected=known.digest,
            actual=fingerprint,
        )
    return Head(session=name, revision=known.revision, seq=known.head, count=known.count, repeated=True)
