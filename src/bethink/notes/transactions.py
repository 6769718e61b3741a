"""Notes as units of work: add, revise, forget, restore; every change keeps history and revision."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypedDict

from bethink.errors import ConflictError, NotFoundError
from bethink.ids import note_id, to_number
from bethink.notes import queries
from bethink.notes.rows import from_history, from_row, number_of, to_history, to_row
from bethink.notes.values import RESTS_ON, Note, NoteVersion
from bethink.scope.transactions import children, find, note_event, touch
from bethink.storage.statements import SIXTEEN, sixteens
from bethink.times import to_datetime, to_micros

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from bethink.notes.queries import AddHistory, MarkRow, NoteRow, VersionRow
    from bethink.notes.values import NewNote, Wait
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.storage.work import Work

FOREVER = (1 << 62, 1 << 62)  #: before the newest note of a list
COMPARED = 500  #: notes that a new one is compared with, the ones written last
FEW = 20  #: notes whose history is read one by one
KEY = "key"  #: of a note's metadata: the key that it was to have, which a note has that stands elsewhere
MAX = 1 << 40  #: rows, where a list is read whole


def remember(namespace: Namespace, new: NewNote, *, writing: Writing) -> Work[Note]:
    """Keep a note; one with a key takes the place of the live note that has it."""
    place = yield from touch(namespace, writing)
    return (yield from add(place, new, writing=writing))


def add(place: ScopeRow, new: NewNote, *, writing: Writing) -> Work[Note]:
    """Keep a note within a write that is under way.

    What waits for a decision takes the place of nothing that stands: it has the key when it becomes active. Nor do
    a session's note and a global one take each other's place.
    """
    now = to_datetime(writing.now)
    takes = new.key is not None and new.status != "pending"
    before = (yield from _of_key(place, new.key)) if takes else None
    if before is not None:
        yields = before.status == "active" and new.status == "quarantined"
        if yields or (new.session is not None and new.session != before.session):
            before = yield from _kept_as(place, new)
            new = replace(new, key=None, metadata={**new.metadata, KEY: new.key})
            if before is not None:
                return (yield from _put(place, before, new, writing))
        elif new.session != before.session:  # the note of a session stays in it
            given = replace(
                before, key=None, metadata={**before.metadata, KEY: before.key}, revision=place.revision
            )
            yield from replace_note(place, before, given, "revised", writing)
        else:
            return (yield from _put(place, before, new, writing))
    note = fresh_note(new, note_id(writing.fresh()), now, place.revision)
    yield from queries.add_note(**to_row(note, place))
    return note


def store(place: ScopeRow, note: Note) -> Work[None]:
    """Keep a note that has its id and its revision already."""
    yield from queries.add_note(**to_row(note, place))


def store_all(place: ScopeRow, written: Sequence[tuple[Note, NoteVersion | None]]) -> Work[None]:
    """Keep notes as another store has them, each beside None, and versions that ended there."""
    notes = [to_row(note, place) for note, version in written if version is None]
    versions: list[AddHistory] = [
        {
            **place.keys,
            "note": number_of(note),
            "revision": note.revision,
            "now": to_micros(version.ended_at),
            "reason": version.ended_by,
            "version": to_history(note),
        }
        for note, version in written
        if version is not None
    ]
    if notes:
        yield from queries.add_note_many(notes)
    if versions:
        yield from queries.add_history_many(versions)


def _put(place: ScopeRow, before: Note, new: NewNote, writing: Writing) -> Work[Note]:
    """Put a new note in the place of one."""
    fresh = fresh_note(new, before.id, to_datetime(writing.now), place.revision)
    after = replace(fresh, created_at=before.created_at)
    yield from replace_note(place, before, after, "revised", writing)
    return after


def _kept_as(place: ScopeRow, new: NewNote) -> Work[Note | None]:
    """Find the note of a session that was to have a key which a note elsewhere has."""
    if new.session is None or new.status != "active":
        return None
    notes = yield from _among(place, status="active", session=new.session, limit=COMPARED)
    return next((note for note in notes if note.metadata.get(KEY) == new.key and note.outcome is None), None)


def _of_key(place: ScopeRow, key: str | None) -> Work[Note | None]:
    if key is None:
        return None
    rows = yield from queries.find_note_by_key(tenant=place.tenant, scope=place.scope, key=key)
    return from_row(rows[0]) if rows else None


def fresh_note(new: NewNote, number: str, now: datetime, revision: int = 0) -> Note:
    """Return the note that a caller's wish makes."""
    return Note(
        id=number,
        key=new.key,
        text=new.text,
        category=new.category,
        keywords=new.keywords,
        session=new.session,
        status=new.status,
        source=new.source,
        sources=new.sources,
        confidence=new.confidence,
        created_at=now,
        updated_at=now,
        valid_from=new.valid_from,
        expires_at=new.expires_at,
        revision=revision,
        metadata=new.metadata,
        context=new.context,
        speaker=new.speaker,
    )


