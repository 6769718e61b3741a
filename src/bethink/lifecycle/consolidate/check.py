"""Verify a proposal before anything is written, whoever made it.

Nothing is invented: every clause of a new wording must be found in one source that it cites, with its words, its
numbers, whom it is about, what it denies and under which condition. Nothing is lost: a global note is retired only
for a successor about the same thing, or because its time is over.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, assert_never

from bethink.errors import BethinkError
from bethink.lifecycle.consolidate.attributes import read
from bethink.lifecycle.consolidate.claims import USER
from bethink.lifecycle.consolidate.duplicates_and_conflicts import conflicting
from bethink.lifecycle.consolidate.endings import ended, gist_of, of_one
from bethink.lifecycle.consolidate.restatements import Pair, comparable, said_again
from bethink.lifecycle.consolidate.retention import RETENTION, ephemeral
from bethink.lifecycle.consolidate.tables import joined
from bethink.lifecycle.consolidate.words import MARKS, canonical, stem
from bethink.lifecycle.values import Add, Keep, Proposal, Retire, Revise
from bethink.notes.checks import check_confidence, check_keywords, check_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bethink.lifecycle.consolidate.attributes import Reading
    from bethink.lifecycle.values import Change
    from bethink.notes.values import Note

_SENTENCES: Final = re.compile(r"[.;!?。！？；]\s*")
_JOINTS: Final = re.compile(
    r"[.;!?。！？；]\s*|,\s+(?:and\s+|but\s+|so\s+)?|\s+(?:and|but|so|und|aber|et|mais|y|pero|e|ma|mas)\s+|[、，]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A change that is not made, and why."""

    index: int  #: of the change in the proposal
    change: Change
    reason: str


def check(proposal: Proposal, notes: Iterable[Note]) -> list[Refusal]:
    """Return the changes of a proposal that must not be made."""
    return _Checking(proposal, {note.id: note for note in notes}).refusals()


def accepted(proposal: Proposal, notes: Iterable[Note]) -> Proposal:
    """Return a proposal without what `check` refuses; its remarks say what was left out."""
    refusals = check(proposal, notes)
    if not refusals:
        return proposal
    refused = {refusal.index for refusal in refusals}
    left = [place for place in range(len(proposal.changes)) if place not in refused]
    moved = {old: new for new, old in enumerate(left)}
    changes = tuple(_moved(proposal.changes[place], moved) for place in left)
    remarks = tuple(f"{refusal.change.kind} was refused: {refusal.reason}" for refusal in refusals)
    return replace(proposal, changes=changes, remarks=proposal.remarks + remarks)


def _moved(change: Change, places: Mapping[int, int]) -> Change:
    if isinstance(change, Retire) and isinstance(change.successor, int):
        return replace(change, successor=places[change.successor])
    return change


