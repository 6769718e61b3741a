"""The guard: it detects secrets, personal data (PII) and prompt injection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from bethink.lifecycle.guard.quarantine_policy import Policy
from bethink.lifecycle.guard.rules import RulesGuard

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bethink.lifecycle.values import Stage, Verdict
    from bethink.notes.values import Source

__all__ = ["Guard", "Policy", "RulesGuard"]


class Guard(Protocol):
    """Judges texts; asked at capture, at consolidation and at injection."""

    def judge(self, text: str, *, source: Source, stage: Stage) -> Verdict:
        """Judge a text: whether it may be stored or shown, and the masked text to keep."""
        ...

    def judge_keywords(
        self, keywords: Iterable[str], *, source: Source, stage: Stage
    ) -> Mapping[str, Verdict]:
        """Judge each keyword."""
        ...

    def mask(self, text: str) -> str:
        """Return a text with what is redacted or blocked put out of sight."""
        ...
