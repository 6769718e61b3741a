"""Explain why a note waits for review: the guard's finding, or missing provenance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from bethink.plain import Plain

if TYPE_CHECKING:
    from bethink.lifecycle.guard import Guard
    from bethink.notes.values import Note

_RESTS_ON: Final = "rests_on"  #: of a pending note's metadata: how it came in, and what is not said


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting(Plain):
    """A note that waits for a decision."""

    note: Note  #: the note that waits
    reasons: tuple[str, ...] = ()  #: why: kinds of what the guard found, or sentences


def with_reasons(note: Note, guard: Guard) -> Waiting:
    """Return a note with the reasons why it waits."""
    if note.status == "quarantined":
        return Waiting(note=note, reasons=guard.judge(note.text, source=note.source, stage="capture").reasons)
    return Waiting(note=note, reasons=_unsaid(note))


def _unsaid(note: Note) -> tuple[str, ...]:
    stored = note.metadata.get(_RESTS_ON)
    rests: Mapping[str, Any] = cast("Mapping[str, Any]", stored) if isinstance(stored, Mapping) else {}
    reasons = ["a setting asks for approval"] if rests.get("approval") else []
    if missing := _listed(rests.get("not_said")):
        reasons.append(f"the user did not say: {missing}")
    if tools := _listed(rests.get("tools")):
        reasons.append(f"in a turn that used: {tools}")
    if isinstance(rests.get("door"), str):
        reasons.append(f"handed in by: {rests['door']}")
    return tuple(reasons) or ("the words of the user do not carry it",)


def _listed(value: object) -> str:
    words = cast("list[object]", value) if isinstance(value, list | tuple) else []
    return ", ".join(str(each) for each in words)
