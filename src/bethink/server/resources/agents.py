"""REST routes of agents: specs, reach, instructions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, TypedDict

from pydantic import Field
from starlette.responses import Response

from bethink.errors import NotFoundError
from bethink.pages import Page, from_cursor, to_cursor
from bethink.server.agents import Agent, tools_of
from bethink.server.dependencies import (
    Body,
    Cursor,
    Expected,
    Label,
    Limit,
    Owner,
    PartOfPath,
    Registered,
)
from bethink.server.json_responses import Answer, Entries, answer, nothing, page
from bethink.server.openapi import Router
from bethink.server.run_context import Begun, Panel, begin, panel
from bethink.server.specs import AgentSpec
from bethink.tools.calls import answer as called

router = Router(prefix="/agents", tags=["agents"])
Name = PartOfPath
Short = PartOfPath


class Beginning(Body):
    """What is known when a run begins."""

    query: Annotated[str, Field(max_length=4_000)] | None = None
    tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    messages: Annotated[int, Field(ge=1, le=1_000)] | None = None


class Called(Body):
    """The arguments of a tool."""

    arguments: dict[str, Any] = Field(default_factory=dict)
    session: Label | None = None


class Offered(TypedDict):
    """A tool, as a model is told of it."""

    name: str
    family: str
    description: str
    parameters: Mapping[str, Any]


class ToolAnswer(TypedDict):
    """What a tool answered; not done where it refused."""

    answer: Any
    done: bool


@router.get("")
async def listing(agents: Registered, limit: Limit = 100, cursor: Cursor = None) -> Answer[Page[Agent]]:
    """List the agents that the caller may use."""
    found = sorted(await agents.all(), key=lambda agent: (agent.owner, agent.name))
    after = from_cursor(cursor, str, str) if cursor else ("", "")
    rest = [agent for agent in found if (agent.owner, agent.name) > after]
    more = to_cursor(rest[limit - 1].owner, rest[limit - 1].name) if len(rest) > limit else None
    return page(Page(tuple(rest[:limit]), len(found), more))


@router.put("/{name}")
async def put(
    agents: Registered, name: Name, spec: AgentSpec, expected: Expected, owner: Owner = None
) -> Answer[Agent]:
    """Register an agent, or replace its spec."""
    agent = await agents.put(name, spec, owner=owner, expected=expected)
    return answer(agent, revision=agent.revision)


@router.get("/{name}")
async def read(agents: Registered, name: Name, owner: Owner = None) -> Answer[Agent]:
    """Return an agent's spec."""
    agent = await agents.get(name, owner=owner)
    return answer(agent, revision=agent.revision)


@router.delete("/{name}", status_code=204)
async def remove(agents: Registered, name: Name, expected: Expected, owner: Owner = None) -> Response:
    """Delete the spec of an agent; its memory stays."""
    await agents.remove(name, owner=owner, expected=expected)
    return nothing()


@router.get("/{name}/memory")
async def memory(agents: Registered, name: Name, owner: Owner = None) -> Answer[Panel]:
    """Return every namespace that the agent has for the caller, with its newest notes and true totals."""
    return answer(await panel(agents, await agents.get(name, owner=owner)))


@router.get("/{name}/tools")
async def tools(agents: Registered, name: Name, owner: Owner = None) -> Answer[Entries[Offered]]:
    """List the agent's tools with their schemas."""
    offered = tools_of(await agents.get(name, owner=owner))
    shown = [
        Offered(name=tool.name, family=tool.family, description=tool.description, parameters=tool.parameters)
        for tool in offered
    ]
    return answer({"entries": shown})


@router.post("/{name}/tools/{tool}")
async def call(
    agents: Registered,
    name: Name,
    tool: Short,
    given: Called,
    owner: Owner = None,
) -> Answer[ToolAnswer]:
    """Call one of the agent's tools, as a model does."""
    agent = await agents.get(name, owner=owner)
    found = next((each for each in tools_of(agent) if each.name == tool), None)
    if found is None:
        raise NotFoundError("this agent has no such tool", kind="tool", id=tool)
    answered = await called(found, replace(agents.reach(agent, given.session), door="rest"), given.arguments)
    return answer({"answer": answered.value, "done": answered.done})


@router.post("/{name}/sessions/{session}/context")
async def context(
    agents: Registered, name: Name, session: Short, given: Beginning, owner: Owner = None
) -> Answer[Begun]:
    """Return the history of a session, or the context to begin it with."""
    agent = await agents.get(name, owner=owner)
    return answer(await begin(agents, agent, session, given.query, given.tokens, given.messages))
