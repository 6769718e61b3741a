"""The registry of all tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, get_args

from bethink.errors import InvalidError
from bethink.tools import categories, documents, history, notes, private, review, shared, workspace
from bethink.tools.values import Family

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.tools.values import Tool

#: families that need pools, a team or a workspace beside a scope and a session
NEED_OTHER_MEMORY: Final = frozenset({"pools", "team", "workspace"})
TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        *notes.TOOLS,
        *private.TOOLS,
        *categories.TOOLS,
        *shared.TOOLS,
        *history.TOOLS,
        *review.TOOLS,
        *documents.TOOLS,
        *workspace.TOOLS,
    )
}


def tools(families: Iterable[Family] = ("private",)) -> list[Tool]:
    """Return the tools of some families, in the order of the registry.

    Raises:
        InvalidError: there is no such family.
    """
    wanted = {families} if isinstance(families, str) else set(families)
    unknown = wanted - set(get_args(Family))
    if unknown:
        raise InvalidError(f"families must be chosen from {', '.join(get_args(Family))}", argument="families")
    return [tool for tool in TOOLS.values() if tool.family in wanted]


def own_tools(families: Iterable[Family]) -> list[Tool]:
    """Return the tools of some families, in the order of the registry.

    Raises:
        InvalidError: there is no such family, or it is of pools, teams and workspaces, which are not reached from here.
    """
    chosen = tools(families)
    if any(tool.family in NEED_OTHER_MEMORY for tool in chosen):
        raise InvalidError(
            "pools and teams are reached by MCP or REST, and so are workspaces", argument="families"
        )
    return chosen