def replace_note(place: ScopeRow, before: Note, after: Note, reason: str, writing: Writing) -> Work[None]:
    """Put another version in the place of a note, once the earlier one is in the history."""
    yield from queries.add_history(
        tenant=place.tenant,
        scope=place.scope,
        note=number_of(before),
        revision=before.revision,
        now=writing.now,
        reason=reason,
        version=to_history(before),
    )
    yield from put_fresh(place, after)


def put_fresh(place: ScopeRow, after: Note) -> Work[None]:
    """Put another version in the place of one that nobody has seen yet, so that the history has none of it."""
    yield from queries.put_note(**to_row(after, place))


def find_same(
    place: ScopeRow, new: NewNote, matches: Callable[[str], bool], *, now: int
) -> Work[Note | None]:
    """Find a note that says the same in the same place, under the same key: an active one before one that waits."""
    found: Note | None = None
    for status in ("pending", "active"):
        notes = yield from _among(place, status=status, session=new.session, now=now, limit=COMPARED)
        same = [
            note
            for note in notes
            if note.outcome is None and new.key in {None, note.key} and matches(note.text)
        ]
        found = same[0] if same else found
    return found


def activate(place: ScopeRow, before: Note, reason: str, *, writing: Writing, **fields: object) -> Work[Note]:
    """Let a note that waited stand; an active one of the same key makes way, and stays in the history."""
    yield from _supersede_holder(place, before, writing)
    now = to_datetime(writing.now)
    metadata = {name: value for name, value in before.metadata.items() if name != RESTS_ON}
    changed: dict[str, Any] = {"status": "active", "metadata": metadata, "updated_at": now, **fields}
    after = replace(before, revision=place.revision, **changed)
    yield from replace_note(place, before, after, reason, writing)
    yield from note_event(place, writing, f"note.{reason}", {"notes": [before.id]})
    return after


def _supersede_holder(place: ScopeRow, before: Note, writing: Writing) -> Work[None]:
    """Supersede the note that has the key of one that waited, and stands now."""
    now = to_datetime(writing.now)
    standing = yield from _of_key(place, before.key)
    if standing is not None and standing.id != before.id:
        over = replace(
            standing,
            status="superseded",
            outcome="superseded",
            valid_to=now,
            updated_at=now,
            revision=place.revision,
        )
        yield from replace_note(place, standing, over, "superseded", writing)


def change(
    namespace: Namespace,
    word: str,
    reason: str,
    *,
    writing: Writing,
    expected: int | None = None,
    only: Sequence[str] = (),
    **fields: object,
) -> Work[Note]:
    """Change some fields of one note; `only` names the statuses it may have.

    Raises:
        NotFoundError: there is no such note in this scope, or its status is another.
        ConflictError: it was changed since the revision that was expected.
    """
    place = yield from touch(namespace, writing)
    before = yield from _find(place, word)
    if before is None or (only and before.status not in only):
        raise _missing(word)
    if expected is not None and before.revision != expected:
        raise ConflictError(
            "the note has changed since it was read; read it again and retry",
            expected=expected,
            actual=before.revision,
            id=before.id,
        )
    if before.status == "pending" and fields.get("status") == "active":
        yield from _supersede_holder(place, before, writing)
    after = replace(before, revision=place.revision, updated_at=to_datetime(writing.now), **fields)  # pyright: ignore[reportArgumentType]
    yield from replace_note(place, before, after, reason, writing)
    yield from note_event(place, writing, f"note.{reason}", {"notes": [before.id]})
    return after


