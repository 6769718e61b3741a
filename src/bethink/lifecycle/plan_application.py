"""Apply a plan in one transaction, unless its inputs have changed since it was made."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from bethink.lifecycle import queries
from bethink.lifecycle.daily_counts import account_model_use, add_counts
from bethink.lifecycle.leases import let_go
from bethink.lifecycle.metrics import PERSONALIZED, TURNS_TO_FIRST
from bethink.lifecycle.plan_changes import apply_changes, stale_plan_error
from bethink.lifecycle.plan_history import keep_plan
from bethink.lifecycle.values import Add, Retire
from bethink.notes import transactions as note_log
from bethink.scope.transactions import note_event, touch
from bethink.sessions import distillation_marks
from bethink.state.transactions import newest_version, put_version
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bethink.lifecycle.plans import Plan
    from bethink.lifecycle.values import ModelUse
    from bethink.notes.values import Note
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.sessions.distillation_marks import Undistilled
    from bethink.state.values import Profile
    from bethink.storage.work import Work

CONSOLIDATION: Final = "consolidate"  #: the lease under which plans are made


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """Everything that one consolidation writes, decided beforehand."""

    plan: Plan
    number: int  #: of the plan
    staged: tuple[Note, ...] = ()  #: new session notes, with ids already
    waiting: tuple[Note, ...] = ()  #: new notes that wait for a decision, or for the user's word
    marks: tuple[Undistilled, ...] = ()
    #: ids for the Add changes, by their index
    added: Mapping[int, str] = field(default_factory=dict[int, str])
    #: revision of every note that the plan was made from
    read: Mapping[str, int] = field(default_factory=dict[str, int])
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    profile: Profile | None = None  #: with the fields of the plan, made from the version that was read
    used: tuple[ModelUse, ...] = ()  #: what it took of a model


def apply(namespace: Namespace, application: Application, *, holder: str, writing: Writing) -> Work[Plan]:
    """Write a plan in one transaction: session notes, successors, then what they supersede, the marks, the plan.

    With it the lease of `holder` ends.

    Raises:
        ConflictError: something that the plan was made from has changed since.
    """
    place = yield from touch(namespace, writing)
    now = to_datetime(writing.now)
    yield from let_go(place, CONSOLIDATION, holder)
    notes = yield from _keep_staged(
        place, (*application.staged, *application.waiting), application.marks, writing
    )
    created = [note.id for note in notes]
    plan = application.plan
    before = yield from apply_changes(
        place, plan.changes, writing, created=created, added=application.added, read=application.read
    )
    profile = application.profile
    version = None if profile is None else (yield from _apply_fields(place, profile, writing))
    empty = not (before or created or version is not None or plan.dropped or plan.remarks)
    counts = {**application.counts, **({} if empty else {"plans": 1})}
    counts.update((yield from _first_note(place, plan, counts.get("turns", 0))))
    yield from add_counts(place, counts, now=writing.now)
    yield from account_model_use(place, application.used, now=writing.now)
    if empty:
        return replace(plan, state="empty", created_at=now, namespace=str(namespace))
    undo = {
        "notes": before,
        "created": created,
        "marks": [[log.session, log.before, log.head] for log in application.marks],
        "counts": [now.date().isoformat(), counts],
        "profile": version,
    }
    yield from keep_plan(place, application.number, plan, undo, now=writing.now)
    applied = {"plan": plan.id, "changes": len(plan.changes), "created": len(created)}
    yield from note_event(place, writing, "plan.applied", applied)
    return replace(plan, state="applied", created_at=now, namespace=str(namespace))


def store_distilled(
    namespace: Namespace,
    notes: Sequence[Note],
    marks: Sequence[Undistilled],
    counts: Mapping[str, int],
    used: Sequence[ModelUse] = (),
    forgotten: Sequence[Retire] = (),
    *,
    writing: Writing,
) -> Work[list[Note]]:
    """Keep what distillation found, forget what was asked to be, and mark up to where it came, in one transaction.

    Raises:
        ConflictError: somebody else distilled the session since it was read.
    """
    place = yield from touch(namespace, writing)
    kept = yield from _keep_staged(place, notes, marks, writing)
    yield from apply_changes(place, forgotten, writing, created=[], added={}, read={})
    yield from add_counts(place, counts, now=writing.now)
    yield from account_model_use(place, used, now=writing.now)
    return kept


def _keep_staged(
    place: ScopeRow, notes: Sequence[Note], marks: Sequence[Undistilled], writing: Writing
) -> Work[list[Note]]:
    """Keep what distillation found, and mark up to where it came."""
    now = to_datetime(writing.now)
    for log in marks:
        if not (
            yield from distillation_marks.mark_distilled(place, log.session, log.head, before=log.before)
        ):
            raise stale_plan_error(log.name)
    kept = [replace(note, revision=place.revision, created_at=now, updated_at=now) for note in notes]
    for note in kept:
        yield from note_log.store(place, note)
    return kept


def _apply_fields(place: ScopeRow, profile: Profile, writing: Writing) -> Work[int]:
    """Put the fields of a plan into the profile; return the version that this made."""
    before = yield from newest_version(place)
    if before.version != profile.version:
        raise stale_plan_error("profile")
    return (yield from put_version(place, before, profile, writing))


def _first_note(place: ScopeRow, plan: Plan, turns: int) -> Work[dict[str, int]]:
    """Count how many turns it took until something lasting was known, the first time that it is."""
    if not any(isinstance(change, Add) for change in plan.changes):
        return {}
    rows = yield from queries.list_counts(**place.keys)
    if any(row.name == PERSONALIZED and row.value for row in rows):
        return {}
    earlier = sum(row.value for row in rows if row.name == "turns")
    return {PERSONALIZED: 1, TURNS_TO_FIRST: earlier + turns}
