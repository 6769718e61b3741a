"""Sync one namespace's index with the store: load blocks, add what is new, save what is missing."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from bethink.errors import ModelError
from bethink.ids import item_key, to_number
from bethink.notes.values import HIDDEN_ITEMS
from bethink.recall.values import FilterFields
from bethink.scope.transactions import ScopeRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bethink.models.embedding import Embedder
    from bethink.notes.rows import ReadNote
    from bethink.notes.values import Note
    from bethink.recall.namespace_index import NamespaceIndex, Removal
    from bethink.recall.passage_blocks import Block
    from bethink.recall.passages import Passage
    from bethink.recall.queries import BlockRow
    from bethink.recall.transactions import Removal as Removed
    from bethink.recall.transactions import ScopeChanges
    from bethink.sessions.injected_memory import MemoryAnswers
    from bethink.sessions.values import Body, Entry

MOST_ROWS = 256  #: notes of which a namespace keeps what was read
LONGEST_ROW = 2_000  #: characters of one of them
_ROW_BYTES = 900  #: about what one of them takes beside its text
_LOOSE_BYTES = 800  #: about what a passage and its vector take
OTHER_EMBEDDER = "the vectors are being made anew for another embedder: words alone were searched"
PARTIAL = "not everything that was written is indexed yet: the newest was not searched"
NO_EMBEDDER = "the embedder did not answer: words alone were searched"


@dataclass(frozen=True, slots=True)
class Analysis:
    """How notes and items are made into passages and vectors."""

    embedder: Embedder | None
    mask: Callable[[str], str] | None
    standing: Callable[[str], bool] | None = None  #: tells the notes that hold in every conversation
    mask_once: Callable[[str], str] | None = (
        None  #: masks as `mask` does, and remembers nothing of what is indexed
    )

    @property
    def identity(self) -> str:
        """Return the identity of the embedder, or an empty text without one."""
        return self.embedder.identity if self.embedder is not None else ""

    def embed(self, passages: Sequence[Passage]) -> NDArray[np.float32] | None:
        """Return the vectors of passages; None without an embedder."""
        from bethink.recall.passage_vectors import vectors_of

        return vectors_of(passages, self.embedder) if self.embedder else None

    def of_note(self, note: Note) -> list[Passage]:
        """Return the passages of a note."""
        from bethink.recall.passages import of_note

        return of_note(note, number_of(note), mask=self.mask_once or self.mask, standing=self.standing)

    def of_items(
        self, items: Iterable[tuple[int, Entry]], before: Mapping[tuple[int, int], list[Body]]
    ) -> list[Passage]:
        """Return the passages of items with their sessions' numbers, those of a session in order."""
        from bethink.recall.passages import of_entry
        from bethink.sessions.injected_memory import MemoryAnswers

        mask = self.mask_once or self.mask
        passages: list[Passage] = []
        logs: dict[int, MemoryAnswers] = {}
        for session, item in items:
            if session not in logs:
                logs[session] = MemoryAnswers(before.get((session, item.seq), ()))
            passages += of_entry(item, session, mask=mask, answers=logs[session])
        return passages


