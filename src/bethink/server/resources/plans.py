"""Plans: what consolidation changes, and its undoing."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from bethink.server.asking import Body, Cursor, Limit, Operation, Scope, Word
from bethink.server.rendering import answer, page, plain

router = APIRouter(prefix="/scopes/{namespace}", tags=["plans"])


class Wanted(Body):
    """What is to be consolidated."""

    session: Word | None = None
    dry_run: bool = False


class Distill(Body):
    """The session to be read."""

    session: Word


@router.post("/plans", status_code=201)
async def consolidate(scope: Scope, wanted: Wanted, operation: Operation) -> Response:  # noqa: ARG001
    """Decide what becomes of the session notes; with `dry_run` nothing is written."""
    plan = await scope.consolidate(wanted.session, dry_run=wanted.dry_run)
    return answer(plain(plan) | {"diff": str(plan)}, 200 if wanted.dry_run else 201)


@router.get("/plans")
async def plans(scope: Scope, limit: Limit = 20, cursor: Cursor = None) -> Response:
    """List the plans that were applied, newest first."""
    return page(await scope.plans(limit=limit, cursor=cursor))


@router.post("/plans/{plan}/undo")
async def undo(scope: Scope, plan: str, operation: Operation) -> Response:  # noqa: ARG001
    """Restore exactly what stood before a plan."""
    return answer(await scope.undo(plan))


@router.post("/distill")
async def distill(scope: Scope, wanted: Distill, operation: Operation) -> Response:  # noqa: ARG001
    """Stage what is worth keeping of a session since the last time."""
    return answer(await scope.distill(wanted.session))
