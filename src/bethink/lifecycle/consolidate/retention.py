"""How long a note is shown and kept: by its category, its expiry, and wording that holds for one session only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Final

from bethink.languages.loading import CODES, language
from bethink.languages.phrases import Phrases, phrase_list
from bethink.lifecycle.consolidate.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from bethink.notes.values import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """Two stretches of time: for a while a note is shown, then for a while it can still be recalled."""

    hot: timedelta
    archived: timedelta


#: core notes never fade; conversation notes go with their session; other words are the application's own
RETENTION: Final[Mapping[str, Retention]] = {
    "daily": Retention(hot=timedelta(days=7), archived=timedelta(days=30)),
}


def since(note: Note) -> datetime:
    """Return the instant since which a note holds, as far as is known."""
    return note.valid_from or note.updated_at


def times_said(note: Note) -> int:
    """Return how many times a global note was said, as far as it was counted."""
    said = note.metadata.get("said", 1)
    return said if isinstance(said, int) else 1


def said_again(note: Note, confirmed: int) -> str:
    """Return the reason for which a note is renewed."""
    return f"said again, {times_said(note) + confirmed} times in all" if confirmed else "said again"


def is_hot(note: Note, now: datetime, retention: Mapping[str, Retention] = RETENTION) -> bool:
    """Tell whether a note is still young enough to be shown unasked."""
    rule = retention.get(note.category)
    return rule is None or now - since(note) <= rule.hot


def has_expired(note: Note, now: datetime, retention: Mapping[str, Retention] = RETENTION) -> bool:
    """Tell whether a note is over: by the instant it was given, or by the age its category may reach."""
    if note.expires_at is not None and note.expires_at <= now:
        return True
    rule = retention.get(note.category)
    return rule is not None and now - since(note) > rule.hot + rule.archived


def ephemeral(text: str) -> str | None:
    """Return the words that make a note hold for once ("this time", "today"), or None where it may last."""
    spoken = words(text)
    found = _phrases("once").find(spoken)
    if found is None or _phrases("lasting").within(spoken) or _phrases("changing").within(spoken):
        return None
    return " ".join(spoken[slice(*found)])


@cache
def _phrases(name: str) -> Phrases:
    """Return the words for once, for what lasts, or for a change of state, in every language."""
    tables = (language(code).word(section, name) for code in CODES for section in ("compare", "time"))
    return Phrases(tuple(words(each)) for table in tables for each in phrase_list(table))
