"""Erasure and its verification as units of work."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bethink.documents.paths import path_labels
from bethink.errors import NotFoundError
from bethink.ids import note_id, to_number
from bethink.lifecycle.erase import queries
from bethink.lifecycle.erase.delegations import erase_delegations
from bethink.lifecycle.erase.erased import Erased
from bethink.lifecycle.erase.grantee_removal import remove_grantee, still_owned
from bethink.lifecycle.erase.note_text_removal import (
    items_containing,
    made_from,
    redact,
    reword_workspaces,
    still_there,
)
from bethink.lifecycle.erase.redacting import worth_seeking
from bethink.notes import transactions as notes
from bethink.notes.rows import number_of
from bethink.recall.transactions import rewrite
from bethink.scope.tombstones import Tombstone, of_session, put, set_scope_tombstone
from bethink.scope.transactions import digest, find, note_event, scopes_of, touch
from bethink.sessions.log_lookup import find_log
from bethink.sessions.log_removal import delete as delete_session
from bethink.storage.work import Statement

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from bethink.lifecycle.erase.erased import ItemKey
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.storage.dialect import Dialect
    from bethink.storage.work import Work

ITEMS_OF_NOTE = "items of a note"  #: the kind of tombstone of a note that was erased with its items

_TABLES = (
    ("items", queries.erase_items),
    ("operations", queries.erase_operations),
    ("item_keys", queries.erase_item_keys),
    ("item_versions", queries.erase_item_versions),
    ("session_details", queries.erase_session_details),
    ("documents", queries.erase_documents),
    ("document_passages", queries.erase_document_passages),
    ("attempts", queries.erase_attempts),
    ("turn_usage", queries.erase_usage),
    ("summaries", queries.erase_summaries),
    ("sessions", queries.erase_sessions),
    ("notes", queries.erase_notes),
    ("note_history", queries.erase_history),
    ("profiles", queries.erase_profiles),
    ("records", queries.erase_records),
    ("events", queries.erase_events),
    ("plans", queries.erase_plans),
    ("leases", queries.erase_leases),
    ("counters", queries.erase_counters),
    ("spend", queries.erase_spend),
    ("passage_blocks", queries.erase_blocks),
    ("workspace_segments", queries.erase_workspace_segments),
    ("workspace_rollouts", queries.erase_workspace_rollouts),
    ("workspace_files", queries.erase_workspace_files),
    ("workspace_places", queries.erase_workspace_places),
    ("webhook_messages", queries.erase_webhook_messages),
    ("deliveries", queries.erase_deliveries),
    ("event_marks", queries.erase_event_marks),
    ("scopes", queries.erase_scope),
)


def erase_scope(namespace: Namespace, *, writing: Writing) -> Work[Erased]:
    """Destroy everything of a scope, and leave a tombstone."""
    erased = Erased(digest=digest("namespace", str(namespace)))
    place = yield from find(namespace)
    if place is None:
        return erased
    yield from _collect_scope(place, erased)
    results = yield from queries.erase_task_results(**place.keys)
    erased.count("task_results", len(results))
    erased.add_plain(*results)
    for table, erase in _TABLES:
        erased.count(table, (yield from erase(**place.keys)))
    erased.scopes.add(place.scope)
    yield from set_scope_tombstone(place, namespace, now=writing.now)
    return erased


def erase_user(tenant: str, user: str, *, writing: Writing) -> Work[Erased]:
    """Destroy everything that any agent keeps of a user, with what was granted to and shared with that user."""
    erased = Erased(digest=digest("user", tenant, user))
    for namespace, _ in (yield from scopes_of(tenant)):
        if namespace.user == user:
            yield from _erase_into(erased, namespace, writing)
    erased.count("grants", (yield from queries.erase_grants_to(tenant=tenant, grantee=user)))
    erased.count("agents", (yield from queries.erase_agents_of(tenant=tenant, owner=user)))
    erased.count("team_specs", (yield from queries.erase_team_specs_of(tenant=tenant, owner=user)))
    erased.count("answered_requests", (yield from queries.erase_answered_to(tenant=tenant, caller=user)))
    yield from erase_delegations(tenant, erased, lambda people, _: user in people)
    yield from remove_grantee(tenant, erased, lambda each, _: each == user, writing=writing)
    yield from still_owned(tenant, erased, user)
    yield from _bury(tenant, "user", erased.digest, writing)
    return erased


def erase_tenant(tenant: str, *, writing: Writing) -> Work[Erased]:
    """Destroy everything of a tenant, with its register of pools and teams."""
    erased = Erased(digest=digest("tenant", tenant))
    for namespace, _ in (yield from scopes_of(tenant)):
        yield from _erase_into(erased, namespace, writing)
    yield from erase_delegations(tenant, erased, lambda _people, _since: True)
    for table, erase in (
        ("grants", queries.erase_grants),
        ("shares", queries.erase_shares),
        ("agents", queries.erase_agents),
        ("team_specs", queries.erase_team_specs),
        ("answered_requests", queries.erase_answered),
        ("work_under_way", queries.erase_under_way),
        ("ended_visits", queries.erase_visits),
        ("jobs", queries.erase_jobs),
        ("deliveries", queries.erase_all_deliveries),
        ("event_marks", queries.erase_all_marks),
    ):
        erased.count(table, (yield from erase(tenant=tenant)))
    yield from _bury(tenant, "tenant", erased.digest, writing)
    return erased


def _erase_into(erased: Erased, namespace: Namespace, writing: Writing) -> Work[None]:
    erased.join((yield from erase_scope(namespace, writing=writing)))


def _bury(tenant: str, kind: str, name: str, writing: Writing) -> Work[None]:
    yield from put(tenant, Tombstone(kind=kind, digest=name, revision=0, at=writing.now))


def _collect_scope(place: ScopeRow, erased: Erased) -> Work[None]:
    keys = place.keys
    for entry in (
        *(yield from queries.texts_of_items(**keys)),
        *(yield from queries.texts_of_versions(**keys)),
    ):
        erased.add_json(entry.body)
        erased.add_plain(entry.speaker)
    erased.add_plain(*(yield from queries.texts_of_keys(**keys)))
    for document in (yield from queries.texts_of_documents(**keys)):
        erased.add_plain(*path_labels(document.path), document.key)
        erased.add_json(document.value)
    for session in (yield from queries.texts_of_sessions(**keys)):
        erased.add_plain(session.name, session.title)
        erased.add_json(session.metadata)
    for note in (yield from queries.texts_of_notes(**keys)):
        erased.add_plain(note.text, note.key, note.context, note.speaker)
        erased.add_json(note.keywords)
        erased.add_json(note.metadata)
    for plan in (yield from queries.texts_of_plans(**keys)):
        erased.add_json(plan.plan)
        erased.add_json(plan.before)
    for read in (
        queries.texts_of_history,
        queries.texts_of_profiles,
        queries.texts_of_records,
        queries.texts_of_summaries,
    ):
        for text in (yield from read(**keys)):
            erased.add_json(text)
    yield from _collect_workspaces(place, erased)


def _collect_workspaces(place: ScopeRow, erased: Erased) -> Work[None]:
    for line in (yield from queries.texts_of_workspace_segments(**place.keys)):
        erased.add_json(line)
    for rollout in (yield from queries.texts_of_workspace_rollouts(**place.keys)):
        erased.add_plain(rollout.summary, rollout.raw)
    directories: dict[str, list[str]] = {}
    for row in (yield from queries.workspace_places(**place.keys)):
        directories.setdefault(row.workspace, []).append(row.directory)
    for file in (yield from queries.texts_of_workspace_files(**place.keys)):
        erased.add_plain(file.content)
        erased.files.update((directory, file.path) for directory in directories.get(file.workspace, ()))


def erase_session(
    namespace: Namespace,
    name: str,
    *,
    without: Callable[[int], Callable[[bytes], tuple[bytes | None, int] | None]],
    writing: Writing,
    spared: Collection[int] = (),
) -> Work[Erased]:
    """Destroy a session with all notes that were made in it but the spared ones, and leave a tombstone.

    Raises:
        NotFoundError: there is no such session.
    """
    erased = Erased(digest=of_session(namespace, name))
    log = yield from find_log(namespace, name)
    if log is None:
        raise NotFoundError("no such session in this scope", kind="session", id=name)
    entries = yield from queries.texts_of_session(**log.keys)
    earlier = yield from queries.texts_of_versions_of_session(**log.keys)
    for entry in (*entries, *earlier):
        erased.add_json(entry.body)
        erased.add_plain(entry.speaker)
    erased.add_plain(*(yield from queries.texts_of_keys_of_session(**log.keys)))
    for items in (yield from queries.texts_of_summaries_of_session(**log.keys)):
        erased.add_json(items)
    erased.add_plain(log.title)
    place = log.place
    for note in (yield from notes.written_since(place, 0)):
        if note.session == name and number_of(note) not in spared:
            yield from _erase_note(place, number_of(note), erased)
    yield from _erase_plans(place, erased)
    gone = yield from delete_session(namespace, name, keep_notes=True, writing=writing)
    erased.count("items", gone.count)
    erased.count("sessions", 1)
    erased.sessions.add(gone.session)
    messages = yield from queries.erase_messages_of_session(**place.keys, session=name)
    erased.count("webhook_messages", messages)
    erased.count("passage_blocks", (yield from rewrite(place, without(gone.session))))
    return erased


def erase_note(
    namespace: Namespace,
    word: str,
    *,
    without: Callable[
        [Collection[int], Collection[ItemKey]], Callable[[bytes], tuple[bytes | None, int] | None]
    ],
    writing: Writing,
    items: bool = False,
) -> Work[Erased]:
    """Destroy a note with its history and the notes that it was made from, and leave a tombstone.

    Its words go from the files and summaries of workspaces. With `items` they go from the log too: the items that it
    was drawn from are emptied, and its words are taken out of others. Without, those items are named.

    Raises:
        NotFoundError: there is no such note.
    """
    number = to_number("n", word)
    place = yield from touch(namespace, writing)
    note = None if number is None else (yield from notes.by_number(place, number))
    if note is None:
        raise NotFoundError("no such note in this scope", kind="note", id=word)
    erased = Erased(digest=digest("note", str(namespace), word))
    closed, drawn = yield from made_from(place, note)
    texts = [note.text]
    for each in (note, *closed):
        texts += yield from _erase_note(place, number_of(each), erased)
    erased.wordings = worth_seeking(texts)
    erased.within.add(place.scope)
    yield from _erase_plans(place, erased)
    held = yield from items_containing(place, erased.wordings)
    if items:
        yield from redact(namespace, drawn, held, erased, writing=writing)
    else:
        erased.items = yield from still_there(place, drawn | held)
    yield from reword_workspaces(place, [note, *closed], erased, log=items)
    erased.count("passage_blocks", (yield from rewrite(place, without(erased.notes, erased.redacted))))
    for kind in ("note", ITEMS_OF_NOTE) if items else ("note",):
        yield from put(
            place.tenant,
            Tombstone(kind=kind, digest=erased.digest, revision=place.revision, at=writing.now),
        )
    yield from note_event(place, writing, "note.erased", {"notes": [word]})
    return erased


def _erase_note(place: ScopeRow, number: int, erased: Erased) -> Work[list[str]]:
    """Destroy a note with its history; return what it said, in every wording."""
    texts: list[str] = []
    row, history = yield from notes.destroy(place, number)
    if row is not None:
        texts.append(row.text)
        erased.add_plain(row.key, row.text, row.context, row.speaker)
        erased.add_json(row.keywords)
        erased.add_json(row.metadata)
    for version in history:
        erased.add_json(version.note)
        texts.append(json.loads(version.note)["text"])
    erased.count("notes", 1)
    erased.count("note_history", len(history))
    erased.count("deliveries", (yield from queries.erase_deliveries_of_note(**place.keys, note=number)))
    erased.notes.add(number)
    return texts


def _erase_plans(place: ScopeRow, erased: Erased) -> Work[None]:
    """Destroy the plans that quote a note which was destroyed: they cannot be undone without it."""
    words = [note_id(number) for number in erased.notes]
    for row in (yield from queries.texts_of_plans(**place.keys)):
        if any(f'"{word}"' in text for word in words for text in (row.plan, row.before)):
            erased.add_json(row.plan)
            erased.add_json(row.before)
            yield from queries.erase_plan(**place.keys, plan=row.plan_id)
            erased.count("plans", 1)


def leftovers(tenant: str, erased: Erased, dialect: Dialect) -> Work[tuple[dict[str, int], tuple[str, ...]]]:
    """Count rows that still belong to what was erased, in every table that the catalogue lists.

    The tables come from the database itself: one that the eraser forgot, or does not know, is looked through too.
    """
    columns: dict[str, dict[str, bool]] = {}
    for table, column, text in (yield Statement(dialect.catalogue, {})):
        columns.setdefault(table, {})[column] = bool(text)
    found: dict[str, int] = {}
    for table, names in columns.items():
        if "tenant_id" not in names:
            continue
        for column, numbers in (
            ("scope_id", erased.scopes),
            ("session_id", erased.sessions),
            ("note_id", erased.notes),
        ):
            if column not in names:
                continue
            for number in numbers:
                text = f'select count(*) from "{table}" where tenant_id = :tenant and "{column}" = :number'
                ((count,),) = yield Statement(text, {"tenant": tenant, "number": number})
                if count:
                    found[table] = found.get(table, 0) + count
    return found, tuple(sorted(columns))


def rows_containing(windows: Iterable[bytes], dialect: Dialect) -> Work[tuple[set[bytes], dict[str, int]]]:
    """Say which windows of erased texts stand in surviving rows, and in which tables, or in the schema itself.

    A session that was called "quarantined", and a status of an earlier version, are words of the schema as well.
    """
    columns: dict[str, list[str]] = {}
    for table, column, text in (yield Statement(dialect.catalogue, {})):
        if text and column != "tenant_id":
            columns.setdefault(table, []).append(column)
    held: set[bytes] = set()
    tables: dict[str, int] = {}
    schema = [text for (text,) in (yield Statement(dialect.definitions, {}))] if dialect.definitions else []
    for window in windows:
        needle = window.decode("utf-8", "ignore")
        if any(needle in text for text in schema):
            held.add(window)
            continue
        for table, names in columns.items():
            places = " or ".join(f'{dialect.position}("{name}", :needle) > 0' for name in names)
            rows = yield Statement(f'select 1 from "{table}" where {places} limit 1', {"needle": needle})
            if rows:
                held.add(window)
                tables[table] = tables.get(table, 0) + 1
                break
    return held, tables
