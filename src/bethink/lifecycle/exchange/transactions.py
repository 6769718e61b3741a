"""Import of a scope's export as one unit of work: all or nothing."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bethink.documents.exports import bring_documents, is_there
from bethink.errors import ConflictError
from bethink.lifecycle.exchange.profiles import join
from bethink.lifecycle.exchange.values import Imported, Loss
from bethink.lifecycle.exchange.workspaces import IncomingWorkspaces, SortedWorkspaces, new_in_workspaces
from bethink.lifecycle.exchange.workspaces import store_workspaces as kept_workspaces
from bethink.notes.transactions import store_all, written_since
from bethink.scope.namespace import Namespace
from bethink.scope.tombstones import (
    Tombstone,
    all_tombstones,
    enclosing_marks,
    of_note,
    of_session,
    remove_tombstone,
)
from bethink.scope.transactions import ScopeRow, advance, find, note_event, touch
from bethink.sessions.log_items import entries_after
from bethink.sessions.log_lookup import find_in
from bethink.sessions.session_import import bring_details, extend_session, import_session
from bethink.state.transactions import all_records, bring_state, current
from bethink.times import to_micros

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bethink.documents.exports import IncomingDocument
    from bethink.lifecycle.exchange.values import Incoming
    from bethink.notes.values import Note, NoteVersion
    from bethink.scope.transactions import Writing
    from bethink.sessions.log_lookup import SessionRow
    from bethink.sessions.session_import import IncomingItem, IncomingSession
    from bethink.state.transactions import Record
    from bethink.state.values import Profile
    from bethink.storage.work import Work

_LIVE = frozenset({"active", "quarantined"})


@dataclass(slots=True)
class _Sorted:
    """What of a file is new, and what became of the rest."""

    notes: list[Note] = field(default_factory=list["Note"])
    history: list[NoteVersion] = field(default_factory=list["NoteVersion"])
    sessions: list[IncomingSession] = field(default_factory=list["IncomingSession"])
    longer: list[tuple[SessionRow, list[IncomingItem], IncomingSession]] = field(
        default_factory=list["tuple[SessionRow, list[IncomingItem], IncomingSession]"]
    )
    profiles: list[Profile] = field(default_factory=list["Profile"])
    records: list[Record] = field(default_factory=list["Record"])
    documents: list[IncomingDocument] = field(default_factory=list["IncomingDocument"])
    workspaces: SortedWorkspaces = field(default_factory=SortedWorkspaces)
    lifted: list[Tombstone] = field(default_factory=list[Tombstone])
    known: Counter[str] = field(default_factory=Counter[str])
    losses: list[Loss] = field(default_factory=list[Loss])


@dataclass(slots=True)
class _Tombstones:
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
    found.workspaces = yield from new_in_workspaces(
        place, incoming.workspaces or IncomingWorkspaces(), graves.cover
    )
    found.known["workspaces"] += found.workspaces.known
    found.losses += found.workspaces.losses
    yield from _sort_documents(place, incoming, graves, found)
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


def _graves(namespace: Namespace, incoming: Incoming, *, revive: bool) -> Work[_Tombstones]:
    marks = {(each.kind, each.digest): each for each in (yield from all_tombstones(namespace.tenant))}
    ours = enclosing_marks(namespace)
    whole = [marks[mark] for mark in ours if mark in marks]
    graves = _Tombstones(namespace, marks, None, revive)
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
        whole += [marks[mark] for mark in enclosing_marks(origin) if mark in marks]
    graves.scope = max((stone.at for stone in whole), default=None)
    return graves


def _sort_notes(
    place: ScopeRow | None, incoming: Incoming, graves: _Tombstones, found: _Sorted
) -> Work[None]:
    here: list[Note] = []
    if place is not None:
        here = yield from written_since(place, 0)
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
    namespace: Namespace, place: ScopeRow | None, incoming: Incoming, graves: _Tombstones, found: _Sorted
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
        here = {row.seq: row.body for row in (yield from entries_after(log.place, log.session, 0))}
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


def _sort_profile(
    namespace: Namespace, incoming: Incoming, graves: _Tombstones, found: _Sorted
) -> Work[None]:
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


def _sort_records(
    namespace: Namespace, incoming: Incoming, graves: _Tombstones, found: _Sorted
) -> Work[None]:
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


def _sort_documents(
    place: ScopeRow | None, incoming: Incoming, graves: _Tombstones, found: _Sorted
) -> Work[None]:
    """Tell which documents are new here; one of the same name stays as it is."""
    for each in incoming.documents:
        document = each.document
        if place is not None and (yield from is_there(place, document)):
            found.known["documents"] += 1
        elif graves.cover(to_micros(document.updated_at)):
            found.losses.append(
                Loss(kind="document", reason="erased", id="/".join((*document.path, document.key)))
            )
        else:
            found.documents.append(each)


# ---- writing it ------------------------------------------------------------------------------------------------------


def _keep(namespace: Namespace, found: _Sorted, kept: Mapping[str, int], writing: Writing) -> Work[None]:
    place = yield from touch(namespace, writing)
    written = _in_order(found)
    amount = len(written) + len(found.sessions) + len(found.longer)
    if amount:
        yield from advance(place, amount)
    stamped = [
        (replace(note, revision=revision), version)
        for revision, (note, version) in enumerate(written, place.revision + 1)
    ]
    yield from store_all(place, stamped)
    revision = place.revision + len(written)
    for session in sorted(found.sessions, key=lambda each: (each.updated_at or writing.now, each.name)):
        revision += 1
        yield from import_session(place, session, revision, writing=writing)
    for log, items, brought in found.longer:
        revision += 1
        yield from extend_session(log, items, brought, revision, now=writing.now)
    yield from bring_details(
        place, [*found.sessions, *(brought for _, _, brought in found.longer)], now=writing.now
    )
    yield from bring_state(place, found.profiles, found.records, writing=writing)
    yield from bring_documents(place, found.documents)
    yield from kept_workspaces(
        namespace,
        place,
        found.workspaces,
        {note.id for note in found.notes if note.status == "active"},
        writing=writing,
    )
    for stone in found.lifted:
        yield from remove_tombstone(place.tenant, stone)
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
