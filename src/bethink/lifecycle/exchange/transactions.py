"""Taking a file in, as one unit of work: all of it, or nothing."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bethink.errors import ConflictError
from bethink.lifecycle.exchange.profiles import join
from bethink.lifecycle.exchange.session_details import (
    bring_beside,
    bring_details,
    bring_documents,
    sort_documents,
)
from bethink.lifecycle.exchange.values import Imported, Loss
from bethink.lifecycle.exchange.workspaces import IncomingWorkspaces, SortedWorkspaces, compared
from bethink.lifecycle.exchange.workspaces import kept as kept_workspaces
from bethink.notes.rows import from_row, number_of, to_history, to_row
from bethink.notes.transactions import sql as note_sql
from bethink.scope.namespace import Namespace
from bethink.scope.tombstones import Tombstone, above, every, lift, of_note, of_session
from bethink.scope.transactions import Place, find, note_event, touch
from bethink.sessions.transactions import END, find_in, find_log
from bethink.sessions.transactions import sql as session_sql
from bethink.state.transactions import all_records, current
from bethink.state.transactions import sql as state_sql
from bethink.storage.statements import statements
from bethink.times import to_micros

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bethink.documents.exports import IncomingDocument
    from bethink.lifecycle.exchange.values import Incoming, IncomingItem, IncomingSession
    from bethink.notes.values import Note, NoteVersion
    from bethink.scope.transactions import Writing
    from bethink.sessions.transactions import Log
    from bethink.state.transactions import Record
    from bethink.state.values import Profile
    from bethink.storage.work import Work

sql = statements("bethink.lifecycle.exchange")

_LIVE = frozenset({"active", "quarantined"})


@dataclass(slots=True)
class _Sorted:
    """What of a file is new, and what became of the rest."""

    notes: list[Note] = field(default_factory=list["Note"])
    history: list[NoteVersion] = field(default_factory=list["NoteVersion"])
    sessions: list[IncomingSession] = field(default_factory=list["IncomingSession"])
    longer: list[tuple[Log, list[IncomingItem], IncomingSession]] = field(
        default_factory=list["tuple[Log, list[IncomingItem], IncomingSession]"]
    )
    profiles: list[Profile] = field(default_factory=list["Profile"])
    records: list[Record] = field(default_factory=list["Record"])
    documents: list[IncomingDocument] = field(default_factory=list["IncomingDocument"])
    workspaces: SortedWorkspaces = field(default_factory=SortedWorkspaces)
    lifted: list[Tombstone] = field(default_factory=list[Tombstone])
    known: Counter[str] = field(default_factory=Counter[str])
    losses: list[Loss] = field(default_factory=list[Loss])


@dataclass(slots=True)
class _Graves:
    """The tombstones that stand in the way of a scope's things."""

    namespace: Namespace
    marks: Mapping[tuple[str, str], Tombstone]
    scope: int | None  #: when the whole scope was erased last
    revive: bool
    lifted: dict[tuple[str, str], Tombstone] = field(default_factory=dict[tuple[str, str], Tombstone])

    def cover(self, written_at: int | None, *marks: tuple[str, str]) -> bool:
        """Tell whether something was erased: it was written before its grave, or nobody knows when."""
        if self.scope is not None and (written_at is None or written_at <= self.scope):
            return True
        for mark in marks:
            stone = self.marks.get(mark)
            if stone is not None and (mark[0] == "note" or written_at is None or written_at <= stone.at):
                if not self.revive:
                    return True
                self.lifted[mark] = stone
        return False


