"""Destroying, and looking whether anything is left, as units of work."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bethink.documents.paths import parsed
from bethink.errors import NotFoundError
from bethink.ids import note_id, to_number
from bethink.lifecycle.erase.delegations import erase_standing
from bethink.lifecycle.erase.grantee_removal import still_owned, unname
from bethink.lifecycle.erase.redacting import worth_seeking
from bethink.lifecycle.erase.words import holding, made_from, redact, reword_workspaces, still_there
from bethink.notes.rows import from_row
from bethink.notes.transactions import sql as note_sql
from bethink.recall import queries as recall_queries
from bethink.recall.transactions import rewrite
from bethink.scope.transactions import digest, find, note_event, scopes_of, touch
from bethink.scope.transactions import sql as scope_sql
from bethink.sessions.transactions import delete as delete_session
from bethink.sessions.transactions import find_log, tombstone
from bethink.sessions.transactions import sql as session_sql
from bethink.storage.statements import statements
from bethink.storage.work import Statement

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from bethink.lifecycle.erase.words import ItemKey
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Place, Writing
    from bethink.storage.dialect import Dialect
    from bethink.storage.work import Work

sql = statements("bethink.lifecycle.erase")

ITEMS_OF_NOTE = "items of a note"  #: the kind of tombstone of a note that was erased with its items

_TABLES = (
    ("items", "erase_items"),
    ("operations", "erase_operations"),
    ("item_keys", "erase_item_keys"),
    ("item_versions", "erase_item_versions"),
    ("session_details", "erase_session_details"),
    ("documents", "erase_documents"),
    ("document_passages", "erase_document_passages"),
    ("attempts", "erase_attempts"),
    ("turn_usage", "erase_usage"),
    ("summaries", "erase_summaries"),
    ("sessions", "erase_sessions"),
    ("notes", "erase_notes"),
    ("note_history", "erase_history"),
    ("profiles", "erase_profiles"),
    ("records", "erase_records"),
    ("events", "erase_events"),
    ("plans", "erase_plans"),
    ("leases", "erase_leases"),
    ("counters", "erase_counters"),
    ("spend", "erase_spend"),
    ("passage_blocks", "erase_blocks"),
    ("workspace_segments", "erase_workspace_segments"),
    ("workspace_rollouts", "erase_workspace_rollouts"),
    ("workspace_files", "erase_workspace_files"),
    ("workspace_places", "erase_workspace_places"),
    ("webhook_messages", "erase_webhook_messages"),
    ("deliveries", "erase_deliveries"),
    ("event_marks", "erase_event_marks"),
    ("scopes", "erase_scope"),
)


@dataclass(slots=True)
class Erased:
    """What one unit destroyed: counts for the receipt, and texts for the scan, which keeps none of them."""

    counts: dict[str, int] = field(default_factory=dict[str, int])
    texts: set[str] = field(default_factory=set[str])
    digest: str = ""
    scopes: set[int] = field(default_factory=set[int])
    sessions: set[int] = field(default_factory=set[int])
    notes: set[int] = field(default_factory=set[int])
    files: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])  #: directory, path below it
    retained: list[str] = field(default_factory=list[str])  #: what keeps a name, and why, a sentence each
    wordings: tuple[str, ...] = ()  #: of a note: what is looked for in what stays beside it
    within: set[int] = field(default_factory=set[int])  #: scopes in which it is looked for
    items: list[str] = field(default_factory=list[str])  #: ids of items that say it, and stay
    reworded: set[str] = field(default_factory=set[str])  #: names of sessions of which items were redacted
    redacted: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])  #: those items
    looked_through: dict[tuple[str, str], tuple[tuple[str, ...], bool]] = field(
        default_factory=dict[tuple[str, str], tuple[tuple[str, ...], bool]]
    )  #: files by directory and path: the words that they are not to hold, and whether they may be rewritten

    def count(self, table: str, rows: int) -> None:
        """Add destroyed rows of a table."""
        if rows:
            self.counts[table] = self.counts.get(table, 0) + rows

    def join(self, other: Erased) -> None:
        """Add what another unit destroyed."""
        for table, rows in other.counts.items():
            self.count(table, rows)
        self.texts |= other.texts
        self.scopes |= other.scopes
        self.sessions |= other.sessions
        self.notes |= other.notes
        self.files |= other.files
        self.retained += other.retained
        self.wordings = tuple(dict.fromkeys((*self.wordings, *other.wordings)))
        self.within |= other.within
        self.items += other.items
        self.reworded |= other.reworded
        self.redacted |= other.redacted
        self.looked_through |= other.looked_through

    def add(self, value: Any) -> None:
        """Add every text inside a JSON value, however deep."""
        match value:
            case str():
                self.texts.add(value)
            case dict():
                for each in value.values():
                    self.add(each)
            case list() | tuple():
                for each in value:
                    self.add(each)
            case _:
                pass

    def add_json(self, text: str | None) -> None:
        """Add every text inside a JSON text; what cannot be read is a text itself."""
        if text is None:
            return
        try:
            self.add(json.loads(text))
        except ValueError:
            self.texts.add(text)

    def add_plain(self, *texts: str | None) -> None:
        """Add texts as they are."""
        self.texts.update(text for text in texts if text)


def erase_scope(namespace: Namespace, *, writing: Writing) -> Work[Erased]:
    """Destroy everything of a scope, and leave a tombstone."""
    erased = Erased(digest=digest("namespace", str(namespace)))
    place = yield from find(namespace)
    if place is None:
        return erased
    yield from _collect_scope(place, erased)
    keys = {"tenant": place.tenant, "scope": place.scope}
    results = yield sql.erase_task_results(**keys)
    erased.count("task_results", len(results))
    erased.add_plain(*(text for (text,) in results))
    for table, name in _TABLES:
        rows = yield sql.queries[name](**keys)
        erased.count(table, len(rows))
    erased.scopes.add(place.scope)
    yield scope_sql.bury_scope(
        tenant=place.tenant,
        digest=erased.digest,
        revision=place.revision,
        audience=digest("user", place.tenant, namespace.user) if namespace.user else "",
        now=writing.now,
    )
    return erased


def erase_user(tenant: str, user: str, *, writing: Writing) -> Work[Erased]:
    """Destroy everything that any agent keeps of a user, with what was granted to and shared with that user."""
    erased = Erased(digest=digest("user", tenant, user))
    for namespace, _ in (yield from scopes_of(tenant)):
        if namespace.user == user:
            yield from _erase_into(erased, namespace, writing)
    rows = yield scope_sql.remove_grants_to(tenant=tenant, grantee=user)
    erased.count("grants", len(rows))
    erased.count("agents", len((yield sql.erase_agents_of(tenant=tenant, owner=user))))
    erased.count("team_specs", len((yield sql.erase_team_specs_of(tenant=tenant, owner=user))))
    erased.count("answered_requests", len((yield sql.erase_answered_to(tenant=tenant, caller=user))))
    yield from erase_standing(tenant, erased, lambda people, _: user in people)
    yield from unname(tenant, erased, lambda each, _: each == user, writing=writing)
    yield from still_owned(tenant, erased, user)
    yield from _bury(tenant, "user", erased.digest, writing)
    return erased


def erase_tenant(tenant: str, *, writing: Writing) -> Work[Erased]:
    """Destroy everything of a tenant, with its register of pools and teams."""
    erased = Erased(digest=digest("tenant", tenant))
    for namespace, _ in (yield from scopes_of(tenant)):
        yield from _erase_into(erased, namespace, writing)
    yield from erase_standing(tenant, erased, lambda *_: True)
    for table, query in (
        ("grants", scope_sql.erase_grants),
        ("shares", scope_sql.erase_shares),
        ("agents", sql.erase_agents),
        ("team_specs", sql.erase_team_specs),
        ("answered_requests", sql.erase_answered),
        ("work_under_way", sql.erase_under_way),
        ("ended_visits", sql.erase_visits),
        ("jobs", sql.erase_jobs),
        ("deliveries", sql.erase_all_deliveries),
        ("event_marks", sql.erase_all_marks),
    ):
        rows = yield query(tenant=tenant)
        erased.count(table, len(rows))
    yield from _bury(tenant, "tenant", erased.digest, writing)
    return erased


def _erase_into(erased: Erased, namespace: Namespace, writing: Writing) -> Work[None]:
    erased.join((yield from erase_scope(namespace, writing=writing)))


def _bury(tenant: str, kind: str, name: str, writing: Writing) -> Work[None]:
    yield scope_sql.put_tombstone(tenant=tenant, kind=kind, digest=name, revision=0, now=writing.now)


def _collect_scope(place: Place, erased: Erased) -> Work[None]:
    keys = {"tenant": place.tenant, "scope": place.scope}
    for body, speaker in (yield sql.texts_of_items(**keys)):
        erased.add_json(body)
        erased.add_plain(speaker)
    for body, speaker in (yield sql.texts_of_versions(**keys)):
        erased.add_json(body)
        erased.add_plain(speaker)
    for (key,) in (yield sql.texts_of_keys(**keys)):
        erased.add_plain(key)
    for path, key, value in (yield sql.texts_of_documents(**keys)):
        erased.add_plain(*parsed(path), key)
        erased.add_json(value)
    for name, title, metadata in (yield sql.texts_of_sessions(**keys)):
        erased.add_plain(name, title)
        erased.add_json(metadata)
    for text, keywords, metadata, key, context, speaker in (yield sql.texts_of_notes(**keys)):
        erased.add_plain(text, key, context, speaker)
        erased.add_json(keywords)
        erased.add_json(metadata)
    for row in (yield sql.texts_of_plans(**keys)):
        erased.add_json(row[1])
        erased.add_json(row[2])
    for name in ("texts_of_history", "texts_of_profiles", "texts_of_records", "texts_of_summaries"):
        for (text,) in (yield sql.queries[name](**keys)):
            erased.add_json(text)
    yield from _collect_workspaces(keys, erased)


def _collect_workspaces(keys: dict[str, Any], erased: Erased) -> Work[None]:
    for (line,) in (yield sql.texts_of_workspace_segments(**keys)):
        erased.add_json(line)
    for summary, raw in (yield sql.texts_of_workspace_rollouts(**keys)):
        erased.add_plain(summary, raw)
    directories: dict[str, list[str]] = {}
    for workspace, directory in (yield sql.workspace_places(**keys)):
        directories.setdefault(workspace, []).append(directory)
    for workspace, path, content in (yield sql.texts_of_workspace_files(**keys)):
        erased.add_plain(content)
        erased.files.update((directory, path) for directory in directories.get(workspace, ()))


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
    erased = Erased(digest=tombstone(namespace, name))
    log = yield from find_log(namespace, name)
    if log is None:
        raise NotFoundError("no such session in this scope", kind="session", id=name)
    for body, speaker in (yield sql.texts_of_session(**log.keys)):
        erased.add_json(body)
        erased.add_plain(speaker)
    for body, speaker in (yield sql.texts_of_versions_of_session(**log.keys)):
        erased.add_json(body)
        erased.add_plain(speaker)
    for key, _ in (yield session_sql.known_keys(**log.keys)):
        erased.add_plain(key)
    for summary in (yield session_sql.list_summaries(**log.keys)):
        erased.add_json(summary[2])
    erased.add_plain(log.title)
    place = log.place
    for row in (yield note_sql.notes_since(tenant=place.tenant, scope=place.scope, since=0)):
        if row[5] == name and row[0] not in spared:
            yield from _erase_note(place, row[0], erased)
    yield from _erase_plans(place, erased)
    gone = yield from delete_session(namespace, name, keep_notes=True, writing=writing)
    erased.count("items", gone.count)
    erased.count("sessions", 1)
    erased.sessions.add(gone.session)
    messages = yield sql.erase_messages_of_session(tenant=place.tenant, scope=place.scope, session=name)
    erased.count("webhook_messages", len(messages))
    rows = yield from recall_queries.list_blocks(tenant=place.tenant, scope=place.scope)
    erased.count("passage_blocks", (yield from rewrite(place, rows, without(gone.session))))
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
    rows = yield note_sql.find_note(tenant=place.tenant, scope=place.scope, note=number or 0)
    if not rows or number is None:
        raise NotFoundError("no such note in this scope", kind="note", id=word)
    erased = Erased(digest=digest("note", str(namespace), word))
    note = from_row(rows[0])
    closed, drawn = yield from made_from(place, note)
    told = [note.text]
    for each in (note, *closed):
        told += yield from _erase_note(place, to_number("n", each.id) or 0, erased)
    erased.wordings = worth_seeking(told)
    erased.within.add(place.scope)
    yield from _erase_plans(place, erased)
    held = yield from holding(place, erased.wordings)
    if items:
        yield from redact(namespace, drawn, held, erased, writing=writing)
    else:
        erased.items = yield from still_there(place, drawn | held)
    yield from reword_workspaces(place, [note, *closed], erased, log=items)
    blocks = yield from recall_queries.list_blocks(tenant=place.tenant, scope=place.scope)
    erased.count(
        "passage_blocks", (yield from rewrite(place, blocks, without(erased.notes, erased.redacted)))
    )
    for kind in ("note", ITEMS_OF_NOTE) if items else ("note",):
        yield scope_sql.put_tombstone(
            tenant=place.tenant, kind=kind, digest=erased.digest, revision=place.revision, now=writing.now
        )
    yield from note_event(place, writing, "note.erased", {"notes": [word]})
    return erased


def _erase_note(place: Place, number: int, erased: Erased) -> Work[list[str]]:
    """Destroy a note with its history; return what it said, in every wording."""
    told: list[str] = []
    keys = {"tenant": place.tenant, "scope": place.scope, "note": number}
    for row in (yield note_sql.find_note(**keys)):
        told.append(row[2])
        erased.add_plain(row[1], row[2], *row[18:20])
        erased.add_json(row[4])
        erased.add_json(row[17])
    history = yield note_sql.list_history(**keys)
    for row in history:
        erased.add_json(row[4])
        told.append(json.loads(row[4])["text"])
    yield note_sql.remove_note(**keys)
    yield note_sql.remove_note_history(**keys)
    erased.count("notes", 1)
    erased.count("note_history", len(history))
    erased.count("deliveries", len((yield sql.erase_deliveries_of_note(**keys))))
    erased.notes.add(number)
    return told


def _erase_plans(place: Place, erased: Erased) -> Work[None]:
    """Destroy the plans that quote a note which was destroyed: they cannot be undone without it."""
    words = [note_id(number) for number in erased.notes]
    for plan, body, before in (yield sql.texts_of_plans(tenant=place.tenant, scope=place.scope)):
        if any(f'"{word}"' in text for word in words for text in (body, before)):
            erased.add_json(body)
            erased.add_json(before)
            yield sql.erase_plan(tenant=place.tenant, scope=place.scope, plan=plan)
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


def holders(windows: Iterable[bytes], dialect: Dialect) -> Work[tuple[set[bytes], dict[str, int]]]:
    """Say which windows of erased texts stand in surviving rows, and in which tables."""
    columns: dict[str, list[str]] = {}
    for table, column, text in (yield Statement(dialect.catalogue, {})):
        if text and column != "tenant_id":
            columns.setdefault(table, []).append(column)
    held: set[bytes] = set()
    tables: dict[str, int] = {}
    for window in windows:
        needle = window.decode("utf-8", "ignore")
        for table, names in columns.items():
            places = " or ".join(f'{dialect.position}("{name}", :needle) > 0' for name in names)
            rows = yield Statement(f'select 1 from "{table}" where {places} limit 1', {"needle": needle})
            if rows:
                held.add(window)
                tables[table] = tables.get(table, 0) + 1
                break
    return held, tables
