"""Leases and plans as units of work."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, assert_never

from bethink.errors import ConflictError, NotFoundError
from bethink.ids import note_id, to_number
from bethink.lifecycle import queries
from bethink.lifecycle.consolidate.retention import RETENTION, times_said
from bethink.lifecycle.counts import account, add_counts
from bethink.lifecycle.metrics import PERSONALIZED, TURNS_TO_FIRST
from bethink.lifecycle.plans import Plan, plan_from_row
from bethink.lifecycle.undo import NOTHING_UNDONE, Undone, undo_entry, undone
from bethink.lifecycle.values import Add, Keep, Retire, Revise
from bethink.notes import transactions as note_log
from bethink.notes.transactions import notes_among, replace_note
from bethink.notes.values import CORE, HIDDEN_ITEMS, STAYS, Note
from bethink.scope.transactions import find, note_event, touch
from bethink.sessions import distilled
from bethink.sessions.log_lookup import END, find_log
from bethink.state.transactions import EMPTY, newest_version, put_version
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from bethink.lifecycle.values import Change, ModelUse
    from bethink.notes.values import Source
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Place, Writing
    from bethink.sessions.distilled import Undistilled
    from bethink.state.values import Profile
    from bethink.storage.work import Work

NO_PLAN = Plan(id="", state="proposed", engine="rules")  #: for changes that are made without one


# ---- leases -------------------------------------------------------------------------------------------------


def take_lease(namespace: Namespace, name: str, holder: str, until: int, *, writing: Writing) -> Work[bool]:
    """Take a piece of work; False where another holder is at it."""
    place = yield from touch(namespace, writing)
    rows = yield from queries.take_lease(
        tenant=place.tenant, scope=place.scope, name=name, holder=holder, until=until, now=writing.now
    )
    return bool(rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A piece of work that somebody else is at."""

    holder: str
    until: int  #: microseconds


def take_or_see(
    namespace: Namespace, name: str, holder: str, until: int, *, writing: Writing
) -> Work[Held | None]:
    """Take a piece of work; return who is at it where another holder is."""
    if (yield from take_lease(namespace, name, holder, until, writing=writing)):
        return None
    place = yield from find(namespace)
    rows = (
        []
        if place is None
        else (yield from queries.find_lease(tenant=place.tenant, scope=place.scope, name=name))
    )
    return Held(holder=rows[0].holder, until=rows[0].until) if rows else None


def drop_lease(namespace: Namespace, name: str, holder: str) -> Work[None]:
    """Let go of a piece of work."""
    place = yield from find(namespace)
    if place is not None:
        yield from queries.drop_lease(tenant=place.tenant, scope=place.scope, name=name, holder=holder)


# ---- what the engines read ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Material:
    """What distillation and consolidation work on."""

    sessions: tuple[Undistilled, ...] = ()
    staged: tuple[Note, ...] = ()  #: open session notes
    settled: tuple[Note, ...] = ()  #: global notes
    waiting: tuple[Note, ...] = ()  #: for the user's word
    past: tuple[Note, ...] = ()  #: every statement that was ever accepted, closed or not
    profile: Profile = EMPTY
    planned: datetime | None = None  #: when the newest plan was applied, if it still is
    undone: Undone = NOTHING_UNDONE  #: what is not to be done again


def material(
    namespace: Namespace, session: str | None, *, idle_since: int | None = None, whole: bool = False
) -> Work[Material]:
    """Read what is to be distilled and consolidated: of one session, or of all.

    With `idle_since`, sessions that were written after that instant are left alone, and so is what an undone plan had
    read: what a person undid is not done again until somebody asks for it. With `whole`, the one session is read from
    its beginning, whatever was distilled of it.

    Raises:
        NotFoundError: with `whole`, there is no such session.
    """
    place = yield from find(namespace)
    if place is None:
        return Material()
    again = NOTHING_UNDONE if idle_since is None else (yield from undone(place))
    busy = yield from distilled.busy(place, idle_since)
    logs = yield from distilled.undistilled(place, session, busy=busy, heads=again.heads, whole=whole)
    notes = yield from note_log.since(place, 0)
    live = [note for note in notes if note.status == "active"]
    plans = yield from queries.list_plans(**place.keys, below=END, limit=1)
    return Material(
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
        profile=(yield from newest_version(place)),
        planned=next((to_datetime(plan.created_at) for plan in plans if plan.state == "applied"), None),
        undone=again,
    )


