"""Write down what consolidation decided, as changes with their reasons and sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.lifecycle.consolidate.retention import said_again, since
from bethink.lifecycle.consolidate.words import canonical
from bethink.lifecycle.values import Add, Proposal, Retire, Revise
from bethink.notes.values import DAILY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Literal

    from bethink.lifecycle.consolidate.entries import Entry
    from bethink.lifecycle.values import Keep
    from bethink.notes.values import Note


def proposal(
    entries: Sequence[Entry], closed: Sequence[Retire], kept: Sequence[Keep], *, engine: str
) -> Proposal:
    """Return the changes: what is added, revised, retired, and what was looked at and kept."""
    living = [entry for entry in entries if entry.touched and not entry.empty]
    new = sorted((entry for entry in living if entry.alive and entry.note is None), key=_first)
    places: dict[int, int] = {id(entry): place for place, entry in enumerate(new)}

    def successor(entry: Entry) -> str | int:
        final = entry.final
        return places[id(final)] if final.note is None else final.note.id

    revised = [change for entry in living for change in _revised(entry)]
    retired = [each for entry in living for each in _retired(entry, successor(entry))]
    changed = {each.note for each in (*revised, *retired)}
    looked_at = {each.note: each for each in reversed(kept) if each.note not in changed}
    return Proposal(
        changes=(
            *map(_added, new),
            *sorted(revised, key=_note),
            *sorted([*retired, *closed], key=_note),
            *sorted(looked_at.values(), key=_note),
        ),
        conflicts=sum(entry.note is not None and entry.overridden for entry in living),
        engine=engine,
    )


def _note(change: Revise | Retire | Keep) -> str:
    return change.note


def _first(entry: Entry) -> tuple[object, ...]:
    return since(entry.session_notes[0]), entry.session_notes[0].revision, entry.session_notes[0].id


def _added(entry: Entry) -> Add:
    wording = entry.wording()
    confidences = [each.confidence for each in entry.session_notes if each.confidence is not None]
    times = len(entry.session_notes)
    return Add(
        text=entry.shortened or canonical(wording.text),
        keywords=entry.keywords(),
        category=entry.category,
        sources=tuple(each.id for each in entry.session_notes),
        valid_from=entry.newest,
        confidence=max(confidences) if len(confidences) == times else None,
        reason="said in the session" if times == 1 else f"said {times} times",
    )


def _revised(entry: Entry) -> Iterator[Revise]:
    note = entry.note
    if note is None or not entry.alive or not (entry.session_notes or entry.duplicates or entry.shortened):
        return
    text = entry.shortened or canonical(entry.wording().text)
    newest = entry.newest
    valid_from = newest if newest > since(note) else note.valid_from
    category = entry.category if note.category == DAILY != entry.category else None
    unchanged = (text, entry.keywords(), valid_from) == (note.text, note.keywords, note.valid_from)
    if unchanged and not entry.confirmed and category is None:
        return
    yield Revise(
        note=note.id,
        text=text,
        keywords=entry.keywords(),
        sources=(note.id, *(each.id for each in (*entry.duplicates, *entry.session_notes))),
        valid_from=valid_from,
        confirmed=entry.confirmed,
        category=category,
        reason=_why(entry, note),
    )


def _why(entry: Entry, note: Note) -> str:
    if entry.taken_over:
        return "newer wins"
    if entry.shortened is not None:
        return "a part of it was overridden"
    if entry.reworded is not None and entry.wording() is entry.reworded:
        return f"{said_again(note, entry.confirmed)}, in other words"
    if entry.confirmed or entry.newest > since(note):
        return said_again(note, entry.confirmed)
    return "said in other words too"


def _retired(entry: Entry, successor: str | int) -> Iterator[Retire]:
    if not entry.alive:
        lost = [*([entry.note] if entry.note else []), *entry.duplicates, *entry.session_notes]
        for each in lost:
            yield _retire(
                each, successor, "superseded", "something else holds since then, or comes from the user"
            )
        return
    chosen = entry.wording() if entry.note is None or entry.taken_over else None
    for each in entry.session_notes:
        if each is chosen:
            yield _retire(each, successor, "promoted", "it holds beyond the session")
        else:
            yield _retire(each, successor, "merged", "said already")
    for each in entry.duplicates:
        yield _retire(each, successor, "merged", "said already")


def _retire(
    note: Note, successor: str | int, outcome: Literal["superseded", "promoted", "merged"], reason: str
) -> Retire:
    return Retire(note=note.id, successor=successor, outcome=outcome, reason=reason)
