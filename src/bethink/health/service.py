"""Run the health check over a whole memory, scope by scope."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bethink.errors import StorageError
from bethink.health import transactions
from bethink.health.values import Health, IndexState, Problem, Stats
from bethink.lifecycle.daily_counts import counts_of, spend_of
from bethink.lifecycle.metrics import by_day, measure
from bethink.scope.transactions import scopes_of
from bethink.storage.health import store_state

if TYPE_CHECKING:
    from collections.abc import Collection

    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow
    from bethink.storage.stores import Store


async def examine(store: Store, tenant: str, *, embedder: str) -> Health:
    """Read everything of a tenant once, and say what cannot be read, with its place.

    What is damaged stops nothing: the rest is looked at all the same.
    """
    state = await store.call(store_state, store.driver, check=True)
    problems = [Problem(kind="store", reason=complaint) for complaint in state.complaints]
    scopes = await _scopes(store, tenant, problems)
    totals: Counter[str] = Counter()
    index = IndexState(embedder=embedder)
    for namespace, place in scopes:
        try:
            counts = await store.read(transactions.count, namespace, place)
            totals.update(sessions=counts.sessions, items=counts.items, notes=sum(counts.notes.values()))
            problems += await store.read(transactions.check_sessions, namespace, place)
            problems += await store.read(transactions.check_notes, namespace, place)
            found, broken = await store.read(transactions.check_index, namespace, place, embedder)
            index, problems = _joined(index, found), problems + broken
        except StorageError as error:
            problems.append(Problem(kind="table", reason=str(error), namespace=str(namespace)))
    return Health(
        healthy=not problems,
        store=state,
        scopes=len(scopes),
        sessions=totals["sessions"],
        items=totals["items"],
        notes=totals["notes"],
        index=index,
        problems=tuple(problems),
    )


async def count(store: Store, tenant: str, *, only: Collection[Namespace] | None = None) -> Stats:
    """Count what every scope of a tenant holds, or some of them; the size of the database is of the whole alone."""
    found = await store.read(scopes_of, tenant)
    if only is not None:
        found = [(namespace, place) for namespace, place in found if namespace in only]
    scopes = [await store.read(transactions.count, namespace, place) for namespace, place in found]
    notes: Counter[str] = Counter()
    events: Counter[str] = Counter()
    for scope in scopes:
        notes.update(scope.notes)
        events.update(scope.events)
    counted: list[tuple[str, str, int]] = []
    spent: list[tuple[str, str, int]] = []
    for namespace, _ in found:
        counted += await store.read(counts_of, namespace)
        for day, operation, _, tokens_in, tokens_out in await store.read(spend_of, namespace):
            spent.append((day, operation, tokens_in + tokens_out))
    return Stats(
        tenant=tenant,
        scopes=tuple(scopes),
        sessions=sum(scope.sessions for scope in scopes),
        items=sum(scope.items for scope in scopes),
        notes=dict(notes),
        bytes=(await store.call(store_state, store.driver, check=False)).bytes if only is None else {},
        metrics=measure(events),
        days=by_day(counted),
        spend=by_day(spent),
    )


async def _scopes(store: Store, tenant: str, problems: list[Problem]) -> list[tuple[Namespace, ScopeRow]]:
    try:
        return await store.read(scopes_of, tenant)
    except StorageError as error:
        problems.append(Problem(kind="table", reason=str(error)))
        return []


def _joined(one: IndexState, other: IndexState) -> IndexState:
    return IndexState(
        embedder=one.embedder,
        blocks=one.blocks + other.blocks,
        passages=one.passages + other.passages,
        bytes=one.bytes + other.bytes,
        others=dict(Counter(one.others) + Counter(other.others)),
    )
