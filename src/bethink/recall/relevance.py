"""Say how likely it is that what was found holds an answer: ranking says only what is better than what."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bethink.recall.index import Ranking

# Fitted on questions of which as many have an answer as have none (docs/decisions/0008-nothing-relevant.md).
_STEEP: Final = 5.5
_ENOUGH: Final = 1.0  #: of covered and nearest together, where an answer is as likely as none
_STEEP_WORDS: Final = 6.0
_ENOUGH_WORDS: Final = 0.55  #: of covered, where words alone were searched


def relevance(ranking: Ranking) -> float:
    """Return the likelihood, 0 to 1, that an answer is among the hits, if every second question has one at all."""
    if not ranking.hits:
        return 0.0
    if ranking.nearest is None:
        above = _STEEP_WORDS * (ranking.covered - _ENOUGH_WORDS)
    else:
        above = _STEEP * (ranking.covered + ranking.nearest - _ENOUGH)
    return 1.0 / (1.0 + math.exp(-above))
