"""The registry of all tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from bethink.errors import InvalidError
from bethink.tools import categories, documents, history, notes, private, review, shared, workspace
from bethink.tools.values import Family

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.tools.values import Tool

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
