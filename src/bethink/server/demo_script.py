"""The script of the travel-concierge demo.

`bethink demo` plays it in a terminal, and the dashboard where a server is empty.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

TRIP: Final = "trip-to-paris"
NEXT_TRIP: Final = "trip-to-rome"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What the concierge keeps of something."""

    text: str
    keywords: tuple[str, ...]
    since: datetime | None = None

    @property
    def key(self) -> str:
        """Return the name under which it is kept, so that a second play keeps it once."""
        return "-".join(self.keywords)


PROFILE: Final[Mapping[str, Any]] = {
    "name": "Alice Moreau",
    "home_city": "San Francisco",
    "currency": "USD",
    "seat_preference": "aisle",
    "loyalty_status": {"airline": "United Gold", "hotel": "Marriott Titanium"},
    "tone": "concise and friendly",
}
OLD_NOTES: Final = (
    Kept(
        text="Prefers rooms on a high floor.",
        keywords=("room",),
        since=datetime(2023, 2, 11, tzinfo=UTC),
    ),
    Kept(
        text="Likes to compare options side by side before deciding.",
        keywords=("pricing",),
        since=datetime(2023, 2, 17, tzinfo=UTC),
    ),
    Kept(
        text="Likes central neighborhoods where most things are in walking distance.",
        keywords=("neighborhood",),
        since=datetime(2024, 2, 11, tzinfo=UTC),
    ),
    Kept(
        text="Usually prefers aisle seats.",
        keywords=("seat",),
        since=datetime(2024, 6, 25, tzinfo=UTC),
    ),
    Kept(
        text="Prefers not to check a bag on trips shorter than a week.",
        keywords=("baggage",),
        since=datetime(2025, 4, 5, tzinfo=UTC),
    ),
)
LINES: Final = (
    "Book me a flight to Paris next month.",
    "Do you know my preferences?",
    "Remember that I am vegetarian.",
    "This time, I like to have a window seat. I really want to sleep.",
    "The hotel should be near the Marais and cost no more than 200 euros a night.",
    "And remember my card, it is 4111 1111 1111 1111.",
)
QUESTIONS: Final = (
    "Which seat should I book on the plane?",
    "How much may the hotel cost?",
    "Any dietary wishes for the meal on board?",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """Who talks, what is said, and what is asked afterwards."""

    agent: str = "concierge"
    user: str = "alice"
    stranger: str = "bob"
    profile: Mapping[str, Any] = field(default_factory=lambda: dict(PROFILE))
    old_notes: tuple[Kept, ...] = OLD_NOTES
    lines: tuple[str, ...] = LINES
    questions: tuple[str, ...] = QUESTIONS
