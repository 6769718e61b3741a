"""The tools of an agent's own memory, by key (seed 002)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.errors import NotFoundError
from bethink.tools.lines import found, listed
from bethink.tools.schemas import arguments, number, text
from bethink.tools.values import Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.tools.values import Reach

NOTHING = "No memories found."


async def _remember(reach: Reach, given: Mapping[str, Any]) -> str:
    metadata = {"source": given["source"]} if given.get("source") else None
    await reach.scope.remember(given["content"], key=given["key"], source="agent", metadata=metadata)
    return f"Stored memory '{given['key']}'."


async def _recall(reach: Reach, given: Mapping[str, Any]) -> str:
    note = await reach.scope.get(given["key"])
    return note.text if note is not None else f"No memory found for key '{given['key']}'."


async def _search(reach: Reach, given: Mapping[str, Any]) -> str:
    return found(
        await reach.scope.recall(given["query"], limit=given.get("top_k", 5), kinds=("note",)), NOTHING
    )


async def _forget(reach: Reach, given: Mapping[str, Any]) -> str:
    try:
        await reach.scope.forget(given["key"])
    except NotFoundError:
        return "Deleted: False"
    return "Deleted: True"


async def _list(reach: Reach, given: Mapping[str, Any]) -> str:
    return listed(await reach.scope.notes(limit=given.get("limit", 20)), NOTHING)


KEY = text("the name under which it is kept")
QUERY = text("what to look for, in plain words")
TOP = number("how many at most; 5 where nothing is said")
LIMIT = number("how many at most; 20 where nothing is said")

TOOLS = (
    Tool(
        name="remember",
        family="private",
        effect="puts",
        description="Keep a fact in your private memory under a key; the same key replaces what was there.",
        parameters=arguments(
            ("source",),
            key=KEY,
            content=text("the fact, as a short statement"),
            source=text("where it comes from"),
        ),
        act=_remember,
    ),
    Tool(
        name="recall",
        family="private",
        description="Read what your private memory has under a key.",
        parameters=arguments(key=KEY),
        act=_recall,
    ),
    Tool(
        name="search_memory",
        family="private",
        description="Search your private memory by meaning.",
        parameters=arguments(("top_k",), query=QUERY, top_k=TOP),
        act=_search,
    ),
    Tool(
        name="forget",
        family="private",
        effect="removes",
        description="Remove what your private memory has under a key.",
        parameters=arguments(key=KEY),
        act=_forget,
    ),
    Tool(
        name="list_memories",
        family="private",
        description="List what is in your private memory, the newest first.",
        parameters=arguments(("limit",), limit=LIMIT),
        act=_list,
    ),
)
