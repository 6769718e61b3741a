"""REST routes of plans: consolidate and undo."""

from __future__ import annotations

from dataclasses import dataclass, fields

from bethink.lifecycle.plans import Plan
from bethink.lifecycle.values import Distilled
from bethink.notes.values import Note
from bethink.pages import Page
from bethink.server.dependencies import Body, Cursor, Label, Limit, Scope
from bethink.server.json_responses import Answer, answer, page
from bethink.server.openapi import Router, of

router = Router(prefix="/scopes/{namespace}", tags=["plans"])


class Consolidation(Body):
    """What is to be consolidated."""

    session: Label | None = None
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPlan(Plan):
    """A plan, and the same for people to read."""

    diff: str


class Distill(Body):
    """The session to be read; with `dry_run` from its beginning, and nothing is written."""

    session: Label
    dry_run: bool = False


@router.post(
    "/plans",
    status_code=201,
    responses={200: {"description": "With `dry_run`, or if there is nothing to change."}},
)
@of("scope.consolidate")
async def consolidate(scope: Scope, wanted: Consolidation) -> Answer[ShownPlan]:
    plan = await scope.consolidate(wanted.session, dry_run=wanted.dry_run)
    return answer(_shown(plan), 200 if wanted.dry_run or plan.state == "empty" else 201)


@router.get("/plans")
@of("scope.plans")
async def plans(scope: Scope, limit: Limit = 20, cursor: Cursor = None) -> Answer[Page[Plan]]:
    return page(await scope.plans(limit=limit, cursor=cursor))


@router.post("/plans/{plan}/undo")
@of("scope.undo")
async def undo(scope: Scope, plan: str) -> Answer[Plan | Note]:
    return answer(await scope.undo(plan))


@router.post("/distill")
@of("scope.distill")
async def distill(scope: Scope, wanted: Distill) -> Answer[Distilled]:
    return answer(await scope.distill(wanted.session, dry_run=wanted.dry_run))


def _shown(plan: Plan) -> ShownPlan:
    return ShownPlan(**{each.name: getattr(plan, each.name) for each in fields(Plan)}, diff=str(plan))