def decide_waiting(
    namespace: Namespace,
    approve: Sequence[str],
    reject: Sequence[str],
    *,
    only: Sequence[str],
    writing: Writing,
) -> Work[list[Note]]:
    """Let notes that wait stand, and forget others: all of it or nothing.

    An approved note takes the place of the one that has its key by now, which stays in the history.

    Raises:
        NotFoundError: one of them is not there, or does not wait.
    """
    decided: list[Note] = []
    for word in approve:
        note = yield from change(
            namespace, word, "approved", writing=writing, only=only, status="active", outcome="approved"
        )
        decided.append(note)
    for word in reject:
        note = yield from change(namespace, word, "rejected", writing=writing, only=only, status="forgotten")
        decided.append(note)
    return decided


def revert(namespace: Namespace, word: str, *, writing: Writing) -> Work[Note]:
    """Undo the newest change of one note: its last ended version becomes current again.

    Raises:
        NotFoundError: there is no such note, or it was never changed.
        ConflictError: its key belongs to another note by now.
    """
    place = yield from touch(namespace, writing)
    before = yield from _find(place, word)
    if before is None:
        raise _missing(word)
    rows = yield from queries.list_history(tenant=place.tenant, scope=place.scope, note=number_of(before))
    if not rows:
        raise NotFoundError("the note was never changed, so there is nothing to undo", kind="change", id=word)
    after = replace(from_history(rows[-1]).note, revision=place.revision)
    yield from _check_key_free(place, after)
    yield from replace_note(place, before, after, "undone", writing)
    yield from note_event(place, writing, "note.undone", {"notes": [before.id]})
    return after


def _check_key_free(place: ScopeRow, note: Note) -> Work[None]:
    if note.key is None or note.status not in {"active", "quarantined"}:
        return
    rows = yield from queries.find_note_by_key(tenant=place.tenant, scope=place.scope, key=note.key)
    if rows and rows[0].note_id != number_of(note):
        raise ConflictError(
            "another note uses this key now; forget that note first, or remember the text again",
            id=note.id,
            actual=note_id(rows[0].note_id),
        )


def get(namespace: Namespace, word: str, *, now: int) -> Work[Note | None]:
    """Find a note by its id, or the live one by its key; a forgotten or an expired one is not there."""
    place = yield from find(namespace)
    if place is None:
        return None
    note = yield from _find(place, word)
    if note is None or note.status == "forgotten":
        return None
    if note.expires_at is not None and note.expires_at <= to_datetime(now):
        return None
    return note


def by_number(place: ScopeRow, number: int) -> Work[Note | None]:
    """Find a note by its number, whatever its status."""
    rows = yield from queries.find_note(**place.keys, note=number)
    return from_row(rows[0]) if rows else None


def _find(place: ScopeRow, word: str) -> Work[Note | None]:
    rows = yield from queries.find_note_by_key(tenant=place.tenant, scope=place.scope, key=word)
    number = to_number("n", word)
    if not rows and number is not None:
        rows = yield from queries.find_note(tenant=place.tenant, scope=place.scope, note=number)
    return from_row(rows[0]) if rows else None


def notes_among(place: ScopeRow, numbers: Sequence[int]) -> Work[dict[int, Note]]:
    """Read notes by their numbers, whatever their status; those that are gone are left out."""
    found = yield from rows_among(place, numbers)
    return {number: from_row(row) for number, row in found.items()}


def rows_among(place: ScopeRow, numbers: Sequence[int]) -> Work[dict[int, NoteRow]]:
    """Read the rows of notes by their numbers."""
    found: dict[int, NoteRow] = {}
    for some in sixteens(numbers):
        named = {f"n{letter}": number for letter, number in zip(SIXTEEN, some, strict=True)}
        for row in (yield from queries.notes_among(tenant=place.tenant, scope=place.scope, **named)):
            found[row.note_id] = row
    return found


