"""Timelines: what was said and learned about a subject, in order of time."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from bethink.ids import item_key
from bethink.recall.index_store_sync import number_of
from bethink.recall.namespace_index import LAST, HitTime, Ranked
from bethink.recall.passage_blocks import KINDS
from bethink.recall.service import LONG, fetch_hits, search_filter, vector_of
from bethink.recall.timeline_duplicates import fold_duplicates, is_on_subject
from bethink.recall.values import TimelineEntry, Why
from bethink.times import to_micros

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.recall.index_cache import Indexes
    from bethink.recall.service import RecallRequest
    from bethink.recall.values import Hit
    from bethink.scope.namespace import Namespace
    from bethink.storage.stores import Store

MATTER: Final = 200  #: hits, at most, that a timeline of a matter is made of


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """A part of a timeline: entries in the order of time, how many there are in all, and where the rest begins."""

    entries: tuple[TimelineEntry, ...]
    total: int
    next: HitTime | None


async def timeline(
    indexes: Indexes,
    store: Store,
    namespace: Namespace,
    ask: RecallRequest,
    *,
    now: int,
    after: HitTime | None,
) -> Timeline:
    """Return what was said and learned in the order of time: about a question, or all of it where that is empty.

    Of a question all that is about it is folded, at most `MATTER`; of everything what stands on the same page.
    """
    held = await indexes.current(store, namespace)
    if held is None:
        return Timeline(entries=(), total=0, next=None)
    allow = (await search_filter(store, namespace, ask, now=now))._replace(repeats=True)
    if ask.roles is None:
        allow = allow._replace(people=True)
    matter = bool(ask.query.strip())
    if matter:
        vector = vector_of(held, indexes.analysis, ask.query)
        search = partial(held.index.search, ask.query, vector, limit=MATTER, allow=allow)
        ranking = await store.call(search) if held.index.passages > LONG else search()
        best = ranking.hits[0].score if ranking.hits else 0.0
        hits = [each for each in ranking.hits if is_on_subject(each.why, each.score, best)]
        entries = _folded(await fetch_hits(store, namespace, held, indexes.analysis, hits, None))
        dated = [_dated(entry) for entry in entries]
        start = 0 if after is None else bisect_right(dated, after)
        shown = entries[start : start + ask.limit]
        end = start + len(shown)
        return Timeline(
            entries=tuple(shown), total=len(entries), next=dated[end - 1] if end < len(entries) else None
        )
    hidden = held.hidden
    every = [
        each for each in await store.call(held.index.in_time, allow) if (each.owner, each.seq) not in hidden
    ]
    start = 0 if after is None else bisect_right(every, after)
    shown_keys = every[start : start + ask.limit]
    found = [Ranked(KINDS[each.kind], each.owner, each.seq, 0.0, Why()) for each in shown_keys]
    entries = [
        replace(entry, score=None)
        for entry in _folded(await fetch_hits(store, namespace, held, indexes.analysis, found, None))
    ]
    more = start + len(shown_keys) < len(every)
    return Timeline(entries=tuple(entries), total=len(every), next=shown_keys[-1] if more else None)


def _dated(entry: TimelineEntry) -> HitTime:
    at = LAST if entry.at is None else to_micros(entry.at)
    if entry.note is not None:
        return HitTime(at, KINDS.index("note"), number_of(entry.note), 0)
    session, seq = item_key(entry.item.id) if entry.item is not None else (0, 0)
    return HitTime(at, KINDS.index("item"), session, seq)


def _folded(hits: Sequence[Hit]) -> list[TimelineEntry]:
    entries = [
        TimelineEntry(
            at=(hit.note.valid_from or hit.note.created_at)
            if hit.note
            else hit.item.at
            if hit.item
            else None,
            text=hit.text,
            note=hit.note,
            item=hit.item,
            score=hit.score,
        )
        for hit in hits
    ]
    entries.sort(key=_dated)
    firsts = fold_duplicates(entry.text for entry in entries)
    again: dict[int, list[str]] = {}
    for place, first in enumerate(firsts):
        entry = entries[place].note or entries[place].item
        if first != place and entry is not None:
            again.setdefault(first, []).append(entry.id)
    return [
        replace(entry, repeats=tuple(again.get(place, ())))
        for place, entry in enumerate(entries)
        if firsts[place] == place
    ]
