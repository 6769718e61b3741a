"""Conformance of tenant isolation: look for anything that crosses from one tenant to another.

Two tenants of one database have users, sessions and keys of the very same names. Everything that one of them can
do is done, and then the rows of the other are compared, and whatever was answered is searched for its words.

    class TestMine(IsolationConformance):
        @pytest.fixture
        def open_tenant(self, url): return lambda tenant: AwaitedStore(open_driver(url, tenant=tenant))
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast

import pytest

from bethink.documents import transactions as documents
from bethink.errors import BethinkError
from bethink.ids import to_number, to_text
from bethink.json_kinds import is_object
from bethink.lifecycle import consolidation_input, daily_counts, leases, plan_history
from bethink.lifecycle.erase import transactions as erase
from bethink.notes import transactions as notes
from bethink.notes.as_of import active_at
from bethink.notes.values import NewNote
from bethink.recall import transactions as recall
from bethink.scope import overdue, shares, tombstones
from bethink.scope import transactions as scopes
from bethink.scope.namespace import Namespace
from bethink.scope.values import Principal, Rights
from bethink.server.background import transactions as background
from bethink.server.background.values import Every, JobOutcome, Result, TaskSpec
from bethink.server.delegation import Delegation
from bethink.server.webhooks import event_recording, events
from bethink.server.webhooks import transactions as webhooks
from bethink.server.webhooks.events import Target
from bethink.server.webhooks.values import Secret, SubscriptionSpec, WebhookSpec
from bethink.sessions import (
    expiry,
    items_by_key,
    log_append,
    log_bodies,
    log_fork,
    log_items,
    log_lookup,
    log_removal,
    repeated_turns,
    turn_commit,
)
from bethink.sessions.recent_items_cache import RecentItemsCache
from bethink.state import transactions as state
from bethink.state.values import Profile  # noqa: TC001 - a rule of a deed has it
from bethink.storage.stores import AwaitedStore  # noqa: TC001 - pytest and readers see it in the fixtures
from bethink.storage.work import Rows, Statement, Work
from bethink.testing import workspaces
from bethink.testing.storage import Conformance
from bethink.testing.writings import SECOND, START, PredictableWrites, message
from bethink.times import to_datetime

ALPHA, BETA = "alpha-owned", "beta-owned"  #: the tenants, and the word that all their texts hold


@dataclass(frozen=True, slots=True)
class Actor:
    """One tenant at work: its own store, and the tenant that its units name."""

    store: AwaitedStore
    tenant: str  #: what the units name: its own tenant, unless it claims to be another
    word: str  #: what its texts hold
    writing: PredictableWrites

    @property
    def alice(self) -> Namespace:
        """Return the namespace of a user who exists in both tenants."""
        return Namespace(tenant=self.tenant, name="concierge", user="alice")

    @property
    def pool(self) -> Namespace:
        """Return a pool that exists in both tenants."""
        return Namespace(tenant=self.tenant, kind="pool", name="org:docs")

    async def write(self, work: Callable[..., Work[Any]], *args: Any, **options: Any) -> Any:
        """Run a unit that writes."""
        return await self.store.write(work, *args, **options)

    async def change(self, work: Callable[..., Work[Any]], *args: Any, **options: Any) -> Any:
        """Run a unit that writes and wants a `writing`."""
        return await self.store.write(work, *args, writing=self.writing(), **options)

    async def read(self, work: Callable[..., Work[Any]], *args: Any, **options: Any) -> Any:
        """Run a unit that reads."""
        return await self.store.read(work, *args, **options)


Operation: TypeAlias = "Callable[[Actor], Awaitable[Any]]"


def _append(a: Actor, **options: Any) -> Awaitable[Any]:
    items = [message(f"{a.word} says hello"), message(f"{a.word} is answered", "assistant")]
    return a.change(log_append.append, a.alice, "trip", items, **options)


def _append_keyed(a: Actor) -> Awaitable[Any]:
    return a.change(log_append.append, a.alice, "trip", [message(f"{a.word} has a key")._replace(key="k1")])


def _document(a: Actor) -> Awaitable[Any]:
    passage = documents.Passage("$", f"{a.word} reads this.", "", None)
    put = documents.Put(("docs", "of"), "one", f'"{a.word} wrote this."', None, None, 10**15, [passage])
    return a.change(documents.put, a.alice, [put])


def _remember(a: Actor, **fields: Any) -> Awaitable[Any]:
    return a.change(notes.remember, a.alice, NewNote(text=f"{a.word} prefers the aisle.", **fields))


def _at_home(word: str) -> Callable[[Profile], Profile]:
    def rule(known: Profile) -> Profile:
        return replace(known, fields={"home": word})

    return rule


def _one(_bodies: list[Any]) -> int:
    return 1


def _untouched(_gone: int) -> Callable[[bytes], None]:
    def rewrite(_payload: bytes) -> None:
        return None

    return rewrite


def _profile(a: Actor) -> Awaitable[Any]:
    return a.change(state.change, a.alice, _at_home(a.word), expected=None)


HOOK, BEAT, NEWS = 7, 8, 9  #: numbers of a webhook, a task and a subscription that exist in both tenants


def _webhook(a: Actor) -> Awaitable[Any]:
    spec = WebhookSpec(description=f"{a.word} orders")
    secrets = [Secret(kept=f"{a.word} secret", since=START)]
    delegation = Delegation("alice", (a.word,))
    return a.write(
        webhooks.put_webhook, a.tenant, HOOK, ("alice", "concierge"), delegation, spec, secrets, now=START
    )


def _claim(a: Actor, until: int = START + 1_000 * SECOND) -> Awaitable[Any]:
    return a.change(
        webhooks.claim_message, a.alice, HOOK, "digest", f"{a.word} inbox", until=until, before=START
    )


def _task(a: Actor) -> Awaitable[Any]:
    spec = TaskSpec(prompt=f"{a.word} prompt", schedule=Every(seconds=60))
    return a.write(
        background.put_task,
        a.tenant,
        BEAT,
        ("alice", "concierge"),
        "beat",
        Delegation("alice"),
        spec,
        now=START,
    )


def _result(a: Actor) -> Awaitable[Any]:
    at = to_datetime(START)
    result = Result(status="done", started_at=at, ended_at=at, text=f"{a.word} result")
    return a.change(background.put_result, a.alice, BEAT, result)


def _subscription(a: Actor) -> Awaitable[Any]:
    return a.write(
        webhooks.put_subscription,
        a.tenant,
        NEWS,
        Delegation("alice"),
        f"https://{a.word}.example",
        SubscriptionSpec(everything=True),
        [Secret(kept=f"{a.word} secret", since=START)],
        now=START,
    )


async def _listen(a: Actor) -> Any:
    """Queue what happened in every scope, as a worker does."""
    spec = SubscriptionSpec(everything=True)
    targets = [Target(word=to_text("s", NEWS), delegation=Delegation("alice"), spec=spec, since=START)]
    fresh = a.writing.fresh
    for row in await a.read(events.changed_scopes, a.tenant, limit=100):
        await a.write(events.collect_events, a.tenant, row, targets, fresh=fresh, now=START)
    return await a.write(events.collect_erasures, a.tenant, targets, fresh=fresh, now=START)


async def _settle_delivery(a: Actor) -> Any:
    found = await a.read(webhooks.due_deliveries, a.tenant, now=START + 1_000 * SECOND, limit=10)
    for each in found:
        await a.write(
            webhooks.put_delivery, a.tenant, each, "dead", due=START, status=500, error=a.word, now=START
        )
        await a.write(webhooks.retry, a.tenant, each.target, each.id, now=START)
        await a.write(webhooks.remove_received, a.tenant, [each])
    return [each.subject for each in found]


async def _finish(a: Actor) -> Any:
    ended = JobOutcome(status="done", outcome={"by": a.word}, due_at=START, pause=1)
    return await a.write(background.release_job, a.tenant, "work", "somebody", ended, now=START)


def _stone(revision: int, at: int) -> tombstones.Tombstone:
    return tombstones.Tombstone(kind="session", digest="gone", revision=revision, at=at)


def _found(a: Actor) -> Work[dict[str, Any]]:
    log = yield from log_lookup.find_log(a.alice, "trip")
    return {} if log is None else {"name": log.name, "title": log.title, "head": log.head}


def _held(a: Actor) -> Work[Any]:
    place = yield from scopes.find(a.alice)
    return None if place is None else (yield from scopes.lock_scope(a.tenant, place.scope))


def _numbered(a: Actor) -> Work[Any]:
    place = yield from scopes.find(a.alice)
    return None if place is None else (yield from scopes.scope_numbered(a.tenant, place.scope))


def _recalled(a: Actor) -> Work[dict[str, Any]]:
    place = yield from scopes.find(a.alice)
    log = yield from log_lookup.find_log(a.alice, "trip")
    every = yield from notes.listing(a.alice, now=START, everywhere=True, status=None)
    if place is None or log is None:
        return {}
    numbers = [to_number("n", note.id) or 0 for note in every[0]]
    found = yield from recall.fetch(place, numbers, [(log.session, seq) for seq in range(20)], {})
    return {"notes": [note.text for note in found[0].values()], "items": [str(i) for i in found[1].values()]}


SEED: list[Operation] = [
    lambda a: a.change(shares.create, a.pool, f"{a.word} owner"),
    lambda a: a.change(shares.grant, a.pool, f"{a.word} guest", Rights(read=True), principal=None),
    lambda a: _append(a, operation="op-1"),
    _document,
    _append_keyed,
    lambda a: a.change(items_by_key.replace, a.alice, "trip", "k1", message(f"{a.word} was redacted")),
    lambda a: a.change(expiry.keep_for, a.alice, "trip", 10**15),
    lambda a: a.change(log_fork.fork, a.alice, "trip", None, f"{a.word} fork"),
    lambda a: a.change(log_lookup.relabel, a.alice, "trip", title=f"{a.word} trip", metadata=None),
    lambda a: a.change(turn_commit.record_attempt, a.alice, "trip", error=f"{a.word} error", calls=["book"]),
    lambda a: _remember(a, key="seat", keywords=("seat",)),
    lambda a: _remember(a, key="seat", metadata={"of": a.word}),
    lambda a: _remember(a, category="conversation", session="trip"),
    lambda a: a.change(notes.remember, a.pool, NewNote(text=f"{a.word} shares this.", key="doc")),
    _profile,
    lambda a: a.change(state.add_record, a.alice, "trip", {"to": a.word}, START),
    lambda a: a.change(leases.take_lease, a.alice, "work", "somebody", START + 10_000 * SECOND),
    lambda a: a.change(daily_counts.count, a.alice, {f"{a.word} count": 3, "the same count": 5}),
    lambda a: a.change(
        daily_counts.add_tokens, a.alice, f"{a.word} call", calls=1, tokens_in=5, tokens_out=7
    ),
    lambda a: a.write(tombstones.put, a.tenant, _stone(a.writing.fresh(), START)),
    _webhook,
    _claim,
    _task,
    _result,
    _subscription,
    lambda a: a.write(background.add_job, a.tenant, "work", START),
    lambda a: a.write(
        background.claim_job, a.tenant, "work", "somebody", until=START + 10_000 * SECOND, now=START
    ),
    _listen,
    *workspaces.SEED,
]

#: Everything that can be done, by name; what is done to the same names of the other tenant must not be felt.
OPERATIONS: dict[str, Operation] = {
    "find a scope": lambda a: a.read(scopes.find, a.alice),
    "list scopes": lambda a: a.read(scopes.scopes_of, a.tenant),
    "list the scopes of a user": lambda a: a.read(scopes.scopes_of_user, a.tenant, a.alice.user),
    "find a scope by its number": lambda a: a.read(_numbered, a),
    "list the scopes of an agent": lambda a: a.read(
        scopes.children, Namespace(tenant=a.tenant, name="concierge")
    ),
    "list what stands in for a scope": lambda a: a.read(
        notes.standing_in, Namespace(tenant=a.tenant, name="concierge", user="ann"), now=START
    ),
    "touch a scope": lambda a: a.write(scopes.touch, a.alice, a.writing()),
    "read a pool": lambda a: a.read(shares.registered, a.pool),
    "hold a scope": lambda a: a.write(_held, a),
    "list the namespaces of pools": lambda a: a.read(shares.all_shares, a.tenant),
    "list pools": lambda a: a.read(shares.listing, "pool", a.tenant),
    "register a pool": lambda a: a.change(shares.create, a.pool, f"{a.word} thief"),
    "grant a pool": lambda a: a.change(shares.grant, a.pool, "thief", Rights(admin=True), principal=None),
    "check a right": lambda a: a.read(shares.check_share, Principal(f"{a.word} guest"), "read", a.pool),
    "read with a right": lambda a: a.read(
        shares.with_right, None, "read", a.tenant, notes.get, a.pool, "doc", now=START
    ),
    "change with a right, and ask for the answer": lambda a: a.change(
        shares.with_right_and_read,
        None,
        "write",
        a.tenant,
        notes.change,
        a.pool,
        "doc",
        "forgotten",
        status="forgotten",
    ),
    "unregister a pool": lambda a: a.write(shares.unregister, a.pool, principal=None),
    "append": _append,
    "put a document": _document,
    "find a document": lambda a: a.read(documents.get, a.alice, ("docs", "of"), "one", now=START),
    "refresh a document": lambda a: a.change(documents.refresh, a.alice, ("docs", "of"), "one"),
    "list documents": lambda a: a.read(documents.listing, a.alice, ("docs",), now=START, limit=10),
    "list paths of documents": lambda a: a.read(documents.paths, a.alice, (), now=START),
    "list passages of documents": lambda a: a.read(documents.listed_passages, a.alice, ()),
    "list names of documents": lambda a: a.read(documents.document_names, a.alice, ()),
    "read every document": lambda a: a.read(documents.all_documents, a.alice),
    "delete a document": lambda a: a.change(documents.delete, a.alice, ("docs", "of"), "one"),
    "clear documents": lambda a: a.change(documents.clear, a.alice, ("docs",)),
    "append by key": _append_keyed,
    "find an item by key": lambda a: a.read(items_by_key.item, a.alice, "trip", "k1"),
    "find an item by place": lambda a: a.read(items_by_key.item, a.alice, "trip", 3),
    "replace an item": lambda a: a.change(
        items_by_key.replace, a.alice, "trip", "k1", message(f"{a.word} again")
    ),
    "list versions of an item": lambda a: a.read(items_by_key.versions, a.alice, "trip", "k1"),
    "list branches": lambda a: a.read(items_by_key.branches, a.alice, "trip"),
    "find where a session comes from": lambda a: a.read(items_by_key.origins, a.alice, "trip"),
    "append again": lambda a: _append(a, operation="op-1"),
    "find an operation": lambda a: a.read(
        log_append.repeated_append, a.alice, "trip", "op-1", f"{a.word} asked"
    ),
    "find a turn that was played": lambda a: a.read(
        repeated_turns.find_stored_turn, a.alice, "trip", "op-1", f"{a.word} asked"
    ),
    "commit a turn": lambda a: a.change(
        turn_commit.commit, a.alice, "trip", [message(a.word)], removed=1, expected=5
    ),
    "keep items for a time": lambda a: a.change(expiry.keep_for, a.alice, "trip", 10**15),
    "ask what is overdue": lambda a: a.read(overdue.is_due, a.alice, now=10**17),
    "list where something is overdue": lambda a: a.read(overdue.due_scopes, a.tenant, now=10**17),
    "read a session": lambda a: a.read(log_bodies.bodies, a.alice, "trip", None),
    "read the newest": lambda a: a.read(log_bodies.bodies, a.alice, "trip", 1),
    "read the newest again": lambda a: a.read(
        log_bodies.recent_bodies, a.alice, "trip", 1, RecentItemsCache(1 << 20)
    ),
    "read a window": lambda a: a.read(log_bodies.window, a.alice, "trip"),
    "find a session": lambda a: a.read(_found, a),
    "look what a window leaves": lambda a: a.read(log_bodies.view, a.alice, "trip"),
    "read a page": lambda a: a.read(log_items.page, a.alice, "trip", limit=10),
    "read items": lambda a: a.read(log_items.items, a.alice, "trip", limit=10),
    "read items after a place": lambda a: a.read(log_items.items, a.alice, "trip", limit=10, after=0),
    "read a head": lambda a: a.read(log_lookup.head, a.alice, "trip"),
    "describe a session": lambda a: a.read(log_lookup.describe, a.alice, "trip"),
    "list sessions": lambda a: a.read(log_lookup.listing, a.alice, limit=10),
    "list attempts": lambda a: a.read(turn_commit.attempts, a.alice, "trip", limit=10),
    "note an attempt": lambda a: a.change(
        turn_commit.record_attempt, a.alice, "trip", error=f"{a.word} error", calls=[]
    ),
    "rename a session": lambda a: a.change(
        log_lookup.relabel, a.alice, "trip", title=f"{a.word} title", metadata=None
    ),
    "undo an item": lambda a: a.change(log_removal.remove_newest, a.alice, "trip", _one, reason="undone"),
    "fork a session": lambda a: a.change(log_fork.fork, a.alice, "trip", None, "branch"),
    "clear a session": lambda a: a.change(log_removal.clear, a.alice, "trip"),
    "delete a session": lambda a: a.change(log_removal.delete, a.alice, "trip", keep_notes=False),
    "remember": _remember,
    "remember a key": lambda a: _remember(a, key="seat"),
    "remember in a pool": lambda a: a.change(notes.remember, a.pool, NewNote(text=a.word, key="doc")),
    "get a key": lambda a: a.read(notes.get, a.alice, "seat", now=START),
    "get from a pool": lambda a: a.read(notes.get, a.pool, "doc", now=START),
    "list notes": lambda a: a.read(notes.listing, a.alice, now=START, everywhere=True, status=None),
    "list notes of an instant": lambda a: a.read(notes.as_of, a.alice, START + 6 * SECOND),
    "page through notes of an instant": lambda a: a.read(
        active_at, a.alice, START + 6 * SECOND, limit=9, before=notes.FOREVER
    ),
    "list what waits": lambda a: a.read(notes.waiting_notes, a.alice, status=None, limit=10),
    "read a history": lambda a: a.read(notes.history, a.alice, "seat"),
    "export a history": lambda a: a.read(notes.full_history, a.alice),
    "revise a note": lambda a: a.change(notes.change, a.alice, "seat", "revised", text=a.word),
    "forget a note": lambda a: a.change(notes.change, a.alice, "seat", "forgotten", status="forgotten"),
    "decide about notes that wait": lambda a: a.change(
        notes.decide_waiting, a.alice, ["seat"], [], only=("active", "pending", "quarantined")
    ),
    "undo a revision": lambda a: a.change(notes.revert, a.alice, "seat"),
    "read a profile": lambda a: a.read(state.current, a.alice),
    "read an old profile": lambda a: a.read(state.as_of, a.alice, START + 1_000 * SECOND),
    "read all profiles": lambda a: a.read(state.versions, a.alice),
    "change a profile": _profile,
    "add a record": lambda a: a.change(state.add_record, a.alice, "trip", {"to": a.word}, START),
    "read records": lambda a: a.read(state.latest_records, a.alice, "trip", 10),
    "read all records": lambda a: a.read(state.all_records, a.alice),
    "read what is new": lambda a: a.read(recall.changes_since, a.alice, None, {}),
    "read what was found": lambda a: a.read(_recalled, a),
    "read passages": lambda a: a.read(recall.blocks, a.alice),
    "remove passages": lambda a: a.write(recall.remove_blocks, a.alice),
    "take a lease": lambda a: a.change(leases.take_lease, a.alice, "work", "thief", START),
    "drop a lease": lambda a: a.write(leases.drop_lease, a.alice, "work", "somebody"),
    "read the material": lambda a: a.read(consolidation_input.read_input, a.alice, None),
    "look for a session": lambda a: a.read(consolidation_input.require_session, a.alice, "trip"),
    "list plans": lambda a: a.read(plan_history.list_plans, a.alice, limit=10),
    "count": lambda a: a.change(daily_counts.count, a.alice, {"the same count": 1}),
    "read counts": lambda a: a.read(daily_counts.counts_of, a.alice),
    "spend": lambda a: a.change(
        daily_counts.add_tokens, a.alice, "the same call", calls=1, tokens_in=1, tokens_out=1
    ),
    "read spend": lambda a: a.read(daily_counts.spend_of, a.alice),
    "find a tombstone": lambda a: a.read(tombstones.existing_tombstones, a.tenant, [("session", "gone")]),
    "put a tombstone": lambda a: a.write(tombstones.put, a.tenant, _stone(1, 0)),
    "register a webhook": _webhook,
    "find a webhook": lambda a: a.read(webhooks.find_webhook, a.tenant, HOOK),
    "list webhooks": lambda a: a.read(webhooks.webhooks_of, a.tenant, "alice", "concierge"),
    "claim a message": _claim,
    "claim a message anew": lambda a: _claim(a, until=START),
    "settle a message": lambda a: a.write(webhooks.record_answer, a.alice, HOOK, "digest", "t1", now=START),
    "release a message": lambda a: a.write(webhooks.release_message, a.alice, HOOK, "digest"),
    "register a task": _task,
    "find a task": lambda a: a.read(background.find_task, a.tenant, BEAT),
    "find a task by name": lambda a: a.read(
        background.find_task_by_name, a.tenant, "alice", "concierge", "beat"
    ),
    "list tasks": lambda a: a.read(background.all_tasks, a.tenant),
    "keep a result": _result,
    "find a result": lambda a: a.read(background.find_result, a.alice, BEAT),
    "subscribe": _subscription,
    "list subscriptions": lambda a: a.read(webhooks.all_subscriptions, a.tenant),
    "begin to listen": lambda a: a.write(event_recording.begin, a.tenant, now=START),
    "listen": _listen,
    "list deliveries": lambda a: a.read(
        webhooks.deliveries_to, a.tenant, to_text("s", NEWS), state=None, limit=10, below=1 << 62
    ),
    "find the next delivery": lambda a: a.read(webhooks.next_due, a.tenant),
    "deliver": _settle_delivery,
    "forget old deliveries": lambda a: a.write(
        webhooks.remove_old_deliveries, a.tenant, delivered_before=1 << 62, dead_before=1 << 62
    ),
    "stop listening": lambda a: a.write(event_recording.end, a.tenant),
    "list jobs": lambda a: a.read(background.all_jobs, a.tenant),
    "list what is due": lambda a: a.read(background.due_jobs, a.tenant, now=1 << 62, limit=10),
    "take a job": lambda a: a.write(
        background.claim_job, a.tenant, "work", "thief", until=1 << 61, now=1 << 60
    ),
    "hold a job": lambda a: a.write(background.renew_job, a.tenant, "work", "somebody", until=START),
    "wake a job": lambda a: a.write(background.wake_job, a.tenant, "work", pause=1, now=START),
    "finish a job": _finish,
    "plan a job": lambda a: a.write(background.plan_job, a.tenant, "work", START),
    "end a subscription": lambda a: a.write(webhooks.end_subscription, a.tenant, NEWS, now=START),
    "remove a subscription": lambda a: a.write(
        webhooks.remove_subscription, a.tenant, NEWS, to_text("s", NEWS)
    ),
    "remove a webhook": lambda a: a.write(webhooks.remove_webhook, a.tenant, HOOK, a.alice),
    "remove the webhooks of an agent": lambda a: a.write(
        webhooks.remove_webhooks_of, a.tenant, "alice", "concierge"
    ),
    "remove a task": lambda a: a.write(background.remove_task, a.tenant, BEAT, "work", a.alice),
    "remove the tasks of an agent": lambda a: a.write(
        background.remove_tasks_of, a.tenant, "alice", "concierge"
    ),
    "erase what is overdue": lambda a: a.write(
        expiry.purge, a.alice, writing=a.writing()._replace(now=10**17)
    ),
    "erase a session": lambda a: a.change(erase.erase_session, a.alice, "trip", without=_untouched),
    "erase a scope": lambda a: a.change(erase.erase_scope, a.alice),
    "erase a user": lambda a: a.change(erase.erase_user, a.tenant, "alice"),
    "erase a tenant": lambda a: a.change(erase.erase_tenant, a.tenant),
    **workspaces.OPERATIONS,
}


ROOMS = frozenset({"scopes", "shares", "grants", "sessions", "items", "operations", "attempts", "notes"}) | {
    "documents",
    "document_passages",
    "item_keys",
    "item_versions",
    "session_details",
    "note_history",
    "profiles",
    "records",
    "leases",
    "workspace_segments",
    "workspace_rollouts",
    "workspace_files",
    "workspace_places",
    "counters",
    "spend",
    "tombstones",
    "webhooks",
    "webhook_messages",
    "tasks",
    "task_results",
    "jobs",
    "subscriptions",
    "deliveries",
    "event_marks",
}  #: tables that the seed leaves rows in


async def rows_of(actor: Actor) -> dict[str, Rows]:
    """Return every row of a tenant, table by table, as its own store shows them."""

    def unit() -> Work[dict[str, Rows]]:
        columns: dict[str, list[str]] = {}
        for table, column, _ in (yield Statement(actor.store.driver.dialect.catalogue, {})):
            columns.setdefault(table, []).append(column)
        found: dict[str, Rows] = {}
        for table, names in columns.items():
            if "tenant_id" in names:
                order = ", ".join(str(place) for place in range(1, len(names) + 1))
                text = f"select {', '.join(names)} from {table} where tenant_id = :tenant order by {order}"
                found[table] = yield Statement(text, {"tenant": actor.tenant})
        return found

    return await actor.store.read(unit)


async def seed(actor: Actor) -> None:
    """Give a tenant something in every room."""
    for operation in SEED:
        await operation(actor)


async def crossings(operation: Operation, actor: Actor, victim: Actor) -> list[str]:
    """Do something as one tenant; return what of another tenant was seen or changed by it."""
    before = await rows_of(victim)
    try:
        answer = await operation(actor)
    except BethinkError as refused:
        answer = (str(refused), refused.facts)
    after = await rows_of(victim)
    found = [f"{table} was changed" for table in before if before[table] != after[table]]
    if victim.word in repr(_plain(answer)):
        found.append("its words were seen")
    return found


async def all_crossings(actor: Actor, victim: Actor) -> dict[str, list[str]]:
    """Do everything that can be done as one tenant; return by which deeds another tenant was seen or changed."""
    found: dict[str, list[str]] = {}
    for name, operation in OPERATIONS.items():
        crossed = await crossings(operation, actor, victim)
        if crossed:
            found[name] = crossed
        if name.split()[0] in {
            "clear",
            "commit",
            "delete",
            "erase",
            "forget",
            "remove",
            "undo",
            "unregister",
        }:
            for again in SEED:  # so that there is something for the next one to get hold of
                await _settled(again, actor)
    return found


def _plain(answer: Any) -> Any:
    """Return an answer without what the actor itself brought: the names it asked with."""
    if isinstance(answer, list | tuple):
        return [_plain(each) for each in cast("list[Any]", answer)]
    if is_object(answer):
        return {key: _plain(value) for key, value in answer.items()}
    if isinstance(answer, Namespace):
        return str(answer)
    if isinstance(answer, scopes.ScopeRow):
        return (answer.scope, answer.revision)
    if isinstance(answer, erase.Erased):
        return (answer.counts, answer.texts)
    return answer


class IsolationConformance(Conformance):
    """Two tenants of one database: nothing crosses. The suite asks for `open_tenant`, which opens a store for one."""

    @pytest.fixture
    async def tenants(
        self, open_tenant: Callable[[str], AwaitedStore]
    ) -> AsyncGenerator[tuple[Actor, Actor]]:
        """Two tenants, each with something in every room."""
        actors = [Actor(open_tenant(name), name, name, PredictableWrites()) for name in (ALPHA, BETA)]
        for actor in actors:
            await seed(actor)
        yield actors[0], actors[1]
        for actor in actors:
            actor.store.driver.close()

    async def test_the_seed_reaches_every_room(self, tenants: tuple[Actor, Actor]) -> None:
        alpha, _ = tenants
        full = {table for table, rows in (await rows_of(alpha)).items() if rows}
        assert full >= ROOMS

    async def test_nothing_crosses_whatever_is_done(self, tenants: tuple[Actor, Actor]) -> None:
        alpha, beta = tenants
        assert await all_crossings(beta, alpha) == {}

    async def test_nothing_crosses_when_everything_is_done_at_once(
        self, tenants: tuple[Actor, Actor]
    ) -> None:
        alpha, beta = tenants
        before = await rows_of(alpha)
        operations = [
            asyncio.create_task(_settled(operation, beta))
            for operation in OPERATIONS.values()
            for _ in range(2)
        ]
        for number, operation in enumerate(operations):
            if number % 5 == 0:
                operation.cancel()
        answers = await asyncio.gather(*operations, return_exceptions=True)
        assert ALPHA not in repr([_plain(each) for each in answers])
        assert await rows_of(alpha) == before

    async def test_nothing_crosses_after_errors_and_cancellations(self, tenants: tuple[Actor, Actor]) -> None:
        alpha, beta = tenants

        def broken(actor: Actor) -> Work[None]:
            yield from scopes.touch(actor.alice, actor.writing())
            yield Statement("select no_such_column from notes where tenant_id = :tenant", {"tenant": "x"})

        for actor in (alpha, beta, alpha, beta):
            with pytest.raises(BethinkError):
                await actor.store.write(broken, actor)
            cancelled = asyncio.ensure_future(_append(actor))
            await asyncio.sleep(0)
            cancelled.cancel()
            await asyncio.wait([cancelled])
        for name in ("list notes", "read a session", "append", "delete a session", "erase a user"):
            assert await crossings(OPERATIONS[name], beta, alpha) == []


class RowSecurityConformance(IsolationConformance):
    """The same where the store itself keeps tenants apart: even units that name another tenant get nothing."""

    async def test_nothing_crosses_to_one_who_claims_to_be_the_other(
        self, tenants: tuple[Actor, Actor]
    ) -> None:
        alpha, beta = tenants
        impostor = Actor(beta.store, ALPHA, BETA, beta.writing)
        assert await all_crossings(impostor, alpha) == {}

    async def test_statements_without_any_tenant_show_nothing_of_others(
        self, tenants: tuple[Actor, Actor]
    ) -> None:
        alpha, beta = tenants

        def unit() -> Work[list[Rows]]:
            answers: list[Rows] = []
            for table, column, text in (yield Statement(beta.store.driver.dialect.catalogue, {})):
                if text and table != "bethink_migrations":
                    answers.append((yield Statement(f"select {column} from {table}", {})))
            return answers

        answers = await beta.store.read(unit)
        assert BETA in repr(answers)
        assert ALPHA not in repr(answers)
        before = await rows_of(alpha)
        for table in before:
            await beta.store.write(_run, f"delete from {table}")
        assert await rows_of(alpha) == before
        assert not any((await rows_of(beta)).values())

    async def test_the_role_sees_no_more_than_others(self, tenants: tuple[Actor, Actor]) -> None:
        text = """select rolsuper, rolbypassrls, pg_has_role(current_user, c.relowner, 'member')
        from pg_roles, pg_class c where rolname = current_user and c.oid = 'notes'::regclass"""
        for actor in tenants:
            assert await actor.store.read(lambda: _run(text)) == [(False, False, False)]


async def _settled(operation: Operation, actor: Actor) -> Any:
    try:
        return await operation(actor)
    except BethinkError as refused:
        return str(refused), refused.facts


def _run(text: str) -> Work[Rows]:
    return (yield Statement(text, {}))
