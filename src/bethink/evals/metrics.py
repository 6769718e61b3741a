"""Ranking metrics: recall@k, nDCG and reciprocal rank, with bootstrap confidence intervals."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean, with the range that would hold it in most repetitions of the sampling."""

    mean: float
    low: float
    high: float
    count: int

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def recall_at(ranked: Sequence[Hashable], gold: Collection[Hashable], k: int) -> float:
    """Return the share of the gold that is among the first k."""
    wanted = set(gold)
    return len(wanted.intersection(ranked[:k])) / len(wanted)


def ndcg_at(ranked: Sequence[Hashable], gold: Collection[Hashable], k: int) -> float:
    """Return how near the first k are to the best order there could be, gold counting alike."""
    wanted = set(gold)
    gained = sum(1 / math.log2(place + 2) for place, found in enumerate(ranked[:k]) if found in wanted)
    best = sum(1 / math.log2(place + 2) for place in range(min(k, len(wanted))))
    return gained / best


def reciprocal_rank(ranked: Sequence[Hashable], gold: Collection[Hashable]) -> float:
    """Return one over the place of the first gold one, 0 where there is none."""
    wanted = set(gold)
    return next((1 / (place + 1) for place, found in enumerate(ranked) if found in wanted), 0.0)


def first_seen(values: Sequence[Hashable]) -> list[Hashable]:
    """Keep each value once, where it came first: a ranking of sessions out of one of items."""
    return list(dict.fromkeys(values))


def bootstrap(values: Sequence[float], *, rounds: int = 1000, level: float = 0.95, seed: int = 0) -> Interval:
    """Return the mean with a percentile interval; the same values and seed give the same interval."""
    if not values:
        return Interval(math.nan, math.nan, math.nan, 0)
    chance = random.Random(seed)  # noqa: S311  # a sample, no secret
    n = len(values)
    means = sorted(math.fsum(chance.choices(values, k=n)) / n for _ in range(rounds))
    tail = (1 - level) / 2
    low, high = means[int(tail * rounds)], means[min(rounds - 1, int((1 - tail) * rounds))]
    return Interval(math.fsum(values) / n, low, high, n)


def bootstrap_by(
    values: Sequence[float],
    groups: Sequence[Hashable],
    *,
    rounds: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """Return the mean with a percentile interval, drawing whole groups; one group alone is drawn value by value.

    Values of a group hang together, so that drawing them one by one would promise more than is known.
    """
    if len(set(groups)) < 2:  # noqa: PLR2004
        return bootstrap(values, rounds=rounds, level=level, seed=seed)
    import numpy as np

    place = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    row = [place[group] for group in groups]
    sums, counts = np.bincount(row, weights=values), np.bincount(row)
    drawn = np.random.default_rng(seed).integers(0, len(place), (rounds, len(place)))
    means = np.sort(sums[drawn].sum(1) / counts[drawn].sum(1))
    tail = (1 - level) / 2
    low, high = means[int(tail * rounds)], means[min(rounds - 1, int((1 - tail) * rounds))]
    return Interval(math.fsum(values) / len(values), float(low), float(high), len(values))
