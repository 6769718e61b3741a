"""Recall over one namespace: keep its index in step with the store, rank, and fetch what was found."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from bethink.errors import ModelError, NotFoundError, StorageError
from bethink.ids import item_key, to_number
from bethink.recall import units
from bethink.recall.explain import empty_because, why_not
from bethink.recall.relevance import relevance
from bethink.recall.values import Hit, Mark, Recall, WhyNot
from bethink.scope.units import Place, find
from bethink.sessions.units import find_log

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bethink.models.embedding import Embedder
    from bethink.notes.values import Note
    from bethink.recall.blocks import Block
    from bethink.recall.index import Allow, NamespaceIndex, Ranking
    from bethink.recall.passages import Passage
    from bethink.recall.units import News
    from bethink.scope.namespace import Namespace
    from bethink.sessions.values import Item
    from bethink.storage.stores import Store
    from bethink.storage.work import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question to one namespace, checked."""

    query: str
    limit: int
    notes: bool
    items: bool
    category: frozenset[str] | None = None
    where: Mapping[str, Any] | None = None
    session: str | None = None
    as_of: int | None = None
    explain: bool = False


_LOOSE_BYTES = 2_000  #: about what a passage and its vector take
_LONG = 20_000  #: passages
OTHER_EMBEDDER = "the vectors are being made anew for another embedder: words alone were searched"
NO_EMBEDDER = "the embedder did not answer: words alone were searched"


class Held:
    """One namespace as this process holds it: its index, and how far that has come."""

    def __init__(self, index: NamespaceIndex) -> None:
        self.index = index
        self.place: Place | None = None
        self.packed = 0  #: the revision up to which the store has blocks
        self.heads: dict[int, int] = {}
        self.names: dict[int, str] = {}  #: of sessions that something was found in
        self.notes: set[int] = set()  #: numbers of the notes in the index
        self.loose: list[tuple[Passage, NDArray[np.float32] | None]] = []  #: not yet in a block of the store
        self.gone: set[tuple[str, int, int]] = set()  #: may be in a block of the store, and no longer live
        self.stale: str | None = None  #: why words alone are searched, until all vectors are made anew
        self.unasked: str | None = None  #: why the last question was asked without a vector
        self.weight = 0  #: bytes, when it was last weighed
        self.unweighed = True  #: nothing was searched since it was made or grew
        self.guard = threading.RLock()

    @property
    def nbytes(self) -> int:
        """Return the memory it takes, about."""
        return (
            self.index.nbytes + 100 * len(self.notes) + 200 * len(self.heads) + _LOOSE_BYTES * len(self.loose)
        )


