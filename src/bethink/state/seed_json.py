"""Read and write the state file of OpenAI's context-personalization cookbook.

    {"profile": {…},
     "global_memory": {"notes": [{"text": …, "last_update_date": "2025-04-05", "keywords": […]}]},
     "session_memory": {"notes": […]},
     "trip_history": {"trips": [{…}]}}

What the file holds beside these is kept and written back.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, cast

from bethink.errors import InvalidError

if TYPE_CHECKING:
    from collections.abc import Mapping

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_OURS = ("profile", "global_memory", "session_memory", "trip_history")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedNote:
    """A note as the file has it."""

    text: str
    day: date | None = None  #: when it was last updated; None where the file does not say
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedState:
    """What the file holds, as plain values."""

    profile: Mapping[str, Any] = field(default_factory=dict[str, Any])
    global_notes: tuple[SeedNote, ...] = ()
    session_notes: tuple[SeedNote, ...] = ()
    trips: tuple[Mapping[str, Any], ...] = ()
    rest: Mapping[str, Any] = field(default_factory=dict[str, Any])


def read(state: str | Mapping[str, Any]) -> SeedState:
    """Read a state file, given as text or as the JSON object it holds.

    Raises:
        InvalidError: it is not such a file; `argument` names the part that is not.
    """
    if isinstance(state, str):
        try:
            state = json.loads(state)
        except ValueError:
            raise InvalidError("the state is not valid JSON; pass the whole file", argument="state") from None
    plain = _object(state, "state")
    return SeedState(
        profile=_object(plain.get("profile"), "profile"),
        global_notes=_notes(plain.get("global_memory"), "global_memory"),
        session_notes=_notes(plain.get("session_memory"), "session_memory"),
        trips=_trips(plain.get("trip_history")),
        rest={name: value for name, value in plain.items() if name not in _OURS},
    )


def write(state: SeedState) -> dict[str, Any]:
    """Return the JSON object of a state file."""
    return {
        "profile": dict(state.profile),
        "global_memory": {"notes": [_written(note) for note in state.global_notes]},
        "session_memory": {"notes": [_written(note) for note in state.session_notes]},
        "trip_history": {"trips": [dict(trip) for trip in state.trips]},
        **state.rest,
    }


def _written(note: SeedNote) -> dict[str, Any]:
    day = "" if note.day is None else note.day.isoformat()
    return {"text": note.text, "last_update_date": day, "keywords": list(note.keywords)}


def _object(value: Any, argument: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidError(f"{argument} must be a JSON object", argument=argument)
    return dict(cast("dict[str, Any]", value))


def _list(value: Any, argument: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise InvalidError(f"{argument} must be a list", argument=argument)
    return cast("list[Any]", value)


def _notes(value: Any, argument: str) -> tuple[SeedNote, ...]:
    listed = _list(_object(value, argument).get("notes"), f"{argument}.notes")
    return tuple(_note(each, f"{argument}.notes[{place}]") for place, each in enumerate(listed))


def _note(value: Any, argument: str) -> SeedNote:
    plain = _object(value, argument)
    text = plain.get("text")
    if not isinstance(text, str) or not text.strip():
        raise InvalidError(f"{argument} has no text", argument=argument)
    words = _list(plain.get("keywords"), f"{argument}.keywords")
    return SeedNote(
        text=text.strip(),
        day=_day(plain.get("last_update_date"), argument),
        keywords=tuple(dict.fromkeys(word.strip().lower() for word in map(str, words) if word.strip())),
    )


def _day(value: Any, argument: str) -> date | None:
    """Read the day that a date, or an instant of ISO 8601, begins with."""
    if value is None or value == "":
        return None
    found = _DAY.match(value) if isinstance(value, str) else None
    try:
        return date.fromisoformat(found.group()) if found else _no_day(argument)
    except ValueError:
        return _no_day(argument)


def _no_day(argument: str) -> date:
    raise InvalidError(
        f"{argument}.last_update_date must be a date such as 2025-04-05",
        argument=f"{argument}.last_update_date",
    ) from None


def _trips(value: Any) -> tuple[Mapping[str, Any], ...]:
    listed = _list(_object(value, "trip_history").get("trips"), "trip_history.trips")
    return tuple(_object(each, f"trip_history.trips[{place}]") for place, each in enumerate(listed))
