"""What consolidation works on: a statement, the global note that holds it, and the session notes that repeat it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from bethink.lifecycle.consolidate.attributes import read
from bethink.lifecycle.consolidate.canonical import canonical
from bethink.lifecycle.consolidate.retention import since
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
    members: list[Note] = field(default_factory=list["Note"])  #: session notes that say it, in order of time
    twins: list[Note] = field(default_factory=list["Note"])  #: global notes that say the same
    shortened: str | None = None  #: what is left of its text, where a part was overridden
    taken_over: bool = False  #: its note has a key, and keeps it with the new words
    lost_to: Entry | None = None
    weighty: bool = False  #: it ended something that was kept for good
    rank: tuple[int, date] = field(
        init=False
    )  #: what it weighs in a conflict: trust, then the day it holds since
    newest: datetime = field(init=False)  #: the latest instant at which it was said
    when: tuple[int, datetime] = field(init=False)  #: trust and instant, by which one is older than another
    empty: bool = False  #: all that it held was merged into another

    def __post_init__(self) -> None:
        self._weigh(*_weight(self.told))

    @property
    def told(self) -> Note:
        """Return the note that it was first read from."""
        return self.note or self.members[0]

    @property
    def touched(self) -> bool:
        """Tell whether anything became of it beside its global note."""
        return bool(self.members or self.twins or self.overridden)

    @property
    def overridden(self) -> bool:
        """Tell whether a session note took its place, or a part of it."""
        return not self.alive or self.taken_over or self.shortened is not None

    @property
    def alive(self) -> bool:
        """Tell whether nothing took its place."""
        return self.lost_to is None

    @property
    def stands(self) -> bool:
        """Tell whether it holds something, and nothing took its place."""
        return self.lost_to is None and not self.empty

    @property
    def final(self) -> Entry:
        """Return what took its place in the end: itself, where nothing did."""
        return self if self.lost_to is None else self.lost_to.final

    @cached_property
    def reading(self) -> Reading:
        """Return what it says."""
        return reading(self.told)

    def join(self, note: Note) -> None:
        """Take one more note that says it; of global ones that with a key stays, else the one that was there."""
        if note.session is not None:
            self.members.append(note)
        elif self.note is None or (note.key is not None and not self.taken_over):
            self.twins += [self.note] if self.note is not None else []
            self.note = note
        else:
            self.twins.append(note)
        self.empty = False
        weight, at = _weight(note)
        self._weigh(max(self.rank, weight), max(self.newest, at))

    def absorb(self, other: Entry) -> None:
        """Take over all who say the same elsewhere."""
        if other.note is not None:
            self.twins.append(other.note)
        self.twins += other.twins
        self.members += other.members
        other.note, other.twins, other.members, other.empty = None, [], [], True
        self._weigh(max(self.rank, other.rank), max(self.newest, other.newest))

    def _weigh(self, rank: tuple[int, date], newest: datetime) -> None:
        self.rank, self.newest, self.when = rank, newest, (rank[0], newest)

    def hand_over(self, text: str) -> list[Entry]:
        """Give its key to other words; return who else said the former ones, as entries that lost to it."""
        lost = [Entry(note=each, lost_to=self) for each in self.twins]
        lost += [Entry(members=self.members, lost_to=self)] if self.members else []
        self.taken_over, self.members, self.twins = True, [], []
        self._weigh(*_weight(self.told))
        self.reread(text)
        return lost

    def reread(self, text: str) -> None:
        """Read it anew after its text was changed."""
        self.reading = read(canonical(text), self.told.keywords)

    def wording(self) -> Note:
        """Return the note whose words say the most; of equals the global one, then the newest."""
        said = [*reversed(self.members), *self.twins]
        if self.note is not None and not self.taken_over:
            said = [self.note, *said]
        return said[0] if len(said) == 1 else max(said, key=lambda each: len(reading(each).core))

    @property
    def confirmed(self) -> int:
        """Return how many times the user said again what its global note says."""
        if self.note is None or self.taken_over:
            return 0
        return sum(each.source == "user" for each in self.members)

    @property
    def category(self) -> str:
        """Return how lasting it is: what is of some interest becomes core when it is said again on another day."""
        told = self.told.category
        if told not in {CONVERSATION, DAILY, CORE}:
            return told
        said = [*([self.note] if self.note else []), *self.twins, *self.members]
        if self.weighty or not all(map(is_daily, said)):
            return CORE
        return DAILY if len({since(each).date() for each in said}) == 1 else CORE

    def keywords(self) -> tuple[str, ...]:
        """Return the keywords of all who say it."""
        said = [*([self.note] if self.note else []), *self.twins, *self.members]
        united = dict.fromkeys(word for each in said for word in each.keywords)
        return tuple(united)[:MAX_KEYWORDS]


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
