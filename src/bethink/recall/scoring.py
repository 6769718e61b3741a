"""Score passages for a question, in all of a namespace or among preselected candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np

from bethink.recall import bm25
from bethink.recall.fusion import neighbour_gain, relevance_floor, short_turn_share, term_coverage
from bethink.recall.question import USER
from bethink.recall.vector_search import VectorSearch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bethink.recall.fusion import Links
    from bethink.recall.passage_columns import Column, Rows
    from bethink.recall.question import QuestionKind
    from bethink.recall.tokenizer import Term

EXACT: Final = 100_000  #: up to so many rows every one is scored
MAX_TERMS: Final = 48  #: maximum query terms; the rarest are used
_BELOW_RAREST: Final = (
    1_000  #: times less than the rarest a word may weigh: with less, nearly every row has it
)
_NEAREST: Final = 700  #: rows beyond `EXACT` that are scored for being near by their signs
_WORDIEST: Final = 400  #: and for the words they share
_FEW: Final = 8_192  #: if a filter lets through no more units than this, all of them are scored

_D = TypeVar("_D", bound=np.generic)

#: for each term of a question that some passage has, the rows that have it and how
Found: TypeAlias = "dict[int, list[tuple[NDArray[np.int32], NDArray[np.uint16]]]]"


class QueryTerms(NamedTuple):
    """The words of a question, as the namespace knows them."""

    found: Found  #: those that tell one row from another
    rarity: dict[int, float]  #: IDF weight of each term
    share: float  #: share of the query's weight whose terms are known
    named: frozenset[int]  #: speakers among them
    aim: QuestionKind = USER  #: whose words it is after
    silent: NDArray[np.bool_] | None = None  #: by row: rows scored as if they were empty


class Candidates(NamedTuple):
    """What is scored: everything, or some units in numbers of their own."""

    units: NDArray[np.int64] | None  #: None for all
    rows: NDArray[np.int64] | None
    first: NDArray[np.int64]  #: by unit: its first row
    links: Links
    having: Sequence[NDArray[np.int32]]  #: for each query term: the units that contain it


class UnitAdjustments(NamedTuple):
    """What units lose or gain for how long they are, who said them and what for, unless the question is after it."""

    luck: NDArray[np.float32]
    role: NDArray[np.float32]
    wish: NDArray[np.float32]
    own: NDArray[np.float32] | None  #: their sum; None where it is nothing for anybody


class UnitSurroundings(NamedTuple):
    """What units have beside words and nearness of their own."""

    covered: NDArray[np.float32]
    episode: NDArray[np.float32] | None
    form: NDArray[np.float32] | None  #: None where there are no items
    bearing: UnitAdjustments
    total: NDArray[np.float32]


class Legs(NamedTuple):
    """What each leg gave; the numbers of units and rows are those of the index, or places in `units` and `rows`."""

    units: NDArray[np.int64] | None  #: None for all
    rows: NDArray[np.int64] | None
    first: NDArray[np.int64]  #: by unit: its first row
    total: NDArray[np.float32]  #: by unit
    fused: NDArray[np.float32]  #: by row: lexical plus dense
    lexical: NDArray[np.float32]  #: by row
    dense: NDArray[np.float32] | None  #: by row; None where meaning was not compared
    covered: NDArray[np.float32]  #: by unit: above 0 if a word of the question is in it or close by
    neighbours: NDArray[np.float32] | None  #: by unit; None where nothing stands beside anything
    episode: NDArray[np.float32] | None  #: by unit
    form: NDArray[np.float32] | None  #: by unit; None where there are no items
    bearing: UnitAdjustments  #: by unit
    named: frozenset[int]  #: speakers in the question
    mean: float = 0.0  #: cosine of the question with all rows


class Scorer:
    """Scores the units of some rows, and keeps what that needs from one question to the next."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self._nearness = VectorSearch(rows)
        self._table: tuple[tuple[int, int, int], NDArray[np.float32]] | None = None
        self._saturation: tuple[int, NDArray[np.float64]] | None = None
        self._usual: tuple[int, QuestionKind, UnitAdjustments] | None = (
            None  #: the last bearing of all units, until these change
        )

    @property
    def nbytes(self) -> int:
        """Return the memory it takes beside the rows."""
        usual = 0 if self._usual is None else 4 * self._usual[2].luck.nbytes
        return self._nearness.nbytes + (0 if self._table is None else self._table[1].nbytes) + usual

    def silence(self, units: Sequence[int]) -> NDArray[np.bool_] | None:
        """Return which rows are those of some units; None where there are none."""
        if not units:
            return None
        return np.isin(self.rows.row_unit.all, np.array(units))

    def find(self, asked: Sequence[Term], silent: NDArray[np.bool_] | None = None) -> tuple[Found, int]:
        """Look up the words of a question; return how many of them no passage has, too."""
        found: Found = {}
        for term in asked:
            parts = [
                part for postings in self.rows.postings if (part := postings.find(term.hash)) is not None
            ]
            if silent is not None:
                parts = [shown for part in parts if len((shown := _without(part, silent))[0])]
            if parts:
                found[term.hash] = parts
        unknown = len(asked) - len(found)
        if len(found) > MAX_TERMS:
            rarest = sorted(found, key=lambda term: (rows_with(found[term]), term))[:MAX_TERMS]
            found = {term: found[term] for term in rarest}
        return found, unknown

    def score(
        self,
        found: Found,
        unknown: int,
        vector: NDArray[np.float32] | None,
        mask: NDArray[np.bool_] | None,
        aim: QuestionKind = USER,
        silent: NDArray[np.bool_] | None = None,
    ) -> Legs:
        """Score the units of the index; `mask` says which may be found, where not all.

        Rows that are `silent` lend nothing to those around them; `found` is without them.
        """
        rows = self.rows
        sought = self._sought(found, unknown)._replace(aim=aim, silent=silent)
        words = self._words(sought)
        near: NDArray[np.float32] | None = None
        if vector is not None and rows.vectors is not None and vector.any():
            near = vector.astype(np.float32, copy=False)
        if rows.row_unit.n > EXACT:
            return self._some(sought, words, near, mask)
        return self._all(sought, words, near, mask)

    def _sought(self, found: Found, unknown: int) -> QueryTerms:
        """Weigh the words of a question.

        Those that no passage has count as the rarest there are: where they are most of a question, sharing its one
        common word says little, and meaning has to tell.
        """
        total = self.rows.row_unit.n
        rarity = {term: bm25.idf(rows_with(parts), total) for term, parts in found.items()}
        known = sum(rarity.values())
        share = known / (known + unknown * bm25.idf(1, total)) if known > 0 else 1.0
        least = max(rarity.values(), default=0.0) / _BELOW_RAREST
        rarity = {term: weight for term, weight in rarity.items() if weight >= least}
        named = frozenset(term for term in found if term in self.rows.speakers)
        return QueryTerms({term: found[term] for term in rarity}, rarity, share, named)

    def _all(
        self,
        sought: QueryTerms,
        words: NDArray[np.float32],
        vector: NDArray[np.float32] | None,
        mask: NDArray[np.bool_] | None,
    ) -> Legs:
        rows = self.rows
        having = [rows.row_unit.all.take(_rows_of(parts)) for parts in sought.found.values()]
        part = Candidates(None, None, rows.first.all, rows.linked(), having)
        around = self._around(sought, part)
        if vector is None:
            return self._join(sought, part, around, words, None)
        others, open_ = words, None
        if not self._nearness.compares_all:
            own = around.bearing.own
            beside: NDArray[np.float32] = around.total if own is None else around.total + own
            others = words + _by_row(rows, beside)
            open_ = None if mask is None else _by_row(rows, mask)
        dense, mean = self._nearness.of_all(vector, others, open_)
        if sought.silent is not None:
            dense = np.where(sought.silent, np.float32(0), dense)
        return self._join(sought, part, around, words, dense, mean)

    def _some(
        self,
        sought: QueryTerms,
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
        place = np.zeros(rows.kind.n, np.int32)  # half as wide as links: it is as long as the namespace
        place[kept] = np.arange(len(kept))
        before, second_before, after, second_after = (
            place.take(link.take(kept)).astype(np.intp) for link in links
        )
        first, inner = spans(rows, kept)
        owners = np.repeat(np.arange(len(kept), dtype=np.int32), np.diff(np.append(first, len(inner))))
        compared = np.zeros(len(kept), np.bool_)
        compared[place[wanted]] = True
        dense: NDArray[np.float32] | None = None
        mean = 0.0
        if vector is not None:
            picked = compared[owners]
            dense = np.zeros(len(inner), np.float32)
            dense[picked], mean = self._nearness.of_some(inner[picked], vector)
            if sought.silent is not None:
                dense[sought.silent.take(inner)] = 0.0
        having: list[NDArray[np.int32]] = []
        has = np.empty(rows.row_unit.n, np.bool_)
        for parts in sought.found.values():
            has[:] = False
            for where, _ in parts:
                has[where.astype(np.intp)] = True
            having.append(owners[has.take(inner)])
        part = Candidates(kept, inner, first, (before, second_before, after, second_after), having)
        legs = self._join(sought, part, self._around(sought, part), words[inner], dense, mean)
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
            closed = ~_by_row(rows, mask)
            words = np.where(closed, np.float32(0), words)
        wordy = np.flatnonzero(words >= max(relevance_floor(words, _WORDIEST), 1e-6))[: 8 * _WORDIEST]
        near = np.zeros(0, np.int64)
        if vector is not None:
            away = self._nearness.signs().distances(vector)
            if closed is not None:
                away |= -closed.astype(away.dtype)  # all bits set: the furthest there is
            near = np.flatnonzero(away <= _bound(away, _NEAREST))[: 8 * _NEAREST]
        return rows.row_unit.all.take(np.concatenate([wordy, near])).astype(np.int64)

    def _around(self, sought: QueryTerms, part: Candidates) -> UnitSurroundings:
        """Score what does not depend on how units themselves answer the question."""
        rows, weights = self.rows, self.rows.weights
        covered = term_coverage(
            np.fromiter(sought.rarity.values(), np.float32),
            part.having,
            _of(rows.lean, part.units),
            part.links if rows.items else None,
        )
        covered *= np.float32(sought.share)
        total = covered * np.float32(weights.coverage)
        form: NDArray[np.float32] | None = None
        if rows.items:
            form = _of(rows.form, part.units) * np.float32(short_turn_share(rows.items_words, rows.items))
            total += form
        stretches = self._episodes(sought)
        episode = None if stretches is None else stretches.take(_of(rows.episode, part.units))
        if episode is not None:
            total += episode
        for name in sought.named:
            total += (_of(rows.speaker, part.units) == np.uint64(name)) * np.float32(weights.speaker)
        bearing = self._bearing(sought.aim, part.units)
        return UnitSurroundings(covered, episode, form, bearing, total)

    def _bearing(self, aim: QuestionKind, units: NDArray[np.int64] | None) -> UnitAdjustments:
        if units is not None:
            return self._bearing_of(aim, units)
        known = self._usual
        if known is None or known[:2] != (self.rows.version, aim):
            known = self._usual = (self.rows.version, aim, self._bearing_of(aim, None))
        return known[2]

    def _bearing_of(self, aim: QuestionKind, units: NDArray[np.int64] | None) -> UnitAdjustments:
        rows, weights = self.rows, self.rows.weights
        luck: NDArray[np.float32] = _of(rows.luck, units) * np.float32(-weights.luck * aim.luck)
        role: NDArray[np.float32] = _of(rows.told, units) * np.float32(-weights.told * aim.told)
        wish: NDArray[np.float32] = _of(rows.wishes, units) * np.float32(weights.wish * aim.wishes)
        own: NDArray[np.float32] = luck + role + wish
        some = luck.any() or role.any() or wish.any()
        return UnitAdjustments(luck, role, wish, own if some else None)

    def _join(
        self,
        sought: QueryTerms,
        part: Candidates,
        around: UnitSurroundings,
        words: NDArray[np.float32],
        dense: NDArray[np.float32] | None,
        mean: float = 0.0,
    ) -> Legs:
        """Add up all legs."""
        rows, first = self.rows, part.first
        fused = words if dense is None else words + dense
        total = np.empty(len(first), np.float32)
        total[0] = 0.0
        if len(fused) == len(first) - 1:
            total[1:] = fused
        elif len(first) > 1:
            np.maximum.reduceat(fused, first[1:], out=total[1:])
        if around.bearing.own is not None:
            total += around.bearing.own  # before items lend: they lend what is theirs, and not their luck
        neighbours: NDArray[np.float32] | None = None
        if rows.items:
            lean, asks = _of(rows.lean, part.units), _of(rows.asks, part.units)
            chat = short_turn_share(rows.items_words, rows.items)
            neighbours = neighbour_gain(total, lean, asks, part.links, rows.weights, chat)
            total += neighbours
        total += around.total
        total[0] = -np.inf
        return Legs(
            units=part.units,
            rows=part.rows,
            first=first,
            total=total,
            fused=fused,
            lexical=words,
            dense=dense,
            covered=around.covered,
            neighbours=neighbours,
            episode=around.episode,
            form=around.form,
            bearing=around.bearing,
            named=sought.named,
            mean=mean,
        )

    def _words(self, sought: QueryTerms) -> NDArray[np.float32]:
        """Score rows by the words they share with a question, as a share of the most there could be."""
        rows = self.rows
        key = (rows.row_unit.n, rows.length_total, rows.longest)
        if self._table is None or self._table[0] != key:
            self._table = (
                key,
                bm25.saturation_table(rows.length_total / max(rows.row_unit.n, 1), rows.longest),
            )
        worth = self._table[1]
        words = np.zeros(rows.row_unit.n, np.float32)
        whole = rows.weights.lexical * sought.share / bm25.upper_bound(sought.rarity.values())
        for term, parts in sought.found.items():
            for where, codes in parts:
                at = where.astype(np.intp)  # the width that numpy scatters by: it is slow to widen as it goes
                gain = worth.take(codes)
                gain *= np.float32(sought.rarity[term] * whole)
                gain += words.take(at)
                words[at] = gain
        return words

    def _episodes(self, sought: QueryTerms) -> NDArray[np.float32] | None:
        """Score each stretch of talk as if it were one text; the best one counts its share before its weight."""
        rows = self.rows
        count = rows.episode_length.n - 1
        if count < 2 or not sought.found:  # noqa: PLR2004
            return None
        if self._saturation is None or self._saturation[0] != rows.arrangement:
            lengths = rows.episode_length.all
            worth = lengths * (bm25.K1 * bm25.B / max(float(lengths.sum()) / count, 1e-9))
            self._saturation = (rows.arrangement, worth + bm25.K1 * (1 - bm25.B))
        saturation = self._saturation[1]
        scores = np.zeros(count + 1)
        for parts in sought.found.values():
            times = np.zeros(count + 1)
            for where, codes in parts:
                episodes = rows.row_episode.all.take(where)
                times += np.bincount(episodes, weights=bm25.term_counts(codes), minlength=count + 1)
            times[0] = 0.0
            weight = bm25.idf(int(np.count_nonzero(times)), count) * (bm25.K1 + 1)
            times /= times + saturation
            times *= weight
            scores += times
        best = float(scores.max())
        if best > 0:
            scores /= best
            scores -= float(scores[1:].sum()) / count
            scores *= rows.weights.episode * sought.share
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


def _without(
    part: tuple[NDArray[np.int32], NDArray[np.uint16]], silent: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
    """Return the rows that have a word, without the silent ones."""
    shown = ~silent.take(part[0])
    return part[0][shown], part[1][shown]


def _by_row(rows: Rows, values: NDArray[_D]) -> NDArray[_D]:
    """Return for every row what its unit has."""
    return values[1:] if rows.row_unit.n == len(values) - 1 else values.take(rows.row_unit.all)


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
