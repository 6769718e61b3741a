"""Labels in plain words for times, scores and statuses."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from bethink.times import now

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bethink.notes.values import Note
    from bethink.recall.values import Recall, Why, WhyNot

MINUTE, HOUR, DAY = 60, 3_600, 86_400

ENDED: Final[Mapping[str, str]] = {
    "revised": "Reworded",
    "forgotten": "Forgotten",
    "superseded": "Replaced by a newer note",
    "merged": "Merged into another note",
    "expired": "Expired",
    "approved": "Approved in review",
    "rejected": "Rejected in review",
    "undone": "A change was undone",
}
EMPTY: Final[Mapping[str, str]] = {
    "nothing stored": "This memory is empty.",
    "all filtered": "The filters exclude every note.",
    "no word to search for": "The question has no searchable words; try a noun or a name.",
    "no term in common": "No note or message shares a word with the question or is close to it in meaning.",
    "limit is 0": "The limit is 0.",
}
FINDINGS: Final[Mapping[str, str]] = {
    "instruction": "reads like an instruction to the model",
    "hidden_text": "contains invisible text",
    "encoded_text": "contains encoded text",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePart:
    """What one leg of the search gave to a score."""

    name: str
    value: float
    text: str

    @property
    def width(self) -> float:
        """Return how long its bar is, in percent."""
        return min(100.0, abs(self.value) * 25)


def parts(why: Why) -> list[ScorePart]:
    """Return the parts of a score in words, the weightiest first."""
    shared = ", ".join(why.terms)
    texts = (
        ("Words", why.lexical, f"shares words with the question: {shared}" if shared else "shares words"),
        ("Meaning", why.dense, "close in meaning" if why.dense > 0 else "further in meaning than most"),
        ("Coverage", why.coverage, "covers a good part of the question"),
        ("Surroundings", why.neighbours, "what was said around it fits too"),
        (
            "Conversation",
            why.episode,
            "that stretch of talk was about this"
            if why.episode > 0
            else "that stretch of talk was about something else",
        ),
        ("Speaker", why.speaker, "the question names who said it"),
        ("Form", why.form, "it is very short, or a question itself"),
        ("Length", why.luck, "long texts match more easily, and are penalized for it"),
        ("Role", why.role, "said by an assistant or a tool, which the question does not ask for"),
        ("Wish", why.wish, "states a lasting wish"),
    )
    found = [ScorePart(name=name, value=value, text=words) for name, value, words in texts if round(value, 2)]
    return sorted(found, key=lambda part: -abs(part.value))


def why_not(found: WhyNot) -> str:
    """Say where an expected note was lost."""
    if found.stage == "below the cut":
        return (
            f"It ranked {found.rank} with {found.score or 0:.2f} points; "
            f"the last one shown has {found.needed or 0:.2f}."
        )
    return str(found)


def empty(found: Recall) -> str:
    """Say why nothing was found."""
    return EMPTY.get(found.empty_because or "", "Nothing was found.")


def ago(at: datetime | None) -> str:
    """Say how long ago an instant is, or the day where it is long ago."""
    if at is None:
        return "at an unknown time"
    seconds = (now() - at).total_seconds()
    if seconds < -MINUTE:
        return f"on {day(at)}"
    if seconds < MINUTE:
        return "just now"
    for size, word, limit in ((MINUTE, "min", HOUR), (HOUR, "h", DAY), (DAY, "d", 14 * DAY)):
        if seconds < limit:
            return f"{int(seconds // size)} {word} ago"
    return f"on {day(at)}"


def day(at: datetime) -> str:
    """Write a day."""
    return f"{at.astimezone(UTC):%-d %b %Y}"


def since(note: Note) -> datetime:
    """Return since when a note holds, or when it was written."""
    return note.valid_from or note.created_at


def when(at: datetime | None) -> str:
    """Write an instant in full."""
    return "at an unknown time" if at is None else f"{at.astimezone(UTC):%-d %b %Y, %H:%M} UTC"


def iso(at: datetime | None) -> str:
    """Write an instant for machines."""
    return "" if at is None else at.astimezone(UTC).isoformat(timespec="seconds")


def value(given: Any) -> str:
    """Write a value of a profile as people read it: text as it stands, anything else as JSON."""
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def pretty(text: str) -> str:
    """Return JSON with line breaks, and what is none as it stands."""
    try:
        return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return text


def plural(count: int, word: str, many: str = "") -> str:
    """Count things."""
    return f"{count:,} {word if count == 1 else many or word + 's'}"


def finding(category: str) -> str:
    """Say what the guard found."""
    return FINDINGS.get(category, f"contains: {category.replace('_', ' ')}")


def ended(reason: str) -> str:
    """Say what ended a version of a note."""
    return ENDED.get(reason, reason.capitalize())


FILTERS: Final[Mapping[str, Callable[..., Any]]] = {
    "ago": ago,
    "day": day,
    "since": since,
    "when": when,
    "iso": iso,
    "value": value,
    "pretty": pretty,
    "plural": plural,
    "finding": finding,
    "ended": ended,
    "parts": parts,
    "why_not": why_not,
    "empty": empty,
}