def require_session(namespace: Namespace, session: str) -> Work[None]:
    """Make sure that a session is there: items of it, or notes that were staged for it.

    Raises:
        NotFoundError: it is not.
    """
    place = yield from find(namespace)
    if place is not None:
        if (yield from find_log(namespace, session)) is not None:
            return
        if any(note.session == session for note in (yield from note_log.since(place, 0))):
            return
    raise NotFoundError("no such session in this scope", kind="session", id=session)


def left(namespace: Namespace, *, idle_since: int) -> Work[bool]:
    """Tell whether sessions that nobody wrote to since hold items to distill, or notes to consolidate."""
    place = yield from find(namespace)
    return place is not None and (yield from _left(place, idle_since))


def _left(place: Place, idle_since: int) -> Work[bool]:
    busy = yield from distilled.busy(place, idle_since)
    if not busy.issuperset((yield from distilled.left(place))):
        return True
    return not busy.issuperset((yield from note_log.staged_sessions(place, STAYS)))


def waiting(namespace: Namespace, *, idle_since: int, now: int) -> Work[bool]:
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


# ---- plans --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """Everything that one consolidation writes, decided beforehand."""

    plan: Plan
    number: int  #: of the plan
    staged: tuple[Note, ...] = ()  #: new session notes, with ids already
    waiting: tuple[Note, ...] = ()  #: new notes that wait for a decision, or for the user's word
    marks: tuple[Undistilled, ...] = ()
    added: Mapping[int, str] | None = None  #: ids for the Add changes, by their index
    read: Mapping[str, int] | None = None  #: revision of every note that the plan was made from
    counts: Mapping[str, int] | None = None
    profile: Profile | None = None  #: with the fields of the plan, made from the version that was read
    used: tuple[ModelUse, ...] = ()  #: what it took of a model


def apply(namespace: Namespace, application: Application, *, writing: Writing) -> Work[Plan]:
    """Write a plan in one transaction: session notes, successors, then what they supersede, the marks, the plan.

    Raises:
        ConflictError: something that the plan was made from has changed since.
    """
    place = yield from touch(namespace, writing)
    now = to_datetime(writing.now)
    before: list[dict[str, Any]] = []
    created: list[str] = []
    for log in application.marks:
        if not (yield from distilled.mark(place, log.session, log.head, before=log.before)):
            raise _changed(log.name)
    for note in (*application.staged, *application.waiting):
        fresh = replace(note, revision=place.revision, created_at=now, updated_at=now)
        yield from note_log.keep(place, fresh)
        created.append(note.id)
    added = application.added or {}
    plan = application.plan
    for index, change in enumerate(plan.changes):
        yield from _apply_change(
            place,
            change,
            writing,
            before=before,
            created=created,
            fresh=added.get(index),
            read=application,
        )
    version = yield from _apply_fields(place, application, writing)
    empty = not (before or created or version is not None or plan.dropped or plan.remarks)
    counts = {**(application.counts or {}), **({} if empty else {"plans": 1})}
    counts.update((yield from _first_note(place, plan, counts.get("turns", 0))))
    yield from add_counts(place, counts, now=writing.now)
    yield from account(place, application.used, now=writing.now)
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
    yield from note_event(
        place,
        writing,
        "plan.applied",
        {"plan": plan.id, "changes": len(plan.changes), "created": len(created)},
    )
    return replace(plan, state="applied", created_at=now, namespace=str(namespace))


def keep_plan(place: Place, number: int, plan: Plan, undo: Mapping[str, Any], *, now: int) -> Work[None]:
    """Keep an applied plan, and what undoing it restores."""
    yield from queries.add_plan(
        **place.keys,
        plan=number,
        state="applied",
        engine=plan.engine,
        session=plan.session,
        body=json.dumps(plan.to_dict(), ensure_ascii=False),
        before=json.dumps(undo, ensure_ascii=False),
        now=now,
        revision=place.revision,
    )


def _apply_fields(place: Place, application: Application, writing: Writing) -> Work[int | None]:
    """Put the fields of a plan into the profile; return the version that this made."""
    if application.profile is None:
        return None
    before = yield from newest_version(place)
    if before.version != application.profile.version:
        raise _changed("profile")
    return (yield from put_version(place, before, application.profile, writing))


