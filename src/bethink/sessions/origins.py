"""Tell whose words a message holds, by the door that it came in."""

from __future__ import annotations

from typing import Final

WEBHOOK: Final = "webhook"  #: alone, or followed by a colon and which one


def is_foreign(origin: str) -> bool:
    """Tell whether a message was written by somebody else than the one whose session it stands in."""
    return origin == WEBHOOK or origin.startswith(f"{WEBHOOK}:")
