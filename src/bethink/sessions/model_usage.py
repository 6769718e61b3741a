"""Token usage of runs, as units of work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bethink.scope.transactions import touch
from bethink.sessions import queries
from bethink.sessions.log_append import seqs_of
from bethink.sessions.log_lookup import find_in, find_log, find_session
from bethink.sessions.values import TurnUsage
from bethink.times import to_datetime

if TYPE_CHECKING:
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Writing
    from bethink.storage.work import Work


@dataclass(frozen=True, slots=True, kw_only=True)
class RunUsage:
    """What one run took, counted."""

    requests: int
    tokens_in: int
    tokens_out: int
    tokens_cached: int = 0
    tokens_reasoning: int = 0


def store_usage(namespace: Namespace, name: str, taken: RunUsage, *, writing: Writing) -> Work[TurnUsage]:
    """Keep what a run took; its entries are those appended since usage was noted last.

    Raises:
        NotFoundError: there is no such session.
    """
    place = yield from touch(namespace, writing)
    log = yield from find_session(place, name)
    (before,) = yield from queries.last_usage(**log.keys)
    yield from queries.add_usage(
        **log.keys,
        usage=writing.fresh(),
        first=before,
        last=log.head,
        now=writing.now,
        requests=taken.requests,
        tokens_in=taken.tokens_in,
        tokens_out=taken.tokens_out,
        tokens_cached=taken.tokens_cached,
        tokens_reasoning=taken.tokens_reasoning,
    )
    return TurnUsage(
        first=before,
        last=log.head,
        at=to_datetime(writing.now),
        requests=taken.requests,
        tokens_in=taken.tokens_in,
        tokens_out=taken.tokens_out,
        tokens_cached=taken.tokens_cached,
        tokens_reasoning=taken.tokens_reasoning,
    )


def import_usage(
    namespace: Namespace, name: str, key: str, taken: RunUsage, at: int | None, *, writing: Writing
) -> Work[bool]:
    """Keep what a run took elsewhere, whose newest entry has a key; False where that is known, or is not here."""
    place = yield from touch(namespace, writing)
    log = yield from find_in(place, name)
    seq = None if log is None else (yield from seqs_of(log, [key])).get(key)
    if log is None or seq is None:
        return False
    known = [row.last_seq for row in (yield from queries.list_usage(**log.keys))]
    if seq in known:
        return False
    yield from queries.add_usage(
        **log.keys,
        usage=writing.fresh(),
        first=max((each for each in known if each < seq), default=0),
        last=seq,
        now=writing.now if at is None else at,
        requests=taken.requests,
        tokens_in=taken.tokens_in,
        tokens_out=taken.tokens_out,
        tokens_cached=taken.tokens_cached,
        tokens_reasoning=taken.tokens_reasoning,
    )
    return True


def listing(namespace: Namespace, name: str) -> Work[list[TurnUsage]]:
    """List what the runs of a session took, oldest first."""
    log = yield from find_log(namespace, name)
    if log is None:
        return []
    return [
        TurnUsage(
            first=row.first_seq,
            last=row.last_seq,
            at=to_datetime(row.at),
            requests=row.requests,
            tokens_in=row.tokens_in,
            tokens_out=row.tokens_out,
            tokens_cached=row.tokens_cached,
            tokens_reasoning=row.tokens_reasoning,
        )
        for row in (yield from queries.list_usage(**log.keys))
    ]
