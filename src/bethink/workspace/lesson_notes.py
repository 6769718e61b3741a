"""Sync a workspace's lessons with notes, one note per line."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import BethinkError
from bethink.ids import to_number
from bethink.lifecycle.admission.note_status import Origin, decide_status
from bethink.lifecycle.capture import admit
from bethink.lifecycle.distill.firewall import fingerprint, folded
from bethink.notes.checks import check_text
from bethink.notes.transactions import add, change, notes_among
from bethink.notes.values import NewNote
from bethink.sessions.log_items import items

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bethink.lifecycle.guard import Guard
    from bethink.notes.values import Admission, Note
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.storage.work import Work
    from bethink.workspace.values import Lesson, Location

LESSON_NOTES_FILE: Final = ".bethink/taught.json"  #: where the store keeps which note stands for which line
_MAX_ITEMS: Final = 500  #: of a conversation in the log, that are looked at
_MAX_SOURCES: Final = 8
_SHARED: Final = 0.8  #: of the words of a lesson, that the message has from which it comes
_CODE: Final = re.compile(r"`([^`\n]{2,})`")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownLessonNotes:
    """Which notes stand for lines that a workspace learned."""

    active: frozenset[str] = frozenset()  #: ids of notes that say what their lines said
    removed: frozenset[str] = (
        frozenset()
    )  #: fingerprints of lines whose notes were forgotten, or say something else


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonNote:
    """A lesson as the note that it is to be."""

    note: NewNote
    rollouts: tuple[str, ...] = field(default=())  #: conversations that taught it, the newest first


def lessons_as_notes(
    lessons: Iterable[Lesson], location: Location, guard: Guard, mark: str, admission: Admission = "active"
) -> tuple[LessonNote, ...]:
    """Return lessons as notes; what the guard would not let in as it stands is none.

    Lessons have no user's words beside them: they are active, or wait where they are to be approved.
    """
    made: dict[str, LessonNote] = {}
    for each in lessons:
        metadata = {
            mark: location.key,
            "conversation": each.rollouts[0],
            "file": location.memory("MEMORY.md"),
            "section": each.section,
        }
        try:
            note = admit(
                NewNote(text=check_text(each.text), category=mark, source="agent", metadata=metadata), guard
            )
        except BethinkError:
            continue
        if note.status == "active" and fingerprint(note.text) == fingerprint(each.text):
            note = decide_status(note, admission, None, Origin(door="tools", family="workspace"))
            made.setdefault(fingerprint(note.text), LessonNote(note=note, rollouts=each.rollouts))
    return tuple(made.values())


def find(place: ScopeRow, text: str | None) -> Work[KnownLessonNotes]:
    """Look what became of the notes of lessons."""
    known = _read(text)
    notes = yield from _notes(place, known)
    existing = {each for mark, each in known.items() if _stands(notes.get(each), mark)}
    removed = {mark for mark, each in known.items() if _is_removed(notes.get(each), mark)}
    return KnownLessonNotes(active=frozenset(existing), removed=frozenset(removed))


def sync_lesson_notes(
    namespace: Namespace,
    place: ScopeRow,
    text: str | None,
    lessons: Iterable[LessonNote],
    *,
    writing: Writing,
) -> Work[str]:
    """Let the notes follow the lessons; return which note stands for which line.

    A lesson that nothing teaches any longer is forgotten. What somebody did to the note of one holds.
    """
    known = _read(text)
    notes = yield from _notes(place, known)
    wanted = {fingerprint(each.note.text): each for each in lessons}
    logs: dict[str, list[tuple[str, str]]] = {}
    for mark, number in list(known.items()):
        note = notes.get(number)
        if mark not in wanted:
            if note is not None and _stands(note, mark):
                yield from change(
                    namespace, number, "forgotten", writing=writing, only=("active",), status="forgotten"
                )
            if not _is_removed(note, mark):
                del known[mark]
        elif note is not None and _stands(note, mark):
            yield from _follow(namespace, note, wanted[mark], writing)
    for mark, each in wanted.items():
        if mark not in known:
            sources = yield from _sources(namespace, each, logs)
            note = yield from add(place, replace(each.note, sources=sources), writing=writing)
            known[mark] = note.id
    return json.dumps(known, sort_keys=True)


def without_notes(text: str | None, gone: Iterable[str]) -> str:
    """Return which note stands for which line, without some notes."""
    numbers = frozenset(gone)
    return json.dumps(
        {mark: each for mark, each in _read(text).items() if each not in numbers}, sort_keys=True
    )


def _follow(namespace: Namespace, note: Note, lesson: LessonNote, writing: Writing) -> Work[None]:
    """Let a note name a conversation that still teaches it, and where its line stands."""
    merged = dict(lesson.note.metadata)
    if note.metadata.get("conversation") in lesson.rollouts:
        merged["conversation"] = note.metadata["conversation"]
    metadata = {**note.metadata, **merged}
    if metadata != dict(note.metadata):
        yield from change(namespace, note.id, "revised", writing=writing, only=("active",), metadata=metadata)


def _sources(
    namespace: Namespace, lesson: LessonNote, logs: dict[str, list[tuple[str, str]]]
) -> Work[tuple[str, ...]]:
    """Return the entries of the conversation that say it, where the conversation is in the log."""
    rollout = lesson.rollouts[0]
    if rollout not in logs:
        found, _ = yield from items(namespace, rollout, limit=_MAX_ITEMS)
        logs[rollout] = [(each.id, folded(" ".join(_strings(each.body)))) for each in found]
    quoted = [folded(each) for each in _CODE.findall(lesson.note.text)]
    words = set(folded(lesson.note.text).split())
    return tuple(
        number
        for number, text in logs[rollout]
        if (
            any(each in text for each in quoted)
            if quoted
            else len(words & set(text.split())) >= _SHARED * len(words)
        )
    )[:_MAX_SOURCES]


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [found for each in value.values() for found in _strings(each)]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list):
        return [found for each in value for found in _strings(each)]  # pyright: ignore[reportUnknownVariableType]
    return []


def _read(text: str | None) -> dict[str, str]:
    return json.loads(text) if text else {}


def _notes(place: ScopeRow, known: Mapping[str, str]) -> Work[dict[str, Note]]:
    found = yield from notes_among(place, [to_number("n", each) or 0 for each in known.values()])
    return {note.id: note for note in found.values()}


def _stands(note: Note | None, mark: str) -> bool:
    return note is not None and note.status == "active" and fingerprint(note.text) == mark


def _is_removed(note: Note | None, mark: str) -> bool:
    """Tell whether somebody forgot or erased the note of a line, or has it say something else."""
    if note is None or note.status == "forgotten":
        return True
    return note.status == "active" and fingerprint(note.text) != mark
