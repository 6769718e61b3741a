"""What consolidation works on: a statement, the global note that holds it, and the session notes that repeat it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from bethink.lifecycle.consolidate.attributes import read
from bethink.lifecycle.consolidate.retention import since
from bethink.lifecycle.consolidate.words import canonical
from bethink.notes.values import CONVERSATION, CORE, DAILY

if TYPE_CHECKING:
    from datetime import date, datetime

    from bethink.lifecycle.consolidate.attributes import Reading
    from bethink.notes.values import Note

MAX_KEYWORDS = 16
TRUST = {"user": 3, "import": 3, "tool": 2, "agent": 1}


@dataclass(eq=False)
class Entry:
    """A statement under consideration."""

    note: Note | None = None  #: the global note that holds it; None for one that only session notes make
    session_notes: list[Note] = field(
        default_factory=list["Note"]
    )  #: session notes that say it, in order of time
    duplicates: list[Note] = field(default_factory=list["Note"])  #: global notes that say the same
    shortened: str | None = None  #: what is left of its text, where a part was overridden
    taken_over: bool = False  #: its note has a key, and keeps it with the new words
    superseded_by: Entry | None = None
    reworded: Note | None = None  #: who said it last in other words
    weighty: bool = False  #: it ended something that was kept for good
    rank: tuple[int, date] = field(
        init=False
    )  #: what it weighs in a conflict: trust, then the day it holds since
    newest: datetime = field(init=False)  #: the latest instant at which it was said
    when: tuple[int, datetime] = field(init=False)  #: trust and instant, by which one is older than another
    empty: bool = False  #: all that it held was merged into another

    def __post_init__(self) -> None:
        self._weigh(*_weight(self.origin))

    @property
    def origin(self) -> Note:
        """Return the note that it was first read from."""
        return self.note or self.session_notes[0]

    @property
    def touched(self) -> bool:
        """Tell whether anything became of it beside its global note."""
        return bool(self.session_notes or self.duplicates or self.overridden)

    @property
    def overridden(self) -> bool:
        """Tell whether a session note took its place, or a part of it."""
        return not self.alive or self.taken_over or self.shortened is not None

    @property
    def alive(self) -> bool:
        """Tell whether nothing took its place."""
        return self.superseded_by is None

    @property
    def stands(self) -> bool:
        """Tell whether it holds something, and nothing took its place."""
        return self.superseded_by is None and not self.empty

    @property
    def final(self) -> Entry:
        """Return what took its place in the end: itself, where nothing did."""
        return self if self.superseded_by is None else self.superseded_by.final

    @cached_property
    def reading(self) -> Reading:
        """Return what it says."""
        return reading(self.origin)

    def join(self, note: Note) -> None:
        """Take one more note that says it; of global ones that with a key stays, else the one that was there."""
        if note.session is not None:
            self.session_notes.append(note)
        elif self.note is None or (note.key is not None and not self.taken_over):
            self.duplicates += [self.note] if self.note is not None else []
            self.note = note
        else:
            self.duplicates.append(note)
        self.empty = False
        weight, at = _weight(note)
        self._weigh(max(self.rank, weight), max(self.newest, at))

    def say_again(self, note: Note) -> None:
        """Take one more note that says it in other words, which take the place of the former ones."""
        if self.shortened is None and when(note) >= self.when:
            self.reworded = note
            self.reread(note.text)
        self.join(note)

    def absorb(self, other: Entry) -> None:
        """Take over all who say the same elsewhere."""
        if other.note is not None:
            self.duplicates.append(other.note)
        self.duplicates += other.duplicates
        self.session_notes += other.session_notes
        other.note, other.duplicates, other.session_notes, other.empty = None, [], [], True
        self._weigh(max(self.rank, other.rank), max(self.newest, other.newest))

    def _weigh(self, rank: tuple[int, date], newest: datetime) -> None:
        self.rank, self.newest, self.when = rank, newest, (rank[0], newest)

    def hand_over(self, text: str) -> list[Entry]:
        """Give its key to other words; return who else said the former ones, as entries that it superseded."""
        lost = [Entry(note=each, superseded_by=self) for each in self.duplicates]
        lost += [Entry(session_notes=self.session_notes, superseded_by=self)] if self.session_notes else []
        self.taken_over, self.session_notes, self.duplicates = True, [], []
        self._weigh(*_weight(self.origin))
        self.reread(text)
        return lost

    def reread(self, text: str) -> None:
        """Read it anew after its text was changed."""
        self.reading = read(canonical(text), self.origin.keywords)

    def wording(self) -> Note:
        """Return the note whose words say the most; of equals the global one, then the newest.

        Where it was said again in other words, these are those that were said last; a note with a key keeps its own.
        """
        keyed = self.note is not None and self.note.key is not None
        if self.reworded is not None and not keyed:
            return self.reworded
        notes = [*reversed(self.session_notes), *self.duplicates]
        if self.note is not None and not self.taken_over:
            notes = [self.note, *notes]
        return notes[0] if len(notes) == 1 else max(notes, key=lambda each: len(reading(each).core))

    @property
    def confirmed(self) -> int:
        """Return how many times the user said again what its global note says."""
        if self.note is None or self.taken_over:
            return 0
        return sum(each.source == "user" for each in self.session_notes)

    @property
    def category(self) -> str:
        """Return how lasting it is: what is of some interest becomes core when it is said again on another day."""
        category = self.origin.category
        if category not in {CONVERSATION, DAILY, CORE}:
            return category
        if self.weighty or not all(map(is_daily, self._notes)):
            return CORE
        return DAILY if len({since(each).date() for each in self._notes}) == 1 else CORE

    def keywords(self) -> tuple[str, ...]:
        """Return the keywords of all who say it."""
        united = dict.fromkeys(word for each in self._notes for word in each.keywords)
        return tuple(united)[:MAX_KEYWORDS]

    @property
    def _notes(self) -> list[Note]:
        return [*([self.note] if self.note else []), *self.duplicates, *self.session_notes]


def is_daily(note: Note) -> bool:
    """Tell whether a note is of some interest only, as its category has it or, of a session note, what found it."""
    return note.category == DAILY or (
        note.category == CONVERSATION and note.metadata.get("salience") == DAILY
    )


def reading(note: Note) -> Reading:
    """Return what a note says."""
    return read(canonical(note.text), note.keywords)


def rank(note: Note) -> tuple[int, date]:
    """Return what a note weighs in a conflict: how far its source is trusted, then the day since which it holds."""
    return _weight(note)[0]


def when(note: Note) -> tuple[int, datetime]:
    """Return how far a note's source is trusted, and since when it holds."""
    return TRUST.get(note.source, 0), since(note)


def _weight(note: Note) -> tuple[tuple[int, date], datetime]:
    trust, at = when(note)
    return (trust, at.date()), at
