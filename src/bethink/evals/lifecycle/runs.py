"""Run every suite of the lifecycle, each in a memory of its own."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Final

from bethink.evals.lifecycle import (
    cases,
    consolidation,
    correction,
    dialogues,
    distillation,
    drift,
    injection,
    safety,
)
from bethink.evals.lifecycle.clock import Clock
from bethink.evals.lifecycle.metrics import failed, figures
from bethink.evals.lifecycle.people import simulated_users
from bethink.evals.lifecycle.values import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from bethink.evals.lifecycle.cases import Part
    from bethink.evals.lifecycle.values import SuiteResult
    from bethink.settings import Settings
    from bethink.sync import Memory

USERS: Final = 20
SEED: Final = 7
SUITES: Final = ("distillation", "correction", "safety", "injection", "consolidation", "drift")


def run_lifecycle(
    *,
    users: int = USERS,
    seed: int = SEED,
    part: Part = "held_out",
    memorybank: Path | None = None,
    locomo: Path | None = None,
    settings: Settings | None = None,
    done: Callable[[int], None] = lambda _: None,
    watch: Callable[[], float] = time.perf_counter,
) -> Outcome:
    """Measure the lifecycle, through the public face alone.

    `part` is of the cases that people wrote: what rules were tuned on, or what was kept apart.
    `memorybank` and `locomo` are files of those data sets, which are measured too. `done` hears of every case that is
    over; `watch` reads a clock, in seconds.
    """
    from bethink import Memory

    begun = watch()
    topics, talk, notes = cases.topics(), cases.talk(), cases.notes()
    others = [note["old"] for kind in ("duplicates", "distinct") for note in notes[kind]]
    runs: dict[str, Callable[[Memory, Clock], SuiteResult]] = {
        "distillation": lambda memory, clock: distillation.run(
            memory, clock, cases.everyday(part), cases.chatter(part), done=done
        ),
        "correction": lambda memory, clock: correction.run(
            memory, clock, cases.corrections(part), cases.requests(part), cases.days(), done=done
        ),
        "safety": lambda memory, clock: safety.run(memory, clock, cases.attacks(), done=done),
        "injection": lambda memory, clock: injection.run(memory, clock, topics, talk, others, done=done),
        "consolidation": lambda memory, clock: consolidation.run(memory, clock, notes, done=done),
        "drift": lambda memory, clock: drift.run(
            memory, clock, simulated_users(users, seed=seed, topics=topics, talk=talk), done=done
        ),
    }
    suites = [*SUITES]
    for name, path, run in (
        ("memorybank", memorybank, dialogues.check_memorybank),
        ("observed", locomo, dialogues.check_locomo),
    ):
        if path is not None:
            suites.append(name)
            runs[name] = partial(_given, run, path, done)
    found: list[SuiteResult] = []
    for name in suites:
        clock = Clock()
        with Memory(":memory:", clock=clock, settings=settings) as memory:
            found.append(runs[name](memory, clock))
    checks = [check for each in found for check in each.checks]
    tallies: dict[str, Mapping[str, float]] = {}
    for each in found:
        tallies.update(each.tallies)
    return Outcome(
        figures=tuple(figures(checks)),
        failures=tuple(check for check in checks if failed(check)),
        tallies=tallies,
        seed=seed,
        seconds=watch() - begun,
    )


def _given(
    run: Callable[..., SuiteResult], path: Path, done: Callable[[int], None], memory: Memory, clock: Clock
) -> SuiteResult:
    del clock  # a data set has days of its own
    return run(memory, path, done=done)


def size(users: int = USERS) -> int:
    """Return how many cases there are."""
    notes, attacks = cases.notes(), cases.attacks()
    wishes = sum(topic.once is not None for topic in cases.topics())
    tried = len(attacks["secrets"]) + len(attacks["orders"]) + 1
    sentences = (
        len(cases.everyday()) + len(cases.chatter()) + len(cases.corrections()) + len(cases.requests()) + 1
    )
    return sentences + tried + wishes + 1 + 2 * sum(map(len, notes.values())) + users
