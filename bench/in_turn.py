"""Do a step with two in turn, round by round: a machine whose speed wanders treats both alike."""

from __future__ import annotations

import statistics
import time
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


def one_round(act: Callable[[], Any]) -> tuple[float, float]:
    cpu, wall = time.process_time_ns(), time.perf_counter_ns()
    act()
    return (time.process_time_ns() - cpu) / 1000, (time.perf_counter_ns() - wall) / 1000


def compare(name: str, ours: Callable[[int], Any], theirs: Callable[[int], Any], rounds: int) -> None:
    """Do a step with both in turn, and print what it took."""
    for warm in range(3):
        ours(-1 - warm)
        theirs(-1 - warm)
    took: list[tuple[float, float, float, float]] = []
    for number in range(rounds):
        pair = (ours, theirs) if number % 2 else (theirs, ours)
        found = {act: one_round(partial(act, number)) for act in pair}
        took.append((*found[ours], *found[theirs]))
    middle = [statistics.median(each) for each in zip(*took, strict=True)]
    ratio = statistics.median(each[2] / each[0] for each in took)
    print(
        f"| {name} | {middle[0]:,.0f} | {middle[2]:,.0f} | {ratio:.2f} | {middle[1]:,.0f} | {middle[3]:,.0f} |"
    )


def head(title: str) -> None:
    print(
        f"\n{title}\n\n| step | ours, µs CPU | theirs | × | ours, µs wall | theirs |\n|---|---|---|---|---|---|"
    )


async def awaited(
    ours: Any, theirs: Any, rounds: int, steps: dict[str, Callable[[Any, int], Awaitable[Any]]]
) -> None:
    """Do steps that are awaited with both in turn."""
    for name, step in steps.items():
        took: list[tuple[float, float, float, float]] = []
        for number in range(-3, rounds):
            found: dict[int, tuple[float, float]] = {}
            for which in (0, 1) if number % 2 else (1, 0):
                cpu, wall = time.process_time_ns(), time.perf_counter_ns()
                await step((ours, theirs)[which], number)
                found[which] = (
                    (time.process_time_ns() - cpu) / 1000,
                    (time.perf_counter_ns() - wall) / 1000,
                )
            if number >= 0:
                took.append((*found[0], *found[1]))
        middle = [statistics.median(each) for each in zip(*took, strict=True)]
        ratio = statistics.median(each[2] / each[0] for each in took)
        print(
            f"| {name} | {middle[0]:,.0f} | {middle[2]:,.0f} | {ratio:.2f} | {middle[1]:,.0f} | {middle[3]:,.0f} |"
        )
