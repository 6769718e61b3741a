"""Store applied plans with what undoing them needs, and list them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bethink.lifecycle import queries
from bethink.lifecycle.plans import Plan, plan_from_row
from bethink.scope.transactions import find
from bethink.sessions.log_lookup import END

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow
    from bethink.storage.work import Work


def keep_plan(place: ScopeRow, number: int, plan: Plan, undo: Mapping[str, Any], *, now: int) -> Work[None]:
    """Keep an applied plan, and what undoing it restores."""
    yield from queries.add_plan(
        **place.keys,
        plan=number,
        state="applied",
        engine=plan.engine,
        session=plan.session,
        body=json.dumps(plan.to_dict(), ensure_ascii=False),
        before=json.dumps(undo, ensure_ascii=False),
        now=now,
        revision=place.revision,
    )


def list_plans(namespace: Namespace, *, limit: int, below: int = END) -> Work[tuple[list[Plan], int]]:
    """List the plans of a scope, newest first, with the true total."""
    place = yield from find(namespace)
    if place is None:
        return [], 0
    rows = yield from queries.list_plans(**place.keys, below=below, limit=limit)
    (total,) = yield from queries.count_plans(**place.keys)
    return [plan_from_row(row, namespace) for row in rows], total
