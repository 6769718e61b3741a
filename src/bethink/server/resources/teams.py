"""REST routes of agent teams: specs and runs."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path, Request
from pydantic import Field
from starlette.responses import Response, StreamingResponse

from bethink.pages import Page
from bethink.server.dependencies import Body, Cursor, Expected, Limit, Memory, Operation, Owner, PartOfPath
from bethink.server.json_responses import Answer, answer, nothing, page
from bethink.server.openapi import Router
from bethink.server.resources.chat import EVENTS, STREAMED, Stopped, attended, streamed
from bethink.server.services import services
from bethink.server.teams.register import Teams
from bethink.server.teams.specs import TeamSpec
from bethink.server.teams.values import Team, TeamRun

router = Router(prefix="/teams/{name}", tags=["team runs"])
Name = PartOfPath
Run = Annotated[str, Path(max_length=64)]


async def _teams(request: Request, memory: Memory) -> Teams:
    return Teams(memory, creation=services(request).options.creation)


Registered = Annotated[Teams, Depends(_teams)]


class TeamRequest(Body):
    """What a team is asked."""

    message: Annotated[str, Field(min_length=1, max_length=100_000)]
    stream: bool = False
    wait: bool = Field(default=True, description="Answer when the run has ended; else at once, with 202.")


@router.put("/spec")
async def put(
    teams: Registered, name: Name, spec: TeamSpec, expected: Expected, owner: Owner = None
) -> Answer[Team]:
    """Register a team, or replace its spec."""
    team = await teams.put(name, spec, owner=owner, expected=expected)
    return answer(team, revision=team.revision)


@router.get("/spec")
async def read(teams: Registered, name: Name, owner: Owner = None) -> Answer[Team]:
    """Return a team's spec."""
    team = await teams.get(name, owner=owner)
    return answer(team, revision=team.revision)


@router.delete("/spec", status_code=204)
async def remove(teams: Registered, name: Name, expected: Expected, owner: Owner = None) -> Response:
    """Delete the spec of a team; its shared memory stays."""
    await teams.remove(name, owner=owner, expected=expected)
    return nothing()


@router.post("/runs", responses={**STREAMED, 202: {"description": "It has begun."}})
async def run(
    request: Request,
    teams: Registered,
    name: Name,
    asked: TeamRequest,
    operation: Operation,
    owner: Owner = None,
) -> Answer[TeamRun] | StreamingResponse:
    """Send a request to a team; with `stream`, or if the client accepts events, progress is streamed."""
    runtime, team = services(request).teams, await teams.get(name, owner=owner)
    if asked.stream or EVENTS in request.headers.get("accept", ""):
        return await streamed(request, runtime.stream(teams, team, asked.message, operation=operation))
    if not asked.wait:
        return answer(await runtime.start(teams, team, asked.message, operation=operation), 202)
    return answer(await attended(request, runtime.run(teams, team, asked.message, operation=operation)))


@router.get("/runs")
async def runs(
    request: Request,
    teams: Registered,
    name: Name,
    limit: Limit = 100,
    cursor: Cursor = None,
    owner: Owner = None,
) -> Answer[Page[TeamRun]]:
    """List the caller's runs of a team, newest first, without their content."""
    team = await teams.get(name, owner=owner)
    return page(await services(request).teams.listing(teams, team, limit, cursor))


@router.get("/runs/{run}")
async def one(
    request: Request, teams: Registered, name: Name, run: Run, owner: Owner = None
) -> Answer[TeamRun]:
    """Return a run of the caller: its state, the results of the workers, and the answer."""
    team = await teams.get(name, owner=owner)
    return answer(await services(request).teams.read(teams, team, run))


@router.post("/runs/{run}/cancel")
async def cancel(
    request: Request, teams: Registered, name: Name, run: Run, owner: Owner = None
) -> Answer[Stopped]:
    """Cancel a run of the caller."""
    team = await teams.get(name, owner=owner)
    return answer({"cancelled": await services(request).teams.cancel(teams, team, run)})
