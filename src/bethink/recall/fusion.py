"""Join what several legs say of every passage into one ranking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each leg counts; chosen once for every kind of data (docs/decisions/0003-ranking.md)."""

    lexical: float = 1.0
    dense: float = 0.7
    before: float = 0.4  #: the item said just before
    after: float = 0.3  #: the item said just after
    second: float = 0.2  #: the items two places away
    episode: float = 0.3  #: the stretch of talk as a whole
    speaker: float = 0.1  #: the question names who said it


DEFAULT: Final = Weights()
LEAST_VARIANCE: Final = 1e-6  #: scores that differ by less are taken for equal: it is rounding
SHORT: Final = 40  #: an item of up to so many words leans fully on its neighbours
LONG: Final = 120  #: one of so many or more leans on them least


@dataclass(frozen=True, slots=True)
class Scale:
    """What turns a leg's scores into distances from its mean, counted in standard deviations."""

    mean: float
    step: float  #: one over the deviation; 0 where all scores are equal


def scale_of(scores: NDArray[np.float64] | NDArray[np.float32]) -> Scale:
    """Measure a leg over all that was scanned."""
    n = len(scores)
    if not n:
        return Scale(0.0, 0.0)
    mean = float(scores.sum(dtype=np.float64)) / n
    variance = float(np.dot(scores, scores)) / n - mean * mean
    return Scale(mean, variance**-0.5 if variance > LEAST_VARIANCE else 0.0)


def leaning(words: NDArray[np.int64] | NDArray[np.int32]) -> NDArray[np.float32]:
    """Say how far items lean on their neighbours: short ones wholly, long ones by three fifths."""
    share = np.clip((words - SHORT) / (LONG - SHORT), 0.0, 1.0)
    return (1.0 - 0.4 * share).astype(np.float32)


def smooth(
    scores: NDArray[np.float64],
    lean: NDArray[np.float32],
    links: tuple[NDArray[np.int32], ...],
    weights: Weights,
) -> NDArray[np.float64]:
    """Return what each unit gains from the items around it; element 0 of every array stands for nobody.

    `links` are the units one before, one after, two before and two after.
    """
    lent = scores * lean
    lent[0] = 0.0
    before, after, second_before, second_after = links
    gained = lent.take(before)
    gained *= weights.before
    step = lent.take(after)
    step *= weights.after
    gained += step
    lent *= lean  # long items count less still from two places away
    step = lent.take(second_before)
    step += lent.take(second_after)
    step *= weights.second
    gained += step
    gained *= lean
    return gained
