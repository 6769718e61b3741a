"""Parse raw memories written by phase one or by a model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bethink.workspace.values import Rollout

_PAIR: Final = re.compile(r"([a-z_]+):[ \t]*(.*)")
_TITLES: Final = (
    ("preference", "preferences"),
    ("user preference", "preferences"),
    ("reusable knowledge", "knowledge"),
    ("failure", "failures"),
    ("reference", "references"),
)
_BULLET: Final = re.compile(r"\s{0,3}[-*] +(.*)")
_ARROW: Final = re.compile(r"\s*(?:->|→|=>)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class RawMemory:
    """What a raw memory says."""

    rollout: Rollout
    task: str
    group: str
    outcome: str
    keywords: tuple[str, ...]
    preferences: tuple[str, ...] = ()
    knowledge: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()


def parse(rollout: Rollout) -> RawMemory:
    """Read the raw memory of a conversation; what has no place in it is left out."""
    text = rollout.extract.raw if rollout.extract else ""
    facts: dict[str, str] = {}
    lists: dict[str, list[str]] = {"preferences": [], "knowledge": [], "failures": [], "references": []}
    current: str | None = None
    for row in text.splitlines():
        bullet = _BULLET.fullmatch(row)
        if bullet and current:
            lists[current].append(bullet.group(1).strip())
        elif current and row.startswith("  ") and row.strip() and lists[current]:
            lists[current][-1] += " " + row.strip()
        elif (title := _title(row)) is not None:
            current = title
        elif row.strip() and not bullet:
            current = None
            if pair := _PAIR.fullmatch(row.strip()):
                facts.setdefault(pair.group(1), pair.group(2).strip())
    task = facts.get("task") or facts.get("description") or "an earlier task"
    return RawMemory(
        rollout=rollout,
        task=task,
        group=facts.get("task_group") or "workspace",
        outcome=facts.get("task_outcome") or "uncertain",
        keywords=tuple(word for each in facts.get("keywords", "").split(",") if (word := each.strip())),
        preferences=tuple(_ARROW.split(each)[-1] for each in lists["preferences"]),
        knowledge=tuple(lists["knowledge"]),
        failures=tuple(lists["failures"]),
    )


def _title(row: str) -> str | None:
    plain = row.strip().strip("#*: ").casefold()
    if len(plain) > 60 or not plain:  # noqa: PLR2004
        return None
    return next((name for start, name in _TITLES if plain.startswith(start)), None)
