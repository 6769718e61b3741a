"""Apply one change of a plan to the notes: add, revise, retire or keep."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, assert_never

from bethink.errors import ConflictError
from bethink.ids import note_id, to_number
from bethink.lifecycle.consolidate.retention import times_said
from bethink.lifecycle.undo import undo_entry
from bethink.lifecycle.values import Add, Keep, Retire, Revise
from bethink.notes import transactions as note_log
from bethink.notes.transactions import notes_among, replace_note
from bethink.notes.values import CORE, HIDDEN_ITEMS, Note
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bethink.lifecycle.values import Change
    from bethink.notes.values import Source
    from bethink.scope.transactions import Place, Writing
    from bethink.storage.work import Work


def apply_change(
    place: Place,
    change: Change,
    writing: Writing,
    *,
    before: list[dict[str, Any]],
    created: list[str],
    fresh: str | None,
    read: Mapping[str, int],
) -> Work[None]:
    """Write a change; `before` takes what undoing it restores, `created` the ids of new notes.

    `read` has the revisions of the notes that the plan was made from.
    """
    now = to_datetime(writing.now)
    match change:
        case Add():
            sources = yield from _read_all(place, change.sources)
            context, speaker, language = _beside(change.text, sources)
            note = Note(
                id=fresh or note_id(writing.fresh()),
                text=change.text,
                context=context,
                speaker=speaker,
                category=change.category or CORE,
                keywords=change.keywords,
                source=_whose(sources),
                sources=change.sources,
                confidence=change.confidence,
                created_at=now,
                updated_at=now,
                valid_from=change.valid_from,
                revision=place.revision,
                metadata={"language": language} if language else {},
            )
            yield from note_log.keep(place, note)
            created.append(note.id)
        case Revise():
            old = yield from _read_again(place, change.note, read)
            context, speaker = old.context, old.speaker
            if old.text != change.text:
                others = [note for note in (yield from _read_all(place, change.sources)) if note.id != old.id]
                context, speaker = _beside(change.text, others)[:2] if others else (context, speaker)
            new = replace(
                old,
                text=change.text,
                context=context,
                speaker=speaker,
                keywords=change.keywords or old.keywords,
                sources=tuple(dict.fromkeys((*old.sources, *change.sources))),
                valid_from=change.valid_from or old.valid_from,
                category=change.category or old.category,
                metadata=_counted(old, change.confirmed),
                updated_at=now,
                revision=place.revision,
            )
            before.append(undo_entry(old, new))
            yield from replace_note(place, old, new, "revised", writing)
        case Retire():
            old = yield from _read_again(place, change.note, read)
            status = change.outcome if change.outcome in {"expired", "forgotten"} else "superseded"
            hidden = {HIDDEN_ITEMS: list(change.items)} if change.items else {}
            new = replace(
                old,
                status=status,
                outcome=change.outcome,
                metadata={**old.metadata, **hidden},
                valid_to=now if old.session is None else old.valid_to,
                updated_at=now,
                revision=place.revision,
            )
            if old.id in created:  # made by this very plan: closed at once, with nothing to restore
                yield from note_log.put_fresh(place, new)
            else:
                before.append(undo_entry(old, new))
                yield from replace_note(place, old, new, change.outcome, writing)
        case Keep():
            return
        case _:
            assert_never(change)


def _read_all(place: Place, words: Sequence[str]) -> Work[list[Note]]:
    """Read the notes among some sources, in their order; items, and notes that are gone, are left out."""
    numbers = [to_number("n", word) or 0 for word in words]
    found = yield from notes_among(place, numbers)
    return [found[number] for number in numbers if number in found]


def _beside(text: str, sources: Sequence[Note]) -> tuple[str | None, str | None, str | None]:
    """Return what the words of a note point to, whose they are, and in which language they were said.

    They are those of the source that the words are taken from.
    """
    stated = [note for note in sources if note.text == text] or sources
    if not stated:
        return None, None, None
    language = next((each for note in stated if (each := note.metadata.get("language"))), None)
    return next((note.context for note in stated if note.context), None), stated[0].speaker, language


def _whose(sources: Sequence[Note]) -> Source:
    """Return whose word a new note is: where all that it is made from are an agent's, it is the agent's still."""
    by = {note.source for note in sources if note.outcome != "approved"}
    if by and by <= {"agent", "tool"} and len(by) == len({note.source for note in sources}):
        return "agent" if "agent" in by else "tool"
    return "user"


def _counted(note: Note, confirmed: int) -> Mapping[str, Any]:
    """Return what is kept beside a note, with how many times it was said."""
    return {**note.metadata, "said": times_said(note) + confirmed} if confirmed else note.metadata


def _read_again(place: Place, word: str, read: Mapping[str, int]) -> Work[Note]:
    note = yield from note_log.by_number(place, to_number("n", word) or 0)
    expected = read.get(word)
    if note is None or note.status != "active" or (expected is not None and expected != note.revision):
        raise stale(word)
    return note


def stale(word: str) -> ConflictError:
    """Return the error of a plan that was made from something else than what is there now."""
    return ConflictError(
        "the notes have changed since this plan was made; consolidate again", id=word, reason="stale plan"
    )
