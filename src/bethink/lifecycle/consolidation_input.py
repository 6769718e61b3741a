"""Read the input of distillation and consolidation: new items, session notes, global notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bethink.errors import NotFoundError
from bethink.lifecycle import queries
from bethink.lifecycle.consolidate.retention import RETENTION
from bethink.lifecycle.undo import NOTHING_UNDONE, Undone, read_undone
from bethink.notes import transactions as note_log
from bethink.notes.values import STAYS, Note
from bethink.scope.transactions import find
from bethink.sessions import distillation_marks
from bethink.sessions.log_lookup import END, find_in
from bethink.state.transactions import EMPTY, newest_version
from bethink.times import to_datetime

if TYPE_CHECKING:
    from datetime import datetime

    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow
    from bethink.sessions.distillation_marks import Undistilled
    from bethink.state.values import Profile
    from bethink.storage.work import Work


@dataclass(frozen=True, slots=True)
class ConsolidationInput:
    """What distillation and consolidation work on."""

    sessions: tuple[Undistilled, ...] = ()
    staged: tuple[Note, ...] = ()  #: open session notes
    settled: tuple[Note, ...] = ()  #: global notes
    waiting: tuple[Note, ...] = ()  #: for the user's word
    past: tuple[Note, ...] = ()  #: every statement that was ever accepted, closed or not
    profile: Profile = EMPTY
    planned: datetime | None = None  #: when the newest plan was applied, if it still is
    forgotten: tuple[Note, ...] = ()  #: what was said before it was forgotten does not bring it back
    undone: Undone = NOTHING_UNDONE  #: what is not to be done again

    @property
    def known(self) -> dict[str, Note]:
        """Return the notes that stand or once did, by id."""
        return {note.id: note for note in (*self.past, *self.staged, *self.settled)}


def read_input(
    namespace: Namespace,
    session: str | None,
    *,
    idle_since: int | None = None,
    whole: bool = False,
    profile: bool = True,
) -> Work[ConsolidationInput]:
    """Read what is to be distilled and consolidated: of one session, or of all.

    With `idle_since`, sessions that were written after that instant are left alone, and so is what an undone plan had
    read: what a person undid is not done again until somebody asks for it. With `whole`, the one session is read from
    its beginning, whatever was distilled of it. The profile is read only where it is of use.

    Raises:
        NotFoundError: with `whole`, there is no such session.
    """
    place = yield from find(namespace)
    if place is None:
        return ConsolidationInput()
    again, busy = NOTHING_UNDONE, set[str]()
    if idle_since is not None:
        again = yield from read_undone(place)
        busy = yield from distillation_marks.busy_sessions(place, idle_since)
    logs = yield from distillation_marks.undistilled(
        place, session, busy=busy, heads=again.heads, whole=whole
    )
    notes = yield from note_log.written_since(place, 0)
    live = [note for note in notes if note.status == "active"]
    plans = yield from queries.list_plans(**place.keys, below=END, limit=1)
    return ConsolidationInput(
        sessions=tuple(logs),
        staged=tuple(
            note
            for note in live
            if note.session is not None
            and note.outcome in {None, "approved"}
            and STAYS not in note.metadata
            and session in {None, note.session}
            and note.session not in busy
            and note.id not in again.notes
        ),
        settled=tuple(note for note in live if note.session is None),
        waiting=tuple(note for note in notes if note.status == "pending"),
        # A global note that was made from session notes says nothing that those do not say.
        past=tuple(
            note
            for note in notes
            if note.status in {"active", "superseded"} and (note.session is not None or not note.sources)
        ),
        profile=(yield from newest_version(place)) if profile else EMPTY,
        planned=next((to_datetime(plan.created_at) for plan in plans if plan.state == "applied"), None),
        forgotten=tuple(note for note in notes if note.status == "forgotten"),
        undone=again,
    )


def require_session(namespace: Namespace, session: str) -> Work[None]:
    """Make sure that a session is there: items of it, or notes that were staged for it.

    Raises:
        NotFoundError: it is not.
    """
    place = yield from find(namespace)
    if place is not None:
        if (yield from find_in(place, session)) is not None:
            return
        if any(note.session == session for note in (yield from note_log.written_since(place, 0))):
            return
    raise NotFoundError("no such session in this scope", kind="session", id=session)


def has_unprocessed(namespace: Namespace, *, idle_since: int) -> Work[bool]:
    """Tell whether sessions that nobody wrote to since hold items to distill, or notes to consolidate."""
    place = yield from find(namespace)
    return place is not None and (yield from _left(place, idle_since))


def _left(place: ScopeRow, idle_since: int) -> Work[bool]:
    busy = yield from distillation_marks.busy_sessions(place, idle_since)
    if not busy.issuperset((yield from distillation_marks.undistilled_sessions(place))):
        return True
    return not busy.issuperset((yield from note_log.staged_sessions(place, STAYS)))


def has_due(namespace: Namespace, *, idle_since: int, now: int) -> Work[bool]:
    """Tell whether there is something to consolidate in sessions that nobody wrote to since, or a note is over."""
    place = yield from find(namespace)
    if place is None:
        return False
    if (yield from _left(place, idle_since)):
        return True
    for category, rule in RETENTION.items():
        before = now - round((rule.hot + rule.archived).total_seconds() * 1_000_000)
        if (yield from note_log.any_over(place, category, before=before, now=now)):
            return True
    return False
