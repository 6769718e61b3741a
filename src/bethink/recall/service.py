"""The recall service of one namespace: rank, then fetch the hits."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from bethink.errors import ModelError, NotFoundError
from bethink.ids import item_key, to_number
from bethink.notes.rows import read_note
from bethink.plain import quickly
from bethink.recall import transactions
from bethink.recall.explain import empty_because, why_not
from bethink.recall.index_store_sync import NO_EMBEDDER, mark_of, number_of
from bethink.recall.relevance import relevance, relevance_of_each
from bethink.recall.values import Hit, Message, Recall, WhyNot
from bethink.scope.transactions import find
from bethink.sessions.log_lookup import find_log

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bethink.notes.rows import ReadNote
    from bethink.notes.values import Note
    from bethink.recall.index_cache import Indexes
    from bethink.recall.index_store_sync import Analysis, SyncedIndex
    from bethink.recall.namespace_index import NamespaceIndex, Ranked, SearchFilter
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow
    from bethink.sessions.values import Entry, Item
    from bethink.storage.stores import Store

LONG = 20_000  #: passages; a search of more goes to a thread


class RecallRequest(NamedTuple):
    """A question to one namespace, checked."""

    query: str
    limit: int
    notes: bool
    items: bool
    category: frozenset[str] | None = None
    where: Mapping[str, Any] | None = None
    session: str | tuple[str, ...] | None = None  #: one, or some
    roles: frozenset[str] | None = None
    since: int | None = None
    until: int | None = None
    as_of: int | None = None
    explain: bool = False
    reasons: bool = True  #: whether `why` says what each leg gave
    answering: str | None = None  #: the session whose open turn is being answered
    seen: tuple[str, int] | None = (
        None  #: a session, and the place from which on its items are in sight anyway
    )


async def recall(
    indexes: Indexes,
    store: Store,
    namespace: Namespace,
    ask: RecallRequest,
    *,
    now: int,
    notes: Sequence[Note] | None = None,
    held: SyncedIndex | None = None,
    place: ScopeRow | None = None,
) -> Recall:
    """Return the best notes and items for a question.

    `notes` are given where they are those of an earlier instant, `held` where the caller has just brought it up,
    `place` where the caller has just looked at it.
    """
    held = held or await indexes.current(store, namespace, place)
    if held is None:
        return _nothing(ask)
    before = held.place
    found, whole = await _answer(indexes, store, namespace, held, ask, now=now, notes=notes)
    if whole or ask.as_of is not None:
        return found
    # something was replaced or removed after it was ranked: look once more at what is there now
    held = await indexes.current(store, namespace)
    if held is None:
        return _nothing(ask)
    if held.place == before:
        return found
    return (await _answer(indexes, store, namespace, held, ask, now=now, notes=notes))[0]


def _nothing(ask: RecallRequest) -> Recall:
    return Recall(query=ask.query, empty_because="nothing stored")


async def _answer(
    indexes: Indexes,
    store: Store,
    namespace: Namespace,
    held: SyncedIndex,
    ask: RecallRequest,
    *,
    now: int,
    notes: Sequence[Note] | None,
) -> tuple[Recall, bool]:
    """Rank what is held and read what was found; say whether all of it was still there."""
    analysis, index = indexes.analysis, held.index
    if ask.as_of is not None:
        items = await _all_items(store, namespace) if ask.items else []
        index = await store.call(_as_they_stood, analysis, items, notes or ())
    vector = vector_of(held, analysis, ask.query)
    allow = await search_filter(store, namespace, ask, now=now)
    more = ask.limit + len(held.hidden)
    search = partial(
        index.search, ask.query, vector, limit=more, allow=allow, explain=ask.explain, reasons=ask.reasons
    )
    # what takes longer than going to a thread and back would hold up other callers
    ranking = await store.call(search) if index.passages > LONG else search()
    if held.unweighed:
        held.unweighed = False
        indexes.weigh(namespace, held)  # a first search lays out what the next ones need
    found = await fetch_hits(
        store,
        namespace,
        held,
        analysis,
        ranking.hits,
        notes if ask.as_of is not None else None,
        scanned=ranking.scanned,
    )
    hits = found[: ask.limit]
    degraded = tuple(reason for reason in (held.stale, held.unasked, held.partial) if reason is not None)
    held.unasked = None
    return Recall(
        query=ask.query,
        hits=hits,
        terms=ranking.terms,
        unknown=ranking.unknown,
        relevance=relevance(ranking),
        scanned=ranking.scanned,
        degraded=degraded,
        empty_because=empty_because(ranking, limit=ask.limit, vector=vector is not None),
    ), len(hits) == min(ask.limit, len(ranking.hits))


async def recall_among(
    indexes: Indexes,
    store: Store,
    namespace: Namespace,
    ask: RecallRequest,
    notes: Sequence[Note],
    *,
    now: int,
) -> tuple[Hit, ...]:
    """Return the best of some notes that the index does not hold: those that share a word with the question."""
    held = await indexes.current(store, namespace)
    if held is None or not notes:
        return ()
    analysis = indexes.analysis
    index = await store.call(_as_they_stood, analysis, [], notes)
    plain = ask._replace(session=None, roles=None, items=False, as_of=None)
    allow = await search_filter(store, namespace, plain, now=now)
    vector = vector_of(held, analysis, ask.query)
    ranking = index.search(ask.query, vector, limit=ask.limit, allow=allow, explain=ask.explain)
    hits = await fetch_hits(store, namespace, held, analysis, ranking.hits, notes)
    return tuple(hit for hit in hits if hit.why.lexical > 0)


async def find_lost(
    indexes: Indexes, store: Store, namespace: Namespace, ask: RecallRequest, word: str, *, now: int
) -> WhyNot:
    """Say where on its way a note or an item was lost.

    Raises:
        NotFoundError: the word is neither the id of a note nor that of an item.
    """
    number = to_number("n", word)
    kind, owner, seq = ("note", number, 0) if number is not None else ("item", *item_key(word))
    held = await indexes.current(store, namespace)
    if held is None:
        raise NotFoundError("no such note or item in this scope, which is empty", kind="entry", id=word)
    place = held.index.place(
        kind,
        owner,
        seq,
        ask.query,
        vector_of(held, indexes.analysis, ask.query),
        limit=ask.limit,
        allow=await search_filter(store, namespace, ask, now=now),
    )
    return why_not(place, id=word, limit=ask.limit)


def vector_of(held: SyncedIndex, analysis: Analysis, query: str) -> NDArray[np.float32] | None:
    """Return the vector of a question; None where words alone are searched."""
    if analysis.embedder is None or held.stale is not None:
        return None
    known = held.asked
    if known is not None and known[0] == query:  # a context asks of notes and of what was said
        return known[1]
    try:
        vector = analysis.embedder.embed([query])[0]
    except ModelError as error:
        held.unasked = f"{NO_EMBEDDER} ({error.reason})"
        return None
    held.asked = query, vector
    return vector


async def search_filter(store: Store, namespace: Namespace, ask: RecallRequest, *, now: int) -> SearchFilter:
    """Return what the filters of a question let through."""
    from bethink.recall.namespace_index import SearchFilter
    from bethink.recall.passage_blocks import ROLES

    asked = () if ask.session is None else (ask.session,) if isinstance(ask.session, str) else ask.session
    beside = [name for name in (ask.answering, ask.seen and ask.seen[0]) if name is not None]
    numbers: dict[str, int] = {}
    for name in dict.fromkeys([*asked, *beside]):
        log = await store.read_inline(find_log, namespace, name)
        if log is not None:
            numbers[name] = log.session
    return SearchFilter(
        repeats=False,
        answering=None if ask.answering is None else numbers.get(ask.answering),
        seen=None if ask.seen is None or ask.seen[0] not in numbers else (numbers[ask.seen[0]], ask.seen[1]),
        notes=None if ask.notes and ask.session is None and ask.roles is None else (),
        categories=ask.category,
        where=ask.where,
        now=now if ask.as_of is None else None,
        items=ask.items and ask.category is None and ask.where is None,
        sessions=None if ask.session is None else [numbers[name] for name in asked if name in numbers],
        until=ask.as_of,
        roles=None if ask.roles is None else [ROLES.index(role) for role in ROLES if role in ask.roles],
        since=ask.since,
        before=ask.until,
    )


async def _all_items(store: Store, namespace: Namespace) -> list[tuple[int, Entry]]:
    news = await store.read(transactions.changes_since, namespace, None, {})
    return news.items if news is not None else []


def _as_they_stood(
    analysis: Analysis, items: Sequence[tuple[int, Entry]], notes: Sequence[Note]
) -> NamespaceIndex:
    from bethink.recall.namespace_index import NamespaceIndex
    from bethink.recall.passage_blocks import block_of

    index = NamespaceIndex()
    passages = [passage for note in notes for passage in analysis.of_note(note)]
    passages += analysis.of_items(items, {})
    if passages:
        marks = {number_of(note): mark_of(note, ends=False) for note in notes}
        index.extend(block_of(passages, analysis.embed(passages)), marks)
    return index


async def fetch_hits(
    store: Store,
    namespace: Namespace,
    held: SyncedIndex,
    analysis: Analysis,
    ranked_hits: Sequence[Ranked],
    notes: Sequence[Note] | None,
    *,
    scanned: int = 0,
) -> tuple[Hit, ...]:
    """Read the texts of what was found; `notes` are those of an earlier instant."""
    from bethink.recall.passages import said_in

    if not ranked_hits or held.place is None:
        return ()
    numbers = [ranked.owner for ranked in ranked_hits if ranked.kind == "note" and notes is None]
    found_rows, found_items = await _read(store, namespace, held, numbers, _wanted(ranked_hits))
    if notes is not None:
        found_notes = {number_of(note): note for note in notes}
    else:
        found_notes = {number: row.note() for number, row in found_rows.items()}
    messages: dict[tuple[int, int], Message | None] = {}
    hidden = held.hidden

    def message(session: int, seq: int) -> Message | None:
        if (session, seq) not in messages:
            item = found_items.get((session, seq))
            words = said_in(item.body) if item is not None else None
            if item is None or words is None or (session, seq) in hidden:
                messages[session, seq] = None
            else:
                text = analysis.mask(words.text) if analysis.mask else words.text
                messages[session, seq] = Message(item=item, text=text)
        return messages[session, seq]

    hits: list[Hit] = []
    made = quickly(Hit)
    for ranked, likely in zip(ranked_hits, relevance_of_each(ranked_hits, scanned), strict=True):
        if ranked.kind == "note":
            note = found_notes.get(ranked.owner)
            if note is not None and (notes is not None or note.status == "active"):
                text = analysis.mask(note.text) if analysis.mask else note.text
                hits.append(
                    made(
                        text=text,
                        score=ranked.score,
                        why=ranked.why,
                        note=note,
                        relevance=likely,
                    )
                )
            continue
        found = message(ranked.owner, ranked.seq)
        if found is not None:  # else it was removed between the ranking and the reading: gone is gone
            held.names[ranked.owner] = found.item.session
            other = None if ranked.exchange is None else message(ranked.owner, ranked.exchange)
            hits.append(
                made(
                    text=found.text,
                    score=ranked.score,
                    why=ranked.why,
                    item=found.item,
                    exchange=other,
                    relevance=likely,
                )
            )
    return tuple(hits)


async def _read(
    store: Store,
    namespace: Namespace,
    held: SyncedIndex,
    notes: Sequence[int],
    items: Sequence[tuple[int, int]],
) -> tuple[Mapping[int, ReadNote], Mapping[tuple[int, int], Item]]:
    """Read notes and items; of notes that were read before, nothing where the namespace stands as it did."""
    place, changes, known = held.place, held.changes, held.rows
    if place is None:
        return {}, {}
    if notes and not items and held.partial is None:
        rows = {number: row for number in notes if (row := known.get(number)) is not None}
        whole = len(rows) == len(notes)
        if whole and await store.read_inline(find, namespace) == place and changes == held.changes:
            return rows, {}
    found_rows, found_items = await store.read_inline(transactions.fetch, place, notes, items, held.names)
    read = {number: read_note(row) for number, row in found_rows.items()}
    held.keep_rows(read, changes)
    return read, found_items


def _wanted(ranked_hits: Sequence[Ranked]) -> list[tuple[int, int]]:
    """Return the keys of the items that were found, and of what goes with them."""
    keys: dict[tuple[int, int], None] = {}
    for ranked in ranked_hits:
        if ranked.kind == "item":
            keys[ranked.owner, ranked.seq] = None
            if ranked.exchange is not None:
                keys[ranked.owner, ranked.exchange] = None
    return list(keys)
