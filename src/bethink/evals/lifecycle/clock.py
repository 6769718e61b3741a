"""A manual clock for the eval suites."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

BEGIN: Final = datetime(2025, 1, 6, 9, 0, tzinfo=UTC)


class Clock:
    """Tells the instant that it was set to."""

    def __init__(self, at: datetime = BEGIN) -> None:
        self.at = at

    def __call__(self) -> datetime:
        """Return the instant."""
        return self.at

    def move(self, **by: float) -> None:
        """Let time pass."""
        self.at += timedelta(**by)
