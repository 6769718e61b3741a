"""The log of a session as units of work."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypedDict, Unpack

from bethink.errors import ConflictError, NotFoundError
from bethink.ids import item_id
from bethink.notes.transactions import remove_conversation
from bethink.scope import due
from bethink.scope.tombstones import Tombstone, of_session, put
from bethink.scope.transactions import digest, find, note_event, touch
from bethink.sessions import queries
from bethink.sessions.item_json import array, decode_all, decode_array
from bethink.sessions.recent import Held
from bethink.sessions.values import Attempt, Head, Item, SessionInfo
from bethink.sessions.windows import WINDOW_MESSAGES, first_look, look
from bethink.storage.key_batches import SIXTEEN, sixteens
from bethink.times import optional_datetime, to_datetime

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Place, Writing
    from bethink.sessions.queries import ChangedSessionRow, ItemRow, SessionItemRow, VersionRow
    from bethink.sessions.recent import Recent
    from bethink.sessions.values import Body
    from bethink.sessions.windows import Limits
    from bethink.storage.work import Work

END = 1 << 62  #: after the newest entry of a log
_BEYOND = (
    14  #: entries that are read beside those of a full window: enough to see that an older turn does not fit
)


class NewItem(NamedTuple):
    """An entry about to be appended, already encoded."""

    body: str
    at: int | None
    speaker: str | None
    origin: str
    key: str | None = None  #: the caller's own id


class SessionKeys(TypedDict):
    """The columns that every statement on a session names."""

    tenant: str
    scope: int
    session: int


@dataclass(frozen=True, slots=True)
class Log:
    """A session as the store knows it."""

    place: Place
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
        return SessionInfo(
            id=self.name,
            title=self.title,
            count=self.count,
            revision=self.revision,
            created_at=to_datetime(self.created_at),
            updated_at=to_datetime(self.updated_at),
            metadata=json.loads(self.metadata),
        )


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
        known = yield from repeated(namespace, name, operation, fingerprint)
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
        items, known, log = yield from _news(place, name, items)
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
    yield from hasten(place, session, items, writing)
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


def hasten(place: Place, session: int, items: Sequence[NewItem], writing: Writing) -> Work[None]:
    """Take notice of items that were said before they came in, where their session keeps items for a time only."""
    earliest = min((item.at for item in items if item.at is not None), default=writing.now)
    if earliest >= writing.now:
        return
    ttl = yield from ttl_of(place, session)
    if ttl is not None:
        yield from due.hasten(place, earliest + ttl)


def ttl_of(place: Place, session: int) -> Work[int | None]:
    """Return for how long the items of a session are kept, in microseconds; None: for ever."""
    rows = yield from queries.find_details(**place.keys, session=session)
    return rows[0].ttl if rows else None


def _news(
    place: Place, name: str, items: Sequence[NewItem]
) -> Work[tuple[Sequence[NewItem], int, Log | None]]:
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


def seqs_of(log: Log, keys: Sequence[str]) -> Work[dict[str, int]]:
    """Return the places of items by the caller's ids; those that are not known are left out."""
    found: dict[str, int] = {}
    for some in sixteens(list(keys)):
        rows = yield from queries.keys_among(**log.keys, **dict(zip(SIXTEEN, some, strict=True)))
        found.update((row.key, row.seq) for row in rows)
    return found


def moved_on(name: str, expected: int, actual: int) -> ConflictError:
    """Return the error of a write that came too late."""
    return ConflictError(
        "the session has changed since it was read; read it again and retry",
        expected=expected,
        actual=actual,
        session=name,
    )


def repeated(namespace: Namespace, name: str, operation: str, fingerprint: str) -> Work[Head | None]:
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


