"""Look through one scope, as units of work."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from bethink.errors import StorageError
from bethink.health.values import IndexState, Problem, ScopeCounts, Totals
from bethink.ids import item_id, note_id
from bethink.lifecycle.units import sql as lifecycle_sql
from bethink.notes.units import sql as note_sql
from bethink.recall.units import sql as recall_sql
from bethink.sessions.codec import decode_all
from bethink.state.units import sql as state_sql
from bethink.storage.statements import statements

if TYPE_CHECKING:
    from bethink.health.values import ProblemKind
    from bethink.scope.namespace import Namespace
    from bethink.scope.units import Place
    from bethink.storage.work import Work

sql = statements("bethink.health")

AT_ONCE = 2_000  #: entries that are read in one go


def count(namespace: Namespace, place: Place) -> Work[ScopeCounts]:
    """Count what a scope holds."""
    keys = {"tenant": place.tenant, "scope": place.scope}
    ((sessions, items),) = yield sql.count_log(**keys)
    ((profile,),) = yield sql.newest_profile(**keys)
    ((passages,),) = yield sql.count_passages(**keys)
    statuses: Counter[str] = Counter()
    categories: Counter[str] = Counter()
    for status, category, number in (yield sql.count_notes(**keys)):
        statuses[status] += number
        if status == "active":
            categories[category] += number
    events: Counter[str] = Counter()
    for _, name, value in (yield lifecycle_sql.list_counts(**keys)):
        events[name] += value
    return ScopeCounts(
        namespace=str(namespace),
        sessions=sessions,
        items=int(items),
        notes=dict(statuses),
        categories=dict(categories),
        profile=profile,
        passages=int(passages),
        events=dict(events),
    )


def totals(tenant: str) -> Work[Totals]:
    """Count what a tenant holds, without looking at each scope."""
    ((items,),) = yield sql.tenant_items(tenant=tenant)
    notes = yield sql.tenant_notes(tenant=tenant)
    counts = yield sql.tenant_counts(tenant=tenant)
    spend = yield sql.tenant_spend(tenant=tenant)
    return Totals(
        items=int(items),
        notes={status: int(count) for status, count in notes},
        counts={name: int(value) for name, value in counts},
        spend={operation: int(tokens) for operation, tokens in spend},
    )


def entries(tenant: str) -> Work[int]:
    """Count the notes and the items of a tenant."""
    ((items,),) = yield sql.tenant_items(tenant=tenant)
    return int(items) + sum(int(count) for _, count in (yield sql.tenant_notes(tenant=tenant)))


def check_sessions(namespace: Namespace, place: Place) -> Work[list[Problem]]:
    """Find entries that are no JSON objects, and sessions that were counted wrongly."""
    keys = {"tenant": place.tenant, "scope": place.scope}
    problems: list[Problem] = []
    for session, name, counted in (yield sql.list_logs(**keys)):
        number, after = 0, -1
        while rows := (yield sql.bodies_after(**keys, session=session, after=after, limit=AT_ONCE)):
            number, after = number + len(rows), rows[-1][0]
            bodies = decode_all([row[1] if isinstance(row[1], str) else "" for row in rows])
            problems += [
                Problem(
                    kind="item",
                    reason="its body is no JSON object: reads pass it over",
                    namespace=str(namespace),
                    place=f"{name}, {item_id(session, seq)}",
                )
                for (seq, _), body in zip(rows, bodies, strict=True)
                if body is None
            ]
        if number != counted:
            problems.append(
                Problem(
                    kind="session",
                    reason=f"it says that it has {counted} items, and has {number}",
                    namespace=str(namespace),
                    place=name,
                )
            )
    return problems


def check_notes(namespace: Namespace, place: Place) -> Work[list[Problem]]:
    """Find notes, versions of notes and profiles whose JSON cannot be read."""
    keys = {"tenant": place.tenant, "scope": place.scope}
    broken: list[tuple[ProblemKind, str]] = []
    for number, keywords, sources, metadata in (yield sql.list_notes(**keys)):
        if not (_holds(keywords, list) and _holds(sources, list) and _holds(metadata, dict)):
            broken.append(("note", note_id(number)))
    for number, revision, _, _, version in (yield note_sql.all_history(**keys)):
        if not _holds(version, dict):
            broken.append(("note version", f"{note_id(number)}, revision {revision}"))
    for version, fields, provenance, _, _ in (yield state_sql.profile_versions(**keys)):
        if not (_holds(fields, dict) and _holds(provenance, dict)):
            broken.append(("profile", f"version {version}"))
    return [
        Problem(kind=kind, reason="its JSON cannot be read", namespace=str(namespace), place=which)
        for kind, which in broken
    ]


def check_index(namespace: Namespace, place: Place, embedder: str) -> Work[tuple[IndexState, list[Problem]]]:
    """Unpack every block of passages."""
    from bethink.recall.blocks import VERSION, unpack, version_of

    problems: list[Problem] = []
    others: Counter[str] = Counter()
    blocks = passages = size = 0
    rows = yield recall_sql.list_blocks(tenant=place.tenant, scope=place.scope)
    for number, identity, _, payload in rows:
        plain = bytes(payload)
        blocks, size = blocks + 1, size + len(plain)
        if version_of(plain) != VERSION:
            others[f"blocks of version {version_of(plain)}"] += 1
            continue
        if identity != embedder:
            others[identity] += 1
        try:
            passages += len(unpack(plain))
        except StorageError as error:
            problems.append(
                Problem(kind="passages", reason=str(error), namespace=str(namespace), place=f"block {number}")
            )
    state = IndexState(embedder=embedder, blocks=blocks, passages=passages, bytes=size, others=dict(others))
    return state, problems


def _holds(text: Any, kind: type) -> bool:
    try:
        return isinstance(json.loads(text), kind)
    except (ValueError, TypeError, RecursionError):
        return False
