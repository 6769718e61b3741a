"""The pages of team runs: request, progress, result."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from bethink.errors import InvalidError
from bethink.server.dashboard import urls as to
from bethink.server.dashboard.dependencies import ChosenTeam, Form, TeamsThere, away, html, is_part
from bethink.server.dependencies import Cursor
from bethink.server.services import services

router = APIRouter(prefix="/teams")
Run = Annotated[str, Path(max_length=64)]
SHOWN = 30  #: runs at once
LONGEST = 100_000  #: characters of what a team is asked


@router.get("")
async def listing(request: Request, teams: TeamsThere) -> Response:
    """List the teams that the caller may use."""
    return html(request, "teams.html", teams=await teams.all())


@router.get("/{owner}/{name}")
async def team(request: Request, teams: TeamsThere, chosen: ChosenTeam, cursor: Cursor = None) -> Response:
    """Show a team, and what the caller asked it."""
    runs = await services(request).teams.listing(teams, chosen, SHOWN, cursor)
    return html(request, "team.html", team=chosen, runs=runs)


@router.post("/{owner}/{name}/runs")
async def ask(request: Request, teams: TeamsThere, chosen: ChosenTeam, form: Form) -> Response:
    """Ask a team; the page of the run shows how far it is."""
    message = form["message"].strip()
    if not 1 <= len(message) <= LONGEST:
        raise InvalidError(
            f"a message must have 1 to {LONGEST} characters", argument="message", limit=LONGEST
        )
    run = await services(request).teams.start(teams, chosen, message)
    return away(request, to.team(chosen, "runs", run.run))


@router.get("/{owner}/{name}/runs/{run}")
async def one(request: Request, teams: TeamsThere, chosen: ChosenTeam, run: Run) -> Response:
    """Show a run: what was asked, what each worker found, the answer."""
    found: Any = await services(request).teams.read(teams, chosen, run)
    return html(request, "_run.html" if is_part(request) else "run.html", team=chosen, run=found)


@router.post("/{owner}/{name}/runs/{run}/cancel")
async def cancel(request: Request, teams: TeamsThere, chosen: ChosenTeam, run: Run) -> Response:
    """Stop a run, whichever process plays it."""
    await services(request).teams.cancel(teams, chosen, run)
    return away(request, to.team(chosen, "runs", run))
