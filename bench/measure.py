"""Time two things in turn, so that a machine whose speed wanders treats both alike, and tell what was measured."""

from __future__ import annotations

import json
import statistics
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable


class Told:
    """What a script has measured so far: lines for people as they come, or JSON at the end, with the lines aside."""

    def __init__(self) -> None:
        self._figures: list[dict[str, Any]] = []
        self._json = False

    def add_option(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--json", action="store_true", help="print figures for programs, when all is done"
        )

    def choose(self, given: argparse.Namespace) -> None:
        self._json = given.json

    def tell(self, line: str, **figures: Any) -> None:
        """Print a line; what has no figures is a heading."""
        print(line, file=sys.stderr if self._json else sys.stdout, flush=True)
        if figures:
            self._figures.append(figures)

    def end(self) -> None:
        if self._json:
            print(json.dumps(self._figures, indent=1))


TOLD = Told()


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
    TOLD.tell(
        f"{name:<38} {ours.median:>10,.0f} µs  {ours.least:>10,.0f} min   "
        f"{floor.median:>10,.0f} µs {floor_name:<34} × {ours.median / floor.median:.2f}",
        name=name,
        microseconds=ours.median,
        least=ours.least,
        p99=ours.p99,
        floor=floor_name,
        floor_microseconds=floor.median,
        ratio=ours.median / floor.median,
    )
