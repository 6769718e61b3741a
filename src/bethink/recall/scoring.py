"""Score units for a question: all of a namespace, or those of a very large one that may come first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

import numpy as np

from bethink.recall import lexical
from bethink.recall.fusion import Scale, chatting, cover, least_of_best, meaning, scale_of, smooth
from bethink.recall.rows import Column
from bethink.recall.signs import Signs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bethink.recall.fusion import Links
    from bethink.recall.rows import Rows
    from bethink.recall.tokens import Term

EXACT: Final = 100_000  #: up to so many rows every vector is compared
MOST_TERMS: Final = 48  #: of a long question the rarest so many are searched
_NEAREST: Final = 700  #: rows that are compared in full beyond that for being near by their signs
_WORDIEST: Final = 400  #: and for the words they share
_FEW: Final = 8_192  #: if a filter lets through no more units than this, all of them are compared

_D = TypeVar("_D", bound=np.generic)

#: for each term of a question that some passage has, the rows that have it and how
Found: TypeAlias = "dict[int, list[tuple[NDArray[np.int32], NDArray[np.uint16]]]]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Legs:
    """What each leg gave; the numbers of units and rows are those of the index, or places in `units` and `rows`."""

    units: NDArray[np.int64] | None  #: None for all
    rows: NDArray[np.int64] | None
    first: NDArray[np.int64]  #: of each unit the first row
    total: NDArray[np.float32]  #: by unit
    fused: NDArray[np.float32]  #: by row: words and nearness
    lexical: NDArray[np.float32]  #: by row
    dense: NDArray[np.float32] | None  #: by row; None where meaning was not compared
    covered: NDArray[np.float32]  #: by unit: above 0 if a word of the question is in it or close by
    neighbours: NDArray[np.float32]  #: by unit
    episode: NDArray[np.float32] | None  #: by unit
    form: NDArray[np.float32]  #: by unit
    named: frozenset[int]  #: speakers in the question


class Scorer:
    """Scores the units of some rows, and keeps what that needs from one question to the next."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self._matrix: Column[np.float32] | None = None
        self._signs: Signs | None = None
        self._generation = 0
        self._table: tuple[tuple[int, int, int], NDArray[np.float32]] | None = None

    @property
    def nbytes(self) -> int:
        """Return the memory it takes beside the rows."""
        held = 0 if self._table is None else self._table[1].nbytes
        return held + sum(part.nbytes for part in (self._matrix, self._signs) if part is not None)

    def find(self, asked: Sequence[Term]) -> tuple[Found, int]:
        """Look up the words of a question; return how many of them no passage has, too."""
        found: Found = {}
        for term in asked:
            parts = [
                part for postings in self.rows.postings if (part := postings.find(term.hash)) is not None
            ]
            if parts:
                found[term.hash] = parts
        unknown = len(asked) - len(found)
        if len(found) > MOST_TERMS:
            rarest = sorted(found, key=lambda term: (rows_with(found[term]), term))[:MOST_TERMS]
            found = {term: found[term] for term in rarest}
        return found, unknown

    def score(
        self,
        found: Found,
        unknown: int,
        vector: NDArray[np.float32] | None,
        mask: NDArray[np.bool_] | None,
    ) -> Legs:
        """Score the units of the index; `mask` says which may be found, where not all.

        The words that no passage has count as the rarest there are: where they are most of a question, sharing its
        one common word says little, and meaning has to tell.
        """
        rows = self.rows
        if self._generation != rows.generation:
            self._matrix = self._signs = None
            self._generation = rows.generation
        total = rows.row_unit.n
        rarity = {term: lexical.idf(rows_with(parts), total) for term, parts in found.items()}
        known = sum(rarity.values())
        share = known / (known + unknown * lexical.idf(1, total)) if known > 0 else 1.0
        words = self._words(found, rarity)
        words *= np.float32(rows.weights.lexical * share / lexical.most(rarity.values()))
        near = vector if vector is not None and rows.vectors is not None and vector.any() else None
        if total > EXACT:
            return self._some(found, rarity, share, words, near, mask)
        dense = None if near is None or rows.vectors is None else self._nearness(near, rows.vectors)
        return self._all(found, rarity, share, words, dense)

    def _all(
        self,
        found: Found,
        rarity: dict[int, float],
        share: float,
        words: NDArray[np.float32],
        dense: NDArray[np.float32] | None,
    ) -> Legs:
        rows = self.rows
        having = [rows.row_unit.all.take(_rows_of(parts)) for parts in found.values()]
        return self._join(
            found, rarity, share, words, dense, having, rows.linked(), rows.first.all, None, None
        )

    def _some(
        self,
        found: Found,
        rarity: dict[int, float],
        share: float,
        words: NDArray[np.float32],
        vector: NDArray[np.float32] | None,
        mask: NDArray[np.bool_] | None,
    ) -> Legs:
        """Score what has many of the words or is near by its signs, with the items around it."""
        rows = self.rows
        units = self._candidates(words, vector, mask)
        links = rows.linked()
        marked = np.zeros(rows.kind.n, np.bool_)
        wanted = _spread(marked, units, links)
        marked[0] = True
        kept = _spread(marked, wanted, links)
        place = np.zeros(rows.kind.n, np.int32)
        place[kept] = np.arange(len(kept))
        before, second_before, after, second_after = (place.take(link.take(kept)) for link in links)
        first, inner = spans(rows, kept)
        owners = np.repeat(np.arange(len(kept), dtype=np.int32), np.diff(np.append(first, len(inner))))
        compared = np.zeros(len(kept), np.bool_)
        compared[place[wanted]] = True
        dense: NDArray[np.float32] | None = None
        if vector is not None and rows.vectors is not None:
            picked = compared[owners]
            dense = np.zeros(len(inner), np.float32)
            dense[picked] = self._compare(inner[picked], vector, rows.vectors)
        having: list[NDArray[np.int32]] = []
        has = np.empty(rows.row_unit.n, np.bool_)
        for parts in found.values():
            has[:] = False
            for where, _ in parts:
                has[where.astype(np.intp)] = True
            having.append(owners[has.take(inner)])
        local_links = (before, second_before, after, second_after)
        legs = self._join(found, rarity, share, words[inner], dense, having, local_links, first, kept, inner)
        legs.total[~compared] = -np.inf
        return legs

    def _candidates(
        self, words: NDArray[np.float32], vector: NDArray[np.float32] | None, mask: NDArray[np.bool_] | None
    ) -> NDArray[np.int64]:
        """Return units that may come first."""
        rows = self.rows
        closed: NDArray[np.bool_] | None = None
        if mask is not None:
            if np.count_nonzero(mask) <= _FEW:
                return np.flatnonzero(mask)
            open_ = mask[1:] if rows.row_unit.n == len(mask) - 1 else mask.take(rows.row_unit.all)
            closed = ~open_
            words = np.where(closed, np.float32(0), words)
        wordy = np.flatnonzero(words >= max(least_of_best(words, _WORDIEST), 1e-6))[: 8 * _WORDIEST]
        near = np.zeros(0, np.int64)
        if vector is not None and rows.vectors is not None:
            away = self._signed(rows.vectors).distances(vector)
            if closed is not None:
                away |= -closed.astype(away.dtype)  # all bits set: the furthest there is
            near = np.flatnonzero(away <= _bound(away, _NEAREST))[: 8 * _NEAREST]
        return rows.row_unit.all.take(np.concatenate([wordy, near])).astype(np.int64)

    def _signed(self, vectors: Column[np.int8]) -> Signs:
        if self._signs is None:
            self._signs = Signs(vectors.all, self.rows.scales.all)
        elif self._signs.n < vectors.n:
            self._signs.extend(vectors.all, self.rows.scales.all)
        return self._signs

    def _compare(
        self, chosen: NDArray[np.int64], vector: NDArray[np.float32], vectors: Column[np.int8]
    ) -> NDArray[np.float32]:
        """Compare the vectors of some rows, by the scale of a sample of all."""
        rows = self.rows
        scale = self._signed(vectors).scale(vector)
        scales = rows.scales.all.take(chosen)
        near = np.vecdot(vectors.all.take(chosen, axis=0).astype(np.float32), vector)
        near *= scales
        near -= np.float32(scale.mean)
        near *= np.float32(scale.step * meaning(rows.weights, chatting(rows.items_words, rows.items)))
        near[scales == 0] = 0.0
        return near

    def _join(
        self,
        found: Found,
        rarity: dict[int, float],
        share: float,
        words: NDArray[np.float32],
        dense: NDArray[np.float32] | None,
        having: Sequence[NDArray[np.int32]],
        links: Links,
        first: NDArray[np.int64],
        units: NDArray[np.int64] | None,
        inner: NDArray[np.int64] | None,
    ) -> Legs:
        """Add up all legs over units whose links, rows and words are given in their own numbers.

        `share` is how much of the question, by the weight of its words, is known at all.
        """
        rows, weights = self.rows, self.rows.weights
        fused = words if dense is None else words + dense
        total = np.empty(len(first), np.float32)
        total[0] = 0.0
        if len(fused) == len(first) - 1:
            total[1:] = fused
        elif len(first) > 1:
            np.maximum.reduceat(fused, first[1:], out=total[1:])
        lean, asks = _of(rows.lean, units), _of(rows.asks, units)
        chat = chatting(rows.items_words, rows.items)
        neighbours = smooth(total, lean, asks, links, weights, chat)
        covered = cover(np.fromiter(rarity.values(), np.float32), having, lean, links)
        total += neighbours
        covered *= np.float32(share)
        total += covered * np.float32(weights.coverage)
        form = _of(rows.form, units) * np.float32(chat)
        total += form
        stretch = self._episodes(found, share)
        episode = None if stretch is None else stretch.take(_of(rows.episode, units))
        if episode is not None:
            total += episode
        named = [term for term in found if term in rows.speakers]
        if named:
            total += np.isin(_of(rows.speaker, units), np.fromiter(named, np.uint64)) * np.float32(
                weights.speaker
            )
        total[0] = -np.inf
        return Legs(
            units=units,
            rows=inner,
            first=first,
            total=total,
            fused=fused,
            lexical=words,
            dense=dense,
            covered=covered,
            neighbours=neighbours,
            episode=episode,
            form=form,
            named=frozenset(named),
        )

    def _words(self, found: Found, rarity: dict[int, float]) -> NDArray[np.float32]:
        rows = self.rows
        key = (rows.row_unit.n, rows.length_total, rows.longest)
        if self._table is None or self._table[0] != key:
            self._table = (key, lexical.table(rows.length_total / max(rows.row_unit.n, 1), rows.longest))
        worth = self._table[1]
        words = np.zeros(rows.row_unit.n, np.float32)
        for term, parts in found.items():
            for where, codes in parts:
                at = where.astype(np.intp)  # the width that numpy scatters by: it is slow to widen as it goes
                gain = worth.take(codes)
                gain *= np.float32(rarity[term])
                gain += words.take(at)
                words[at] = gain
        return words

    def _nearness(self, vector: NDArray[np.float32], vectors: Column[np.int8]) -> NDArray[np.float32]:
        """Compare every vector; the cosines are brought to deviations from their mean."""
        rows = self.rows
        if self._matrix is None:
            self._matrix = Column(np.float32, vectors.all.shape[1])
        if self._matrix.n < vectors.n:
            start = self._matrix.n
            more = vectors.all[start:] * rows.scales.all[start:, None]
            if start:
                self._matrix.extend(more)
            else:
                self._matrix.replace(more)
        # vecdot, and not @, which splits so large a product between threads: see `scale_of`
        near = np.vecdot(self._matrix.all, vector.astype(np.float32, copy=False))
        blank = rows.scales.all == 0 if rows.vectorless else None
        scale: Scale = scale_of(near if blank is None else near[~blank])
        near -= np.float32(scale.mean)
        near *= np.float32(scale.step * meaning(rows.weights, chatting(rows.items_words, rows.items)))
        if blank is not None:
            near[blank] = 0.0
        return near

    def _episodes(self, found: Found, share: float) -> NDArray[np.float32] | None:
        """Score each stretch of talk as if it were one text; the best one counts `share` before its weight."""
        rows = self.rows
        count = rows.episode_length.n - 1
        if count < 2 or not found:  # noqa: PLR2004
            return None
        lengths = rows.episode_length.all
        saturation = lengths * (lexical.K1 * lexical.B / max(float(lengths.sum()) / count, 1e-9))
        saturation += lexical.K1 * (1 - lexical.B)
        scores = np.zeros(count + 1)
        for parts in found.values():
            times = np.zeros(count + 1)
            for where, codes in parts:
                episodes = rows.row_episode.all.take(where)
                times += np.bincount(episodes, weights=lexical.repeats(codes), minlength=count + 1)
            times[0] = 0.0
            weight = lexical.idf(int(np.count_nonzero(times)), count) * (lexical.K1 + 1)
            times /= times + saturation
            times *= weight
            scores += times
        best = float(scores.max())
        if best > 0:
            scores /= best
            scores -= float(scores[1:].sum()) / count
            scores *= rows.weights.episode * share
        scores[0] = 0.0
        return scores.astype(np.float32)


