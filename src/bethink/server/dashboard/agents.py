"""The agents page: choose, create and describe agents."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.responses import Response

from bethink.errors import InvalidError
from bethink.server.dashboard import agent_fields
from bethink.server.dashboard import urls as to
from bethink.server.dashboard.dependencies import Chosen, Form, away, html
from bethink.server.dashboard.first_calls import first_calls
from bethink.server.dashboard.models import answering
from bethink.server.dashboard.rendering import static_file
from bethink.server.dependencies import Memory, Registered
from bethink.server.problems import HttpError
from bethink.server.specs import AgentSpec

router = APIRouter()


@router.get(to.STATIC + "{digest}/{name}")
async def file(digest: str, name: str) -> Response:  # noqa: ARG001 - it is in the address so that caches let go
    """Return a style or a script."""
    try:
        return static_file(name)
    except KeyError:
        raise HttpError(404, "not-found", "no such file") from None


@router.get("/favicon.ico")
async def icon() -> Response:
    """Return the icon that browsers ask for by themselves."""
    return static_file("icon.svg")


@router.get("/")
async def agents(request: Request, memory: Memory, agents: Registered) -> Response:
    """List the agents; where there are none, say how to make one."""
    found = sorted(await agents.all(), key=lambda agent: (agent.name, agent.owner))
    cards: list[Any] = []
    for agent in found:
        scope = agents.scope(agent)
        notes, talks = await scope.notes(limit=1), await scope.sessions(limit=1)
        cards.append((agent, notes.total, talks, answering(request, agent)))
    known = {(agent.owner, agent.name) for agent in found}
    seen = [scope.namespace for scope in await memory.scopes()]
    others = [each for each in seen if each.kind == "agent" and (each.owner, each.name) not in known]
    empty = not cards and not others
    ways = first_calls(request, memory) if empty else None
    return html(request, "agents.html", cards=cards, others=others, ways=ways)


@router.post("/agents")
async def make(request: Request, agents: Registered, form: Form) -> Response:
    """Register an agent, and begin to talk."""
    name = form["name"].strip()
    if any(agent.name == name for agent in await agents.all()):
        raise InvalidError("an agent with this name exists; choose another name", argument="name")
    spec = AgentSpec(description=form["description"].strip(), system_prompt=form["system_prompt"].strip())
    agent = await agents.put(name, spec, expected=0)
    return away(request, to.talk(agent, "dashboard"))


@router.get("/agents/{owner}/{name}")
async def enter(request: Request, agent: Chosen) -> Response:
    """Lead to the usual conversation."""
    return away(request, to.talk(agent, "dashboard"))


@router.get("/agents/{owner}/{name}/settings")
async def settings(request: Request, agent: Chosen) -> Response:
    """Show how an agent is described."""
    return _settings(request, agent)


@router.post("/agents/{owner}/{name}/settings")
async def describe(request: Request, agents: Registered, agent: Chosen, form: Form) -> Response:
    """Describe an agent anew, by the fields of a form or as JSON."""
    by_fields = form["as"] == "fields"
    given = {"fields": agent_fields.typed(form)} if by_fields else {"spec": form["spec"]}
    try:
        spec = (
            agent_fields.read(form, agent.spec) if by_fields else AgentSpec.model_validate_json(form["spec"])
        )
    except ValidationError as error:
        problems = error.errors(include_input=False, include_url=False)
        where = "; ".join(
            f"{'.'.join(map(str, each['loc'])) or 'the text'}: {each['msg']}" for each in problems[:5]
        )
        return _settings(request, agent, 422, wrong=where, **given)
    try:
        await agents.put(agent.name, spec, owner=agent.owner, expected=form.number("expected"))
    except InvalidError as error:
        return _settings(request, agent, 422, wrong=str(error), **given)
    return away(request, to.agent(agent, "settings"))


@router.post("/agents/{owner}/{name}/delete")
async def remove(request: Request, agents: Registered, agent: Chosen, form: Form) -> Response:
    """Forget an agent; what it remembered stays."""
    if form["confirm"].strip() != agent.name:
        raise InvalidError(f"the agent was not deleted; type {agent.name} to confirm", argument="confirm")
    await agents.remove(agent.name, owner=agent.owner)
    return away(request, "/")


def _settings(request: Request, agent: Any, status: int = 200, **given: Any) -> Response:
    """Show the form and the JSON; `given` is what somebody typed that cannot be taken, and why."""
    shown = {"fields": agent_fields.shown(agent.spec), "spec": _written(agent.spec), "wrong": "", **given}
    return html(request, "settings.html", status, agent=agent, answering=answering(request, agent), **shown)


def _written(spec: AgentSpec) -> str:
    return json.dumps(spec.model_dump(mode="json"), indent=2, ensure_ascii=False)
