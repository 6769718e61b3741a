"""Import a session from another store: items, ids, versions and branches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bethink.sessions import queries
from bethink.sessions.expiry import update_due
from bethink.sessions.log_lookup import find_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.sessions.log_lookup import SessionKeys, SessionRow
    from bethink.sessions.queries import AddItem
    from bethink.storage.work import Work


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingItem:
    """One entry of a log, encoded."""

    seq: int
    body: str
    at: int | None
    speaker: str | None
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingOperation:
    """An append by whose id the same append is recognised when it is sent again."""

    operation: str
    digest: str
    head: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingSession:
    """A log with what is known of it; what a file does not say is None."""

    name: str
    number: int | None = None
    title: str | None = None
    metadata: str = "{}"
    head: int
    distilled: int
    created_at: int | None = None
    updated_at: int | None = None
    items: tuple[IncomingItem, ...] = ()
    operations: tuple[IncomingOperation, ...] = ()
    keys: Mapping[str, int] = field(default_factory=dict[str, int])  #: the caller's own ids, and their places
    versions: tuple[tuple[IncomingItem, int], ...] = ()  #: what items were before, and until when
    forked: tuple[str | None, int] | None = None  #: the session it was forked from, and where
    ttl: int | None = None  #: for how long items are kept, in microseconds


def import_session(
    place: ScopeRow, session: IncomingSession, revision: int, *, writing: Writing
) -> Work[None]:
    """Keep a session that is new here, with the number that it had where nobody has that one."""
    number = session.number
    if number is None or (yield from queries.session_by_id(**place.keys, session=number)):
        number = writing.fresh()
    yield from queries.bring_session(
        **place.keys,
        session=number,
        name=session.name,
        title=session.title,
        head=session.head,
        count=len(session.items),
        revision=revision,
        distilled=session.distilled,
        metadata=session.metadata,
        created_at=writing.now if session.created_at is None else session.created_at,
        updated_at=writing.now if session.updated_at is None else session.updated_at,
    )
    keys: SessionKeys = {**place.keys, "session": number}
    if session.items:
        yield from queries.add_item_many(_item_rows(keys, session.items, revision))
    yield from _bring_beside(keys, session, revision)


def extend_session(
    log: SessionRow, items: Sequence[IncomingItem], session: IncomingSession, revision: int, *, now: int
) -> Work[None]:
    """Let a session go on as another store has it."""
    yield from queries.add_item_many(_item_rows(log.keys, items, revision))
    yield from queries.extend_session(
        **log.keys, head=items[-1].seq, added=len(items), revision=revision, now=now
    )
    yield from _bring_beside(log.keys, session, revision)


def bring_details(place: ScopeRow, sessions: Sequence[IncomingSession], *, now: int) -> Work[None]:
    """Remember where sessions were forked from, once all are there, and for how long their items are kept.

    Where it is said here for how long, that holds.
    """
    for session in sessions:
        log = yield from find_in(place, session.name)
        if log is None:
            continue
        if session.forked is not None:
            origin, seq = session.forked
            parent = None if origin is None else (yield from find_in(place, origin))
            yield from queries.bring_branch(
                **log.keys, parent=None if parent is None else parent.session, seq=seq
            )
        if session.ttl is not None:
            yield from queries.bring_ttl(**log.keys, ttl=session.ttl)
    if sessions:
        yield from update_due(place, now=now)


def _item_rows(keys: SessionKeys, items: Sequence[IncomingItem], revision: int) -> list[AddItem]:
    return [
        {
            **keys,
            "seq": item.seq,
            "body": item.body,
            "at": item.at,
            "speaker": item.speaker,
            "origin": item.origin,
            "revision": revision,
        }
        for item in items
    ]


def _bring_beside(keys: SessionKeys, session: IncomingSession, revision: int) -> Work[None]:
    """Know the ids that the other store knows, and keep what items were before.

    An append that is sent again after the move adds nothing.
    """
    if session.operations:
        yield from queries.bring_operation_many(
            [
                {
                    **keys,
                    "operation": each.operation,
                    "digest": each.digest,
                    "revision": revision,
                    "head": each.head,
                    "count": each.count,
                }
                for each in session.operations
            ]
        )
    if session.keys:
        yield from queries.bring_key_many(
            [{**keys, "key": key, "seq": seq} for key, seq in session.keys.items()]
        )
    older = -len(session.versions)  # before every revision that this store gives out
    if session.versions:
        yield from queries.bring_version_many(
            [
                {
                    **keys,
                    "seq": item.seq,
                    "revision": older + number,
                    "body": item.body,
                    "at": item.at,
                    "speaker": item.speaker,
                    "origin": item.origin,
                    "replaced_at": until,
                }
                for number, (item, until) in enumerate(session.versions)
            ]
        )
