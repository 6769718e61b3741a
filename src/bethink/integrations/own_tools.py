"""The tools of an agent's own memory: those that need only a scope and a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.errors import InvalidError
from bethink.tools.registry import tools

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.tools.values import Family, Tool

ELSEWHERE = frozenset({"pools", "team", "workspace"})


def own_tools(families: Iterable[Family]) -> list[Tool]:
    """Return the tools of some families, in the order of the registry.

    Raises:
        InvalidError: there is no such family, or it is of pools, teams and workspaces, which are not reached from here.
    """
    chosen = tools(families)
    if any(tool.family in ELSEWHERE for tool in chosen):
        raise InvalidError(
            "pools and teams are reached by MCP or REST, and so are workspaces", argument="families"
        )
    return chosen
