"""Values of the lifecycle evals: checks, and the figures that they add up to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.evals.metrics import Interval

Better: TypeAlias = Literal["higher", "lower"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at, and what it was worth."""

    metric: str
    case: str  #: which case it is of, so that a failure can be looked at
    value: float  #: 1 or 0, or a share or a number between
    group: str = ""  #: a part of the cases that is worth a line of its own
    wanted: str = ""  #: what should have been, where it was not
    got: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """What is measured, and how to read it."""

    name: str
    suite: str
    meaning: str
    better: Better = "higher"
    of: str = ""  #: the group that is told first, where the others are for comparison


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A metric, measured; `interval` is None where nothing was looked at."""

    metric: Metric
    interval: Interval | None
    groups: Mapping[str, Interval] = field(default_factory=dict[str, "Interval"])
    failed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteResult:
    """What one suite found."""

    checks: tuple[Check, ...] = ()
    tallies: Mapping[str, Mapping[str, float]] = field(default_factory=dict[str, "Mapping[str, float]"])
    """Counts and averages that are told as they are: what became of attempts, what production counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What all suites found."""

    figures: tuple[Figure, ...]
    failures: tuple[Check, ...]
    tallies: Mapping[str, Mapping[str, float]]
    seed: int
    seconds: float