def spans(rows: Rows, units: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for some units, in order, where the rows of each begin among the rows of all of them, and those rows."""
    start = rows.first.all[units]
    after = np.minimum(units + 1, rows.first.n - 1)
    sizes = np.where(units < after, rows.first.all.take(after), rows.row_unit.n) - start
    sizes[units == 0] = 0  # nobody has none
    first = np.cumsum(sizes) - sizes
    inner = np.repeat(start - first, sizes) + np.arange(int(sizes.sum()))
    return first, inner


def rows_with(parts: Sequence[tuple[NDArray[np.int32], NDArray[np.uint16]]]) -> int:
    """Count the rows that have a word."""
    return sum(len(part[0]) for part in parts)


def _rows_of(parts: Sequence[tuple[NDArray[np.int32], NDArray[np.uint16]]]) -> NDArray[np.int32]:
    return parts[0][0] if len(parts) == 1 else np.concatenate([part[0] for part in parts])


def _of(column: Column[_D], units: NDArray[np.int64] | None) -> NDArray[_D]:
    return column.all if units is None else column.all[units]


def _spread(marked: NDArray[np.bool_], units: NDArray[np.int64], links: Links) -> NDArray[np.int64]:
    """Mark units and those around them; return all that are marked, in order."""
    marked[units] = True
    for link in links:
        marked[link.take(units)] = True
    return np.flatnonzero(marked)


def _bound(away: NDArray[np.uint8 | np.uint16], wanted: int) -> int:
    """Return a distance within which there are at least so many, by looking at some and then at all."""
    step = max(1, len(away) // 65_536)
    spread = np.cumsum(np.bincount(away[::step])) * step
    bound = int(np.searchsorted(spread, wanted))
    while np.count_nonzero(away <= bound) < min(wanted, len(away)):
        bound += 1
    return bound
