"""Write the changes of a plan to the notes: add, revise, retire or keep."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bethink.errors import ConflictError
from bethink.ids import to_number
from bethink.lifecycle.consolidate.retention import times_said
from bethink.lifecycle.plans import notes_named
from bethink.lifecycle.undo import undo_entry
from bethink.lifecycle.values import Add, Keep, Retire, Revise
from bethink.notes import transactions as note_log
from bethink.notes.values import CORE, HIDDEN_ITEMS, Note
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from bethink.lifecycle.values import Change
    from bethink.notes.values import Source
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.storage.work import Work

Notes = dict[str, Note]  #: by their ids


def apply_changes(
    place: ScopeRow,
    changes: Sequence[Change],
    writing: Writing,
    *,
    created: list[str],
    added: Mapping[int, str],
    read: Mapping[str, int],
) -> Work[list[dict[str, Any]]]:
    """Write changes in their order; return what undoing them restores.

    `created` has the ids of notes that this very write made, and takes those of `added`: the ids for the Add changes,
    by their index. `read` has the revisions of the notes that the plan was made from.

    Raises:
        ConflictError: a note has changed since.
    """
    now = to_datetime(writing.now)
    before: list[dict[str, Any]] = []
    notes = yield from _named_by(place, changes)
    for index, change in enumerate(changes):
        if isinstance(change, Keep):
            continue
        if isinstance(change, Add):
            note = _added(change, added[index], notes, now, place.revision)
            yield from note_log.store(place, note)
            created.append(note.id)
            continue
        old = _still(notes, change.note, read)
        new = _revised(old, change, notes) if isinstance(change, Revise) else _retired(old, change, now)
        new = replace(new, updated_at=now, revision=place.revision)
        if old.id in created:  # made by this very write: closed at once, with nothing to restore
            yield from note_log.put_fresh(place, new)
        else:
            before.append(undo_entry(old, new))
            reason = "revised" if isinstance(change, Revise) else change.outcome
            yield from note_log.replace_note(place, old, new, reason, writing)
        notes[new.id] = new
    return before


def _named_by(place: ScopeRow, changes: Sequence[Change]) -> Work[Notes]:
    """Read the notes that changes name; items, and notes that are gone, are left out."""
    words = {word for change in changes for word in notes_named(change)}
    numbers = sorted(number for word in words if (number := to_number("n", word)) is not None)
    found = yield from note_log.notes_among(place, numbers)
    return {note.id: note for note in found.values()}


def _still(notes: Notes, word: str, read: Mapping[str, int]) -> Note:
    """Return a note that is changed, if it is as it was when the plan was made.

    Raises:
        ConflictError: it is not.
    """
    note = notes.get(word)
    if note is None or note.status != "active" or note.revision != read.get(word, note.revision):
        raise stale_plan_error(word)
    return note


def stale_plan_error(word: str) -> ConflictError:
    """Return the error of a plan that was made from something else than what is there now."""
    return ConflictError(
        "the notes have changed since this plan was made; consolidate again", id=word, reason="stale plan"
    )


def _added(change: Add, id: str, notes: Notes, now: datetime, revision: int) -> Note:  # noqa: A002
    sources = [notes[word] for word in change.sources if word in notes]
    context, speaker, language = _beside(change.text, sources)
    return Note(
        id=id,
        text=change.text,
        context=context,
        speaker=speaker,
        category=change.category or CORE,
        keywords=change.keywords,
        source=source_of(sources),
        sources=change.sources,
        confidence=change.confidence,
        created_at=now,
        updated_at=now,
        valid_from=change.valid_from,
        revision=revision,
        metadata={"language": language} if language else {},
    )


def _revised(old: Note, change: Revise, notes: Notes) -> Note:
    context, speaker = old.context, old.speaker
    others = [notes[word] for word in change.sources if word in notes and word != old.id]
    if old.text != change.text and others:
        context, speaker, _ = _beside(change.text, others)
    said = {"said": times_said(old) + change.confirmed} if change.confirmed else {}
    return replace(
        old,
        text=change.text,
        context=context,
        speaker=speaker,
        keywords=change.keywords or old.keywords,
        sources=tuple(dict.fromkeys((*old.sources, *change.sources))),
        valid_from=change.valid_from or old.valid_from,
        category=change.category or old.category,
        metadata={**old.metadata, **said},
    )


def _retired(old: Note, change: Retire, now: datetime) -> Note:
    hidden = {HIDDEN_ITEMS: list(change.items)} if change.items else {}
    return replace(
        old,
        status=change.outcome if change.outcome in {"expired", "forgotten"} else "superseded",
        outcome=change.outcome,
        metadata={**old.metadata, **hidden},
        valid_to=now if old.session is None else old.valid_to,
    )


def _beside(text: str, sources: Sequence[Note]) -> tuple[str | None, str | None, str | None]:
    """Return what the words of a note point to, whose they are, and in which language they were said.

    They are those of the source that the words are taken from.
    """
    stated = [note for note in sources if note.text == text] or sources
    if not stated:
        return None, None, None
    language = next((each for note in stated if (each := note.metadata.get("language"))), None)
    return next((note.context for note in stated if note.context), None), stated[0].speaker, language


def source_of(sources: Sequence[Note]) -> Source:
    """Return whose word a new note is: where all that it is made from are an agent's, it is the agent's still."""
    by = {note.source for note in sources if note.outcome != "approved"}
    if by and by <= {"agent", "tool"} and len(by) == len({note.source for note in sources}):
        return "agent" if "agent" in by else "tool"
    return "user"