def _missing(word: str) -> NotFoundError:
    return NotFoundError(
        "no such note in this scope",
        kind="note",
        id=word,
    )


class _Conditions(TypedDict):
    """What a list of notes and its total are bound to."""

    tenant: str
    scope: int
    status: str | None
    category: str | None
    session: str | None
    everywhere: int
    now: int


def listing(
    namespace: Namespace,
    *,
    now: int,
    status: str | None = "active",
    category: str | None = None,
    session: str | None = None,
    everywhere: bool = False,
    limit: int = MAX,
    before: tuple[int, int] = FOREVER,
) -> Work[tuple[list[Note], int]]:
    """List notes, the one written last first, with the true total.

    Without `session` these are the global notes; `everywhere` adds the notes of every session.
    """
    place = yield from find(namespace)
    if place is None:
        return [], 0
    conditions: _Conditions = {
        **place.keys,
        "status": status,
        "category": category,
        "session": session,
        "everywhere": int(everywhere),
        "now": now,
    }
    rows = yield from queries.list_notes(**conditions, limit=limit, revision=before[0], note=before[1])
    if limit == MAX:
        return [from_row(row) for row in rows], len(rows)
    (total,) = yield from queries.count_notes(**conditions)
    return [from_row(row) for row in rows], total


def waiting_notes(
    namespace: Namespace, *, status: Wait | None, limit: int, before: tuple[int, int] = FOREVER
) -> Work[tuple[list[Note], int]]:
    """List the notes that wait for a decision, of one status or all, the one written last first, with their total."""
    place = yield from find(namespace)
    if place is None:
        return [], 0
    rows = yield from queries.list_waiting(
        **place.keys, status=status, limit=limit, revision=before[0], note=before[1]
    )
    (total,) = yield from queries.count_waiting(**place.keys, status=status)
    return [from_row(row) for row in rows], total


def newest_global(
    place: ScopeRow, *, now: int, limit: int, before: tuple[int, int] | None = None
) -> Work[list[Note]]:
    """Return the active global notes, the one written last first, without counting them all."""
    return (yield from _among(place, status="active", now=now, limit=limit, before=before or FOREVER))


def _among(
    place: ScopeRow,
    *,
    status: str | None,
    category: str | None = None,
    session: str | None = None,
    now: int = 0,
    limit: int = MAX,
    before: tuple[int, int] = FOREVER,
) -> Work[list[Note]]:
    """List the notes of one session, or without one the global ones, the one written last first."""
    rows = yield from queries.list_notes(
        **place.keys,
        status=status,
        category=category,
        session=session,
        everywhere=0,
        now=now,
        limit=limit,
        revision=before[0],
        note=before[1],
    )
    return [from_row(row) for row in rows]


def place_of(note: Note) -> tuple[int, int]:
    """Return where a note stands in a list: what `before` takes to go on after it."""
    return note.revision, to_number("n", note.id) or 0


def standing_in(namespace: Namespace, *, now: int) -> Work[list[Namespace]]:
    """Return the namespaces that stand in for one without notes of its own: those of its session stores."""
    own, _ = yield from listing(namespace, now=now, limit=1)
    return [] if own else (yield from children(namespace))


def as_of(namespace: Namespace, at: int) -> Work[list[Note]]:
    """Return the notes as they stood at an instant, the newest first."""
    place = yield from find(namespace)
    if place is None:
        return []
    instant = to_datetime(at)
    current = yield from queries.notes_since(tenant=place.tenant, scope=place.scope, since=0)
    ended = yield from queries.history_at(tenant=place.tenant, scope=place.scope, at=at)
    standing = {note.id: note for note in map(from_row, current)}
    # Of the versions that ended after the instant, the earliest is the one that stood then.
    for version in reversed([from_history(row) for row in ended]):
        standing[version.note.id] = version.note
    live = [
        note
        for note in standing.values()
        if note.created_at <= instant
        and note.status == "active"
        and (note.expires_at is None or note.expires_at > instant)
    ]
    return sorted(live, key=lambda note: (note.revision, note.id), reverse=True)


