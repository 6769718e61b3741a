"""Hold one namespace in memory and search it."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar

import numpy as np

from bethink.recall import lexical
from bethink.recall.blocks import KINDS, UNDATED
from bethink.recall.episodes import LONGEST_EPISODE, Tail, arrange, follows
from bethink.recall.fusion import (
    DEFAULT,
    Scale,
    Weights,
    cover,
    leaning,
    least_of_best,
    scale_of,
    smooth,
    standing,
)
from bethink.recall.tokens import Term, query_terms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from numpy.typing import NDArray

    from bethink.recall.blocks import Block
    from bethink.recall.fusion import Links
    from bethink.recall.passages import PassageKind
    from bethink.recall.values import Filter

NOTE: Final = KINDS.index("note")
ITEM: Final = KINDS.index("item")
MOST_TERMS: Final = 48  #: of a long question the rarest so many are searched
_STEPWISE: Final = 256  #: a larger batch is arranged with everything else, not item by item
_SEGMENTS: Final = 6  #: more pieces of postings than this are joined

_D = TypeVar("_D", bound=np.generic)

#: for each term of a question that some passage has, the rows that have it and how
Found: TypeAlias = "dict[int, list[tuple[NDArray[np.int32], NDArray[np.uint16]]]]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Allow:
    """What may be found; the rest is left out before anything is cut off."""

    notes: Collection[int] | None = None  #: keys of notes; None is every note, empty is none
    items: bool = True
    sessions: Collection[int] | None = (
        None  #: keys of the sessions whose items may be found; None is every one
    )
    until: int | None = None  #: items said by then, in microseconds; undated ones are not


@dataclass(frozen=True, slots=True)
class Ranked:
    """One note or item in a ranking, with what each leg gave it."""

    kind: PassageKind
    owner: int
    seq: int
    chunk: int  #: its best passage
    score: float  #: the sum of the legs
    lexical: float
    dense: float
    coverage: float
    neighbours: float
    episode: float
    speaker: float
    form: float
    terms: tuple[
        str, ...
    ] = ()  #: words of the question that it has; filled where an explanation is asked for


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a search found, best first."""

    hits: tuple[Ranked, ...]
    terms: tuple[str, ...]  #: words that were searched for
    unknown: tuple[str, ...]  #: those of them that no passage has
    scanned: int  #: notes and items in the namespace
    allowed: int  #: those that the filter let through


@dataclass(frozen=True, slots=True)
class Place:
    """Where one note or item stands in the whole ranking of a question."""

    filter: Filter | None = None  #: what left it out; nothing else is filled then
    rank: int | None = None  #: counted from 1 among all that was let through; None if nothing speaks for it
    needed: float | None = None  #: the score at the cut
    ranked: Ranked | None = None


