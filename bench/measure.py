"""Time two things in turn, so that a machine whose speed wanders treats both alike."""

from __future__ import annotations

import statistics
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Timing:
    """What was measured of one call, in microseconds."""

    median: float
    least: float
    p99: float


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter_ns()
    call()
    return (time.perf_counter_ns() - start) / 1000


def interleaved(rounds: int, *calls: Callable[[], object], warm: int = 3) -> list[Timing]:
    """Call each in turn, round by round, and return a timing for each."""
    for _ in range(warm):
        for call in calls:
            call()
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds):
        for times, call in zip(taken, calls, strict=True):
            times.append(timed(call))
    return [
        Timing(
            statistics.median(times), min(times), sorted(times)[min(len(times) - 1, int(len(times) * 0.99))]
        )
        for times in taken
    ]


def row(name: str, ours: Timing, floor: Timing, floor_name: str) -> None:
    print(
        f"{name:<38} {ours.median:>10,.0f} µs  {ours.least:>10,.0f} min   "
        f"{floor.median:>10,.0f} µs {floor_name:<34} × {ours.median / floor.median:.2f}"
    )
    sys.stdout.flush()
