"""Select the notes that fit the token budget of a context, and give the reason for each one left out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from bethink.lifecycle.consolidate.attributes import read
from bethink.lifecycle.consolidate.duplicates_and_conflicts import conflicting, replaces_wholly
from bethink.lifecycle.consolidate.entries import rank
from bethink.lifecycle.consolidate.retention import is_hot, since
from bethink.lifecycle.consolidate.words import canonical
from bethink.lifecycle.inject.values import DroppedPart
from bethink.lifecycle.text_caches import remembers
from bethink.notes.values import DAILY, is_closed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import date, datetime

    from bethink.lifecycle.consolidate.attributes import Reading
    from bethink.lifecycle.inject.values import DropReason, PartKind, Strategy
    from bethink.notes.values import Note

FADES_BY_HALF = timedelta(
    days=365
)  #: how much older a note is that counts half as much, where recency counts
MAX_WISHES = 6  #: standing wishes that are shown in every context, the newest
LEARNED = "workspace"  #: the category of what was learned from the runs of a workspace
LEAST = 0.1  #: what the least relevant note that was found counts; one that was not found counts nothing

_WORD = re.compile(r"[^\W_]+")
#: words that a note may have beside a field's own without saying more than the field
_LIGHT_WORDS = """
    a an and be generally has have in is like likes normally of on prefer prefers preference the to typically user
    users usual usually with
"""
_LIGHT = frozenset(word.removesuffix("s") or word for word in _LIGHT_WORDS.split())


class SelectedNotes(NamedTuple):
    """Notes to show, the most important first, and what became of the others."""

    notes: list[Note]
    dropped: list[DroppedPart]


class SelectedGlobalNotes(NamedTuple):
    """Global notes to show, the most important of each list first, and what became of the others."""

    wishes: list[Note]  #: they hold in every conversation
    core: list[Note]  #: shown unasked, whatever the query
    asked: list[Note]  #: picked by the query, or written since the conversation began
    dropped: list[DroppedPart]


def newest_first(notes: Iterable[Note]) -> list[Note]:
    """Return notes by the instant since which they hold, the latest first."""
    return sorted(notes, key=lambda note: (since(note), note.revision, note.id), reverse=True)


def is_of_agent(note: Note) -> bool:
    """Tell whether a note is the word of an agent or its tools, which nobody confirmed."""
    return note.source in {"agent", "tool"} and note.outcome != "approved"


def by_source(notes: Iterable[Note]) -> list[Note]:
    """Return notes in their order, but those of whom the user trusts less below the user's own."""
    return sorted(notes, key=source_rank)


def source_rank(note: Note) -> int:
    """Return how far down a list a note stands for where it comes from: the user's own come first."""
    return 1 if is_learned(note) or is_of_agent(note) else 0


def is_learned(note: Note) -> bool:
    """Tell whether a note was learned from the runs of a workspace."""
    return note.category == LEARNED and note.source != "user"


def session_notes(notes: Sequence[Note], *, now: datetime, most: int) -> SelectedNotes:
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
    relevance: Mapping[str, float] | None,
    profile: Mapping[str, Any],
    shown_already: Iterable[Note],
    irrelevant: Collection[str] = (),
    standing: Collection[str] = (),
    begun: datetime | None = None,
    listed: Collection[str] | None = None,
) -> SelectedGlobalNotes:
    """Choose the global notes to show; `said` are the session notes that are shown.

    Standing wishes and the newest of the others are chosen whatever was asked, so that they stay the same from turn
    to turn; what was written after `begun`, and what the query picked beyond them, comes with them. Only notes that are
    `listed` may be shown unasked; None are all. A note that only repeats a field of the profile comes after all others.
    """
    shown, dropped = _live(notes, "global", now)
    picked = relevance or {}
    shown = _asked_for(shown, picked, dropped)
    late = {note.id for note in shown if _is_late(note, begun)}
    newest = sorted(newest_first(shown), key=lambda note: note.id in late)
    shown = _once(newest, {_plain(note.text) for note in shown_already}, "global", dropped)
    fields = [each for name, value in profile.items() if (each := _field_words(name, value))[0]]
    unasked = [note for note in shown if listed is None or note.id in listed]
    repeating = {note.id for note in unasked if fields and _in_profile(note.text, fields)}
    ordered = by_source(sorted(unasked, key=lambda note: note.id in repeating))
    choice = _Choice(dropped)
    new = choice.some([note for note in ordered if note.id in late], most)
    lasting = [note for note in ordered if note.id not in late]
    wishes = choice.some([note for note in lasting if note.id in standing], MAX_WISHES)
    core = choice.some(lasting, most)
    asked = choice.some(_ranked(choice.others(shown, picked), strategy, picked, now), None)
    for note in choice.others(shown):
        reason: DropReason = "over max"
        if note.id in irrelevant:
            reason = "not relevant"
        elif note.id in repeating:
            reason = "in profile"
        dropped.append(DroppedPart(kind="global", id=note.id, reason=reason))
    return SelectedGlobalNotes(
        wishes=choice.standing(wishes),
        core=choice.standing(core),
        asked=choice.standing([*new, *asked]),
        dropped=dropped,
    )


def _is_late(note: Note, begun: datetime | None) -> bool:
    """Tell whether a note would change the prefix of a conversation that is going on, or change it day by day."""
    return note.category == DAILY or (begun is not None and note.updated_at > begun)