def take_in(
    namespace: Namespace,
    incoming: Incoming,
    *,
    check: Callable[[Mapping[str, Any]], None],
    revive: bool,
    writing: Writing,
) -> Work[Imported]:
    """Keep what a file holds and this scope does not; what is here stays as it is.

    Raises:
        InvalidError: the profile does not fit the application's schema.
        ConflictError: with `revive`, the user or the tenant was erased as a whole.
    """
    place = yield from find(namespace)
    graves = yield from _graves(namespace, incoming, revive=revive)
    found = _Sorted(losses=list(incoming.losses))
    yield from _sort_notes(place, incoming, graves, found)
    yield from _sort_sessions(namespace, place, incoming, graves, found)
    yield from _sort_profile(namespace, incoming, graves, found)
    yield from _sort_records(namespace, incoming, graves, found)
    found.workspaces = yield from compared(place, incoming.workspaces or IncomingWorkspaces(), graves.cover)
    found.known["workspaces"] += found.workspaces.known
    found.losses += found.workspaces.losses
    yield from sort_documents(place, incoming, graves.cover, found)
    for profile in found.profiles[-1:]:
        check(profile.fields)
    found.lifted = list(graves.lifted.values())
    kept = {
        "notes": len(found.notes),
        "history": len(found.history),
        "sessions": len(found.sessions),
        "items": sum(len(each.items) for each in found.sessions)
        + sum(len(new) for _, new, _ in found.longer),
        "profile": len(found.profiles),
        "records": len(found.records),
        "workspaces": found.workspaces.count,
        "documents": len(found.documents),
    }
    if any(kept.values()) or found.lifted:
        yield from _keep(namespace, found, kept, writing)
    return Imported(
        namespace=str(namespace),
        format=incoming.format,
        kept={table: count for table, count in kept.items() if count},
        known={table: count for table, count in found.known.items() if count},
        quarantined=sum(note.status == "quarantined" for note in found.notes),
        losses=tuple(found.losses),
    )


# ---- what is new ----------------------------------------------------------------------------------------------------


def _graves(namespace: Namespace, incoming: Incoming, *, revive: bool) -> Work[_Graves]:
    marks = {(each.kind, each.digest): each for each in (yield from every(namespace.tenant))}
    ours = above(namespace)
    whole = [marks[mark] for mark in ours if mark in marks]
    graves = _Graves(namespace, marks, None, revive)
    if revive:
        beyond = [stone.kind for stone in whole if stone.kind != "namespace"]
        if beyond:
            raise ConflictError(
                f"this {beyond[0]} was erased as a whole and cannot be restored; import under another "
                "name, or into another database",
                reason="erased",
                namespace=str(namespace),
            )
        graves.lifted = {(stone.kind, stone.digest): stone for stone in whole}
        return graves
    if incoming.namespace is not None:
        origin = Namespace.parse(incoming.namespace, tenant=namespace.tenant)
        whole += [marks[mark] for mark in above(origin) if mark in marks]
    graves.scope = max((stone.at for stone in whole), default=None)
    return graves


def _sort_notes(place: Place | None, incoming: Incoming, graves: _Graves, found: _Sorted) -> Work[None]:
    here: list[Note] = []
    if place is not None:
        rows = yield note_sql.notes_since(tenant=place.tenant, scope=place.scope, since=0)
        here = [from_row(row) for row in rows]
    ids = {note.id for note in here}
    keys = {note.key for note in here if note.key is not None and note.status in _LIVE}
    words = {(note.session, note.text) for note in here}
    origin = incoming.namespace
    places = {str(graves.namespace), *([origin] if origin else [])}
    for note in incoming.notes:
        if note.id in ids or (not incoming.dated and (note.session, note.text) in words):
            found.known["notes"] += 1
            continue
        marks: list[tuple[str, str]] = []
        for text in places:
            other = Namespace.parse(text, tenant=graves.namespace.tenant)
            marks.append(("note", of_note(other, note.id)))
            if note.session is not None:
                marks.append(("session", of_session(other, note.session)))
        if graves.cover(to_micros(note.created_at) if incoming.dated else None, *marks):
            found.losses.append(Loss(kind="note", reason="erased", id=note.id))
        elif note.key in keys and note.status in _LIVE:
            found.losses.append(Loss(kind="note", reason="key taken", id=note.id))
        else:
            found.notes.append(note)
            if note.key is not None and note.status in _LIVE:
                keys.add(note.key)
    fresh = {note.id for note in found.notes}
    found.history = [version for version in incoming.history if version.note.id in fresh]