@dataclass(kw_only=True)
class Indexes:
    """The indexes of hot namespaces, bounded in bytes, shared by all handles of one memory."""

    embedder: Embedder | None
    mask: Callable[[str], str] | None = None
    most_bytes: int
    batch: int
    fresh: Callable[[], int]
    _held: OrderedDict[Namespace, Held] = field(default_factory=OrderedDict["Namespace", Held])
    _bytes: int = 0  #: of all that is held, as each was last weighed
    _guard: threading.Lock = field(default_factory=threading.Lock)
    _rebuilding: dict[Namespace, threading.Thread] = field(
        default_factory=dict["Namespace", threading.Thread]
    )
    hits: int = 0
    misses: int = 0
    remade: int = 0  #: namespaces whose blocks could not be read and were made again

    @property
    def nbytes(self) -> int:
        """Return the memory that all indexes take, about."""
        return self._bytes

    @property
    def identity(self) -> str:
        """Return the identity of the embedder, or an empty text without one."""
        return self.embedder.identity if self.embedder is not None else ""

    def get(self, namespace: Namespace) -> Held | None:
        """Return what is held of a namespace, and mark it as used."""
        with self._guard:
            held = self._held.get(namespace)
            if held is None:
                self.misses += 1
            else:
                self.hits += 1
                self._held.move_to_end(namespace)
            return held

    def put(self, namespace: Namespace, held: Held) -> None:
        """Hold a namespace, weigh it, and let go of those that were not used for longest."""
        weight = held.nbytes
        with self._guard:
            self._let_go(namespace)
            self._held[namespace] = held
            held.weight = weight
            self._bytes += weight
            while self._bytes > self.most_bytes and len(self._held) > 1:
                self._let_go(next(iter(self._held)))

    def drop(self, namespace: Namespace | None = None) -> None:
        """Let go of a namespace, or of all."""
        with self._guard:
            for each in list(self._held) if namespace is None else (namespace,):
                self._let_go(each)

    def _let_go(self, namespace: Namespace) -> None:
        before = self._held.pop(namespace, None)
        if before is not None:
            self._bytes -= before.weight

    def embed(self, passages: Sequence[Passage]) -> NDArray[np.float32] | None:
        """Return the vectors of passages; None without an embedder."""
        return self.embedder.embed([passage.text for passage in passages]) if self.embedder else None

    # ---- catching up with the store ---------------------------------------------------------------------------

    async def current(self, store: Store, namespace: Namespace) -> Held | None:
        """Return the index of a namespace with everything in it that was acknowledged; None where there is nothing."""
        held = self.get(namespace)
        if held is None:
            held = await self._load(store, namespace)
        if held.place is None or await store.glance(find, namespace) != held.place:
            held = await self._catch_up(store, namespace, held)
        if held is not None and held.stale:
            self._rebuild_later(store, namespace)
        return held

    async def _catch_up(self, store: Store, namespace: Namespace, held: Held) -> Held | None:
        """Bring an index up to what was written since; None where the scope is gone."""
        while True:
            news = await store.read(units.news, namespace, held.place, held.heads)
            if news is None:
                self.drop(namespace)
                return None
            if held.place is not None and held.place.scope != news.place.scope:
                held = self._empty()
                continue
            if held.place is None or news.place.revision > held.place.revision:
                await store.call(self._apply, held, news)
            break
        self.put(namespace, held)
        await self._keep(store, namespace, held)
        return held

    def _empty(self) -> Held:
        from bethink.recall.index import NamespaceIndex

        return Held(NamespaceIndex())

    async def _load(self, store: Store, namespace: Namespace) -> Held:
        """Read the blocks of the store into a fresh index."""
        held = self._empty()
        found = await store.read(units.blocks, namespace)
        if found is not None and found[1]:
            try:
                await store.call(self._unpack, held, *found)
            except StorageError:
                # A damaged block, or one of another version: all of it can be made again from notes and items.
                await store.write(units.remove_blocks, namespace)
                held = self._empty()
                self.remade += 1
        self.put(namespace, held)
        return held

    def _unpack(self, held: Held, place: Place, rows: Sequence[Row], marks: Mapping[int, Mark]) -> None:
        import numpy as np

        from bethink.recall.blocks import KINDS, unpack

        packed = 0
        for _, embedder, revision, payload in rows:
            block = unpack(bytes(payload))
            if embedder != self.identity:
                held.stale = OTHER_EMBEDDER if self.embedder is not None else None
                block = _without_vectors(block)
            held.index.extend(block, marks)
            items = block.kinds == KINDS.index("item")
            sessions, which = np.unique(block.owners[items], return_inverse=True)
            newest = np.zeros(len(sessions), np.int64)
            np.maximum.at(newest, which, block.seqs[items])
            for session, seq in zip(sessions.tolist(), newest.tolist(), strict=True):
                held.heads[session] = max(held.heads.get(session, 0), seq)
            held.notes.update(block.owners[~items].tolist())
            packed = max(packed, revision)
        held.packed = packed
        held.place = Place(place.tenant, place.scope, packed)

    def _apply(self, held: Held, news: News) -> None:
        """Bring an index up to what is new."""
        from bethink.recall.blocks import block_of
        from bethink.recall.passages import of_item, of_note
        from bethink.times import to_micros

        with held.guard:
            if held.place is not None and held.place.revision >= news.place.revision:
                return  # another caller was first
            passages: list[Passage] = []
            marks: dict[int, Mark] = {}
            for removal in news.removed:
                self._remove_items(held, removal.session, removal.first, removal.last)
            for note in news.notes:
                number = to_number("n", note.id) or 0
                self._remove_note(held, number)
                if note.status == "active" and note.session is None:
                    passages += of_note(note, number, mask=self.mask)
                    expires = None if note.expires_at is None else to_micros(note.expires_at)
                    held.notes.add(number)
                    marks[number] = _mark(note, expires)
            for word in news.erased:
                self._remove_note(held, to_number("n", word) or 0)
            for session, item in news.items:
                if item.seq > held.heads.get(session, 0):
                    passages += of_item(item, session, mask=self.mask)
            for session, item in news.items:
                held.heads[session] = max(held.heads.get(session, 0), item.seq)
            if passages:
                vectors = self._embedded(held, passages)
                held.index.extend(block_of(passages, vectors), marks)
                held.loose += zip(
                    passages, [None] * len(passages) if vectors is None else vectors, strict=True
                )
            held.place = news.place
            held.unweighed = True

    def _embedded(self, held: Held, passages: Sequence[Passage]) -> NDArray[np.float32] | None:
        """Return vectors; None while words alone are searched, or where the embedder fails just now."""
        if held.stale is not None:
            return None
        try:
            return self.embed(passages)
        except ModelError as error:
            held.stale = f"{NO_EMBEDDER} ({error.reason})"
            return None

    def _remove_note(self, held: Held, number: int) -> None:
        if number in held.notes:
            held.notes.discard(number)
            held.index.remove("note", number)
            self._forget(held, {("note", number, 0)})

    def _remove_items(self, held: Held, session: int, first: int, last: int) -> None:
        gone = range(first, min(last, held.heads.get(session, 0)) + 1)
        if gone and held.index.remove("item", session, gone):
            self._forget(held, {("item", session, seq) for seq in gone})

    def _forget(self, held: Held, gone: set[tuple[str, int, int]]) -> None:
        held.gone |= gone
        held.loose = [
            (passage, vector)
            for passage, vector in held.loose
            if (passage.kind, passage.owner, passage.seq) not in gone
        ]

    async def _keep(self, store: Store, namespace: Namespace, held: Held) -> None:
        """Pack what is loose into a block of the store, once there is enough of it."""
        with held.guard:
            if len(held.loose) < self.batch or held.stale or held.place is None:
                return
            loose, gone, place, after = held.loose, frozenset(held.gone), held.place, held.packed
            held.loose, held.gone, held.packed = [], set(), place.revision
        kept = await store.write(
            units.keep_block,
            place,
            after=after,
            block=self.fresh(),
            embedder=self.identity,
            passages=len(loose),
            payload=await store.call(_packed, loose),
            without=_without(gone) if gone else None,
        )
        if not kept:
            self.drop(namespace)  # another process packed first: its blocks serve us when we load again

    # ---- another embedder -------------------------------------------------------------------------------------

    def _rebuild_later(self, store: Store, namespace: Namespace) -> None:
        """Embed a namespace anew in the background; recall goes on with words alone until that is done."""
        from bethink.storage.stores import BlockingStore, run

        with self._guard:
            if namespace in self._rebuilding:
                return

            def rebuild() -> None:
                try:
                    run(self._rebuild(BlockingStore(store.driver), namespace))
                finally:
                    with self._guard:
                        self._rebuilding.pop(namespace, None)

            thread = threading.Thread(target=rebuild, name="bethink-embedding", daemon=True)
            self._rebuilding[namespace] = thread
            thread.start()

    async def _rebuild(self, store: Store, namespace: Namespace) -> None:
        held = self._empty()
        news = await store.read(units.news, namespace, None, {})
        if news is None:
            return
        self._apply(held, news)
        if held.stale is not None:
            return  # the embedder failed: recall goes on saying so, and the next one tries again
        await store.write(units.remove_blocks, namespace)
        await self._keep(store, namespace, held)
        self.put(namespace, held)

    def wait(self) -> None:
        """Wait until no namespace is being embedded anew."""
        while True:
            with self._guard:
                thread = next(iter(self._rebuilding.values()), None)
            if thread is None:
                return
            thread.join()

    # ---- questions --------------------------------------------------------------------------------------------

    async def recall(
        self, store: Store, namespace: Namespace, ask: Ask, *, now: int, notes: Sequence[Note] | None = None
    ) -> Recall:
        """Return the best notes and items for a question.

        `notes` are given where they are those of an earlier instant.
        """
        held = await self.current(store, namespace)
        if held is None:
            return Recall(query=ask.query, empty_because="nothing stored")
        index = held.index
        if ask.as_of is not None:
            index = await store.call(
                self._as_they_stood, await self._all_items(store, namespace, ask), notes or ()
            )
        vector = self._vector(held, ask.query)
        allow = await self._allow(store, namespace, ask, now=now)
        search = partial(index.search, ask.query, vector, limit=ask.limit, allow=allow, explain=ask.explain)
        # what takes longer than going to a thread and back would hold up other callers
        ranking = await store.call(search) if index.passages > _LONG else search()
        if held.unweighed:
            held.unweighed = False
            self.put(namespace, held)  # a first search lays out what the next ones need
        hits = await self._fetch(store, held, ranking, notes if ask.as_of is not None else None)
        degraded = tuple(reason for reason in (held.stale, held.unasked) if reason is not None)
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
        )

    async def why_not(self, store: Store, namespace: Namespace, ask: Ask, word: str, *, now: int) -> WhyNot:
        """Say where on its way a note or an item was lost.

        Raises:
            NotFoundError: the word is neither the id of a note nor that of an item.
        """
        number = to_number("n", word)
        kind, owner, seq = ("note", number, 0) if number is not None else ("item", *item_key(word))
        held = await self.current(store, namespace)
        if held is None:
            raise NotFoundError("nothing was ever stored in this scope", kind=kind, id=word)
        place = held.index.place(
            kind,
            owner,
            seq,
            ask.query,
            self._vector(held, ask.query),
            limit=ask.limit,
            allow=await self._allow(store, namespace, ask, now=now),
        )
        return why_not(place, id=word, limit=ask.limit)

    def _vector(self, held: Held, query: str) -> NDArray[np.float32] | None:
        if self.embedder is None or held.stale is not None:
            return None
        try:
            return self.embedder.embed([query])[0]
        except ModelError as error:
            held.unasked = f"{NO_EMBEDDER} ({error.reason})"
            return None

    async def _allow(self, store: Store, namespace: Namespace, ask: Ask, *, now: int) -> Allow:
        from bethink.recall.index import Allow

        sessions: list[int] | None = None
        if ask.session is not None:
            log = await store.read(find_log, namespace, ask.session)
            sessions = [log.session] if log else []
        return Allow(
            notes=None if ask.notes and ask.session is None else (),
            categories=ask.category,
            where=ask.where,
            now=now if ask.as_of is None else None,
            items=ask.items and ask.category is None and ask.where is None,
            sessions=sessions,
            until=ask.as_of,
        )

    async def _all_items(self, store: Store, namespace: Namespace, ask: Ask) -> list[tuple[int, Item]]:
        if not ask.items:
            return []
        news = await store.read(units.news, namespace, None, {})
        return news.items if news is not None else []

    def _as_they_stood(self, items: Sequence[tuple[int, Item]], notes: Sequence[Note]) -> NamespaceIndex:
        from bethink.recall.blocks import block_of
        from bethink.recall.passages import of_item, of_note

        index = self._empty().index
        passages = [
            passage
            for note in notes
            for passage in of_note(note, to_number("n", note.id) or 0, mask=self.mask)
        ]
        passages += [passage for session, item in items for passage in of_item(item, session, mask=self.mask)]
        if passages:
            marks = {to_number("n", note.id) or 0: _mark(note, None) for note in notes}
            index.extend(block_of(passages, self.embed(passages)), marks)
        return index

    async def _fetch(
        self, store: Store, held: Held, ranking: Ranking, notes: Sequence[Note] | None
    ) -> tuple[Hit, ...]:
        from bethink.recall.passages import said_in

        if not ranking.hits or held.place is None:
            return ()
        found_notes, found_items = await store.glance(
            units.fetch,
            held.place,
            [ranked.owner for ranked in ranking.hits if ranked.kind == "note" and notes is None],
            [(ranked.owner, ranked.seq) for ranked in ranking.hits if ranked.kind == "item"],
            held.names,
        )
        if notes is not None:
            found_notes = {to_number("n", note.id) or 0: note for note in notes}
        hits: list[Hit] = []
        for ranked in ranking.hits:
            if ranked.kind == "note":
                note, item = found_notes.get(ranked.owner), None
                text = note.text if note is not None else None
            else:
                note, item = None, found_items.get((ranked.owner, ranked.seq))
                said = said_in(item.body) if item is not None else None
                text = said.text if said is not None else None
                if item is not None:
                    held.names[ranked.owner] = item.session
            if text is None:
                continue  # removed between the ranking and the reading: gone is gone
            text = self.mask(text) if self.mask else text
            hits.append(Hit(text=text, score=ranked.score, why=ranked.why, note=note, item=item))
        return tuple(hits)


def _mark(note: Note, expires: int | None) -> Mark:
    metadata = json.dumps(dict(note.metadata), sort_keys=True) if note.metadata else "{}"
    return Mark(note.category, expires, metadata)


def _without_vectors(block: Block) -> Block:
    from dataclasses import replace

    import numpy as np

    return replace(
        block,
        vectors=np.zeros((len(block), 0), np.int8),
        scales=np.zeros(len(block), np.float32),
    )


def _without(gone: frozenset[tuple[str, int, int]]) -> Callable[[bytes], tuple[bytes | None, int] | None]:
    def rewrite(payload: bytes) -> tuple[bytes | None, int] | None:
        from bethink.recall.blocks import drop, unpack

        after = drop(payload, lambda kind, owner, seq: (kind, owner, seq) in gone)
        if after is None:
            return None, 0
        return None if after == payload else (after, len(unpack(after)))

    return rewrite


def _packed(loose: Sequence[tuple[Passage, NDArray[np.float32] | None]]) -> bytes:
    import numpy as np

    from bethink.recall.blocks import block_of, pack

    vectors = [vector for _, vector in loose if vector is not None]
    return pack(block_of([passage for passage, _ in loose], np.stack(vectors) if vectors else None))
