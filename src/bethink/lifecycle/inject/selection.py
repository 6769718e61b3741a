"""Choose the notes that are shown, and say of the others why they are not."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from bethink.lifecycle.consolidate.entries import rank, reading
from bethink.lifecycle.consolidate.retention import is_hot, since
from bethink.lifecycle.consolidate.similarity import conflicting, replaces_wholly
from bethink.lifecycle.inject.values import DroppedPart
from bethink.notes.values import DAILY, is_closed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from bethink.lifecycle.inject.values import DropReason, PartKind, Strategy
    from bethink.notes.values import Note

FADES_BY_HALF = timedelta(
    days=365
)  #: how much older a note is that counts half as much, where recency counts
LOOKED_AT = 3  #: times as many notes as are shown are compared with one another
LEARNED = "workspace"  #: the category of what was learned from the runs of a workspace
LEAST = 0.1  #: what the least relevant note that was found counts; one that was not found counts nothing

_WORD = re.compile(r"[^\W_]+")
#: words that a note may have beside a field's own without saying more than the field
_LIGHT_WORDS = """
    a an and be generally has have in is like likes normally of on prefer prefers preference the to typically user
    users usual usually with
"""
_LIGHT = frozenset(word.removesuffix("s") or word for word in _LIGHT_WORDS.split())


class Chosen(NamedTuple):
    """Notes to show, the most important first, and what became of the others."""

    notes: list[Note]
    dropped: list[DroppedPart]


def newest_first(notes: Iterable[Note]) -> list[Note]:
    """Return notes by the instant since which they hold, the latest first."""
    return sorted(notes, key=lambda note: (since(note), note.revision, note.id), reverse=True)


def own_first(notes: Iterable[Note]) -> list[Note]:
    """Return notes in their order, but what workspaces learned and agents hold below what the user said."""
    return sorted(notes, key=lambda note: is_learned(note) or is_of_agent(note))


def is_of_agent(note: Note) -> bool:
    """Tell whether a note is the word of an agent or its tools, which nobody confirmed."""
    return note.source in {"agent", "tool"} and note.outcome != "approved"


def is_learned(note: Note) -> bool:
    """Tell whether a note was learned from the runs of a workspace."""
    return note.category == LEARNED and note.source != "user"


def session_notes(notes: Sequence[Note], *, now: datetime, most: int) -> Chosen:
    """Choose the newest notes of a session."""
    shown, dropped = _live(notes, "session", now)
    shown = _once(newest_first(shown), set(), "session", dropped)
    return _cut(shown, most, "session", dropped)


def global_notes(
    notes: Sequence[Note],
    *,
    now: datetime,
    most: int,
    strategy: Strategy,
    relevance: Mapping[str, float],
    profile: Mapping[str, Any],
    said: Iterable[Note],
) -> Chosen:
    """Choose the global notes that a strategy puts first; `said` are the session notes that are shown.

    A note that only repeats a field of the profile comes after all others.
    """
    shown, dropped = _live(notes, "global", now)
    shown = _picked(shown, relevance, dropped)
    shown = _once(newest_first(shown), {_plain(note.text) for note in said}, "global", dropped)
    fields = [each for name, value in profile.items() if (each := _field_words(name, value))[0]]
    said_already = {note.id for note in shown if fields and _in_profile(note.text, fields)}
    fresh = [note for note in shown if note.id not in said_already]
    repeating = [note for note in shown if note.id in said_already]
    ranked = _standing(_ranked(fresh, strategy, relevance, now) + repeating, LOOKED_AT * most, dropped)
    chosen = _cut(ranked, most, "global", [])
    for each in chosen.dropped:
        dropped.append(replace(each, reason="in profile") if each.id in said_already else each)
    return Chosen(chosen.notes, dropped)


def _standing(ranked: list[Note], first: int, dropped: list[DroppedPart]) -> list[Note]:
    """Leave out what a newer note ended that nobody consolidated yet; the newer one takes its place.

    Only the first notes are looked at: it is for them that the model would read both.
    """
    standing: list[Note] = []
    for note in ranked[:first]:
        rival = next((each for each in standing if _ended(note, each) or _ended(each, note)), None)
        if rival is None:
            standing.append(note)
            continue
        over = rival if _ended(note, rival) else note
        if over is rival:
            standing[standing.index(rival)] = note
        dropped.append(DroppedPart(kind="global", id=over.id, reason="outdated"))
    return standing + ranked[first:]


def _ended(newer: Note, older: Note) -> bool:
    """Tell whether all that a note says is over, by what another says that is newer and trusted as much."""
    if (rank(newer), newer.revision) <= (rank(older), older.revision):
        return False
    new, old = reading(newer), reading(older)
    return conflicting(new, old) and replaces_wholly(new, old)


def _ranked(
    notes: list[Note], strategy: Strategy, relevance: Mapping[str, float], now: datetime
) -> list[Note]:
    """Order notes, newest first to begin with, by what a strategy counts."""
    found = [relevance[note.id] for note in notes if note.id in relevance]
    if strategy == "recency" or not found:
        return own_first(notes)
    low, high = min(found), max(found)

    def weight(note: Note) -> float:
        score = relevance.get(note.id)
        if score is None:
            return 0.0
        counted = LEAST + (1 - LEAST) * ((score - low) / (high - low) if high > low else 1.0)
        if strategy == "relevance":
            return counted
        age = max(now - since(note), timedelta())
        return counted * (1 + 0.5 ** (age / FADES_BY_HALF)) / 2

    ranked = sorted(notes, key=weight, reverse=True)
    return ranked[: len(found)] + own_first(ranked[len(found) :])


def _live(notes: Sequence[Note], kind: PartKind, now: datetime) -> tuple[list[Note], list[DroppedPart]]:
    live: list[Note] = []
    dropped: list[DroppedPart] = []
    for note in notes:
        reason = _not_shown(note, kind, now)
        if reason is None:
            live.append(note)
        else:
            dropped.append(DroppedPart(kind=kind, id=note.id, reason=reason))
    return live, dropped


def _picked(notes: list[Note], relevance: Mapping[str, float], dropped: list[DroppedPart]) -> list[Note]:
    """Leave out what was only scored as worth a while, where the question is not about it."""
    shown: list[Note] = []
    for note in notes:
        if note.category == DAILY and note.sources and note.id not in relevance:
            dropped.append(DroppedPart(kind="global", id=note.id, reason="not asked for"))
        else:
            shown.append(note)
    return shown


def _not_shown(note: Note, kind: PartKind, now: datetime) -> DropReason | None:
    if note.status != "active":
        return note.status
    if is_closed(note):
        return "closed"
    if note.expires_at is not None and note.expires_at <= now:
        return "expired"
    if note.valid_to is not None and note.valid_to <= now:
        return "ended"
    if note.valid_from is not None and note.valid_from > now:
        return "not yet valid"
    return "archived" if kind == "global" and not is_hot(note, now) else None


def _once(notes: list[Note], seen: set[str], kind: PartKind, dropped: list[DroppedPart]) -> list[Note]:
    """Return each wording once, the first of each."""
    kept: list[Note] = []
    for note in notes:
        plain = _plain(note.text)
        if plain in seen:
            dropped.append(DroppedPart(kind=kind, id=note.id, reason="duplicate"))
        else:
            kept.append(note)
        seen.add(plain)
    return kept


def _cut(notes: list[Note], most: int, kind: PartKind, dropped: list[DroppedPart]) -> Chosen:
    most = max(0, most)
    dropped += [DroppedPart(kind=kind, id=note.id, reason="over max") for note in notes[most:]]
    return Chosen(notes[:most], dropped)


def day(at: datetime) -> str:
    """Return the day of an instant, in UTC."""
    return at.astimezone(UTC).date().isoformat()


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!。！ ")


def _words(text: str) -> list[str]:
    return [word.removesuffix("s") or word for word in _WORD.findall(text.casefold().replace("_", " "))]


def _field_words(name: str, value: Any) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of a field's value, and those of the whole field."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return frozenset(), frozenset()
    told = frozenset(_words(str(value)))
    return told, told | frozenset(_words(name))


def _in_profile(text: str, fields: Iterable[tuple[frozenset[str], frozenset[str]]]) -> bool:
    """Tell whether a note says what one field says, no more: a "not" or a condition is more."""
    told = frozenset(_words(text)) - _LIGHT
    return bool(told) and any(value - _LIGHT <= told <= whole for value, whole in fields)
