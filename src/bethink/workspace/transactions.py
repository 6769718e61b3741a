"""Segments, conversations and files of workspaces as units of work."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict

from bethink.ids import plan_id
from bethink.lifecycle.daily_counts import add_counts, add_spent
from bethink.lifecycle.plan_history import keep_plan
from bethink.lifecycle.plans import Plan
from bethink.lifecycle.undo import note_content
from bethink.lifecycle.values import Add, Retire, Revise
from bethink.notes.rows import to_json
from bethink.notes.transactions import add, change
from bethink.notes.transactions import listing as list_notes
from bethink.scope.transactions import find, note_event, touch
from bethink.times import to_datetime
from bethink.workspace import lesson_notes, queries
from bethink.workspace.rollouts import digest, line, parse_segments, terminal_state, updated_at
from bethink.workspace.values import Extract, Rollout

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bethink.lifecycle.values import Change, ModelUse
    from bethink.notes.values import NewNote, Note
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.storage.work import Work
    from bethink.workspace.queries import RolloutRow
    from bethink.workspace.values import Location

BARRED = ".bethink/forgotten.json"  #: where the store keeps what is not to be taken in again
MAX_BARRED = 100_000
MARK = "workspace"  #: the metadata by which a note is known to be a line of a workspace


@dataclass(frozen=True, slots=True)
class RunInProgress:
    """A run that is under way, or was cut off."""

    rollout: str
    run: str
    seq: int
    line: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredWorkspace:
    """What the store holds of a workspace."""

    rollouts: Mapping[str, Rollout] = field(default_factory=dict[str, Rollout])
    files: Mapping[str, str | None] = field(
        default_factory=dict[str, "str | None"]
    )  #: by path; None: made of rows
    notes: tuple[Note, ...] = ()  #: lines that somebody wrote by hand
    running: tuple[RunInProgress, ...] = ()
    known_lessons: lesson_notes.KnownLessonNotes = field(default_factory=lesson_notes.KnownLessonNotes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one settling of a workspace writes."""

    extracted: tuple[Rollout, ...] = ()
    dropped: tuple[str, ...] = ()  #: conversations
    archived: tuple[str, ...] = ()
    files: Mapping[str, str | None] = field(default_factory=dict[str, "str | None"])
    gone: tuple[str, ...] = ()  #: files
    directory: str | None = None
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    used: tuple[ModelUse, ...] = ()
    lessons: tuple[lesson_notes.LessonNote, ...] | None = None  #: None: they are what they were


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteEdits:
    """What edits of the files do to notes."""

    new: tuple[NewNote, ...] = ()
    revised: tuple[tuple[str, str], ...] = ()  #: id, text
    gone: tuple[str, ...] = ()  #: ids
    moved: tuple[tuple[str, Mapping[str, Any]], ...] = ()  #: id, and what its metadata says of its place now

    def __bool__(self) -> bool:
        return bool(self.new or self.revised or self.gone or self.moved)


class WorkspaceKeys(TypedDict):
    """The columns that every statement on a workspace names."""

    tenant: str
    scope: int
    workspace: str


def workspace_keys(place: ScopeRow, location: Location) -> WorkspaceKeys:
    """Return the columns that every statement names."""
    return {"tenant": place.tenant, "scope": place.scope, "workspace": location.key}


def append(
    namespace: Namespace,
    location: Location,
    rollout: str,
    lines: Sequence[str],
    *,
    run: str = "",
    under_way: bool = False,
    origin: str = "",
    writing: Writing,
) -> Work[int]:
    """Add segments to a conversation; those that are there already are left out. Return how many were new.

    With `run`, the segment takes the place of what was kept of that run; `under_way` says that more will come.
    """
    place = yield from touch(namespace, writing)
    known = workspace_keys(place, location)
    (seq,) = yield from queries.count_segments(**known, rollout=rollout)
    there = set((yield from queries.find_digests(**known, rollout=rollout)))
    earlier = (yield from queries.find_run(**known, rollout=rollout, run=run)) if run else []
    added = 0
    for text in lines:
        mark = digest(text)
        if mark in there:
            continue
        there.add(mark)
        added += 1
        seq += 0 if earlier else 1
        yield from queries.put_segment(
            **known,
            rollout=rollout,
            seq=earlier[0] if earlier else seq,
            run=run if under_way else "",
            line=text,
            digest=mark,
            now=writing.now,
            revision=place.revision,
        )
    if added or earlier:
        last = parse_segments((yield from queries.list_segments(**known, rollout=rollout))[-1:])[0]
        yield from queries.note_rollout(
            **known,
            rollout=rollout,
            segments=seq,
            updated_at=updated_at(last),
            terminal_state=terminal_state(last),
            origin=origin,
            revision=place.revision,
        )
    if earlier and not added:  # the run ended as it stood
        yield from _finish(place, location, rollout, run, writing)
    return added


