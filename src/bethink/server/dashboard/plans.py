"""The plans page of a namespace: dry run, apply, undo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from bethink.lifecycle.consolidate.diff import lines
from bethink.server.dashboard import urls as to
from bethink.server.dashboard.dependencies import Form, away, html, is_part
from bethink.server.dashboard.notes import MAX_SESSIONS, around
from bethink.server.dependencies import Cursor, Memory, Scope

if TYPE_CHECKING:
    from bethink.lifecycle.consolidate.diff import Line
    from bethink.lifecycle.plans import Plan

router = APIRouter(prefix="/memory/{namespace}/plans")
SHOWN = 10


@router.get("")
async def listing(request: Request, memory: Memory, scope: Scope, cursor: Cursor = None) -> Response:
    """List the plans that were applied, newest first."""
    return await _page(request, memory, scope, cursor=cursor)


@router.post("/preview")
async def preview(request: Request, memory: Memory, scope: Scope, form: Form) -> Response:
    """Show what consolidation would change; nothing is written."""
    plan = await scope.consolidate(form.word("session"), dry_run=True)
    if is_part(request):
        return html(request, "_plan.html", namespace=scope.namespace, plan=plan, lines=changed(plan))
    return await _page(request, memory, scope, proposed=plan)


@router.post("")
async def apply(request: Request, scope: Scope, form: Form) -> Response:
    """Consolidate."""
    await scope.consolidate(form.word("session"))
    return away(request, to.memory(scope.namespace, "plans"))


@router.post("/{plan}/undo")
async def undo(request: Request, scope: Scope, plan: str) -> Response:
    """Restore what stood before a plan."""
    undone: Any = await scope.undo(plan)
    if is_part(request):
        return html(request, "_plan.html", namespace=scope.namespace, plan=undone, lines=changed(undone))
    return away(request, to.memory(scope.namespace, "plans"))


def changed(plan: Plan) -> list[Line]:
    """Return the lines of the plan's diff."""
    return lines(plan.changes, plan.texts)


async def _page(
    request: Request, memory: Any, scope: Any, *, cursor: str | None = None, proposed: Plan | None = None
) -> Response:
    found = await scope.plans(limit=SHOWN, cursor=cursor)
    return html(
        request,
        "plans.html",
        namespace=scope.namespace,
        found=found,
        plans=[(plan, changed(plan)) for plan in found],
        proposed=None if proposed is None else (proposed, changed(proposed)),
        sessions=await scope.sessions(limit=MAX_SESSIONS),
        staged=await _staged(scope),
        **await around(memory, scope, "plans"),
    )


async def _staged(scope: Any) -> int:
    """Count the session notes that wait to be consolidated."""
    sessions = await scope.sessions(limit=MAX_SESSIONS)
    return sum([(await scope.notes(session=each.id, limit=1)).total for each in sessions])
