"""Health checks of one scope as units of work."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from bethink.errors import StorageError
from bethink.health import queries
from bethink.health.values import IndexState, Problem, ScopeCounts, Totals
from bethink.ids import item_id, note_id
from bethink.sessions.item_json import decode_all

if TYPE_CHECKING:
    from bethink.health.values import ProblemKind
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow
    from bethink.storage.work import Work

AT_ONCE = 2_000  #: entries that are read in one go


def count(namespace: Namespace, place: ScopeRow) -> Work[ScopeCounts]:
    """Count what a scope holds."""
    tenant, scope = place.tenant, place.scope
    (log,) = yield from queries.count_log(tenant=tenant, scope=scope)
    (profile,) = yield from queries.newest_profile(tenant=tenant, scope=scope)
    (passages,) = yield from queries.count_passages(tenant=tenant, scope=scope)
    statuses: Counter[str] = Counter()
    categories: Counter[str] = Counter()
    for row in (yield from queries.count_notes(tenant=tenant, scope=scope)):
        statuses[row.status] += row.notes
        if row.status == "active":
            categories[row.category] += row.notes
    events: Counter[str] = Counter()
    for row in (yield from queries.list_counts(tenant=tenant, scope=scope)):
        events[row.name] += row.value
    return ScopeCounts(
        namespace=str(namespace),
        sessions=log.sessions,
        items=int(log.items),
        notes=dict(statuses),
        categories=dict(categories),
        profile=profile,
        passages=int(passages),
        events=dict(events),
    )


def totals(tenant: str) -> Work[Totals]:
    """Count what a tenant holds, without looking at each scope."""
    (items,) = yield from queries.tenant_items(tenant=tenant)
    notes = yield from queries.tenant_notes(tenant=tenant)
    counts = yield from queries.tenant_counts(tenant=tenant)
    spend = yield from queries.tenant_spend(tenant=tenant)
    return Totals(
        items=int(items),
        notes={row.status: int(row.notes) for row in notes},
        counts={row.name: int(row.total or 0) for row in counts},
        spend={row.operation: int(row.tokens or 0) for row in spend},
    )


def entries(tenant: str) -> Work[int]:
    """Count the notes and the items of a tenant."""
    (items,) = yield from queries.tenant_items(tenant=tenant)
    return int(items) + sum(int(row.notes) for row in (yield from queries.tenant_notes(tenant=tenant)))


def check_sessions(namespace: Namespace, place: ScopeRow) -> Work[list[Problem]]:
    """Find entries that are no JSON objects, and sessions that were counted wrongly."""
    tenant, scope = place.tenant, place.scope
    problems: list[Problem] = []
    for log in (yield from queries.list_logs(tenant=tenant, scope=scope)):
        number, after = 0, -1
        while rows := (
            yield from queries.bodies_after(
                tenant=tenant, scope=scope, session=log.session_id, after=after, limit=AT_ONCE
            )
        ):
            number, after = number + len(rows), rows[-1].seq
            bodies = decode_all([_text(row.body) for row in rows])
            problems += [
                Problem(
                    kind="item",
                    reason="the body is not a JSON object; reads skip it",
                    namespace=str(namespace),
                    place=f"{log.name}, {item_id(log.session_id, row.seq)}",
                )
                for row, body in zip(rows, bodies, strict=True)
                if body is None
            ]
        if number != log.count:
            problems.append(
                Problem(
                    kind="session",
                    reason=f"the session says that it has {log.count} items, but has {number}",
                    namespace=str(namespace),
                    place=log.name,
                )
            )
    return problems


def check_notes(namespace: Namespace, place: ScopeRow) -> Work[list[Problem]]:
    """Find notes, versions of notes and profiles whose JSON cannot be read."""
    tenant, scope = place.tenant, place.scope
    broken: list[tuple[ProblemKind, str]] = [
        ("note", note_id(row.note_id))
        for row in (yield from queries.list_notes(tenant=tenant, scope=scope))
        if not (_holds(row.keywords, list) and _holds(row.sources, list) and _holds(row.metadata, dict))
    ]
    versions: list[tuple[ProblemKind, str]] = [
        ("note version", f"{note_id(version.note_id)}, revision {version.revision}")
        for version in (yield from queries.list_versions(tenant=tenant, scope=scope))
        if not _holds(version.note, dict)
    ]
    profiles: list[tuple[ProblemKind, str]] = [
        ("profile", f"version {profile.version}")
        for profile in (yield from queries.list_profiles(tenant=tenant, scope=scope))
        if not (_holds(profile.fields, dict) and _holds(profile.provenance, dict))
    ]
    return [
        Problem(kind=kind, reason="invalid JSON", namespace=str(namespace), place=which)
        for kind, which in (*broken, *versions, *profiles)
    ]


def check_index(
    namespace: Namespace, place: ScopeRow, embedder: str
) -> Work[tuple[IndexState, list[Problem]]]:
    """Unpack every block of passages."""
    from bethink.recall.passage_blocks import VERSION, unpack, version_of

    problems: list[Problem] = []
    others: Counter[str] = Counter()
    blocks = passages = size = 0
    rows = yield from queries.list_blocks(tenant=place.tenant, scope=place.scope)
    for row in rows:
        plain = bytes(row.payload)
        blocks, size = blocks + 1, size + len(plain)
        if version_of(plain) != VERSION:
            others[f"blocks of version {version_of(plain)}"] += 1
            continue
        if row.embedder != embedder:
            others[row.embedder] += 1
        try:
            passages += len(unpack(plain))
        except StorageError as error:
            problems.append(
                Problem(
                    kind="passages",
                    reason=str(error),
                    namespace=str(namespace),
                    place=f"block {row.block_id}",
                )
            )
    state = IndexState(embedder=embedder, blocks=blocks, passages=passages, bytes=size, others=dict(others))
    return state, problems


def _text(body: Any) -> str:
    """Return the text of a column that a damaged file may fill with something else."""
    return body if isinstance(body, str) else ""


def _holds(text: Any, kind: type) -> bool:
    try:
        return isinstance(json.loads(text), kind)
    except (ValueError, TypeError, RecursionError):
        return False
