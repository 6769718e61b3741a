"""Resolve the tools and the scope of a local MCP server (stdio)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bethink.errors import NotFoundError
from bethink.scope.values import Principal, validate_principal
from bethink.server.agents import Agents, tools_of
from bethink.tools.registry import tools
from bethink.tools.values import Reach

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.memory.memory import AsyncMemory
    from bethink.tools.values import Tool
    from bethink.tools.verbs import WorkspaceVerbs


async def bound_tools(
    memory: AsyncMemory,
    agent: str,
    user: str | None,
    *,
    families: Sequence[Any] = ("private",),
    pools: Sequence[str] = (),
    team: str | None = None,
    session: str | None = None,
    workspace: WorkspaceVerbs | None = None,
) -> tuple[Sequence[Tool], Reach]:
    """Return the tools of an agent and what they reach: by its spec where it is registered, else as named here.

    With a user, that user's rights hold, in pools and in the team too. A workspace brings its tools.
    """
    if user is not None:
        memory = memory.acting_as(Principal(validate_principal(user)))
    agents = Agents(memory)
    try:
        known = await agents.get(agent)
    except NotFoundError:
        reach = Reach(
            scope=memory.scope(agent=agent, user=user),
            session=session,
            memory=memory,
            pools=tuple(pools),
            team=team,
            workspace=workspace,
            door="mcp",
        )
        return tools(_with(families, workspace)), reach
    offered, reach = tools_of(known), agents.reach(known, session)
    if workspace is not None:
        offered = [*offered, *tools(("workspace",))]
    return offered, replace(reach, workspace=workspace, door="mcp")


def _with(families: Sequence[Any], workspace: WorkspaceVerbs | None) -> Sequence[Any]:
    return families if workspace is None or "workspace" in families else (*families, "workspace")