class _Checking:
    """The checks of one proposal."""

    def __init__(self, proposal: Proposal, notes: Mapping[str, Note]) -> None:
        self.changes = proposal.changes
        self.notes = notes
        self.touched = Counter(each.note for each in self.changes if isinstance(each, Revise | Retire))
        self.retired = {each.note for each in self.changes if isinstance(each, Retire)}
        self.revised = {each.note: each for each in self.changes if isinstance(each, Revise)}

    def refusals(self) -> list[Refusal]:
        """Return what is refused, and what falls with it."""
        reasons = {place: reason for place, each in enumerate(self.changes) if (reason := self._reason(each))}
        while True:
            fallen = {
                place: reason for place in range(len(self.changes)) if (reason := self._falls(place, reasons))
            }
            if not fallen:
                break
            reasons |= fallen
        return [
            Refusal(index=place, change=self.changes[place], reason=reason)
            for place, reason in sorted(reasons.items())
        ]

    def _reason(self, change: Change) -> str | None:
        match change:
            case Add():
                return (
                    self._shape(change) or self._sources(change) or self._support(change.text, change.sources)
                )
            case Revise():
                return (
                    self._of_user(change.note)
                    or self._shape(change)
                    or self._sources(change)
                    or self._support(change.text, change.sources)
                )
            case Retire():
                return self._retiring(change)
            case Keep():
                return None if change.note in self.notes else "there is no such note"
            case _:
                assert_never(change)

    def _falls(self, place: int, refused: Mapping[int, str]) -> str | None:
        """Return why a change cannot stand without those that are refused."""
        change = self.changes[place]
        if place in refused or not isinstance(change, Retire):
            return None
        if isinstance(change.successor, int) and change.successor in refused:
            return "its successor was refused"
        if isinstance(change.successor, str) and change.outcome in {"promoted", "merged"}:
            revision = self.revised.get(change.successor)
            if revision is not None and self.changes.index(revision) in refused:
                return "the revision of its successor was refused"
        return None

    def _of_user(self, word: str) -> str | None:
        note = self.notes.get(word)
        if note is None:
            return "there is no such note"
        if note.session is not None:
            return "a session note is not revised"
        return self._once(word)

    def _once(self, word: str) -> str | None:
        return "the note is changed twice" if self.touched[word] > 1 else None

    def _shape(self, change: Add | Revise) -> str | None:
        try:
            check_text(change.text)
            check_keywords(change.keywords)
            if isinstance(change, Add) and change.confidence is not None:
                check_confidence(change.confidence)
        except BethinkError as error:
            return str(error)
        return None

    def _sources(self, change: Add | Revise) -> str | None:
        if not change.sources:
            return "no source is cited"
        unknown = [each for each in change.sources if each not in self.notes]
        return "a source that is cited does not exist" if unknown else None

    def _support(self, text: str, sources: Sequence[str]) -> str | None:
        cited = [self.notes[each] for each in sources]
        if all(ephemeral(note.text) for note in cited) and not ephemeral(text):
            return "it makes lasting what was said for once"
        readings = [each for note in cited for each in _readings(note)]
        keywords = tuple(dict.fromkeys(word for note in cited for word in note.keywords))
        return _unsupported(text, keywords, readings)

    def _retiring(self, change: Retire) -> str | None:
        note = self.notes.get(change.note)
        if note is None:
            return "there is no such note"
        return self._once(change.note) or self._outcome(change, note) or self._succession(change, note)

    def _outcome(self, change: Retire, note: Note) -> str | None:
        if change.outcome in {"ephemeral", "promoted"} and note.session is None:
            return "only a session note ends so"
        if change.outcome == "expired":
            ends = note.expires_at is not None or note.category in RETENTION or note.session is not None
            return None if ends else "its category does not expire"
        if change.outcome != "ephemeral" and change.successor is None:
            return "nothing takes its place"
        return None

    def _succession(self, change: Retire, note: Note) -> str | None:
        if change.successor is None:
            return None
        text = self._successor_text(change.successor)
        if text is None:
            return "its successor does not exist, or is retired itself"
        old, new = _read(note.text, note.keywords), _read(text, note.keywords)
        opposed = conflicting(new, old) or _denies(new, old)
        if change.outcome == "superseded" and self._ended(change, note):
            return None
        if change.outcome in {"merged", "promoted"}:
            if opposed:
                return "its successor says otherwise"
            reason = self._about(new, old)
            return None if reason is None or _says_again(text, note) else reason
        return None if opposed else self._about(new, old)

    def _ended(self, change: Retire, note: Note) -> bool:
        """Tell whether what its successor was drawn from says that a note does not hold any more."""
        drawn: list[str] = []
        if isinstance(change.successor, int):
            successor = self.changes[change.successor]
            drawn += successor.sources if isinstance(successor, Add) else ()
        elif change.successor is not None:
            revision = self.revised.get(change.successor)
            drawn += (change.successor, *(revision.sources if revision is not None else ()))
        newer = [self.notes[each] for each in drawn if each in self.notes and each != note.id]
        return any(ended(each, note) and of_one(gist_of(each), gist_of(note)) for each in newer)

    def _about(self, new: Reading, old: Reading) -> str | None:
        shared = dict(new.content).keys() & dict(old.content).keys()
        attributes = {each.attribute for each in new.said} & {each.attribute for each in old.said}
        worded = not old.content and not new.content
        return None if shared or attributes or worded else "its successor is about something else"

    def _successor_text(self, successor: str | int) -> str | None:
        if isinstance(successor, int):
            change = self.changes[successor] if 0 <= successor < len(self.changes) else None
            return change.text if isinstance(change, Add) else None
        if (
            successor in self.retired
            or successor not in self.notes
            or self.notes[successor].session is not None
        ):
            return None
        revision = self.revised.get(successor)
        return revision.text if revision is not None else self.notes[successor].text


