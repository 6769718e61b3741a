"""Summaries as units of work."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bethink.errors import ConflictError
from bethink.scope.transactions import note_event, touch
from bethink.sessions import queries
from bethink.sessions.compaction.values import Summary
from bethink.sessions.item_json import decode_all, encode
from bethink.sessions.log_bodies import bodies, newest_entries
from bethink.sessions.log_lookup import END, find_in, find_log
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Writing
    from bethink.sessions.log_lookup import SessionRow
    from bethink.sessions.queries import SummaryRow
    from bethink.sessions.values import Body
    from bethink.storage.work import Work


@dataclass(frozen=True, slots=True)
class UnsummarisedTail:
    """What no summary stands for yet."""

    summary: Summary | None
    bodies: list[Body]
    seqs: list[int]
    places: list[int]  #: of all rows, damaged ones too

    def rows(self, count: int) -> int:
        """Return how many rows the oldest `count` items span."""
        return sum(self.seqs[0] <= place <= self.seqs[count - 1] for place in self.places)


def view(namespace: Namespace, name: str, limit: int | None) -> Work[list[Body]]:
    """Return the newest `limit` items of a session, with its newest summary in the place of what it stands for."""
    log = yield from find_log(namespace, name)
    if log is None:
        return []
    summary = yield from _newest_summary(log)
    if summary is None:
        return (yield from bodies(namespace, name, limit))
    if limit is None:
        rows = yield from queries.items_after(**log.keys, after=summary.last, limit=END)
        found = [body for body in decode_all([row.body for row in rows]) if body is not None]
        return [*summary.items, *found]
    found, seqs = yield from newest_entries(log, limit)
    tail = [body for body, seq in zip(found, seqs, strict=True) if seq > summary.last]
    missing = limit - len(tail)
    return [*summary.items[-missing:], *tail] if missing > 0 else tail


def unsummarised_tail(namespace: Namespace, name: str) -> Work[UnsummarisedTail]:
    """Read what no summary stands for yet, and the newest summary."""
    log = yield from find_log(namespace, name)
    if log is None:
        return UnsummarisedTail(None, [], [], [])
    summary = yield from _newest_summary(log)
    rows = yield from queries.items_after(**log.keys, after=summary.last if summary else 0, limit=END)
    decoded = decode_all([row.body for row in rows])
    found = [(body, row.seq) for body, row in zip(decoded, rows, strict=True) if body is not None]
    return UnsummarisedTail(
        summary, [body for body, _ in found], [seq for _, seq in found], [row.seq for row in rows]
    )


def store_summary(
    namespace: Namespace,
    name: str,
    items: Sequence[Body],
    *,
    seqs: tuple[int, int],
    count: int,
    engine: str,
    writing: Writing,
) -> Work[Summary]:
    """Keep what stands for the items from one place to another. Nothing is removed, here or later.

    Raises:
        ConflictError: some of the items were removed since they were read.
    """
    place = yield from touch(namespace, writing)
    log = yield from find_in(place, name)
    first, last = seqs
    present = 0
    if log is not None:
        (upto,) = yield from queries.count_items(**log.keys, last=last)
        (before,) = yield from queries.count_items(**log.keys, last=first - 1)
        present = upto.items - before.items
    if log is None or present != count:
        raise ConflictError(
            "items were removed while they were being summarised; compact again",
            expected=count,
            actual=present,
            session=name,
        )
    older = yield from _newest_summary(log)
    if older is not None:
        first = older.first
    yield from queries.add_summary(
        **log.keys,
        summary=writing.fresh(),
        first=first,
        last=last,
        items="[" + ",".join(encode(item) for item in items) + "]",
        engine=engine,
        now=writing.now,
        revision=place.revision,
    )
    yield from note_event(
        place,
        writing,
        "summary.added",
        {"session": log.session, "first": first, "last": last, "items": len(items), "engine": engine},
    )
    return Summary(first=first, last=last, items=tuple(items), engine=engine, at=to_datetime(writing.now))


def summaries(namespace: Namespace, name: str) -> Work[list[Summary]]:
    """List the summaries of a session, oldest first; the newest one is what is read."""
    log = yield from find_log(namespace, name)
    if log is None:
        return []
    rows = yield from queries.list_summaries(**log.keys)
    return [_summary(row) for row in rows]


def _newest_summary(log: SessionRow) -> Work[Summary | None]:
    rows = yield from queries.newest_summary(**log.keys)
    return _summary(rows[0]) if rows else None


def _summary(row: SummaryRow) -> Summary:
    return Summary(
        first=row.first_seq,
        last=row.last_seq,
        items=tuple(json.loads(row.items)),
        engine=row.engine,
        at=to_datetime(row.at),
    )