def _first_note(place: Place, plan: Plan, turns: int) -> Work[dict[str, int]]:
    """Count how many turns it took until something lasting was known, the first time that it is."""
    if not any(isinstance(change, Add) for change in plan.changes):
        return {}
    rows = yield from queries.list_counts(**place.keys)
    if any(row.name == PERSONALIZED and row.value for row in rows):
        return {}
    earlier = sum(row.value for row in rows if row.name == "turns")
    return {PERSONALIZED: 1, TURNS_TO_FIRST: earlier + turns}


def _apply_change(
    place: Place,
    change: Change,
    writing: Writing,
    *,
    before: list[dict[str, Any]],
    created: list[str],
    fresh: str | None,
    read: Application,
) -> Work[None]:
    now = to_datetime(writing.now)
    match change:
        case Add():
            context, speaker, language = yield from _beside(place, change, None)
            note = Note(
                id=fresh or note_id(writing.fresh()),
                text=change.text,
                context=context,
                speaker=speaker,
                category=change.category or CORE,
                keywords=change.keywords,
                source=(yield from _whose(place, change.sources)),
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
            context, speaker, _ = yield from _beside(place, change, old)
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


def _beside(
    place: Place, change: Add | Revise, old: Note | None
) -> Work[tuple[str | None, str | None, str | None]]:
    """Return what the words of a note point to, whose they are, and in which language they were said.

    They are those of the note that the words are taken from.
    """
    if old is not None and old.text == change.text:
        return old.context, old.speaker, None
    told: list[Note] = []
    for word in change.sources:
        if old is not None and word == old.id:
            continue
        found = yield from note_log.by_number(place, to_number("n", word) or 0)
        told += [found] if found is not None else []
    told = [note for note in told if note.text == change.text] or told
    if not told:
        return (old.context, old.speaker, None) if old is not None else (None, None, None)
    language = next((each for note in told if (each := note.metadata.get("language"))), None)
    return next((note.context for note in told if note.context), None), told[0].speaker, language


def _whose(place: Place, sources: Sequence[str]) -> Work[Source]:
    """Return whose word a new note is: where all that it is made from are an agent's, it is the agent's still."""
    found = yield from notes_among(place, [to_number("n", each) or 0 for each in sources])
    told = {note.source for note in found.values() if note.outcome != "approved"}
    if told and told <= {"agent", "tool"} and len(told) == len({note.source for note in found.values()}):
        return "agent" if "agent" in told else "tool"
    return "user"


def _counted(note: Note, confirmed: int) -> Mapping[str, Any]:
    """Return what is kept beside a note, with how many times it was said."""
    return {**note.metadata, "said": times_said(note) + confirmed} if confirmed else note.metadata


def _read_again(place: Place, word: str, application: Application) -> Work[Note]:
    note = yield from note_log.by_number(place, to_number("n", word) or 0)
    expected = (application.read or {}).get(word)
    if note is None or note.status != "active" or (expected is not None and expected != note.revision):
        raise _changed(word)
    return note


def _changed(word: str) -> ConflictError:
    return ConflictError(
        "the notes have changed since this plan was made; consolidate again", id=word, reason="stale plan"
    )


def list_plans(namespace: Namespace, *, limit: int, below: int = END) -> Work[tuple[list[Plan], int]]:
    """List the plans of a scope, newest first, with the true total."""
    place = yield from find(namespace)
    if place is None:
        return [], 0
    rows = yield from queries.list_plans(**place.keys, below=below, limit=limit)
    (total,) = yield from queries.count_plans(**place.keys)
    return [plan_from_row(row, namespace) for row in rows], total


def stage(
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
    now = to_datetime(writing.now)
    for log in marks:
        if not (yield from distilled.mark(place, log.session, log.head, before=log.before)):
            raise _changed(log.name)
    kept = [replace(note, revision=place.revision, created_at=now, updated_at=now) for note in notes]
    for note in kept:
        yield from note_log.keep(place, note)
    for change in forgotten:
        yield from _apply_change(
            place,
            change,
            writing,
            before=[],
            created=[],
            fresh=None,
            read=Application(plan=NO_PLAN, number=0),
        )
    yield from add_counts(place, counts, now=writing.now)
    yield from account(place, used, now=writing.now)
    return kept
