"""Find neighbouring items and episodes: stretches of a session without a long break."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from bethink.recall.passage_blocks import UNDATED

if TYPE_CHECKING:
    from numpy.typing import NDArray

PAUSE: Final = 3 * 3600 * 1_000_000  #: a longer silence, in microseconds, ends an episode
LONGEST_EPISODE: Final = 64  #: items; a session that never pauses is cut here


class Tail(NamedTuple):
    """Where a session ends in the index."""

    unit: int
    seq: int
    at: int
    place: int  #: how many items of the same stretch stand before it
    episode: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Arrangement:
    """Neighbours and episodes of every unit; units are numbered from 1, and 0 stands for none."""

    before: NDArray[np.int32]
    after: NDArray[np.int32]
    episodes: NDArray[np.int32]
    count: int  #: of episodes; they are numbered from 1
    tails: dict[int, Tail]  #: by session


def arrange(
    is_item: NDArray[np.bool_], owners: NDArray[np.int64], seqs: NDArray[np.int64], ats: NDArray[np.int64]
) -> Arrangement:
    """Arrange units 1 to n, whose columns are given without unit 0."""
    n = len(owners)
    before, after, episodes = (np.zeros(n + 1, np.int32) for _ in range(3))
    items = np.flatnonzero(is_item)
    order = items[np.lexsort((seqs[items], owners[items]))]
    if not len(order):
        return Arrangement(before, after, episodes, 0, {})
    owner, at = owners[order], ats[order]
    fresh = np.ones(len(order), np.bool_)  # the first of a stretch
    fresh[1:] = (owner[1:] != owner[:-1]) | _pauses(at[:-1], at[1:])
    places = np.arange(len(order)) - np.flatnonzero(fresh)[np.cumsum(fresh) - 1]
    units = (order + 1).astype(np.int32)
    linked = ~fresh[1:]
    before[units[1:][linked]] = units[:-1][linked]
    after[units[:-1][linked]] = units[1:][linked]
    numbers = np.cumsum(places % LONGEST_EPISODE == 0)
    episodes[units] = numbers
    ends = np.flatnonzero(np.append(owner[1:] != owner[:-1], True))
    columns = (owner, units, seqs[order], at, places, numbers)
    tails = {
        session: Tail(*rest)
        for session, *rest in zip(*(column[ends].tolist() for column in columns), strict=True)
    }
    return Arrangement(before, after, episodes, int(numbers[-1]), tails)


def continues_episode(tail: Tail | None, at: int) -> bool:
    """Tell whether an item said at a time continues the stretch that a session ends with."""
    if tail is None:
        return False
    return UNDATED in {tail.at, at} or abs(at - tail.at) <= PAUSE


def _pauses(earlier: NDArray[np.int64], later: NDArray[np.int64]) -> NDArray[np.bool_]:
    dated = (earlier != UNDATED) & (later != UNDATED)
    return dated & (np.abs(np.where(dated, later, 0) - np.where(dated, earlier, 0)) > PAUSE)
