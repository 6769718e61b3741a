"""Decide what file edits do to notes; the guard checks every added line."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import BethinkError, RefusedError
from bethink.lifecycle.capture import admit
from bethink.lifecycle.distill.firewall import fingerprint, folded
from bethink.notes.checks import check_text
from bethink.notes.values import CORE, NewNote
from bethink.workspace.phase_two_consolidation import ByHand
from bethink.workspace.transactions import MARK, NoteEdits
from bethink.workspace.values import GuardedText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bethink.lifecycle.guard import Guard
    from bethink.notes.values import Note, Source
    from bethink.workspace.edited_lines import Edits, Line
    from bethink.workspace.values import Location

_COMMENT: Final = re.compile(r"\s*<!--.*?-->\s*", re.DOTALL)
SUPPRESSED = ".bethink/suppressed.json"  #: where the store keeps what somebody took out


@dataclass(frozen=True, slots=True, kw_only=True)
class EditOutcome:
    """What edits come to."""

    notes: NoteEdits
    suppressed: frozenset[str] = frozenset()  #: fingerprints of generated lines that somebody took out
    caught: tuple[GuardedText, ...] = ()
    lost: tuple[str, ...] = ()  #: lines that cannot be kept, and why
    barred: tuple[str, ...] = ()  #: lines that the guard keeps out of Bethink's files


class _EditReader:
    """Goes through edits, line by line."""

    def __init__(
        self,
        existing: Sequence[Note],
        location: Location,
        guard: Guard,
        source: Source,
        learned: frozenset[str],
    ) -> None:
        self._learned = learned
        self._existing = {folded(note.text): note for note in existing}
        self._existing |= {folded(_COMMENT.sub(" ", note.text)): note for note in existing}
        self._location = location
        self._guard = guard
        self._source: Source = source
        self.new: dict[str, NewNote] = {}
        self.revised: dict[str, str] = {}
        self.gone: dict[str, None] = {}
        self.suppressed: set[str] = set()
        self.caught: dict[GuardedText, None] = {}
        self.lost: dict[str, None] = {}
        self.moved: dict[str, dict[str, Any]] = {}
        self.barred: list[str] = []

    def came(self, path: str, line: Line) -> None:
        """A line was written: it becomes a note, unless it is one."""
        if folded(line.text) in self._existing:
            return
        note = self._admitted(path, line)
        if note is not None:
            self.new.setdefault(folded(note.text), note)

    def reworded(self, path: str, before: Line, after: Line) -> None:
        """A line was worded anew: its note is revised; a generated one makes way for what the writer says."""
        note = self._existing.get(folded(before.text))
        if note is None or note.id in self._learned:
            self.went(before)
            self.came(path, after)
            return
        admitted = self._admitted(path, after)
        if admitted is not None and admitted.status == "active":
            self.revised[note.id] = admitted.text
        elif admitted is not None:
            self.new.setdefault(folded(admitted.text), admitted)

    def went(self, line: Line) -> None:
        """A line was taken out: its note is forgotten; a generated one does not come back."""
        note = self._existing.get(folded(line.text))
        if note is not None:
            self.gone[note.id] = None
        else:
            self.suppressed.add(fingerprint(line.text))

    def move(self, path: str, line: Line) -> None:
        """A line stands in another place: its note follows it."""
        note = self._existing.get(folded(line.text))
        if note is None:
            self.came(path, line)
        else:
            self.moved[note.id] = {"file": path, "section": self._guard.mask(line.section)[:200]}

    def _admitted(self, path: str, line: Line) -> NewNote | None:
        """Return a line as a note, as the guard lets it in."""
        guard, source = self._guard, self._source
        try:
            text = check_text(line.text)
            note = admit(
                NewNote(
                    text=text,
                    category=CORE if source == "user" else MARK,
                    source=source,
                    metadata={
                        MARK: self._location.key,
                        "file": path,
                        "section": guard.mask(line.section)[:200],
                    },
                ),
                guard,
            )
        except RefusedError as refused:
            self.caught[GuardedText(place=path, reasons=refused.verdict.reasons, action="block")] = None
            self.barred.append(line.text)
            return None
        except BethinkError as error:
            self.lost[f"{path}: a line cannot be kept: {error}"] = None
            return None
        if note.text != text or note.status == "quarantined":
            verdict = guard.judge(text, source=source, stage="capture")
            self.caught[GuardedText(place=path, reasons=verdict.reasons, action=verdict.action)] = None
            self.barred.append(line.text)
        return note


def read_edits(
    edits: Iterable[tuple[str, Edits]],
    existing: Sequence[Note],
    location: Location,
    guard: Guard,
    *,
    source: Source,
    moved: Iterable[tuple[str, Line]] = (),
    learned: frozenset[str] = frozenset(),
) -> EditOutcome:
    """Return what edits of files do: a line that came is a note, one that went is forgotten or suppressed.

    `learned` are the ids of notes that nobody wrote: they stand for generated lines.
    """
    work = _EditReader(existing, location, guard, source, learned)
    for path, each in edits:
        for line in each.added:
            work.came(path, line)
        for before, after in each.reworded:
            work.reworded(path, before, after)
        for line in each.removed:
            work.went(line)
    for path, line in moved:
        work.move(path, line)
    return EditOutcome(
        notes=NoteEdits(
            new=tuple(work.new.values()),
            revised=tuple(work.revised.items()),
            gone=tuple(each for each in work.gone if each not in work.revised),
            moved=tuple(pair for pair in work.moved.items() if pair[0] not in work.gone),
        ),
        suppressed=frozenset(work.suppressed),
        caught=tuple(work.caught),
        lost=tuple(work.lost),
        barred=tuple(work.barred),
    )


def by_hand(notes: Sequence[Note]) -> tuple[ByHand, ...]:
    """Return the notes of a workspace as lines, the ones written last first."""
    newest = sorted(notes, key=lambda note: (note.updated_at, note.revision), reverse=True)
    return tuple(ByHand(text=note.text, section=str(note.metadata.get("section") or "")) for note in newest)


def is_suppressed(marks: Iterable[str]) -> Callable[[str], bool]:
    """Return the rule that leaves out what somebody took out before."""
    known = frozenset(marks)
    return lambda text: fingerprint(text) in known


def read_suppressed(text: str | None) -> frozenset[str]:
    """Return the fingerprints that the store keeps."""
    return frozenset(json.loads(text)) if text else frozenset()


def write_suppressed(marks: Iterable[str]) -> str:
    """Return fingerprints as the store keeps them."""
    return json.dumps(sorted(marks))