def _finish(place: ScopeRow, location: Location, rollout: str, run: str, writing: Writing) -> Work[None]:
    for row in (yield from queries.list_running(**workspace_keys(place, location))):
        if (row.rollout, row.run) == (rollout, run):
            yield from queries.put_segment(
                **workspace_keys(place, location),
                rollout=rollout,
                seq=row.seq,
                run="",
                line=row.line,
                digest=digest(row.line),
                now=writing.now,
                revision=place.revision,
            )


def end_runs(
    namespace: Namespace,
    location: Location,
    ended: Sequence[tuple[RunInProgress, Mapping[str, Any]]],
    *,
    writing: Writing,
) -> Work[None]:
    """Close runs that were cut off, each with how it stood."""
    for run, segment in ended:
        yield from append(namespace, location, run.rollout, [line(segment)], run=run.run, writing=writing)


def load(namespace: Namespace, location: Location, *, now: int) -> Work[StoredWorkspace]:
    """Read what the store holds of a workspace."""
    place = yield from find(namespace)
    if place is None:
        return StoredWorkspace()
    known = workspace_keys(place, location)
    running = tuple(
        RunInProgress(rollout=row.rollout, run=row.run, seq=row.seq, line=row.line, at=row.at)
        for row in (yield from queries.list_running(**known))
    )
    under_way = {each.rollout for each in running}
    rollouts: dict[str, Rollout] = {}
    for row in (yield from queries.list_rollouts(**known)):
        rollouts[row.rollout] = Rollout(
            id=row.rollout,
            segments=row.segments,
            extracted=row.extracted,
            tries=row.tries,
            updated_at=row.updated_at,
            terminal_state=row.terminal_state,
            origin=row.origin,
            extract=_extract(row),
            engine=row.engine,
            archived=bool(row.archived),
            running=row.rollout in under_way,
        )
    files = yield from _files(known)
    notes, _ = yield from list_notes(namespace, now=now, status="active")
    marked = tuple(note for note in reversed(notes) if note.metadata.get(MARK) == location.key)
    learned = yield from lesson_notes.find(place, files.get(lesson_notes.LESSON_NOTES_FILE))
    return StoredWorkspace(
        rollouts=rollouts, files=files, notes=marked, running=running, known_lessons=learned
    )


def _extract(row: RolloutRow) -> Extract | None:
    return None if row.raw is None else Extract(slug=row.slug or "", summary=row.summary or "", raw=row.raw)


def _files(known: WorkspaceKeys) -> Work[dict[str, str | None]]:
    return {row.path: row.content for row in (yield from queries.list_files(**known))}


def segments(namespace: Namespace, location: Location, rollout: str) -> Work[list[str]]:
    """Read the segments of a conversation, oldest first."""
    place = yield from find(namespace)
    if place is None:
        return []
    return (yield from queries.list_segments(**workspace_keys(place, location), rollout=rollout))


def workspaces(namespace: Namespace) -> Work[list[tuple[str, str]]]:
    """List the workspaces of a scope: key and directory."""
    place = yield from find(namespace)
    if place is None:
        return []
    rows = yield from queries.list_workspaces(**place.keys)
    return [(row.workspace, row.directory) for row in rows]