def _readings(note: Note) -> list[Reading]:
    """Return what a note says: as a whole, by sentences, and by clauses where none depends on another."""
    whole = _read(note.text, note.keywords)
    found = [whole]
    for ends in (_SENTENCES, _JOINTS):
        parts = [part for part in ends.split(note.text) if part and part.strip()]
        if len(parts) > 1 and (ends is _SENTENCES or _independent(whole)):
            found += [_read(part, note.keywords) for part in parts]
    return found


def _independent(whole: Reading) -> bool:
    """Tell whether each clause of a note holds by itself: they are the user's, settled, and under no condition."""
    return (
        whole.subject == USER
        and not whole.tentative
        and joined("depending").isdisjoint(map(stem, whole.spoken))
    )


def _read(text: str, keywords: tuple[str, ...]) -> Reading:
    return read(canonical(text), keywords)


def _says_again(text: str, note: Note) -> bool:
    """Tell whether a text says in other words what a note says, whichever of them is the newer one."""
    one, other = gist_of(replace(note, text=text)), gist_of(note)
    return comparable(one, other) and any(said_again([Pair(one, other), Pair(other, one)]))


def _unsupported(text: str, keywords: tuple[str, ...], sources: Sequence[Reading]) -> str | None:
    """Return what a wording says that none of its sources does."""
    whole = _read(text, keywords)
    if any(_missing(whole, source) is None for source in sources):
        return None
    parts = [part for part in _JOINTS.split(text) if part.strip()]
    if len(parts) < 2:  # noqa: PLR2004
        return min((_missing(whole, source) or "" for source in sources), key=len)
    for part in parts:
        found = [_missing(_read(part, keywords), source) for source in sources]
        if None not in found:
            return min((each for each in found if each), key=len)
    return None


def _missing(new: Reading, source: Reading) -> str | None:
    """Return what a source does not say of a wording, or None where it says all of it."""
    if new.whole and not source.tentative and set(new.facts) <= set(source.facts):
        return None  # "lives in Rome" of "moved to Rome"
    said = set(source.content)
    words = {word for word, _ in said}
    if not new.numbers <= source.numbers:
        return "it has a number that its source has not"
    if any(word not in words for word, _ in new.content) or (source.content and not new.content):
        return "it has a word that its source has not, or none"
    if any(pair not in said for pair in new.content):
        return "it denies what its source affirms, or affirms what it denies"
    if new.subject != source.subject:
        return "it is about somebody else than its source"
    return _unconditional(new, source)


def _unconditional(new: Reading, source: Reading) -> str | None:
    """Return whether a wording leaves out the condition under which its source says something."""
    if source.tentative and not new.tentative:
        return "it settles what its source leaves open"
    if _depends(source, new):
        return "it leaves out the condition under which its source holds"
    for claim in new.said:
        conditions = [
            each.condition
            for each in source.said
            if (each.attribute, each.value) == (claim.attribute, claim.value)
        ]
        if conditions and claim.condition not in conditions:
            return "it leaves out, or changes, the condition under which its source holds"
    return None


def _depends(source: Reading, new: Reading) -> bool:
    """Tell whether a source says under an "if" or a "when" what a wording says without one."""
    depending = joined("depending")
    if not depending.isdisjoint(map(stem, new.spoken)):
        return False
    said = {word for word, _ in new.content}
    part: set[str] = set()
    for word in (*map(stem, source.spoken), "."):
        if word not in MARKS:
            part.add(word)
        elif part:
            if not depending.isdisjoint(part) and said <= part:
                return True
            part = set()
    return bool(source.spoken) and stem(source.spoken[0]) in depending


def _denies(new: Reading, old: Reading) -> bool:
    """Tell whether a word is affirmed in one note and denied in the other."""
    theirs = dict(old.content)
    return any(theirs.get(word, affirmed) != affirmed for word, affirmed in new.content)
