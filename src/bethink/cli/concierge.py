"""Play a travel concierge on a memory, through the public face alone.

The script holds what people say. What is kept of it and known afterwards is in no script: the memory distills,
consolidates and recalls by itself, and every answer is what it returned.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from bethink.scope.transactions import digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bethink.notes.values import Note
    from bethink.sync import Memory

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A part of the play."""

    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of the public face, and what it returned."""

    text: str
    answer: Any
    speech: str | None = None  #: what the user said, where the call keeps it


class Voice:
    """Calls verbs of one object, and writes each call down as it was made."""

    def __init__(self, name: str, target: Any) -> None:
        self._name = name
        self._target = target

    def __getattr__(self, verb: str) -> Any:
        def call(*given: Any, **named: Any) -> Call:
            answer = getattr(self._target, verb)(*given, **named)
            told = [repr(each) for each in given]
            told += [
                f"{name}={value!r}"
                for name, value in named.items()
                if name not in {"key", "operation", "valid_from"}
            ]
            return Call(text=f"{self._name}.{verb}({', '.join(told)})", answer=answer)

        return call


def play(memory: Memory, script: Script) -> Iterator[Scene | Call]:
    """Yield every scene and every call with its answer, as they happen."""
    scope = memory.scope(agent=script.agent, user=script.user)
    session = scope.session(TRIP)
    user, trip = Voice(script.user, scope), Voice("session", session)
    profile = Voice(f"{script.user}.profile", scope.profile)

    yield Scene(title=f"What {script.agent} already knows about {script.user}")
    yield profile.update(script.profile)
    for old in script.old_notes:
        scope.remember(old.text, key=old.key, keywords=old.keywords, valid_from=old.since)
    yield user.notes()

    yield Scene(title=f"A conversation: {TRIP}")
    for number, line in enumerate(script.lines):
        item = {"role": "user", "content": line}
        kept = trip.append([item], operation=f"demo-{number}-{digest(line)}")
        yield replace(kept, speech=f"{script.user}: {line}")

    yield Scene(title="What it learns from this, without a model")
    yield user.distill(TRIP)
    yield user.notes(session=TRIP)

    yield Scene(title="The trip is over: what held for this trip only goes, the rest stays")
    yield user.consolidate(session=TRIP)
    yield user.notes()

    yield Scene(title=f"Weeks later, a new conversation: {NEXT_TRIP}")
    for question in script.questions:
        yield user.recall(question, limit=3)
    yield user.context(session=NEXT_TRIP, query=next(iter(script.questions), None), policy="")

    yield Scene(title=f"{script.stranger} asks the same")
    stranger = Voice(script.stranger, memory.scope(agent=script.agent, user=script.stranger))
    for question in script.questions[:1]:
        yield stranger.recall(question)

    yield Scene(title="Forget a note, and undo that")
    yield from _forgetting(user, script, newest=next(iter(scope.notes(limit=1)), None))


def _forgetting(user: Any, script: Script, *, newest: Note | None) -> Iterator[Call]:
    if newest is None or not script.questions:
        return
    question = script.questions[-1]
    yield user.recall(question, limit=1, kinds=["note"])
    yield user.forget(newest.id)
    yield user.recall(question, limit=1, kinds=["note"])
    yield user.undo(newest.id)
    yield user.recall(question, limit=1, kinds=["note"])
