"""BM25 over the passages of one namespace."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from bethink.recall.numpy_unique import with_places
from bethink.recall.passage_blocks import LONGEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from bethink.recall.passage_blocks import Block

K1: Final = 1.2
B: Final = 0.75
_SHIFT: Final = 12  # a posting is the count of the term above the length of its passage
_LENGTHS: Final = np.arange(LONGEST + 1, dtype=np.float64)


class Postings(NamedTuple):
    """For every term, the rows that have it."""

    vocabulary: NDArray[np.uint64]  #: ascending
    starts: NDArray[np.int64]  #: one more than terms
    rows: NDArray[np.int32]
    codes: NDArray[np.uint16]  #: count and length in one number

    @property
    def nbytes(self) -> int:
        """Return the memory it takes."""
        return self.vocabulary.nbytes + self.starts.nbytes + self.rows.nbytes + self.codes.nbytes

    def find(self, term: int) -> tuple[NDArray[np.int32], NDArray[np.uint16]] | None:
        """Return rows and codes of a term."""
        key = np.uint64(term)
        at = int(self.vocabulary.searchsorted(key))
        if at == len(self.vocabulary) or self.vocabulary[at] != key:
            return None
        low, high = self.starts[at], self.starts[at + 1]
        return self.rows[low:high], self.codes[low:high]


def postings_of(block: Block, base: int) -> Postings:
    """Read a block's postings, its first row being row `base` of the index."""
    starts = np.zeros(len(block.vocabulary) + 1, np.int64)
    np.cumsum(block.counts, out=starts[1:])
    codes = ((block.repeats.astype(np.uint16) << _SHIFT) | block.lengths[block.rows]).astype(
        np.uint16, copy=False
    )
    return Postings(block.vocabulary, starts, block.rows.astype(np.int32) + np.int32(base), codes)


def merge(parts: Sequence[Postings]) -> Postings:
    """Join the postings of several ranges of rows, given in the order of their rows."""
    if len(parts) == 1:
        return parts[0]
    vocabulary, which = with_places(np.concatenate([part.vocabulary for part in parts]))
    sizes = np.concatenate([np.diff(part.starts) for part in parts])
    totals = np.zeros(len(vocabulary) + 1, np.int64)
    np.cumsum(np.bincount(which, weights=sizes, minlength=len(vocabulary)).astype(np.int64), out=totals[1:])
    rows = np.empty(int(totals[-1]), np.int32)
    codes = np.empty(int(totals[-1]), np.uint16)
    filled = totals[:-1].copy()
    at = 0
    for part in parts:
        here = which[at : at + len(part.vocabulary)]
        at += len(part.vocabulary)
        size = np.diff(part.starts)
        target = np.repeat(filled[here] - part.starts[:-1], size)
        target += np.arange(len(part.rows))
        rows[target] = part.rows
        codes[target] = part.codes
        filled[here] += size
    return Postings(vocabulary, totals, rows, codes)


def without_rows(postings: Postings, kept: NDArray[np.bool_]) -> Postings:
    """Return the postings of the rows that `kept` marks, renumbered without gaps."""
    stay = kept[postings.rows]
    renumbered = (np.cumsum(kept) - 1).astype(np.int32)
    running = np.zeros(len(stay) + 1, np.int64)
    np.cumsum(stay, out=running[1:])
    starts = running[postings.starts]
    used = np.diff(starts) > 0
    return Postings(
        postings.vocabulary[used],
        np.append(starts[:-1][used], starts[-1]),
        renumbered[postings.rows[stay]],
        postings.codes[stay],
    )


def idf(having: float, total: float) -> float:
    """Weigh a term by how few passages have it."""
    return math.log1p((total - having + 0.5) / (having + 0.5))


def upper_bound(weights: Iterable[float]) -> float:
    """Return more than any passage can score for terms of these weights."""
    return max(sum(weights) * (K1 + 1), 1e-9)


def saturation_table(average: float, longest: int) -> NDArray[np.float32]:
    """Return what a posting's code is worth before its term's weight, for codes up to the longest passage."""
    saturation = K1 * (1 - B + B * _LENGTHS[: longest + 1] / max(average, 1e-9))
    worth = np.zeros((16, 1 << _SHIFT), np.float32)
    counts = np.arange(16, dtype=np.float64)[:, None]
    worth[:, : longest + 1] = counts * (K1 + 1) / (counts + saturation)
    return worth.reshape(-1)


def term_counts(codes: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """Read how often the term was there out of its postings' codes."""
    return (codes >> _SHIFT).astype(np.uint16, copy=False)