def _sort_sessions(
    namespace: Namespace, place: Place | None, incoming: Incoming, graves: _Graves, found: _Sorted
) -> Work[None]:
    places = [namespace]
    if incoming.namespace is not None:
        places.append(Namespace.parse(incoming.namespace, tenant=namespace.tenant))
    for session in incoming.sessions:
        log = None if place is None else (yield from find_in(place, session.name))
        if log is None:
            marks = [("session", of_session(each, session.name)) for each in places]
            if graves.cover(session.created_at, *marks):
                found.losses.append(Loss(kind="session", reason="erased", id=session.name))
            else:
                found.sessions.append(session)
            continue
        rows = yield session_sql.items_after(**log.keys, after=0, limit=END)
        here = {seq: body for seq, body, _, _, _ in rows}
        brought = {item.seq: item.body for item in session.items}
        more = [item for item in session.items if item.seq > log.head]
        if brought.items() <= here.items():
            found.known["sessions"] += 1
        elif {seq: body for seq, body in brought.items() if seq <= log.head} == here:
            if graves.cover(
                session.created_at, *[("session", of_session(each, log.name)) for each in places]
            ):
                found.losses.append(Loss(kind="session", reason="erased", id=session.name))
            else:
                found.longer.append((log, more, session))
        else:
            found.losses.append(Loss(kind="session", reason="another log", id=session.name))


def _sort_profile(namespace: Namespace, incoming: Incoming, graves: _Graves, found: _Sorted) -> Work[None]:
    versions: list[Profile] = []
    for each in incoming.profiles:
        written = to_micros(each.updated_at) if each.updated_at is not None and incoming.dated else None
        if graves.cover(written):
            found.losses.append(Loss(kind="profile", reason="erased", id=f"version {each.version}"))
        else:
            versions.append(each)
    if not versions:
        return
    here = yield from current(namespace)
    if here.version == 0:
        found.profiles = versions
        return
    after, losses = join(here, versions[-1], dated=incoming.dated)
    found.losses += losses
    if after.fields == here.fields and after.provenance == here.provenance:
        found.known["profile"] += 1
    else:
        found.profiles = [replace(after, version=here.version + 1, updated_at=None)]


def _sort_records(namespace: Namespace, incoming: Incoming, graves: _Graves, found: _Sorted) -> Work[None]:
    def same(record: Record) -> str:
        value = json.dumps(record.value, sort_keys=True)
        return f"{record.kind} {record.at.isoformat() if incoming.dated else ''} {value}"

    here = Counter(same(record) for record in (yield from all_records(namespace)))
    for record in incoming.records:
        mark = same(record)
        if here[mark]:
            here[mark] -= 1
            found.known["records"] += 1
        elif graves.cover(None):
            found.losses.append(Loss(kind="record", reason="erased"))
        else:
            found.records.append(record)


# ---- writing it ------------------------------------------------------------------------------------------------------


def _keep(namespace: Namespace, found: _Sorted, kept: Mapping[str, int], writing: Writing) -> Work[None]:
    place = yield from touch(namespace, writing)
    written = _in_order(found)
    revision = place.revision
    amount = len(written) + len(found.sessions) + len(found.longer)
    if amount:
        yield sql.advance_scope(tenant=place.tenant, scope=place.scope, by=amount)
    notes: list[dict[str, Any]] = []
    versions: list[dict[str, Any]] = []
    for revision, (note, version) in enumerate(written, place.revision + 1):
        stamped = replace(note, revision=revision)
        if version is None:
            notes.append(to_row(stamped, place))
        else:
            versions.append(_version_row(stamped, version, place))
    if notes:
        yield note_sql.add_note.many(notes)
    if versions:
        yield note_sql.add_history.many(versions)
    revision = place.revision + len(written)
    for session in sorted(found.sessions, key=lambda each: (each.updated_at or writing.now, each.name)):
        revision += 1
        yield from _bring_session(place, session, revision, writing)
    for log, items, brought in found.longer:
        revision += 1
        yield session_sql.add_item.many(_item_rows(place, log.session, items, revision))
        yield sql.extend_session(
            **log.keys, head=items[-1].seq, added=len(items), revision=revision, now=writing.now
        )
        yield from _bring_operations(place, log.session, brought, revision)
        yield from bring_beside(place, log.session, brought)
    yield from bring_details(
        place, [*found.sessions, *(brought for _, _, brought in found.longer)], now=writing.now
    )
    yield from _keep_state(place, found, writing)
    yield from bring_documents(place, found.documents)
    yield from kept_workspaces(
        namespace,
        place,
        found.workspaces,
        {note.id for note in found.notes if note.status == "active"},
        writing=writing,
    )
    for stone in found.lifted:
        yield from lift(place.tenant, stone)
    yield from note_event(
        place, writing, "scope.imported", {**kept, "lost": len(found.losses), "revived": len(found.lifted)}
    )


