"""Undo a plan exactly, or the last change of one note."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import ConflictError, NotFoundError
from bethink.ids import to_number
from bethink.lifecycle import queries
from bethink.lifecycle.plans import Plan, change_from_json, plan_from_row
from bethink.lifecycle.values import Add, Retire, Revise
from bethink.notes import transactions as note_log
from bethink.notes.rows import from_json, number_of, to_json
from bethink.scope.transactions import find, note_event, touch
from bethink.sessions.distillation_marks import mark_distilled
from bethink.state.transactions import drop_version, newest_version

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.lifecycle.values import Change
    from bethink.notes.values import Note
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.storage.work import Work

_UNDONE_PLANS: Final = 64  #: the newest undone plans, which automatic consolidation does not repeat


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """What undone plans had done: consolidation that nobody asked for at that moment does not do it again."""

    heads: Mapping[int, int] = field(default_factory=dict[int, int])  #: by session, up to where they had read
    notes: frozenset[str] = frozenset()  #: ids of the notes that they had worked on
    changes: frozenset[tuple[str, ...]] = frozenset()

    def made(self, change: Change) -> bool:
        """Tell whether an undone plan had made this change."""
        return _identity(change) in self.changes


NOTHING_UNDONE: Final = Undone()


def read_undone(place: ScopeRow) -> Work[Undone]:
    """Read the changes of plans that were undone."""
    heads: dict[int, int] = {}
    notes: set[str] = set()
    identities: set[tuple[str, ...]] = set()
    for row in (yield from queries.undone_plans(**place.keys, limit=_UNDONE_PLANS)):
        for session, _, head in json.loads(row.before)["marks"]:
            heads[session] = max(head, heads.get(session, 0))
        for change in map(change_from_json, json.loads(row.plan)["changes"]):
            identities.add(_identity(change))
            notes.update(change.sources if isinstance(change, Add) else (change.note,))
    return Undone(heads=heads, notes=frozenset(notes), changes=frozenset(identities - {()}))


def _identity(change: Change) -> tuple[str, ...]:
    """Return what makes a change of standing notes the one that was undone; () where it rests on new words.

    A new note, and what it supersedes, always come from notes of sessions: those that were undone are left out already.
    """
    if isinstance(change, Revise):
        return ("revise", change.note, change.text, *sorted(change.sources))
    if isinstance(change, Retire) and not isinstance(change.successor, int):
        return ("retire", change.note, change.outcome, change.successor or "")
    return ()


def undo_entry(old: Note, new: Note) -> dict[str, Any]:
    """Return what a plan keeps of a note that it changes: how it was, and how the plan left it."""
    return {"note": to_json(old), "applied": note_content(new)}


def note_content(note: Note) -> dict[str, Any]:
    """Return all of a note but its revision, by which an undo sees whether it was changed since."""
    plain = to_json(note)
    plain.pop("revision")
    return plain


def take_back(namespace: Namespace, word: str, *, writing: Writing) -> Work[Plan | Note]:
    """Undo a plan by its id, or else the newest change of the note of this id or key.

    Raises:
        NotFoundError: there is no such plan or note, or the note was never changed.
        ConflictError: what the plan touched was changed since.
    """
    number = to_number("p", word)
    place = yield from find(namespace)
    if number is not None and place is not None:
        rows = yield from queries.find_plan(**place.keys, plan=number)
        if rows:
            return (yield from undo(namespace, number, word, writing=writing))
        raise _no_plan(word)
    try:
        return (yield from note_log.revert(namespace, word, writing=writing))
    except NotFoundError as missing:
        if missing.kind != "note":
            raise
        raise NotFoundError("no such plan or note in this scope", kind="plan", id=word) from None


def undo(namespace: Namespace, number: int, word: str, *, writing: Writing) -> Work[Plan]:
    """Restore exactly what stood before a plan; later writes to other notes stay.

    Raises:
        NotFoundError: there is no such plan.
        ConflictError: it was undone already, or a note it touched was changed since.
    """
    place = yield from touch(namespace, writing)
    rows = yield from queries.find_plan(**place.keys, plan=number)
    if not rows:
        raise _no_plan(word)
    plan = plan_from_row(rows[0], namespace)
    if plan.state != "applied":
        raise ConflictError(
            "this plan has already been undone", id=word, actual=plan.state, expected="applied"
        )
    undo_of = json.loads(rows[0].before)
    for entry in undo_of["notes"]:
        old = from_json(entry["note"])
        current = yield from note_log.by_number(place, number_of(old))
        if current is None or note_content(current) != entry["applied"]:
            raise _touched(old.id, word)
        yield from note_log.restore(place, old)
    for made in undo_of["created"]:
        fresh = to_number("n", made) or 0
        if not (yield from note_log.has_no_history(place, fresh)):
            raise _touched(made, word)
        yield from note_log.destroy(place, fresh)
    for session, before, head in undo_of["marks"]:
        yield from mark_distilled(place, session, before, before=head)
    yield from _undo_fields(place, undo_of.get("profile"), word)
    day, counts = undo_of["counts"]
    for name, value in counts.items():
        yield from queries.count_back(**place.keys, day=day, name=name, value=value)
    yield from queries.mark_plan(**place.keys, plan=number, state="undone", now=writing.now)
    yield from note_event(place, writing, "plan.undone", {"plan": plan.id, "notes": undo_of["created"]})
    return replace(plan, state="undone")


def _no_plan(word: str) -> NotFoundError:
    return NotFoundError("no such plan in this scope", kind="plan", id=word)


def _undo_fields(place: ScopeRow, version: int | None, word: str) -> Work[None]:
    if version is None:
        return
    newest = yield from newest_version(place)
    if newest.version != version:
        raise _touched("profile", word)
    yield from drop_version(place, version)


def _touched(note: str, plan: str) -> ConflictError:
    return ConflictError(
        "a note in this plan was changed later; undo that change first, by the id of the note",
        id=note,
        plan=plan,
    )