class SyncedIndex:
    """One namespace in memory."""

    def __init__(self, analysis: Analysis) -> None:
        from bethink.recall.namespace_index import NamespaceIndex

        self.index: NamespaceIndex = NamespaceIndex()
        self.place: ScopeRow | None = None
        self.packed = 0  #: the revision up to which the store has blocks
        self.heads: dict[int, int] = {}
        self.names: dict[int, str] = {}  #: of sessions that something was found in
        self.notes: set[int] = set()  #: numbers of the notes in the index
        self.hiding: dict[
            int, frozenset[tuple[int, int]]
        ] = {}  #: items that a forgotten note hides, by its number
        self.loose: list[Block] = []  #: not yet in a block of the store
        self.blocks = 0  #: how many the store has, as far as we know
        self.heard = 0  #: the revision up to which what was removed is known
        self.noted = (0, 0)  #: revision and number of the last note that was read
        self.dropped = False  #: it was let go of: what is made of it is not held any more
        self.gone: set[tuple[str, int, int]] = set()  #: may be in a block of the store, and no longer live
        self.stale: str | None = None  #: why words alone are searched, until all vectors are made anew
        self.partial: str | None = None  #: why the newest is not searched
        self.unasked: str | None = None  #: why the last question was asked without a vector
        self.asked: tuple[str, NDArray[np.float32]] | None = None  #: the last question, and its vector
        self.rows: dict[int, ReadNote] = {}  #: notes as they were read, until they change
        self.changes = 0  #: grows when something is brought up
        self.beside: Any = (
            None  #: what a caller keeps of the namespace as it stands; it says until when it holds
        )
        self.weight = 0  #: bytes, when it was last weighed
        self.unweighed = True  #: nothing was searched since it was made or grew
        self.guard = threading.RLock()
        self._analysis = analysis

    @property
    def nbytes(self) -> int:
        """Return the memory it takes, about."""
        rows = sum(_ROW_BYTES + len(row.text) for row in [*self.rows.values()])
        return (
            self.index.nbytes
            + 100 * len(self.notes)
            + 200 * len(self.heads)
            + _LOOSE_BYTES * self.waiting
            + rows
        )

    def keep_rows(self, rows: Mapping[int, ReadNote], changes: int) -> None:
        """Keep notes as they were read, unless something was brought up since then: it may have changed them."""
        with self.guard:
            if self.changes != changes:
                return
            short = {number: row for number, row in rows.items() if len(row.text) <= LONGEST_ROW}
            fresh = {
                number: row for number, row in islice(short.items(), MOST_ROWS) if number not in self.rows
            }
            for number in [*islice(self.rows, max(0, len(self.rows) + len(fresh) - MOST_ROWS))]:
                del self.rows[number]  # the one that was read first
            self.rows.update(fresh)

    @property
    def waiting(self) -> int:
        """Return how many passages are not yet in a block of the store."""
        return sum(len(block) for block in self.loose)

    @property
    def hidden(self) -> frozenset[tuple[int, int]]:
        """Return the items that recall no longer finds, since the user asked to forget what was drawn from them."""
        return frozenset[tuple[int, int]]().union(*self.hiding.values()) if self.hiding else frozenset()

    def unpack(self, place: ScopeRow, rows: Sequence[BlockRow], marks: Mapping[int, FilterFields]) -> None:
        """Take in the blocks of the store.

        Raises:
            StorageError: a block is damaged, or of another version.
        """
        import numpy as np

        from bethink.recall.numpy_unique import with_places
        from bethink.recall.passage_blocks import KINDS, unpack

        self.blocks = len(rows)
        for number, mark in marks.items():
            self._hide(number, json.loads(mark.metadata) if HIDDEN_ITEMS in mark.metadata else {})
        for row in rows:
            block = unpack(bytes(row.payload))
            if row.embedder != self._analysis.identity:
                self.stale = OTHER_EMBEDDER if self._analysis.embedder is not None else None
                block = _without_vectors(block)
            self.index.extend(block, marks)
            items = block.kinds == KINDS.index("item")
            sessions, which = with_places(block.owners[items])
            newest = np.zeros(len(sessions), np.int64)
            np.maximum.at(newest, which, block.seqs[items])
            for session, seq in zip(sessions.tolist(), newest.tolist(), strict=True):
                self.heads[session] = max(self.heads.get(session, 0), seq)
            self.notes.update(block.owners[~items].tolist())
            self.packed = max(self.packed, row.revision)
        self.place = ScopeRow(place.tenant, place.scope, self.packed)
        self.heard = self.packed

    def apply(self, news: ScopeChanges) -> None:
        """Bring the index up to what is new."""
        from bethink.recall.passage_blocks import block_of

        with self.guard:
            if self.place is not None and self.place.revision >= news.place.revision:
                return  # another caller was first
            self.changes += 1
            if self.place is None:
                self.place = ScopeRow(news.place.tenant, news.place.scope, 0)
            removals = [*self._gone_items(news.removed)]
            passages, marks, replaced = self._new_notes(news.notes)
            removals += replaced
            for word in news.erased:
                removals += self._gone_note(to_number("n", word) or 0)
            passages += self._new_items(news)
            block = block_of(passages, self._embedded(passages)) if passages else None
            # at once: whoever searches meanwhile finds what is replaced, or what replaces it
            self._forget(removals, self.index.change(removals, block, marks))
            if block is not None:
                self.loose.append(block)
            self.heard, self.noted = news.place.revision, news.noted
            self.partial = None if news.whole else PARTIAL
            if news.whole:
                self.place = news.place
            self.unweighed, self.beside = True, None

    def _new_items(self, news: ScopeChanges) -> list[Passage]:
        """Return the passages of items that are new, or were replaced; say how far each session has come."""
        passages: list[Passage] = []
        again = {(session, item.seq): item for session, item in news.replaced}
        for (session, seq), item in again.items():
            if seq <= self.heads.get(session, 0):
                passages += self._analysis.of_items([(session, item)], news.before)
        fresh = [(session, item) for session, item in news.items if item.seq > self.heads.get(session, 0)]
        passages += self._analysis.of_items(fresh, news.before)
        for session, item in news.items:
            self.heads[session] = max(self.heads.get(session, 0), item.seq)
        return passages

    def _hide(self, number: int, metadata: Mapping[str, Any]) -> None:
        """Hide the items that a forgotten note names; where it stands again, they are found again."""
        self.hiding.pop(number, None)
        if HIDDEN_ITEMS in metadata:
            self.hiding[number] = frozenset(item_key(word) for word in metadata[HIDDEN_ITEMS])

    def _new_notes(
        self, notes: Sequence[Note]
    ) -> tuple[list[Passage], dict[int, FilterFields], list[Removal]]:
        """Return the passages of notes that are live, their marks, and what of the index goes for what changed."""
        passages: list[Passage] = []
        marks: dict[int, FilterFields] = {}
        removals: list[Removal] = []
        for note in notes:
            number = number_of(note)
            removals += self._gone_note(number)
            self._hide(number, note.metadata)
            if note.status == "active" and note.session is None:
                passages += self._analysis.of_note(note)
                self.notes.add(number)
                marks[number] = mark_of(note)
        return passages, marks, removals

    def _embedded(self, passages: Sequence[Passage]) -> NDArray[np.float32] | None:
        """Return vectors; None while words alone are searched, or where the embedder fails just now."""
        if self.stale is not None:
            return None
        try:
            return self._analysis.embed(passages)
        except ModelError as error:
            self.stale = f"{NO_EMBEDDER} ({error.reason})"
            return None

    def _gone_note(self, number: int) -> list[Removal]:
        self.rows.pop(number, None)
        if number not in self.notes:
            return []
        self.notes.discard(number)
        return [("note", number, None)]

    def _gone_items(self, removed: Sequence[Removed]) -> Iterator[Removal]:
        for each in removed:
            gone = range(each.first, min(each.last, self.heads.get(each.session, 0)) + 1)
            if gone:
                yield "item", each.session, gone

    def _forget(self, removals: Sequence[Removal], counts: Sequence[int]) -> None:
        """Take what is gone out of what is not stored yet, and remember to take it out of what is."""
        from bethink.recall.passage_blocks import without_entries

        gone: set[tuple[str, int, int]] = set()
        for (kind, owner, seqs), count in zip(removals, counts, strict=True):
            if kind == "note" or count:
                gone.update((kind, owner, seq) for seq in ((0,) if seqs is None else seqs))
        if gone:
            self.gone |= gone
            left = [without_entries(block, gone) for block in self.loose]
            self.loose = [block for block in left if block is not None]


def number_of(note: Note) -> int:
    """Return the number by which the index knows a note."""
    return to_number("n", note.id) or 0


def mark_of(note: Note, *, ends: bool = True) -> FilterFields:
    """Return what filters ask of a note; without its end where an earlier instant is looked at."""
    from bethink.times import to_micros

    metadata = json.dumps(dict(note.metadata), sort_keys=True) if note.metadata else "{}"
    return FilterFields(
        note.category, None if note.expires_at is None or not ends else to_micros(note.expires_at), metadata
    )


def _without_vectors(block: Block) -> Block:
    from dataclasses import replace

    import numpy as np

    return replace(
        block,
        vectors=np.zeros((len(block), 0), np.int8),
        scales=np.zeros(len(block), np.float32),
    )