class _Column(Generic[_D]):
    """An array that grows at its end."""

    __slots__ = ("_held", "n")

    def __init__(self, dtype: type[_D], width: int | None = None) -> None:
        self._held: NDArray[_D] = np.zeros(0 if width is None else (0, width), dtype)
        self.n = 0

    @property
    def all(self) -> NDArray[_D]:
        return self._held[: self.n]

    @property
    def nbytes(self) -> int:
        return self._held.nbytes

    def extend(self, more: NDArray[Any]) -> None:
        end = self.n + len(more)
        if end > len(self._held):
            room = end if not self.n else max(end, len(self._held) + len(self._held) // 2 + 64)
            held = np.empty((room, *self._held.shape[1:]), self._held.dtype)
            held[: self.n] = self.all
            self._held = held
        self._held[self.n : end] = more
        self.n = end

    def replace(self, values: NDArray[Any]) -> None:
        self._held = np.ascontiguousarray(values, self._held.dtype)
        self.n = len(values)


class NamespaceIndex:
    """The passages of one namespace, analysed; nothing outside them bears on a score.

    A note or an item is a unit; its passages are rows, and come together in one batch. What is added twice is there
    twice: remove the old before adding the new.
    """

    def __init__(self, *, weights: Weights = DEFAULT) -> None:
        self.weights = weights
        self._lock = threading.Lock()
        # a row is a passage
        self._row_unit = _Column(np.int32)
        self._row_chunk = _Column(np.uint16)
        self._row_length = _Column(np.uint16)
        self._row_words = _Column(np.uint16)
        self._vectors: _Column[np.int8] | None = None
        self._scales = _Column(np.float32)
        self._matrix: _Column[np.float32] | None = None
        self._postings: list[lexical.Postings] = []
        # a unit is a note or an item; unit 0 is nobody
        self._kind = _Column(np.uint8)
        self._owner = _Column(np.int64)
        self._seq = _Column(np.int64)
        self._at = _Column(np.int64)
        self._speaker = _Column(np.uint64)
        self._first = _Column(np.int64)
        self._lean = _Column(np.float32)
        self._asks = _Column(np.float32)
        self._form = _Column(np.float32)
        self._links = tuple(_Column(np.int32) for _ in range(4))
        self._episode = _Column(np.int32)
        self._row_episode = _Column(np.int32)
        self._episode_length = _Column(np.float64)
        self._tails: dict[int, Tail] = {}
        self._speakers: set[int] = set()
        self._length_total = 0
        self._longest = 0
        self._vectorless = 0
        self._disordered = False
        self._removed: NDArray[np.bool_] | None = None
        self._table: tuple[tuple[int, int, int], NDArray[np.float32]] | None = None
        self._add_nobody()

    # what goes in and out

    def extend(self, block: Block) -> None:
        """Add a batch of passages at the end."""
        if not len(block):
            return
        with self._lock:
            if self._removed is not None:
                self._compact(~self._removed)
            self._append(block)

    def remove(self, kind: PassageKind, owner: int, seqs: Iterable[int] | None = None) -> int:
        """Take out a note, some items of a session, or all of them; return how many notes and items went."""
        with self._lock:
            self._settle()
            found = (self._kind.all == KINDS.index(kind)) & (self._owner.all == owner)
            found[0] = False
            if seqs is not None:
                found &= np.isin(self._seq.all, np.fromiter(seqs, np.int64))
            count = int(np.count_nonzero(found))
            if count:
                self._removed = found
            return count

    def __len__(self) -> int:
        with self._lock:
            self._settle()
            return self._kind.n - 1

    @property
    def nbytes(self) -> int:
        """Return the memory it takes, about."""
        columns: list[_Column[Any]] = [
            *(
                self._row_unit,
                self._row_chunk,
                self._row_length,
                self._row_words,
                self._scales,
                self._row_episode,
            ),
            *(
                self._kind,
                self._owner,
                self._seq,
                self._at,
                self._speaker,
                self._first,
                self._lean,
                self._asks,
            ),
            *(self._form, self._episode, self._episode_length),
            *self._links,
        ]
        columns.extend(column for column in (self._vectors, self._matrix) if column is not None)
        held = sum(column.nbytes for column in columns) + sum(part.nbytes for part in self._postings)
        return held + 200 * len(self._tails) + (0 if self._table is None else self._table[1].nbytes) + 4096

    def has(self, kind: PassageKind, owner: int, seq: int = 0) -> bool:
        """Tell whether a note or an item is in the index."""
        with self._lock:
            self._settle()
            return self._unit_of(kind, owner, seq) is not None

    # searching

    def search(
        self,
        text: str,
        vector: NDArray[np.float32] | None = None,
        *,
        limit: int = 10,
        allow: Allow | None = None,
        explain: bool = False,
    ) -> Ranking:
        """Return the best notes and items for a question, whose vector is given where there is an embedder."""
        with self._lock:
            self._settle()
            return self._search(query_terms(text), vector, limit, allow, explain=explain)

    def place(
        self,
        kind: PassageKind,
        owner: int,
        seq: int,
        text: str,
        vector: NDArray[np.float32] | None = None,
        *,
        limit: int = 10,
        allow: Allow | None = None,
    ) -> Place | None:
        """Return where a note or an item stands in the ranking of a question, None if it is not in the index."""
        with self._lock:
            self._settle()
            unit = self._unit_of(kind, owner, seq)
            if unit is None:
                return None
            left_out = self._left_out(unit, allow)
            if left_out is not None:
                return Place(left_out)
            asked = query_terms(text)
            found = self._find(asked)
            legs = self._score(found, vector)
            candidates, _ = self._candidates(legs, allow)
            order = self._best(legs.total, candidates, self._kind.n)
            at = np.flatnonzero(order == unit)
            if not len(at):
                return Place()
            (ranked,) = self._hits(order[at], legs, found, asked)
            needed = float(legs.total[order[min(limit, len(order)) - 1]]) if limit > 0 else None
            return Place(None, int(at[0]) + 1, needed, ranked)

    def _search(
        self,
        asked: tuple[Term, ...],
        vector: NDArray[np.float32] | None,
        limit: int,
        allow: Allow | None,
        *,
        explain: bool,
    ) -> Ranking:
        n = self._kind.n - 1
        words = tuple(term.word for term in asked)
        if not n:
            return Ranking((), words, words, 0, 0)
        found = self._find(asked)
        unknown = tuple(term.word for term in asked if term.hash not in found)
        legs = self._score(found, vector)
        candidates, allowed = self._candidates(legs, allow)
        best = self._best(legs.total, candidates, limit)
        hits = self._hits(best, legs, found if explain else {}, asked)
        return Ranking(hits, words, unknown, n, allowed)

    def _find(self, asked: Sequence[Term]) -> Found:
        found: Found = {}
        for term in asked:
            parts = [part for postings in self._postings if (part := postings.find(term.hash)) is not None]
            if parts:
                found[term.hash] = parts
        if len(found) > MOST_TERMS:
            rarest = sorted(found, key=lambda term: (sum(len(part[0]) for part in found[term]), term))[
                :MOST_TERMS
            ]
            found = {term: found[term] for term in found if term in set(rarest)}
        return found

    def _score(
        self,
        found: Found,
        vector: NDArray[np.float32] | None,
    ) -> _Legs:
        weights = self.weights
        rows = self._row_unit.n
        n = self._kind.n
        rarity = {
            term: lexical.idf(sum(len(part[0]) for part in parts), rows) for term, parts in found.items()
        }
        words = self._words(found, rarity)
        words_step = weights.lexical / lexical.most(rarity.values())
        fused = words * np.float32(words_step)
        near: NDArray[np.float32] | None = None
        near_scale = Scale(0.0, 0.0)
        if vector is not None and self._vectors is not None and vector.any():
            near = self._dense(vector, self._vectors)
            near_scale = scale_of(near)
            step = near_scale.step * weights.dense
            fused += near * np.float32(step)
            fused -= np.float32(near_scale.mean * step)
        total = np.empty(n, np.float32)
        total[0] = 0.0
        if rows == n - 1:
            total[1:] = fused
        else:
            np.maximum.reduceat(fused, self._first.all[1:], out=total[1:])
        links, lean = self._linked(), self._lean.all
        neighbours = smooth(total, lean, self._asks.all, links, weights)
        covered = cover(
            np.fromiter(rarity.values(), np.float32),
            [self._units_with(parts) for parts in found.values()],
            lean,
            links,
        )
        total += neighbours
        total += covered * np.float32(weights.coverage)
        total += self._form.all
        stretch = self._episodes(found)
        if stretch is not None:
            total += stretch.take(self._episode.all)
        named = [term for term in found if term in self._speakers]
        if named:
            spoken = np.isin(self._speaker.all, np.fromiter(named, np.uint64))
            total += spoken * np.float32(weights.speaker)
        total[0] = -np.inf
        return _Legs(
            total=total,
            fused=fused,
            words=words,
            words_step=words_step,
            near=near,
            near_scale=near_scale,
            covered=covered,
            neighbours=neighbours,
            stretch=stretch,
            named=frozenset(named),
        )

    def _words(self, found: Found, rarity: dict[int, float]) -> NDArray[np.float32]:
        words = np.zeros(self._row_unit.n, np.float32)
        worth = self._worth()
        for term, parts in found.items():
            for where, codes in parts:
                gain = worth.take(codes)
                gain *= np.float32(rarity[term])
                words[where] += gain
        return words

    def _units_with(self, parts: list[tuple[NDArray[np.int32], NDArray[np.uint16]]]) -> NDArray[np.int32]:
        rows = parts[0][0] if len(parts) == 1 else np.concatenate([part[0] for part in parts])
        return self._row_unit.all.take(rows)

    def _linked(self) -> Links:
        before, second_before, after, second_after = (link.all for link in self._links)
        return before, second_before, after, second_after

    def _dense(self, vector: NDArray[np.float32], vectors: _Column[np.int8]) -> NDArray[np.float32]:
        if self._matrix is None:
            self._matrix = _Column(np.float32, vectors.all.shape[1])
        if self._matrix.n < vectors.n:
            start = self._matrix.n
            self._matrix.extend(vectors.all[start:] * self._scales.all[start:, None])
        near = self._matrix.all @ vector.astype(np.float32, copy=False)
        if self._vectorless:
            blank = self._scales.all == 0
            near[blank] = near[~blank].mean() if not blank.all() else 0.0
        return near

    def _episodes(self, found: Found) -> NDArray[np.float32] | None:
        """Score each stretch of talk as if it were one text."""
        count = self._episode_length.n - 1
        if count < 2 or not found or not self.weights.episode:  # noqa: PLR2004
            return None
        lengths = self._episode_length.all
        saturation = lengths * (lexical.K1 * lexical.B / max(float(lengths.sum()) / count, 1e-9))
        saturation += lexical.K1 * (1 - lexical.B)
        scores = np.zeros(count + 1)
        for parts in found.values():
            times = np.zeros(count + 1)
            for where, codes in parts:
                times += np.bincount(
                    self._row_episode.all.take(where), weights=lexical.repeats(codes), minlength=count + 1
                )
            times[0] = 0.0
            weight = lexical.idf(int(np.count_nonzero(times)), count)
            scores += weight * (lexical.K1 + 1) * times / (times + saturation)
        best = float(scores.max())
        if best > 0:
            scores /= best
            scores -= float(scores[1:].sum()) / count
            scores *= self.weights.episode
        scores[0] = 0.0
        return scores.astype(np.float32)

    def _candidates(self, legs: _Legs, allow: Allow | None) -> tuple[NDArray[np.int64] | None, int]:
        """Return the units that may be found, None for all of them, and how many the filter let through."""
        mask = self._mask(allow)
        n = self._kind.n - 1
        allowed = n if mask is None else int(np.count_nonzero(mask))
        if legs.near is not None:
            return (None if mask is None else np.flatnonzero(mask)), allowed
        touched = legs.covered > 0
        return np.flatnonzero(touched if mask is None else touched & mask), allowed

    def _left_out(self, unit: int, allow: Allow | None) -> Filter | None:
        if allow is None:
            return None
        owner, at = int(self._owner.all[unit]), int(self._at.all[unit])
        if self._kind.all[unit] == NOTE:
            if allow.notes is None or owner in allow.notes:
                return None
            return "note" if len(allow.notes) else "kind"
        if not allow.items:
            return "kind"
        if allow.sessions is not None and owner not in allow.sessions:
            return "session"
        return "time" if allow.until is not None and (at > allow.until or at == UNDATED) else None

    def _mask(self, allow: Allow | None) -> NDArray[np.bool_] | None:
        if allow is None:
            return None
        kinds = self._kind.all
        items = kinds == ITEM
        if not allow.items:
            items[:] = False
        if allow.sessions is not None:
            items &= np.isin(self._owner.all, np.fromiter(allow.sessions, np.int64))
        if allow.until is not None:
            items &= (self._at.all <= allow.until) & (self._at.all != UNDATED)
        notes = kinds == NOTE
        if allow.notes is not None:
            notes &= np.isin(self._owner.all, np.fromiter(allow.notes, np.int64))
        notes[0] = False
        return items | notes

    def _best(
        self, total: NDArray[np.float32], candidates: NDArray[np.int64] | None, limit: int
    ) -> NDArray[np.int64]:
        """Return the units with the highest scores in order; equal ones by kind, owner, then newest first."""
        scores = total[1:] if candidates is None else total[candidates]
        if limit <= 0 or not len(scores):
            return np.zeros(0, np.int64)
        picked = np.flatnonzero(scores >= least_of_best(scores, limit))
        units = picked + 1 if candidates is None else candidates[picked]
        keys = (-self._seq.all[units], self._owner.all[units], self._kind.all[units], -total[units])
        return units[np.lexsort(keys)][:limit]

    def _hits(
        self,
        units: NDArray[np.int64],
        legs: _Legs,
        found: Found,
        asked: tuple[Term, ...],
    ) -> tuple[Ranked, ...]:
        if not len(units):
            return ()
        weights = self.weights
        firsts = self._first.all[units]
        last = self._kind.n - 1
        ends = np.where(units < last, self._first.all[np.minimum(units + 1, last)], self._row_unit.n)
        if self._row_unit.n == last:
            rows = firsts
        else:
            spans = zip(firsts.tolist(), ends.tolist(), strict=True)
            rows = np.array([first + int(legs.fused[first:end].argmax()) for first, end in spans])
        near = np.zeros(len(units), np.float32)
        if legs.near is not None:
            near = (legs.near[rows] - np.float32(legs.near_scale.mean)) * np.float32(
                legs.near_scale.step * weights.dense
            )
        stretch = near * 0 if legs.stretch is None else legs.stretch[self._episode.all[units]]
        spoken = [weights.speaker if one in legs.named else 0.0 for one in self._speaker.all[units].tolist()]
        matched: list[tuple[str, ...]] = [()] * len(units)
        if found:
            spans = zip(firsts.tolist(), ends.tolist(), strict=True)
            matched = [_matched(found, asked, first, end) for first, end in spans]
        columns = (
            ["note" if kind == NOTE else "item" for kind in self._kind.all[units].tolist()],
            self._owner.all[units].tolist(),
            self._seq.all[units].tolist(),
            self._row_chunk.all[rows].tolist(),
            legs.total[units].tolist(),
            (legs.words[rows] * legs.words_step).tolist(),
            near.tolist(),
            (legs.covered[units] * weights.coverage).tolist(),
            legs.neighbours[units].tolist(),
            stretch.tolist(),
            spoken,
            self._form.all[units].tolist(),
            matched,
        )
        return tuple(Ranked(*values) for values in zip(*columns, strict=True))

    def _worth(self) -> NDArray[np.float32]:
        rows = self._row_unit.n
        key = (rows, self._length_total, self._longest)
        if self._table is None or self._table[0] != key:
            self._table = (key, lexical.table(self._length_total / max(rows, 1), self._longest))
        return self._table[1]

    def _unit_of(self, kind: PassageKind, owner: int, seq: int) -> int | None:
        same = (self._kind.all == KINDS.index(kind)) & (self._owner.all == owner) & (self._seq.all == seq)
        same[0] = False
        at = np.flatnonzero(same)
        return int(at[0]) if len(at) else None

    # keeping order

    def _add_nobody(self) -> None:
        zero = np.zeros(1, np.int64)
        for column in (
            self._kind,
            self._owner,
            self._seq,
            self._at,
            self._speaker,
            self._first,
            self._lean,
            self._asks,
            self._form,
        ):
            column.extend(zero)
        for column in (*self._links, self._episode, self._episode_length):
            column.extend(zero)

    def _append(self, block: Block) -> None:
        base, units = self._row_unit.n, self._kind.n
        n = len(block)
        fresh = np.ones(n, np.bool_)
        fresh[1:] = (
            (block.kinds[1:] != block.kinds[:-1])
            | (block.owners[1:] != block.owners[:-1])
            | (block.seqs[1:] != block.seqs[:-1])
        )
        firsts = np.flatnonzero(fresh)
        self._row_unit.extend(np.cumsum(fresh) + (units - 1))
        self._row_chunk.extend(block.chunks)
        self._row_length.extend(block.lengths)
        self._row_words.extend(block.words)
        self._scales.extend(block.scales)
        if block.dimensions and self._vectors is None:
            self._vectors = _Column(np.int8, block.dimensions)
            self._vectors.extend(np.zeros((base, block.dimensions), np.int8))
        if self._vectors is not None:
            vectors = (
                block.vectors if block.dimensions else np.zeros((n, self._vectors.all.shape[1]), np.int8)
            )
            self._vectors.extend(vectors)
        self._vectorless += int(np.count_nonzero(block.scales == 0))
        self._postings.append(lexical.postings_of(block, base))
        self._length_total += int(block.lengths.sum(dtype=np.int64))
        self._longest = max(self._longest, int(block.lengths.max()))
        self._speakers.update(np.unique(block.speakers[block.speakers != 0]).tolist())
        self._kind.extend(block.kinds[firsts])
        self._owner.extend(block.owners[firsts])
        self._seq.extend(block.seqs[firsts])
        self._at.extend(block.ats[firsts])
        self._speaker.extend(block.speakers[firsts])
        self._first.extend(firsts + base)
        words = np.add.reduceat(block.words.astype(np.int64), firsts)
        asks = np.maximum.reduceat(block.asks, firsts) > 0
        self._lean.extend(leaning(words))
        self._asks.extend(asks)
        self._form.extend(standing(words, asks, self.weights) * (block.kinds[firsts] == ITEM))
        if len(firsts) > _STEPWISE:
            self._disordered = True
        if not self._disordered:
            self._link(
                range(units, self._kind.n), np.add.reduceat(block.lengths.astype(np.int64), firsts).tolist()
            )

    def _link(self, units: range, lengths: list[int]) -> None:
        """Put new units at the ends of their sessions, one by one."""
        blank = np.zeros(len(units), np.int32)
        for column in (*self._links, self._episode):
            column.extend(blank)
        before, second_before, after, second_after = self._linked()
        for unit, length in zip(units, lengths, strict=True):
            if self._kind.all[unit] == NOTE:
                continue
            owner, seq, at = int(self._owner.all[unit]), int(self._seq.all[unit]), int(self._at.all[unit])
            tail = self._tails.get(owner)
            if tail is not None and tail.seq >= seq:
                self._disordered = True
                return
            place = tail.place + 1 if tail is not None and follows(tail, at) else 0
            if tail is not None and place:
                before[unit], after[tail.unit] = tail.unit, unit
                earlier = before[tail.unit]
                second_before[unit] = earlier
                if earlier:
                    second_after[earlier] = unit
            if tail is not None and place % LONGEST_EPISODE:
                episode = tail.episode
                self._episode_length.all[episode] += length
            else:
                episode = self._episode_length.n
                self._episode_length.extend(np.full(1, length))
            self._episode.all[unit] = episode
            self._tails[owner] = Tail(unit, seq, at, place, episode)
        fresh = self._row_unit.all[self._row_episode.n :]
        self._row_episode.extend(self._episode.all[fresh])

    def _settle(self) -> None:
        """Bring everything in order after a removal, or after much was added."""
        if self._removed is not None:
            self._compact(~self._removed)
        if self._disordered:
            self._rearrange()
        if len(self._postings) > 1:
            self._join()

    def _join(self) -> None:
        """Join pieces of postings of like size, so that each is joined only a few times."""
        parts = self._postings
        if len(parts) > 4 * _SEGMENTS:
            self._postings = [lexical.merge(parts)]
            return
        while len(parts) > 1 and (len(parts) > _SEGMENTS or 2 * len(parts[-1].rows) > len(parts[-2].rows)):
            at = len(parts) - 2
            parts[at:] = [lexical.merge(parts[at:])]

    def _rearrange(self) -> None:
        arranged = arrange(
            self._kind.all[1:] == ITEM, self._owner.all[1:], self._seq.all[1:], self._at.all[1:]
        )
        before, after = arranged.before, arranged.after
        for column, values in zip(self._links, (before, before[before], after, after[after]), strict=True):
            column.replace(values)
        self._episode.replace(arranged.episodes)
        self._row_episode.replace(arranged.episodes[self._row_unit.all])
        lengths = np.bincount(
            self._row_episode.all, weights=self._row_length.all, minlength=arranged.count + 1
        )
        lengths[0] = 0.0
        self._episode_length.replace(lengths)
        self._tails = arranged.tails
        self._disordered = False

    def _compact(self, kept: NDArray[np.bool_]) -> None:
        """Close the gaps that removed units left."""
        rows = kept[self._row_unit.all]
        self._postings = [lexical.without(lexical.merge(self._postings), rows)]
        sizes = np.bincount(self._row_unit.all, minlength=self._kind.n)[kept]
        if self._matrix is not None:
            self._matrix.replace(self._matrix.all[rows[: self._matrix.n]])
        if self._vectors is not None:
            self._vectors.replace(self._vectors.all[rows])
        for column in (self._row_chunk, self._row_length, self._row_words, self._scales):
            column.replace(column.all[rows])
        for column in (
            self._kind,
            self._owner,
            self._seq,
            self._at,
            self._speaker,
            self._lean,
            self._asks,
            self._form,
        ):
            column.replace(column.all[kept])
        firsts = np.zeros(len(sizes), np.int64)
        np.cumsum(sizes[1:-1], out=firsts[2:])
        self._first.replace(firsts)
        self._row_unit.replace(np.repeat(np.arange(len(sizes)), sizes))
        self._length_total = int(self._row_length.all.sum(dtype=np.int64))
        self._longest = int(self._row_length.all.max(initial=0))
        self._vectorless = int(np.count_nonzero(self._scales.all == 0))
        self._speakers = set(np.unique(self._speaker.all[self._speaker.all != 0]).tolist())
        self._removed = None
        self._disordered = True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Legs:
    total: NDArray[np.float32]  # by unit
    fused: NDArray[np.float32]  # by row: words and nearness
    words: NDArray[np.float32]  # by row, unweighted
    words_step: float
    near: NDArray[np.float32] | None  # by row; None where meaning was not compared
    near_scale: Scale
    covered: NDArray[np.float32]  # by unit: above 0 if a word of the question is in it or close by
    neighbours: NDArray[np.float32]  # by unit
    stretch: NDArray[np.float32] | None  # by episode
    named: frozenset[int]  # speakers in the question


def _matched(found: Found, asked: tuple[Term, ...], first: int, end: int) -> tuple[str, ...]:
    """Return the words of a question that some row of a range has."""
    return tuple(
        term.word for term in asked if any(_holds(where, first, end) for where, _ in found.get(term.hash, ()))
    )


def _holds(rows: NDArray[np.int32], first: int, end: int) -> bool:
    at = int(rows.searchsorted(first))
    return at < len(rows) and int(rows[at]) < end