def edit_notes(
    namespace: Namespace, edits: NoteEdits, *, reason: str, writing: Writing
) -> Work[tuple[list[Note], str]]:
    """Write what edits of files do to notes, as one plan that one `undo` takes back.

    Return the notes that were made or changed, and the id of the plan.
    """
    place = yield from touch(namespace, writing)
    known = {
        each.id: each for each in (yield from list_notes(namespace, now=writing.now, status="active"))[0]
    }
    created: list[Note] = []
    for new in edits.new:
        note = yield from add(place, new, writing=writing)
        created.append(note)
    done = _Changed()
    for number, text in edits.revised:
        yield from _change(namespace, known, number, "revised", done, writing, text=text)
        done.changes.append(Revise(note=number, text=text, sources=(), reason=reason))
    for number in edits.gone:
        yield from _change(namespace, known, number, "forgotten", done, writing, status="forgotten")
        done.changes.append(Retire(note=number, outcome="ephemeral", reason="its line was taken out"))
    for number, changed in edits.moved:
        if number in known:
            metadata = {**known[number].metadata, **changed}
            yield from _change(namespace, known, number, "revised", done, writing, metadata=metadata)
    changes: list[Change] = [Add(text=each.text, sources=(), reason=reason) for each in created]
    written = [*created, *(after for before, after in done.pairs if before.text != after.text)]
    if not created and not done.pairs:
        return written, ""
    number = writing.fresh()
    plan = Plan(
        id=plan_id(number),
        state="applied",
        engine="files",
        changes=(*changes, *done.changes),
        texts={before.id: before.text for before, _ in done.pairs},
    )
    undo: dict[str, Any] = {
        "notes": [{"note": to_json(before), "applied": note_content(after)} for before, after in done.pairs],
        "created": [each.id for each in created],
        "marks": [],
        "counts": [to_datetime(writing.now).date().isoformat(), {}],
        "profile": None,
    }
    yield from keep_plan(place, number, plan, undo, now=writing.now)
    return [each for each in written if each.status != "forgotten"], plan.id


@dataclass(slots=True)
class _Changed:
    """Notes as they were and as they are, and what a plan says of it."""

    pairs: list[tuple[Note, Note]] = field(default_factory=list["tuple[Note, Note]"])
    changes: list[Change] = field(default_factory=list["Change"])


def _change(
    namespace: Namespace,
    known: Mapping[str, Note],
    number: str,
    reason: str,
    done: _Changed,
    writing: Writing,
    **fields: Any,
) -> Work[None]:
    if number in known:
        after = yield from change(namespace, number, reason, writing=writing, only=("active",), **fields)
        done.pairs.append((known[number], after))


def forget(
    namespace: Namespace, location: Location, rollouts: Sequence[str], *, writing: Writing
) -> Work[None]:
    """Forget conversations with all that was drawn from them; their segments are not taken in again."""
    place = yield from touch(namespace, writing)
    known = workspace_keys(place, location)
    digests: list[str] = []
    for each in rollouts:
        digests += yield from queries.find_digests(**known, rollout=each)
        yield from queries.drop_segments(**known, rollout=each)
        yield from queries.drop_rollout(**known, rollout=each)
    notes, _ = yield from list_notes(namespace, now=writing.now, status="active")
    drawn = [
        note.id
        for note in notes
        if note.metadata.get(MARK) == location.key and note.metadata.get("conversation") in rollouts
    ]
    for number in drawn:
        yield from change(
            namespace, number, "forgotten", writing=writing, only=("active",), status="forgotten"
        )
    kept = (yield from _files(known)).get(lesson_notes.LESSON_NOTES_FILE)
    if kept and drawn:  # another conversation may teach the same
        files = {lesson_notes.LESSON_NOTES_FILE: lesson_notes.without_notes(kept, drawn)}
        yield from _put_files(place, location, Outcome(files=files), writing)
    yield from bar_segments(namespace, location, [*digests, *map(whole_mark, rollouts)], writing=writing)
    yield from note_event(place, writing, "workspace.forgotten", {"conversations": len(rollouts)})


def bar_segments(
    namespace: Namespace, location: Location, digests: Sequence[str], *, writing: Writing
) -> Work[None]:
    """Note segments that are not to be taken in from a file."""
    place = yield from touch(namespace, writing)
    found = yield from _files(workspace_keys(place, location))
    barred = sorted({*_barred(found.get(BARRED)), *digests})[-MAX_BARRED:]
    yield from _put_files(place, location, Outcome(files={BARRED: json.dumps(barred)}), writing)


