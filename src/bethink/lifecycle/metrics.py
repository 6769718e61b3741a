"""Lifecycle metrics of a memory, computed from the daily counters."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bethink.plain import Plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PERSONALIZED = "personalized"
TURNS_TO_FIRST = "turns_to_first_note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics(Plain):
    """Rates; None where there is nothing yet to divide by."""

    memory_write_rate: float | None  #: notes distilled per 100 turns; a high one means noisy capture
    blocked_write_rate: float | None  #: of all attempts to write, how many the guard blocked
    memory_conflict_rate: float | None  #: of all notes consolidated, how many overrode a stored preference
    time_to_personalization: (
        float | None
    )  #: turns until the first lasting note was there, on average over scopes
    consolidated: float | None  #: notes added or revised, on average over plans
    pruned: float | None  #: notes retired, on average over plans


def by_day(rows: Iterable[tuple[str, str, int]]) -> dict[str, dict[str, int]]:
    """Add up counts of several scopes: by day, then by name."""
    days: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for day, name, value in rows:
        days[day][name] += value
    return {day: dict(counts) for day, counts in sorted(days.items())}


def measure(counts: Mapping[str, int]) -> Metrics:
    """Compute the rates from the daily counters."""
    turns, written, blocked = (counts.get(name, 0) for name in ("turns", "written", "blocked"))
    consolidated, pruned, plans = (counts.get(name, 0) for name in ("consolidated", "pruned", "plans"))
    return Metrics(
        memory_write_rate=_ratio(100 * written, turns),
        blocked_write_rate=_ratio(blocked, written + counts.get("remembered", 0) + blocked),
        memory_conflict_rate=_ratio(counts.get("conflicts", 0), consolidated),
        time_to_personalization=_ratio(counts.get(TURNS_TO_FIRST, 0), counts.get(PERSONALIZED, 0)),
        consolidated=_ratio(consolidated, plans),
        pruned=_ratio(pruned, plans),
    )


def _ratio(part: float, whole: float) -> float | None:
    return round(part / whole, 4) if whole else None
