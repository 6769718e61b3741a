"""The index of one namespace, in memory, and its search."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from bethink.plain import quickly
from bethink.recall.fusion import DEFAULT, Weights, relevance_floor
from bethink.recall.passage_blocks import KINDS, UNDATED
from bethink.recall.passage_columns import ITEM, NOTE, Rows
from bethink.recall.question import aim_of, wording_hash
from bethink.recall.scoring import Scorer, spans
from bethink.recall.tokenizer import Term, query_terms
from bethink.recall.values import Why

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from bethink.recall.passage_blocks import Block
    from bethink.recall.passages import PassageKind
    from bethink.recall.scoring import Found, Legs
    from bethink.recall.values import Filter, FilterFields


#: a note, some items of a session by their places, or all of them, that are taken out
Removal: TypeAlias = "tuple[PassageKind, int, Collection[int] | None]"


class SearchFilter(NamedTuple):
    """What may be found; the rest is left out before anything is cut off."""

    notes: Collection[int] | None = None  #: keys of notes; None is every note, empty is none
    categories: Collection[str] | None = None  #: categories of notes; None is all
    where: Mapping[str, Any] | None = None  #: checked metadata filter of notes
    now: int | None = None  #: notes that end by then, in microseconds, are left out
    items: bool = True
    sessions: Collection[int] | None = (
        None  #: keys of the sessions whose items may be found; None is every one
    )
    until: int | None = None  #: items said by then, in microseconds; undated ones are not
    roles: Collection[int] | None = None  #: who said items, as places in `ROLES`; None is everybody
    since: int | None = None  #: only what was said or holds from then on; undated entries are excluded
    before: int | None = None  #: and before then
    people: bool = False  #: exclude what assistants and tools said
    seen: tuple[int, int] | None = None  #: key of a session, and the place from which its items are left out
    repeats: bool = True  #: a question that is asked again, word for word, and that nobody answered
    answering: int | None = None  #: key of the session whose open turn is being answered: it is left out


@dataclass(slots=True)
class Ranked:
    """One note or item in a ranking."""

    kind: PassageKind
    owner: int
    seq: int
    score: float  #: the sum of the legs
    why: Why  #: score of each leg for the best passage
    exchange: int | None = None  #: the place in the same session of what replies to it, or what it replies to
    covered: float = 0.0  #: the share of the question that is in it or close to it
    cosine: float | None = None  #: cosine of the nearest passage; None without vector search
    mean: float = 0.0  #: mean cosine of the namespace's passages


class HitTime(NamedTuple):
    """Where a note or an item stands in time."""

    at: int
    kind: int  #: its place in `KINDS`
    owner: int
    seq: int


class Ranking(NamedTuple):
    """What a search found, best first."""

    hits: tuple[Ranked, ...]
    terms: tuple[str, ...]  #: words that were searched for
    unknown: tuple[str, ...]  #: query terms that no passage has
    scanned: int  #: notes and items in the namespace
    allowed: int  #: number of entries that passed the filter
    covered: float = (
        0.0  #: the share of the question, by the weight of its words, in the best hit or close to it
    )
    nearest: float | None = (
        None  #: the highest cosine among the first hits; None where meaning was not compared
    )
    mean: float = 0.0  #: the cosine of the question with all passages


class RankPosition(NamedTuple):
    """Where one note or item stands in the whole ranking of a question."""

    filter: Filter | None = None  #: what left it out; nothing else is filled then
    rank: int | None = None  #: counted from 1 among all that was let through; None if nothing speaks for it
    needed: float | None = None  #: the score at the cut
    ranked: Ranked | None = None


LAST: Final = 2**62  #: stands for an undated one in the order of time
_UNSAID: Final = Why()
_COMPARED: Final = 8  #: codes that are compared one after the other
_DIGITS: Final = 4  #: of a score after the point: what differs by less is the same, but for rounding
_EQUAL: Final = 10.0**-_DIGITS
_JUDGED: Final = 10  #: hits that say how much there is to be found, whatever the limit


class NamespaceIndex:
    """The passages of one namespace, analysed; nothing outside them bears on a score.

    A note or an item is a unit; its passages are rows, and come together in one batch. What is added twice is there
    twice: remove the old before adding the new.
    """

    def __init__(self, *, weights: Weights = DEFAULT) -> None:
        self._lock = threading.Lock()
        self._rows = Rows(weights)
        self._scorer = Scorer(self._rows)

    def extend(self, block: Block, marks: Mapping[int, FilterFields] | None = None) -> None:
        """Add a batch of passages at the end; `marks` are the categories and ends of notes that are not plain."""
        self.change((), block, marks)

    def remove(self, kind: PassageKind, owner: int, seqs: Collection[int] | None = None) -> int:
        """Take out a note, some items of a session, or all of them; return how many notes and items went."""
        return self.change([(kind, owner, seqs)])[0]

    def change(
        self,
        removals: Sequence[Removal],
        block: Block | None = None,
        marks: Mapping[int, FilterFields] | None = None,
    ) -> list[int]:
        """Take out and add at once: a search sees all of it or nothing. Return how many went with each removal."""
        with self._lock:
            counts = self._take_out(removals) if removals else []
            if block is not None and len(block):
                self._rows.append(block, marks or {})
            return counts

    def _take_out(self, removals: Sequence[Removal]) -> list[int]:
        rows = self._rows
        rows.settle()
        gone = np.zeros(rows.kind.n, np.bool_)
        counts: list[int] = []
        for kind, owner, seqs in removals:
            found = (rows.kind.all == KINDS.index(kind)) & (rows.owner.all == owner) & ~gone
            found[0] = False
            if seqs is not None:
                found &= np.isin(rows.seq.all, np.fromiter(seqs, np.int64))
            counts.append(int(np.count_nonzero(found)))
            gone |= found
        if gone.any():
            rows.remove(gone)
        return counts

    def __len__(self) -> int:
        with self._lock:
            self._rows.settle()
            return self._rows.kind.n - 1

    @property
    def passages(self) -> int:
        """Return how many passages it holds, those included that are about to be taken out."""
        return self._rows.row_unit.n

    @property
    def nbytes(self) -> int:
        """Return the memory it takes, about."""
        return self._rows.nbytes + self._scorer.nbytes

    def has(self, kind: PassageKind, owner: int, seq: int = 0) -> bool:
        """Tell whether a note or an item is in the index."""
        with self._lock:
            self._rows.settle()
            return self._unit_of(kind, owner, seq) is not None

    def search(
        self,
        text: str,
        vector: NDArray[np.float32] | None = None,
        *,
        limit: int = 10,
        allow: SearchFilter | None = None,
        explain: bool = False,
        reasons: bool = True,
    ) -> Ranking:
        """Return the best notes and items for a question, whose vector is given where there is an embedder.

        Without `reasons` no hit says what each leg gave it.
        """
        asked = query_terms(text)
        words = tuple(term.word for term in asked)
        with self._lock:
            self._rows.settle()
            n = self._rows.kind.n - 1
            if not n:
                return Ranking((), words, words, 0, 0)
            units = self._unheard(text, allow)
            silent = self._scorer.silence(units)
            found, missing = self._scorer.find(asked, silent)
            allowed = mask = self._mask(allow)
            if units:
                mask = np.arange(n + 1) > 0 if mask is None else mask.copy()
                mask[units] = False
            legs = self._scorer.score(found, missing, vector, mask, aim_of(text), silent)
            first = self._best(legs, mask, max(limit, _JUDGED))
            best = first[: max(limit, 0)]
            hits = self._hits(best, legs, found if explain else {}, asked, allow, reasons=reasons)
            covered, cosines = self._judged(first, legs, vector)
            for hit, share, near in zip(hits, covered, cosines or [None] * len(hits), strict=False):
                hit.covered, hit.cosine, hit.mean = share, near, legs.mean
        unknown = tuple(term.word for term in asked if term.hash not in found)
        let_through = n if allowed is None else int(np.count_nonzero(allowed))
        nearest = max(cosines[:_JUDGED]) if cosines else None
        known = covered[0] if covered else 0.0
        return Ranking(hits, words, unknown, n, let_through, known, nearest, legs.mean)

    def _unheard(self, text: str, allow: SearchFilter | None) -> list[int]:
        """Return the units that only ask what is being asked, of which nothing can be learned."""
        if allow is None:
            return []
        units = [] if allow.repeats else self._rows.unanswered(wording_hash(text))
        return units if allow.answering is None else units + self._rows.open_turn(allow.answering)

    def standing(self, limit: int) -> list[int]:
        """Return the keys of the notes that hold in every conversation, the newest first."""
        with self._lock:
            self._rows.settle()
            owners = self._rows.owner.all[self._rows.standing.all > 0]
            return sorted(owners.tolist(), reverse=True)[:limit]

    def in_time(self, allow: SearchFilter | None = None) -> list[HitTime]:
        """Return all that may be found in the order of time; what is undated comes last."""
        with self._lock:
            self._rows.settle()
            rows, mask = self._rows, self._mask(allow)
            units = np.arange(1, rows.kind.n) if mask is None else np.flatnonzero(mask)
            ats = rows.at.all[units]
            ats = np.where(ats == UNDATED, LAST, ats)
            columns = (ats, rows.kind.all[units], rows.owner.all[units], rows.seq.all[units])
            order = np.lexsort(columns[::-1])
            at, kind, owner, seq = (column[order].tolist() for column in columns)
            return [HitTime(*each) for each in zip(at, kind, owner, seq, strict=True)]

    def place(
        self,
        kind: PassageKind,
        owner: int,
        seq: int,
        text: str,
        vector: NDArray[np.float32] | None = None,
        *,
        limit: int = 10,
        allow: SearchFilter | None = None,
    ) -> RankPosition | None:
        """Return where a note or an item stands in the ranking of a question, None if it is not in the index."""
        asked = query_terms(text)
        with self._lock:
            self._rows.settle()
            unit = self._unit_of(kind, owner, seq)
            if unit is None:
                return None
            units = self._unheard(text, allow)
            left_out = self._left_out(unit, allow)
            if left_out is not None or unit in units:
                return RankPosition(left_out or "question")
            silent = self._scorer.silence(units)
            found, missing = self._scorer.find(asked, silent)
            mask = self._mask(allow)
            if units:
                mask = np.arange(self._rows.kind.n) > 0 if mask is None else mask.copy()
                mask[units] = False
            legs = self._scorer.score(found, missing, vector, mask, aim_of(text), silent)
            order = self._best(legs, mask, self._rows.kind.n)
            at = np.flatnonzero((order if legs.units is None else legs.units[order]) == unit)
            if not len(at):
                return RankPosition()
            (ranked,) = self._hits(order[at], legs, found, asked, allow)
            cut = order[min(limit, len(order)) - 1]
            needed = float(legs.total[cut].round(_DIGITS)) if limit > 0 else None
            return RankPosition(None, int(at[0]) + 1, needed, ranked)

    def _left_out(self, unit: int, allow: SearchFilter | None) -> Filter | None:
        if allow is None:
            return None
        rows = self._rows
        owner, at = int(rows.owner.all[unit]), int(rows.at.all[unit])
        note = rows.kind.all[unit] == NOTE
        if not len(allow.notes) if note and allow.notes is not None else not note and not allow.items:
            return "kind"
        if (allow.since is not None and at < allow.since) or (
            allow.before is not None and (at >= allow.before or at == UNDATED)
        ):
            return "time"
        if note:
            mask = self._mask(allow)
            return None if mask is None or mask[unit] else "note"
        if allow.sessions is not None and owner not in allow.sessions:
            return "session"
        late = allow.until is not None and (at > allow.until or at == UNDATED)
        silent = allow.roles is not None and rows.role.all[unit] not in allow.roles
        return "time" if late else "role" if silent else None

    def _mask(self, allow: SearchFilter | None) -> NDArray[np.bool_] | None:
        """Return which units may be found; None where all of them may."""
        if allow is None:
            return None
        items, notes = self._allowed_items(allow), self._allowed_notes(allow)
        if items is None and notes is None and allow.since is None and allow.before is None:
            return None
        kinds = self._rows.kind.all
        found = kinds == ITEM
        if items is not None:
            found &= items
        others = kinds == NOTE
        others[0] = False
        if notes is not None:
            others &= notes
        found |= others
        if allow.since is not None:  # what is undated lies before all
            found &= self._rows.at.all >= allow.since
        if allow.before is not None:
            found &= (self._rows.at.all < allow.before) & (self._rows.at.all != UNDATED)
        return found

    def _allowed_items(self, allow: SearchFilter) -> NDArray[np.bool_] | np.bool_ | None:
        rows = self._rows
        if not allow.items:
            return np.False_
        found: NDArray[np.bool_] | None = None
        if allow.sessions is not None:
            found = _among(rows.owner.all, allow.sessions)
        if allow.seen is not None:
            session, first = allow.seen
            hidden = (rows.owner.all != session) | (rows.seq.all < first)
            found = hidden if found is None else found & hidden
        if allow.people:
            found = rows.told.all == 0 if found is None else found & (rows.told.all == 0)
        if allow.roles is not None:
            of_role = _among(rows.role.all, allow.roles)
            found = of_role if found is None else found & of_role
        if allow.until is not None:
            dated = (rows.at.all <= allow.until) & (rows.at.all != UNDATED)
            found = dated if found is None else found & dated
        return found

    def _allowed_notes(self, allow: SearchFilter) -> NDArray[np.bool_] | np.bool_ | None:
        rows = self._rows
        if allow.notes is not None and not len(allow.notes):
            return np.False_
        found = None if allow.notes is None else _among(rows.owner.all, allow.notes)
        if allow.categories is not None:
            named = _chosen(rows.marks.of_categories(allow.categories), rows.category.all)
            found = named if found is None else found & named
        if allow.where is not None:
            of_metadata = _chosen(rows.marks.of_metadata(allow.where), rows.metadata.all)
            found = of_metadata if found is None else found & of_metadata
        if allow.now is not None and rows.marks.expiring:
            live = rows.expires.all > allow.now
            found = live if found is None else found & live
        return found

    def _best(self, legs: Legs, mask: NDArray[np.bool_] | None, limit: int) -> NDArray[np.int64]:
        """Return the places of the highest scores in order; equal ones by kind, owner, then newest first."""
        open_ = None if mask is None else mask if legs.units is None else mask[legs.units]
        if (
            legs.dense is None
        ):  # then only what shares a word, or stands by one that does, has anything for it
            touched = legs.covered > 0
            open_ = touched if open_ is None else touched & open_
        elif legs.units is not None:
            scored = legs.total > -np.inf
            open_ = scored if open_ is None else scored & open_
        if open_ is None:
            scores = legs.total[1:]
            if limit <= 0 or not len(scores):
                return np.zeros(0, np.int64)
            places = np.flatnonzero(scores >= relevance_floor(scores, limit) - _EQUAL) + 1
        else:
            places = np.flatnonzero(open_)
            if limit <= 0 or not len(places):
                return np.zeros(0, np.int64)
            scores = legs.total[places]
            places = places[scores >= relevance_floor(scores, limit) - _EQUAL]
        units = places if legs.units is None else legs.units[places]
        below = -legs.total[places].round(_DIGITS)
        order = np.argsort(below)
        first = below[order[: limit + 1]].tolist()
        if len(set(first)) < len(first):  # the same score: notes first, then what is newer
            rows = self._rows
            order = np.lexsort((-rows.seq.all[units], rows.owner.all[units], rows.kind.all[units], below))
        return places[order][:limit]

    def _hits(
        self,
        places: NDArray[np.int64],
        legs: Legs,
        found: Found,
        asked: tuple[Term, ...],
        allow: SearchFilter | None,
        *,
        reasons: bool = True,
    ) -> tuple[Ranked, ...]:
        if not len(places):
            return ()
        units = places if legs.units is None else legs.units[places]
        kinds: list[int] = self._rows.kind.all[units].tolist()
        owners: list[int] = self._rows.owner.all[units].tolist()
        seqs: list[int] = self._rows.seq.all[units].tolist()
        totals: list[float] = legs.total[places].round(_DIGITS).tolist()
        whys = self._whys(places, units, legs, found, asked) if reasons else [_UNSAID] * len(places)
        exchanges = [
            self._exchange(unit, allow) if kind == ITEM else None
            for unit, kind in zip(units.tolist(), kinds, strict=True)
        ]
        return tuple(
            Ranked(KINDS[int(kind)], owner, seq, total, why, exchange)
            for kind, owner, seq, total, why, exchange in zip(
                kinds, owners, seqs, totals, whys, exchanges, strict=True
            )
        )

    def _exchange(self, unit: int, allow: SearchFilter | None) -> int | None:
        """Return the place of what goes with an item; nothing that was said after the instant that is looked at."""
        rows = self._rows
        other = rows.answering(unit)
        late = (
            allow is not None and allow.until is not None and not UNDATED < rows.at.all[other] <= allow.until
        )
        return None if not other or late else int(rows.seq.all[other])

    def _whys(
        self,
        places: NDArray[np.int64],
        units: NDArray[np.int64],
        legs: Legs,
        found: Found,
        asked: tuple[Term, ...],
    ) -> list[Why]:
        """Return what each leg gave to some units, for the best passage of each."""
        rows, starts = self._best_rows(places, legs)
        nothing = [0.0] * len(places)
        matched: list[tuple[str, ...]] = [()] * len(places)
        if found:
            own = self._rows.first.all[units].tolist()
            matched = [
                _matched(found, asked, at, at + end - first)
                for at, (first, end) in zip(own, starts, strict=True)
            ]
        weights, bearing = self._rows.weights, legs.bearing
        bears = bearing.own is not None
        given = zip(
            legs.lexical.take(rows).tolist(),
            nothing if legs.dense is None else legs.dense.take(rows).tolist(),
            (legs.covered.take(places) * weights.coverage).tolist(),
            nothing if legs.neighbours is None else legs.neighbours.take(places).tolist(),
            nothing if legs.episode is None else legs.episode.take(places).tolist(),
            self._rows.speaker.all.take(units).tolist() if legs.named else nothing,
            nothing if legs.form is None else legs.form.take(places).tolist(),
            bearing.luck.take(places).tolist() if bears else nothing,
            bearing.role.take(places).tolist() if bears else nothing,
            bearing.wish.take(places).tolist() if bears else nothing,
            matched,
            self._rows.row_chunk.all.take(rows if legs.rows is None else legs.rows.take(rows)).tolist(),
            strict=True,
        )
        why = quickly(Why)
        return [
            why(
                lexical=words,
                dense=near,
                coverage=covered,
                neighbours=around,
                episode=stretch,
                speaker=weights.speaker if who in legs.named else 0.0,
                form=form,
                luck=luck,
                role=role,
                wish=wish,
                terms=terms,
                chunk=chunk,
            )
            for words, near, covered, around, stretch, who, form, luck, role, wish, terms, chunk in given
        ]

    def _best_rows(
        self, places: NDArray[np.int64], legs: Legs
    ) -> tuple[NDArray[np.int64], list[tuple[int, int]]]:
        """Return the best passage of each of some units, and between which rows the passages of each stand."""
        if len(legs.fused) == len(legs.first) - 1:  # each has one
            rows = places - 1
            firsts: list[int] = rows.tolist()
            return rows, [(first, first + 1) for first in firsts]
        starts = legs.first[places]
        following = np.minimum(places + 1, len(legs.first) - 1)
        ends = np.where(places + 1 < len(legs.first), legs.first[following], len(legs.fused))
        spans = list(zip(starts.tolist(), ends.tolist(), strict=True))
        best = [
            first if end == first + 1 else first + int(legs.fused[first:end].argmax()) for first, end in spans
        ]
        return np.array(best), spans

    def _judged(
        self,
        places: NDArray[np.int64],
        legs: Legs,
        vector: NDArray[np.float32] | None,
    ) -> tuple[list[float], list[float]]:
        """Return how much of a question each of the first hits covers, and how near it is where that is compared."""
        if not len(places):
            return [], []
        covered = legs.covered[places].tolist()
        vectors = self._rows.vectors
        if legs.dense is None or vectors is None or vector is None:
            return covered, []
        units = places if legs.units is None else legs.units[places]
        single = self._rows.row_unit.n == self._rows.kind.n - 1
        firsts, rows = (None, units - 1) if single else spans(self._rows, units)
        cosines = np.vecdot(vectors.all.take(rows, axis=0).astype(np.float32), vector)
        cosines = cosines * self._rows.scales.all.take(rows)
        return covered, (cosines if firsts is None else np.maximum.reduceat(cosines, firsts)).tolist()

    def _unit_of(self, kind: PassageKind, owner: int, seq: int) -> int | None:
        same = (
            (self._rows.kind.all == KINDS.index(kind))
            & (self._rows.owner.all == owner)
            & (self._rows.seq.all == seq)
        )
        same[0] = False
        at = np.flatnonzero(same)
        return int(at[0]) if len(at) else None


def _chosen(wanted: NDArray[np.bool_], codes: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which codes are wanted; to compare with one after the other is faster than looking up, if they are few."""
    few = np.flatnonzero(wanted)
    if len(few) > _COMPARED:
        return wanted.take(codes)
    found = np.zeros(len(codes), np.bool_)
    for code in few.astype(codes.dtype):
        found |= codes == code
    return found


def _among(owners: NDArray[Any], keys: Collection[int]) -> NDArray[np.bool_]:
    if len(keys) == 1:
        return owners == next(iter(keys))
    return np.isin(owners, np.fromiter(keys, np.int64, len(keys)))


def _matched(found: Found, asked: tuple[Term, ...], first: int, end: int) -> tuple[str, ...]:
    """Return the words of a question that some row of a range has."""
    return tuple(
        term.word for term in asked if any(_holds(where, first, end) for where, _ in found.get(term.hash, ()))
    )


def _holds(rows: NDArray[np.int32], first: int, end: int) -> bool:
    at = int(rows.searchsorted(first))
    return at < len(rows) and int(rows[at]) < end
