"""The passages of one namespace as growing columns in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bethink.recall import bm25
from bethink.recall.episodes import LONGEST_EPISODE, Tail, arrange, continues_episode
from bethink.recall.filter_columns import FilterValues
from bethink.recall.fusion import expected_maximum, neighbour_share, unit_priors
from bethink.recall.growing_column import Column
from bethink.recall.numpy_unique import distinct_values
from bethink.recall.passage_blocks import KINDS, ROLES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from bethink.recall.fusion import Links, Weights
    from bethink.recall.passage_blocks import Block
    from bethink.recall.values import FilterFields

NOTE: Final = KINDS.index("note")
ITEM: Final = KINDS.index("item")
USER: Final = ROLES.index("user")
ASSISTANT: Final = ROLES.index("assistant")
_CALLS: Final = 8  #: messages of tools, at most, between what a user asks and the reply to it
_STEPWISE: Final = 256  #: a larger batch is arranged with everything else, not item by item
_SEGMENTS: Final = 6  #: more segments of postings than this are merged


class Rows:
    """A row is a passage; a unit is a note or an item, whose rows stand together; unit 0 is nobody."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        # by row
        self.row_unit = Column(np.int32)
        self.row_chunk = Column(np.uint16)
        self.row_length = Column(np.uint16)
        self.row_episode = Column(np.int32)
        self.vectors: Column[np.int8] | None = None
        self.scales = Column(np.float32)
        self.postings: list[bm25.Postings] = []
        # by unit
        self.kind = Column(np.uint8)
        self.owner = Column(np.int64)
        self.seq = Column(np.int64)
        self.at = Column(np.int64)
        self.speaker = Column(np.uint64)
        self.question = Column(np.uint64)  #: the wording of a user's question
        self.role = Column(np.uint8)
        self.category = Column(np.uint16)  #: of a note, as `marks` counts them
        self.expires = Column(np.int64)  #: of a note, in microseconds
        self.metadata = Column(np.int32)  #: of a note, as `marks` counts them
        self.first = Column(np.int64)  #: its first row
        self.lean = Column(np.float32)
        self.asks = Column(np.float32)
        self.form = Column(np.float32)
        self.luck = Column(np.float32)  #: correction for the maximum over several passages
        self.told = Column(np.float32)  #: 1 if an assistant or a tool said it, and nobody with a name
        self.wishes = Column(np.float32)  #: of an item: 1 for a standing wish
        self.standing = Column(np.uint8)  #: of a note: 1 for a standing instruction
        self.links = tuple(Column(np.intp) for _ in range(4))  # as wide as numpy looks things up by
        self.words = Column(np.int32)  #: word count
        self.episode = Column(np.intp)
        # of all
        self.episode_length = Column(np.float64)
        self.speakers: set[int] = set()
        self.marks = FilterValues()
        self.length_total = 0
        self.longest = 0
        self.items = 0
        self.items_words = 0
        self.vectorless = 0  #: rows without a vector
        #: are told which rows stay, before some go
        self.watchers: list[Callable[[NDArray[np.bool_]], None]] = []
        self.arrangement = 0  #: grows when stretches of talk change
        self.version = 0  #: grows when units come or go
        self._tails: dict[int, Tail] = {}
        self._disordered = False
        self._removed: NDArray[np.bool_] | None = None
        self._by_unit: tuple[Column[Any], ...] = (
            *(self.kind, self.owner, self.seq, self.at, self.speaker, self.question, self.role),
            *(self.category, self.expires, self.metadata),
            *(self.words, self.lean, self.asks, self.form),
            *(self.luck, self.told, self.wishes, self.standing),
        )
        self._add_nobody()

    @property
    def nbytes(self) -> int:
        """Return the memory it takes, about."""
        held = sum(value.nbytes for value in vars(self).values() if isinstance(value, Column))
        held += sum(link.nbytes for link in self.links) + sum(part.nbytes for part in self.postings)
        return held + self.marks.nbytes + 200 * len(self._tails) + 4096

    def linked(self) -> Links:
        """Return for every unit the one before, the one two before, the one after and the one two after."""
        before, second_before, after, second_after = (link.all for link in self.links)
        return before, second_before, after, second_after

    def answering(self, unit: int) -> int:
        """Return the unit that replies to a user's message, or that an answer replies to; 0 where there is none."""
        before, _, after, _ = self.links
        asked = self.role.all[unit] == USER
        link = (after if asked else before).all
        at = int(link[unit])
        for _ in range(_CALLS):  # what tools said stands between
            role = self.role.all[at]
            if not at or role == USER or (asked and role == ASSISTANT):
                break
            at = int(link[at])
        return at if at and (self.role.all[at] == (ASSISTANT if asked else USER)) else 0

    def unanswered(self, question: int) -> list[int]:
        """Return the units in which a user asks this, and nobody replies."""
        if not question or not self.items:
            return []
        same = np.flatnonzero(self.question.all == np.uint64(question)).tolist()
        return [unit for unit in same if not self.answering(unit)]

    def open_turn(self, session: int) -> list[int]:
        """Return the units of the turn that a session ends with, where the assistant has not replied yet."""
        units = np.flatnonzero((self.kind.all == ITEM) & (self.owner.all == session))
        units = units[np.argsort(self.seq.all[units])]
        roles = self.role.all[units]
        asked = np.flatnonzero(roles == USER)
        if not len(asked) or (roles[asked[-1] :] == ASSISTANT).any():
            return []
        return units[asked[-1] :].tolist()

    def remove(self, units: NDArray[np.bool_]) -> None:
        """Take units out; the gaps are closed when order is next needed."""
        self._removed = units

    def _add_nobody(self) -> None:
        zero = np.zeros(1, np.int64)
        for column in (*self._by_unit, self.first, *self.links, self.episode, self.episode_length):
            column.extend(zero)

    def append(self, block: Block, marks: Mapping[int, FilterFields]) -> None:
        """Add a batch at the end; `marks` are those of its notes that are not plain, by number."""
        if self._removed is not None:
            self._compact(~self._removed)
        self.version += 1
        base, units = self.row_unit.n, self.kind.n
        n = len(block)
        fresh = np.ones(n, np.bool_)
        fresh[1:] = (
            (block.kinds[1:] != block.kinds[:-1])
            | (block.owners[1:] != block.owners[:-1])
            | (block.seqs[1:] != block.seqs[:-1])
        )
        firsts = np.flatnonzero(fresh)
        self.row_unit.extend(np.cumsum(fresh) + (units - 1))
        self.row_chunk.extend(block.chunks)
        self.row_length.extend(block.lengths)
        self.scales.extend(block.scales)
        if block.dimensions and self.vectors is None:
            self.vectors = Column(np.int8, block.dimensions)
            self.vectors.extend(np.zeros((base, block.dimensions), np.int8))
        if self.vectors is not None:
            vectors = block.vectors if block.dimensions else np.zeros((n, self.vectors.all.shape[1]), np.int8)
            self.vectors.extend(vectors)
        self.vectorless += int(np.count_nonzero(block.scales == 0))
        self.postings.append(bm25.postings_of(block, base))
        self.length_total += int(block.lengths.sum(dtype=np.int64))
        self.longest = max(self.longest, int(block.lengths.max()))
        self.speakers.update(distinct_values(block.speakers[block.speakers != 0]).tolist())
        item = block.kinds[firsts] == ITEM
        self.kind.extend(block.kinds[firsts])
        self.owner.extend(block.owners[firsts])
        self.seq.extend(block.seqs[firsts])
        self.at.extend(block.ats[firsts])
        self.speaker.extend(block.speakers[firsts])
        self.question.extend(block.questions[firsts])
        self.role.extend(block.roles[firsts])
        columns = self.marks.columns(block.owners[firsts], ~item, marks)
        for column, values in zip((self.category, self.expires, self.metadata), columns, strict=True):
            column.extend(values)
        self.first.extend(firsts + base)
        words = np.add.reduceat(block.words.astype(np.int64), firsts)
        asks = np.maximum.reduceat(block.asks, firsts) > 0
        self.items += int(np.count_nonzero(item))
        self.items_words += int(words[item].sum())
        self.words.extend(words)
        self.lean.extend(neighbour_share(words))
        self.asks.extend(asks)
        self.form.extend(unit_priors(words, asks, self.weights) * item)
        self.luck.extend(expected_maximum(np.diff(np.append(firsts, n))))
        self.told.extend(item & (block.roles[firsts] != USER) & (block.speakers[firsts] == 0))
        self._take_wishes(np.maximum.reduceat(block.wishes, firsts), item)
        if len(firsts) > _STEPWISE:
            self._disordered = True
        if not self._disordered:
            self._link(
                range(units, self.kind.n), np.add.reduceat(block.lengths.astype(np.int64), firsts).tolist()
            )

    def _take_wishes(self, wishes: NDArray[np.uint8], item: NDArray[np.bool_]) -> None:
        self.wishes.extend(wishes * item)
        self.standing.extend(wishes * ~item)

    def _link(self, units: range, lengths: list[int]) -> None:
        """Put new units at the ends of their sessions, one by one."""
        self.arrangement += 1
        blank = np.zeros(len(units), np.int32)
        for column in (*self.links, self.episode):
            column.extend(blank)
        before, second_before, after, second_after = self.linked()
        for unit, length in zip(units, lengths, strict=True):
            if self.kind.all[unit] == NOTE:
                continue
            owner, seq, at = int(self.owner.all[unit]), int(self.seq.all[unit]), int(self.at.all[unit])
            tail = self._tails.get(owner)
            if tail is not None and tail.seq >= seq:
                self._disordered = True
                return
            place = tail.place + 1 if tail is not None and continues_episode(tail, at) else 0
            if tail is not None and place:
                before[unit], after[tail.unit] = tail.unit, unit
                earlier = before[tail.unit]
                second_before[unit] = earlier
                if earlier:
                    second_after[earlier] = unit
            if tail is not None and place % LONGEST_EPISODE:
                episode = tail.episode
                self.episode_length.all[episode] += length
            else:
                episode = self.episode_length.n
                self.episode_length.extend(np.full(1, length))
            self.episode.all[unit] = episode
            self._tails[owner] = Tail(unit, seq, at, place, episode)
        fresh = self.row_unit.all[self.row_episode.n :]
        self.row_episode.extend(self.episode.all[fresh])

    def settle(self) -> None:
        """Bring everything in order after a removal, or after much was added."""
        if self._removed is not None:
            self._compact(~self._removed)
        if self._disordered:
            self._rearrange()
        if len(self.postings) > 1:
            self._join()

    def _join(self) -> None:
        """Join pieces of postings of like size, so that each is joined only a few times."""
        parts = self.postings
        first = len(parts) - 1
        size = len(parts[first].rows)
        while first and (first >= _SEGMENTS or 2 * size > len(parts[first - 1].rows)):
            first -= 1
            size += len(parts[first].rows)
        parts[first:] = [bm25.merge(parts[first:])]

    def _rearrange(self) -> None:
        arranged = arrange(self.kind.all[1:] == ITEM, self.owner.all[1:], self.seq.all[1:], self.at.all[1:])
        before, after = arranged.before, arranged.after
        for column, values in zip(self.links, (before, before[before], after, after[after]), strict=True):
            column.replace(values)
        self.episode.replace(arranged.episodes)
        self.row_episode.replace(arranged.episodes[self.row_unit.all])
        lengths = np.bincount(self.row_episode.all, weights=self.row_length.all, minlength=arranged.count + 1)
        lengths[0] = 0.0
        self.episode_length.replace(lengths)
        self._tails = arranged.tails
        self._disordered = False
        self.arrangement += 1

    def _compact(self, kept: NDArray[np.bool_]) -> None:
        """Close the gaps that removed units left."""
        self.version += 1
        rows = kept[self.row_unit.all]
        for tell in self.watchers:
            tell(rows)
        self.postings = [bm25.without_rows(bm25.merge(self.postings), rows)]
        sizes = np.bincount(self.row_unit.all, minlength=self.kind.n)[kept]
        if self.vectors is not None:
            self.vectors.replace(self.vectors.all[rows])
        for column in (self.row_chunk, self.row_length, self.scales):
            column.replace(column.all[rows])
        for column in self._by_unit:
            column.replace(column.all[kept])
        moved = self.marks.keep(self.metadata.all)
        if moved is not None:
            self.metadata.replace(np.array(moved).take(self.metadata.all))
        firsts = np.zeros(len(sizes), np.int64)
        np.cumsum(sizes[1:-1], out=firsts[2:])
        self.first.replace(firsts)
        self.row_unit.replace(np.repeat(np.arange(len(sizes)), sizes))
        self.length_total = int(self.row_length.all.sum(dtype=np.int64))
        self.longest = int(self.row_length.all.max(initial=0))
        item = self.kind.all == ITEM
        self.items = int(np.count_nonzero(item))
        self.items_words = int(self.words.all[item].sum(dtype=np.int64))
        self.vectorless = int(np.count_nonzero(self.scales.all == 0))
        self.speakers = set(distinct_values(self.speaker.all[self.speaker.all != 0]).tolist())
        self._removed = None
        self._disordered = True
