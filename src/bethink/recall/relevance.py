"""Say how likely it is that what was found holds an answer: ranking says only what is better than what."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bethink.recall.namespace_index import Ranked, Ranking

# Fitted on questions of which as many have an answer as have none (docs/decisions/0008-nothing-relevant.md).
# Of covered and nearest together: where an answer is as likely as none, and how steeply it becomes likelier. Among few
# notes hardly any word is shared by chance and no vector is near by chance: little is enough there.
_ENOUGH: Final = (0.28, 1.0)  #: in a small memory, in a large one
_STEEP: Final = (16.0, 5.5)
_WORDS: Final = (0.5, 1.0)  #: what covered counts: of few words a name alone covers much
_SMALL: Final = 8  #: notes and items
_LARGE: Final = 200
_STEEP_WORDS: Final = 6.0
_ENOUGH_WORDS: Final = 0.55  #: of covered, where words alone were searched


def relevance(ranking: Ranking) -> float:
    """Return the likelihood, 0 to 1, that an answer is among the hits, if every second question has one at all."""
    return _likelihood(ranking.covered, ranking.nearest, ranking.scanned) if ranking.hits else 0.0


def relevance_of(hit: Ranked, scanned: int) -> float:
    """Return the same of one hit alone, by what it has of the question itself."""
    return _likelihood(hit.covered, hit.cosine, scanned)


def _likelihood(covered: float, nearest: float | None, scanned: int) -> float:
    if nearest is None:
        above = _STEEP_WORDS * (covered - _ENOUGH_WORDS)
    else:
        enough, steep, words = _scale(scanned)
        above = steep * (words * covered + nearest - enough)
    return 1.0 / (1.0 + math.exp(-above))


@lru_cache(maxsize=64)  # it is asked for once a hit
def _scale(scanned: int) -> tuple[float, ...]:
    """Return what is enough, how steep it is and what words count in a memory of a size."""
    size = math.log(max(scanned, _SMALL) / _SMALL) / math.log(_LARGE / _SMALL)
    return tuple(small + min(size, 1.0) * (large - small) for small, large in (_ENOUGH, _STEEP, _WORDS))