def whole_mark(rollout: str) -> str:
    """Return the mark that bars a whole conversation (all its segments) from being read in again."""
    return f"all of {rollout}"


def barred_segments(held: StoredWorkspace) -> frozenset[str]:
    """Return the segments that are not to be taken in."""
    return frozenset(_barred(held.files.get(BARRED)))


def _barred(text: str | None) -> list[str]:
    return json.loads(text) if text else []


def file(namespace: Namespace, location: Location, path: str) -> Work[str | None]:
    """Read what the store keeps of one file."""
    place = yield from find(namespace)
    if place is None:
        return None
    return (yield from _files(workspace_keys(place, location))).get(path)


def keep_notebook(
    namespace: Namespace,
    location: Location,
    files: Mapping[str, str | None],
    *,
    directory: str | None,
    writing: Writing,
) -> Work[None]:
    """Keep the state of a notebook, and which files are its own."""
    place = yield from touch(namespace, writing)
    for path in (yield from _files(workspace_keys(place, location))):
        if path not in files:
            yield from queries.drop_file(**workspace_keys(place, location), path=path)
    yield from _put_files(place, location, Outcome(files=files, directory=directory), writing)


def settle(namespace: Namespace, location: Location, outcome: Outcome, *, writing: Writing) -> Work[None]:
    """Write what became of a workspace, in one transaction with its counts."""
    place = yield from touch(namespace, writing)
    known = workspace_keys(place, location)
    for each in outcome.extracted:
        if each.origin == "adopted" or each.segments == 0:
            yield from queries.note_rollout(
                **known,
                rollout=each.id,
                segments=each.segments,
                updated_at=each.updated_at,
                terminal_state=each.terminal_state,
                origin=each.origin,
                revision=place.revision,
            )
        yield from _put_extract(place, location, each)
    for each in outcome.dropped:
        yield from queries.drop_segments(**known, rollout=each)
        yield from queries.drop_rollout(**known, rollout=each)
    before = (yield from _files(known)).get(lesson_notes.LESSON_NOTES_FILE)
    yield from _put_files(place, location, outcome, writing)
    if outcome.lessons is not None:
        after = yield from lesson_notes.sync_lesson_notes(
            namespace, place, before, outcome.lessons, writing=writing
        )
        yield from _put_files(
            place, location, Outcome(files={lesson_notes.LESSON_NOTES_FILE: after}), writing
        )
    elif before is not None:  # as it stands by now, whatever was read earlier
        yield from _put_files(
            place, location, Outcome(files={lesson_notes.LESSON_NOTES_FILE: before}), writing
        )
    yield from add_counts(place, outcome.counts, now=writing.now)
    yield from add_spent(place, outcome.used, now=writing.now)
    yield from note_event(
        place,
        writing,
        "workspace.settled",
        {"conversations": len(outcome.extracted), "forgotten": len(outcome.dropped)},
    )


def _put_extract(place: ScopeRow, location: Location, each: Rollout) -> Work[None]:
    made = each.extract
    yield from queries.put_extract(
        **workspace_keys(place, location),
        rollout=each.id,
        extracted=each.extracted,
        tries=each.tries,
        origin=each.origin,
        slug=made.slug if made else None,
        summary=made.summary if made else None,
        raw=made.raw if made else None,
        engine=each.engine,
        archived=int(each.archived),
        revision=place.revision,
    )


def _put_files(place: ScopeRow, location: Location, outcome: Outcome, writing: Writing) -> Work[None]:
    known = workspace_keys(place, location)
    for path, text in outcome.files.items():
        yield from queries.put_file(
            **known, path=path, content=text, now=writing.now, revision=place.revision
        )
    for path in outcome.gone:
        yield from queries.drop_file(**known, path=path)
    if outcome.directory is not None:
        yield from queries.put_place(**known, directory=outcome.directory, now=writing.now)


def put_files(
    namespace: Namespace,
    location: Location,
    files: Mapping[str, str | None],
    gone: Iterable[str],
    *,
    directory: str | None = None,
    writing: Writing,
) -> Work[None]:
    """Keep what was written into some files, and forget others."""
    place = yield from touch(namespace, writing)
    yield from _put_files(
        place, location, Outcome(files=files, gone=tuple(gone), directory=directory), writing
    )