def history(namespace: Namespace, word: str) -> Work[tuple[Note | None, list[NoteVersion]]]:
    """Return a note as it is, and its earlier versions, oldest first."""
    place = yield from find(namespace)
    if place is None:
        return None, []
    note = yield from _find(place, word)
    if note is None:
        rows = yield from queries.newest_note_by_key(tenant=place.tenant, scope=place.scope, key=word)
        note = from_row(rows[0]) if rows else None
    if note is None:
        return None, []
    rows = yield from queries.list_history(tenant=place.tenant, scope=place.scope, note=number_of(note))
    return note, [from_history(row) for row in rows]


def written_since(place: ScopeRow, revision: int) -> Work[list[Note]]:
    """List the notes written after a revision, whatever their status."""
    rows = yield from queries.notes_since(**place.keys, since=revision)
    return [from_row(row) for row in rows]


def written_after(place: ScopeRow, after: tuple[int, int], limit: int) -> Work[list[Note]]:
    """List the notes written after a place in the order of revisions, whatever their status, some at a time."""
    rows = yield from queries.notes_after(**place.keys, revision=after[0], note=after[1], limit=limit)
    return [from_row(row) for row in rows]


def filter_fields(place: ScopeRow) -> Work[list[MarkRow]]:
    """List what filters ask of notes, where it is not the usual."""
    return (yield from queries.list_marks(**place.keys))


def first_versions(place: ScopeRow, notes: Sequence[Note]) -> Work[dict[str, Note]]:
    """Return the first version of those notes that were ever changed; of many notes at once."""
    if len(notes) > FEW:
        history = yield from queries.all_history(**place.keys)
    else:
        history: list[VersionRow] = []
        for note in notes:
            history += yield from queries.list_history(**place.keys, note=number_of(note))
    found: dict[str, Note] = {}
    for version in history:  # oldest first
        found.setdefault(note_id(version.note_id), from_history(version).note)
    return found


def has_no_history(place: ScopeRow, number: int) -> Work[bool]:
    """Tell whether no version of a note has ended."""
    return not (yield from queries.list_history(**place.keys, note=number))


def restore(place: ScopeRow, old: Note) -> Work[None]:
    """Undo the newest change of a note within a write that is under way: its last ended version is current again."""
    yield from put_fresh(place, replace(old, revision=place.revision))
    yield from queries.remove_history_version(**place.keys, note=number_of(old), revision=old.revision)


def staged_sessions(place: ScopeRow, stays: str) -> Work[list[str]]:
    """List the sessions whose notes wait for consolidation; those whose metadata have the name `stays` do not."""
    return (yield from queries.open_sessions(**place.keys, stays=f'%"{stays}"%'))


def any_over(place: ScopeRow, category: str, *, before: int, now: int) -> Work[bool]:
    """Tell whether a global note is over: by the instant it was given, or by the age of its category."""
    return bool((yield from queries.any_over(**place.keys, now=now, category=category, before=before)))


def remove_conversation(place: ScopeRow, session: str) -> Work[int]:
    """Remove the conversation notes of a session for good, with their history; return how many."""
    notes = yield from _among(place, status=None, category="conversation", session=session)
    for note in notes:
        yield from destroy(place, number_of(note))
    return len(notes)


def destroy(place: ScopeRow, number: int) -> Work[tuple[NoteRow | None, list[VersionRow]]]:
    """Remove a note for good, with its history; return what there was of it, as the store had it."""
    rows = yield from queries.find_note(**place.keys, note=number)
    history = yield from queries.list_history(**place.keys, note=number)
    yield from queries.remove_note(**place.keys, note=number)
    yield from queries.remove_note_history(**place.keys, note=number)
    return (rows[0] if rows else None), history


def full_history(namespace: Namespace) -> Work[list[dict[str, Any]]]:
    """Return every ended version of a scope as plain JSON."""
    place = yield from find(namespace)
    if place is None:
        return []
    rows = yield from queries.all_history(tenant=place.tenant, scope=place.scope)
    return [
        {
            "ended_at": to_datetime(row.ended_at).isoformat(),
            "ended_by": row.ended_by,
            "note": json.loads(row.note),
        }
        for row in rows
    ]