def _in_order(found: _Sorted) -> list[tuple[Note, NoteVersion | None]]:
    """Return versions and notes as they were written one after another; a note comes after its versions."""
    latest: dict[str, Any] = {}
    listed: list[tuple[Any, str, int, Note, NoteVersion | None]] = []
    for number, version in enumerate(found.history):
        note = version.note
        latest[note.id] = max(latest.get(note.id, note.updated_at), note.updated_at)
        listed.append((latest[note.id], note.id, number, note, version))
    end = len(found.history)
    for note in found.notes:
        at = max(latest.get(note.id, note.updated_at), note.updated_at)
        listed.append((at, note.id, end, note, None))
    listed.sort(key=lambda each: each[:3])
    return [(note, version) for _, _, _, note, version in listed]


def _version_row(note: Note, version: NoteVersion, place: Place) -> dict[str, Any]:
    return {
        "tenant": place.tenant,
        "scope": place.scope,
        "note": number_of(note),
        "revision": note.revision,
        "now": to_micros(version.ended_at),
        "reason": version.ended_by,
        "version": to_history(note),
    }


def _bring_session(place: Place, session: IncomingSession, revision: int, writing: Writing) -> Work[None]:
    number = session.number
    if number is None or (
        yield session_sql.session_by_id(tenant=place.tenant, scope=place.scope, session=number)
    ):
        number = writing.fresh()
    yield sql.bring_session(
        tenant=place.tenant,
        scope=place.scope,
        session=number,
        name=session.name,
        title=session.title,
        head=session.head,
        count=len(session.items),
        revision=revision,
        distilled=session.distilled,
        metadata=session.metadata,
        created_at=writing.now if session.created_at is None else session.created_at,
        updated_at=writing.now if session.updated_at is None else session.updated_at,
    )
    if session.items:
        yield session_sql.add_item.many(_item_rows(place, number, session.items, revision))
    yield from _bring_operations(place, number, session, revision)
    yield from bring_beside(place, number, session)


def _bring_operations(place: Place, number: int, session: IncomingSession, revision: int) -> Work[None]:
    """Recognise what the other store took: an append that is sent again after the move adds nothing."""
    if session.operations:
        yield sql.bring_operation.many(
            [
                {
                    "tenant": place.tenant,
                    "scope": place.scope,
                    "session": number,
                    "operation": each.operation,
                    "digest": each.digest,
                    "revision": revision,
                    "head": each.head,
                    "count": each.count,
                }
                for each in session.operations
            ]
        )


def operations(namespace: Namespace, name: str) -> Work[list[dict[str, Any]]]:
    """Return the ids by which repeated appends to a session are recognised, as an export has them."""
    log = yield from find_log(namespace, name)
    if log is None:
        return []
    rows = yield sql.operations_of(**log.keys)
    return [
        {"operation": each, "digest": mark, "head": head, "count": count} for each, mark, head, count in rows
    ]


def _item_rows(
    place: Place, session: int, items: list[IncomingItem] | tuple[IncomingItem, ...], revision: int
) -> list[dict[str, Any]]:
    return [
        {
            "tenant": place.tenant,
            "scope": place.scope,
            "session": session,
            "seq": item.seq,
            "body": item.body,
            "at": item.at,
            "speaker": item.speaker,
            "origin": item.origin,
            "revision": revision,
        }
        for item in items
    ]


def _keep_state(place: Place, found: _Sorted, writing: Writing) -> Work[None]:
    keys = {"tenant": place.tenant, "scope": place.scope, "revision": place.revision}
    for profile in found.profiles:
        yield state_sql.add_profile(
            **keys,
            version=profile.version,
            fields=_dump(dict(profile.fields)),
            provenance=_dump({name: each.to_dict() for name, each in profile.provenance.items()}),
            at=writing.now if profile.updated_at is None else to_micros(profile.updated_at),
        )
    if found.records:
        yield state_sql.add_record.many(
            [
                {
                    **keys,
                    "record": writing.fresh(),
                    "kind": record.kind,
                    "value": _dump(dict(record.value)),
                    "at": to_micros(record.at),
                }
                for record in found.records
            ]
        )


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
