"""The plan: what consolidation wants to change, ready to be read, applied and undone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bethink.lifecycle.consolidate import diff
from bethink.lifecycle.values import Add, Proposal, Retire, Revise

if TYPE_CHECKING:
    from datetime import datetime

    from bethink.notes.values import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A proposal with the notes that it speaks of. Printed, it is a diff."""

    id: str | None = None  #: to undo it; None for one that was not applied
    proposal: Proposal
    notes: tuple[Note, ...] = field(default=(), repr=False)  #: as they were before
    applied: bool = False
    at: datetime | None = None

    def __str__(self) -> str:
        return diff.text(self.proposal, self.notes)

    def __bool__(self) -> bool:
        return any(isinstance(each, Add | Revise | Retire) for each in self.proposal.changes)

    def __len__(self) -> int:
        return len(self.proposal.changes)

    @property
    def outcomes(self) -> dict[str, int]:
        """Return how many notes ended in which way."""
        return dict(Counter(each.outcome for each in self.proposal.changes if isinstance(each, Retire)))

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON."""
        return {
            "id": self.id,
            "applied": self.applied,
            "at": None if self.at is None else self.at.isoformat(),
            "outcomes": self.outcomes,
            **diff.to_json(self.proposal, self.notes),
        }