@dataclass(frozen=True, slots=True, eq=False)
class _Said:
    """What a note says, known by itself: two that are equal are compared as two."""

    reading: Reading
    matters: frozenset[str]


class _Weighed(NamedTuple):
    """What a note says, and what that weighs against others: how far it is trusted, how new it is."""

    note: Note
    said: _Said
    weight: tuple[tuple[int, date], int]

    @classmethod
    def of(cls, note: Note) -> _Weighed:
        return cls(note, _said(note.text, note.keywords), (rank(note), note.revision))


@remembers(1 << 12)
def _said(text: str, keywords: tuple[str, ...]) -> _Said:
    """Return what a note says, and what matters it is about: the same notes are weighed turn after turn."""
    said = read(canonical(text), keywords)
    return _Said(said, frozenset([claim.attribute for claim in said.claims]))


class _Choice:
    """Notes chosen so far, without those that others ended and nobody consolidated yet."""

    def __init__(self, dropped: list[DroppedPart]) -> None:
        self._dropped = dropped
        self._chosen: dict[str, _Weighed] = {}
        self._ended: set[str] = set()

    def some(self, notes: Iterable[Note], most: int | None) -> list[Note]:
        """Choose the first notes that hold, at most so many."""
        found: list[Note] = []
        for note in notes:
            if most is not None and len(self.standing(found)) >= most:
                break
            if note.id in self._chosen or note.id in self._ended:
                continue
            if self._holds(note):
                found.append(note)
        return found

    def others(self, notes: Iterable[Note], among: Collection[str] | None = None) -> list[Note]:
        """Return the notes that were not chosen, of some only where these are given."""
        return [
            note
            for note in notes
            if note.id not in self._chosen
            and note.id not in self._ended
            and (among is None or note.id in among)
        ]

    def standing(self, notes: Iterable[Note]) -> list[Note]:
        """Return those of the notes that nothing chosen later ended."""
        return [note for note in notes if note.id not in self._ended]

    def _holds(self, note: Note) -> bool:
        own = _Weighed.of(note)
        for chosen in list(self._chosen.values()):
            if chosen.weight > own.weight:
                if _ends(chosen.said, own.said):
                    self._end(note)
                    return False
            elif own.weight > chosen.weight and _ends(own.said, chosen.said):
                self._end(chosen.note)
        self._chosen[note.id] = own
        return True

    def _end(self, note: Note) -> None:
        self._chosen.pop(note.id, None)
        self._ended.add(note.id)
        self._dropped.append(DroppedPart(kind="global", id=note.id, reason="outdated"))


@remembers(
    1 << 14
)  # pairs: those of one context are some hundreds, and most of them come again at the next turn
def _ends(new: _Said, old: _Said) -> bool:
    """Tell whether all that a note says is over, by what a newer one says that is trusted as much."""
    mine, its = new.reading, old.reading
    if (
        new.matters.isdisjoint(old.matters)
        and mine.words != its.words
        and not (mine.facts or its.facts)
        and not (mine.preferring and its.preferring)
    ):
        return False  # nearly all pairs: they are about different things
    return conflicting(mine, its) and replaces_wholly(mine, its)


def _ranked(
    notes: list[Note], strategy: Strategy, relevance: Mapping[str, float], now: datetime
) -> list[Note]:
    """Order the notes that a query picked, newest first to begin with, by what a strategy counts."""
    if strategy == "recency" or not notes:
        return notes
    found = [relevance[note.id] for note in notes]
    low, high = min(found), max(found)

    def weight(note: Note) -> float:
        score = relevance[note.id]
        counted = LEAST + (1 - LEAST) * ((score - low) / (high - low) if high > low else 1.0)
        if strategy == "relevance":
            return counted
        age = max(now - since(note), timedelta())
        return counted * (1 + 0.5 ** (age / FADES_BY_HALF)) / 2

    return sorted(notes, key=weight, reverse=True)


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


def _asked_for(notes: list[Note], relevance: Mapping[str, float], dropped: list[DroppedPart]) -> list[Note]:
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


def _cut(notes: list[Note], most: int, kind: PartKind, dropped: list[DroppedPart]) -> SelectedNotes:
    most = max(0, most)
    dropped += [DroppedPart(kind=kind, id=note.id, reason="over max") for note in notes[most:]]
    return SelectedNotes(notes[:most], dropped)


def day(at: datetime) -> str:
    """Return the day of an instant, in UTC."""
    return (at if at.tzinfo is UTC else at.astimezone(UTC)).date().isoformat()


@remembers(1 << 12)
def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!。！ ")


def _words(text: str) -> list[str]:
    return [word.removesuffix("s") or word for word in _WORD.findall(text.casefold().replace("_", " "))]


def _field_words(name: str, value: Any) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of a field's value, and those of the whole field."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return frozenset(), frozenset()
    words = frozenset(_words(str(value)))
    return words, words | frozenset(_words(name))


def _in_profile(text: str, fields: Iterable[tuple[frozenset[str], frozenset[str]]]) -> bool:
    """Tell whether a note says what one field says, no more: a "not" or a condition is more."""
    words = frozenset(_words(text)) - _LIGHT
    return bool(words) and any(value - _LIGHT <= words <= whole for value, whole in fields)