def find_in(place: Place, name: str) -> Work[Log | None]:
    """Find a session of a scope that is known already."""
    rows = yield from queries.find_session(tenant=place.tenant, scope=place.scope, name=name)
    if not rows:
        return None
    (row,) = rows
    return Log(
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


def find_log(namespace: Namespace, name: str) -> Work[Log | None]:
    """Find a session; None where nothing was ever appended to it, or it was deleted."""
    place = yield from find(namespace)
    return None if place is None else (yield from find_in(place, name))


def head(namespace: Namespace, name: str) -> Work[Head]:
    """Return where a session stands; one that is not there stands at zero."""
    log = yield from find_log(namespace, name)
    if log is None:
        return Head(session=name, revision=0, seq=0, count=0)
    return Head(session=name, revision=log.revision, seq=log.head, count=log.count)


def describe(namespace: Namespace, name: str) -> Work[SessionInfo | None]:
    """Return a session as a list shows it."""
    log = yield from find_log(namespace, name)
    return log.info() if log else None


def bodies(namespace: Namespace, name: str, limit: int | None) -> Work[list[Body]]:
    """Return the newest `limit` entries, oldest first, as JSON; damaged rows do not count."""
    log = yield from find_log(namespace, name)
    if log is None:
        return []
    if limit is None or limit >= log.count:
        rows = yield from queries.all_bodies(**log.keys)
        return [body for body in decode_all(rows) if body is not None]
    found, _ = yield from newest(log, limit)
    return found


def recent_bodies(namespace: Namespace, name: str, limit: int, recent: Recent) -> Work[list[Body]]:
    """Return what `bodies` does, from what is at hand where nothing was written to the session since."""
    log = yield from find_log(namespace, name)
    if log is None:
        return []
    asked = (log.session, log.revision, limit)
    text = recent.find(namespace, name, asked)
    if text is None:
        rows = yield from queries.newest_bodies(**log.keys, below=END, limit=limit)
        text = array([row.body for row in reversed(rows)])
        found = decode_array(text)
        if found is None or len(found) != len(rows) or not all(isinstance(body, dict) for body in found):
            return (yield from newest(log, limit))[0]
        recent.keep(namespace, name, Held(*asked, text))
        return found
    return decode_array(text) or []


def newest(log: Log, limit: int, below: int = END) -> Work[tuple[list[Body], list[int]]]:
    """Return the newest readable entries below a place, oldest first, with their places."""
    found: list[Body] = []
    seqs: list[int] = []
    while len(found) < limit:
        asked = limit - len(found)
        rows = yield from queries.newest_bodies(**log.keys, below=below, limit=asked)
        for body, row in zip(decode_all([row.body for row in rows]), rows, strict=True):
            if body is not None:
                found.append(body)
                seqs.append(row.seq)
        if len(rows) < asked:
            break
        below = rows[-1].seq
    found.reverse()
    seqs.reverse()
    return found, seqs


def window(namespace: Namespace, name: str, **limits: Unpack[Limits]) -> Work[list[Body]]:
    """Return the part of a session that a model sees, oldest first; see `sessions.windows`."""
    log = yield from find_log(namespace, name)
    if log is None:
        return []
    found, _, places = yield from _visible(log, **limits)
    return [found[place] for place in places]


class View(NamedTuple):
    """What a window leaves of a session."""

    first: int  #: the oldest place that it shows; 0 where there is nothing to show
    at: datetime | None  #: when what stands there was said
    lost: bool  #: something older is not shown


def view(namespace: Namespace, name: str, **limits: Unpack[Limits]) -> Work[View | None]:
    """Tell where the window of a session begins; None where there is no such session."""
    log = yield from find_log(namespace, name)
    if log is None:
        return None
    messages, bound = limits.get("messages", WINDOW_MESSAGES), limits.get("turns") or limits.get("tokens")
    if bound is None and (messages is None or log.count <= messages):  # all of it is shown
        rows = yield from queries.items_after(**log.keys, after=0, limit=1)
        return View(rows[0].seq, optional_datetime(rows[0].at), False) if rows else View(0, None, False)
    found, seqs, places = yield from _visible(log, **limits)
    if not places:
        return View(0, None, False)
    first = seqs[places[0]]
    rows = yield from queries.find_items(**log.keys, seq=first)
    at = optional_datetime(rows[0].at) if rows else None
    return View(first, at, log.count > len(found) - places[0])


def _visible(log: Log, **limits: Unpack[Limits]) -> Work[tuple[list[Body], list[int], list[int]]]:
    messages = limits.get("messages", WINDOW_MESSAGES)
    size = max(1, min(first_look(messages) if messages is None else messages + _BEYOND, log.count))
    while True:
        found, seqs = yield from newest(log, size)
        seen = look(found, **limits, places=[seq - 1 for seq in seqs])
        if seen.settled or len(found) < size:
            return found, seqs, seen.indexes
        size *= 2


def items(
    namespace: Namespace, name: str, *, limit: int, below: int = END, after: int | None = None
) -> Work[tuple[list[Item], int]]:
    """Return entries with what is known beside them, oldest first, and the true total.

    With `after` these are the entries that follow a place; else the newest ones below a place.
    """
    found, total, _ = yield from page(namespace, name, limit=limit, below=below, after=after)
    return found, total


def page(
    namespace: Namespace, name: str, *, limit: int, below: int = END, after: int | None = None
) -> Work[tuple[list[Item], int, int | None]]:
    """Return what `items` does, and the place from which the next page goes on; None at the end.

    A page with damaged rows has fewer entries than its limit, and is not the last one for that.
    """
    log = yield from find_log(namespace, name)
    if log is None:
        return [], 0, None
    if after is not None:
        rows = yield from queries.items_after(**log.keys, after=after, limit=limit + 1)
    else:
        rows = yield from queries.newest_items(**log.keys, below=below, limit=limit + 1)
    more = rows[limit - 1].seq if len(rows) > limit else None
    rows = rows[:limit] if after is not None else rows[:limit][::-1]
    return to_items(name, log.session, rows), log.count, more


def entries_after(place: Place, session: int, after: int, limit: int = END) -> Work[list[ItemRow]]:
    """Read the entries of a session after a place, oldest first, as the store has them."""
    return (yield from queries.items_after(**place.keys, session=session, after=after, limit=limit))


def changed_sessions(place: Place, since: int) -> Work[list[ChangedSessionRow]]:
    """List the sessions of a scope that were written after a revision."""
    return (yield from queries.sessions_since(**place.keys, since=since))


def bodies_before(place: Place, session: int, seq: int, limit: int) -> Work[list[Body]]:
    """Return the readable ones of the newest entries below a place, oldest first."""
    rows = yield from queries.newest_bodies(**place.keys, session=session, below=seq, limit=limit)
    bodies = decode_all([row.body for row in reversed(rows)])
    return [body for body in bodies if body is not None]


def to_items(name: str, session: int, rows: Sequence[ItemRow | VersionRow]) -> list[Item]:
    """Return rows as items; damaged ones are left out, and `bethink doctor` reports them."""
    decoded = decode_all([row.body for row in rows])
    return [
        _item(session, name, body, row) for body, row in zip(decoded, rows, strict=True) if body is not None
    ]


def items_among(
    place: Place, keys: Sequence[tuple[int, int]], names: Mapping[int, str]
) -> Work[dict[tuple[int, int], Item]]:
    """Read entries of any sessions by session and place; those that are gone, or damaged, are left out.

    `names` are those of sessions that the caller knows: a session never changes its name.
    """
    rows: list[SessionItemRow] = []
    for some in sixteens(keys):
        named: dict[str, int] = {}
        for letter, (session, seq) in zip(SIXTEEN, some, strict=True):
            named["s" + letter], named["q" + letter] = session, seq
        rows += yield from queries.items_among(**place.keys, **named)
    unknown: dict[int, str] = {}
    for session in {row.session_id for row in rows} - names.keys():
        for name in (yield from queries.session_by_id(**place.keys, session=session)):
            unknown[session] = name
    decoded = decode_all([row.body for row in rows])
    return {
        (row.session_id, row.seq): _item(
            row.session_id, names.get(row.session_id) or unknown[row.session_id], body, row
        )
        for body, row in zip(decoded, rows, strict=True)
        if body is not None
    }


def _item(session: int, name: str, body: Body, row: ItemRow | SessionItemRow | VersionRow) -> Item:
    return Item(
        id=item_id(session, row.seq),
        session=name,
        seq=row.seq,
        body=body,
        at=optional_datetime(row.at),
        speaker=row.speaker,
        origin=row.origin,
    )


def item(place: Place, session: int, seq: int) -> Work[Item | None]:
    """Find one entry."""
    names = yield from queries.session_by_id(tenant=place.tenant, scope=place.scope, session=session)
    if not names:
        return None
    rows = yield from queries.find_items(tenant=place.tenant, scope=place.scope, session=session, seq=seq)
    found = to_items(names[0], session, rows)
    return found[0] if found else None


def cut(
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
        found, places = yield from newest(log, size)
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
        after, _ = yield from cut(
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


def delete(namespace: Namespace, name: str, *, keep_notes: bool, writing: Writing) -> Work[Log]:
    """Remove a session for good, and leave a tombstone at its revision.

    Its conversation notes go with it unless they are to be kept; other notes stay.

    Raises:
        NotFoundError: there is no such session.
    """
    place = yield from touch(namespace, writing)
    log = yield from find_in(place, name)
    if log is None:
        raise NotFoundError("no such session in this scope", kind="session", id=name)
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


def fork(namespace: Namespace, name: str, at: int | None, target: str, *, writing: Writing) -> Work[Head]:
    """Copy a session up to a place into a new session.

    Raises:
        NotFoundError: there is no such session, or it has no entry at that place.
        ConflictError: the new name is taken.
    """
    place = yield from touch(namespace, writing)
    log = yield from find_in(place, name)
    if log is None:
        raise NotFoundError("no such session in this scope", kind="session", id=name)
    if (yield from find_in(place, target)) is not None:
        raise ConflictError("a session with this name exists; choose another name", session=target)
    last = log.head if at is None else at
    (upto,) = yield from queries.count_items(**log.keys, last=last)
    if at is not None and upto.last_seq != at:
        raise NotFoundError("the session has no item with this `seq`", kind="item", id=at)
    fresh = writing.fresh()
    yield from queries.add_session(
        tenant=place.tenant,
        scope=place.scope,
        session=fresh,
        name=target,
        title=log.title,
        head=upto.last_seq,
        count=upto.items,
        revision=place.revision,
        distilled=min(log.distilled, upto.last_seq),
        metadata=log.metadata,
        now=writing.now,
    )
    yield from queries.copy_items(**log.keys, target=fresh, last=last, revision=place.revision)
    yield from queries.copy_keys(**log.keys, target=fresh, last=last)
    yield from queries.add_branch(
        tenant=place.tenant,
        scope=place.scope,
        session=fresh,
        parent=log.session,
        seq=upto.last_seq,
        ttl=(yield from ttl_of(place, log.session)),
    )
    yield from queries.copy_summaries(**log.keys, target=fresh, last=last, revision=place.revision)
    return Head(session=target, revision=place.revision, seq=upto.last_seq, count=upto.items)


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
    log = yield from find_in(place, name)
    if log is None:
        raise NotFoundError("no such session in this scope", kind="session", id=name)
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
    found = [
        SessionInfo(
            id=row.name,
            title=row.title,
            count=row.count,
            revision=row.revision,
            created_at=to_datetime(row.created_at),
            updated_at=to_datetime(row.updated_at),
            metadata=json.loads(row.metadata),
        )
        for row in rows[:limit]
    ]
    more = (rows[limit - 1].revision, rows[limit - 1].session_id) if len(rows) > limit else None
    return found, total, more


def written_last(place: Place, *, since: int) -> Work[str | None]:
    """Return the name of the session of a scope that was written last, if that was after an instant."""
    rows = yield from queries.list_sessions(**place.keys, revision=END, session=END, limit=1)
    return next((row.name for row in rows if row.updated_at >= since), None)


def attempt(
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
