"""Relevance: the probability that the hits answer the question, for thresholds and abstention."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.recall.namespace_index import Ranked, Ranking

# Fitted on questions of which as many have an answer as have none (docs/decisions/0008-nothing-relevant.md). What the
# question's words and the nearness of others count depends on the logarithm of how many notes and items there are.
_NEAR: Final = 12.0  #: of the highest cosine
#: of the mean of the others, over the logarithm: a common subject makes all of them near
_OTHERS: Final = 45.0
#: of the square of what is covered, times the logarithm: of few words a name alone covers much
_COVERED: Final = 1.05
_SIZE: Final = 1.25  #: times the logarithm: among more, some are near by chance
_START: Final = 1.1
_SMALL: Final = 8  #: notes and items: fewer count as so many
_LARGE: Final = 2_000  #: and more as so many
_USUAL: Final = 0.1  #: the mean cosine of a question and a text, where there are few to measure it on
_SEEN: Final = 8  #: so many texts that is worth
_STEEP_WORDS: Final = 6.0
_ENOUGH_WORDS: Final = 0.55  #: of covered, where words alone were searched


def relevance(ranking: Ranking) -> float:
    """Return the likelihood, 0 to 1, that an answer is among the hits, if every second question has one at all."""
    if not ranking.hits:
        return 0.0
    return _likelihood(
        ranking.covered, ranking.nearest, ranking.mean, ranking.scanned, _size(ranking.scanned)
    )


def relevance_of_each(hits: Sequence[Ranked], scanned: int) -> list[float]:
    """Return the same of each hit alone, by what it has of the question itself."""
    size = _size(scanned)
    return [_likelihood(hit.covered, hit.cosine, hit.mean, scanned, size) for hit in hits]


def _size(scanned: int) -> float:
    """Return the logarithm of how many notes and items there are, within bounds."""
    return math.log(min(max(scanned, _SMALL), _LARGE))


def _likelihood(covered: float, nearest: float | None, mean: float, scanned: int, size: float) -> float:
    if nearest is None:
        above = _STEEP_WORDS * (covered - _ENOUGH_WORDS)
    else:
        others = _mean_of_others(nearest, mean, scanned)
        above = _NEAR * nearest - _OTHERS * others / size + size * (_COVERED * covered**2 - _SIZE) + _START
    return 1.0 / (1.0 + math.exp(-above))


def _mean_of_others(nearest: float, mean: float, scanned: int) -> float:
    """Return how near the others are; where there are few, what is usual counts more."""
    return (scanned * mean - nearest + _SEEN * _USUAL) / (max(scanned, 1) - 1 + _SEEN)
