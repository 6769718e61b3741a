"""Tools of shared memory: pools by name, and the agent's team."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.errors import InvalidError
from bethink.tools.private import KEY, LIMIT, QUERY, TOP
from bethink.tools.result_lines import hit_lines, note_lines
from bethink.tools.schemas import argument_description, arguments, describe, text
from bethink.tools.values import Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.tools.values import Reach
    from bethink.tools.verbs import ScopeVerbs

POOL = text("The name of the pool.")


def _pool(reach: Reach, name: str) -> ScopeVerbs:
    if reach.memory is None or name not in reach.pools:
        known = ", ".join(reach.pools) or "(none)"
        raise InvalidError(f"Unknown pool '{name}'. Available pools: {known}", argument="pool")
    return reach.memory.pool(name)


def _team(reach: Reach) -> ScopeVerbs:
    if reach.memory is None or reach.team is None:
        raise InvalidError("this agent is not part of a team", argument="team")
    return reach.memory.team(reach.team)


async def _share_to(reach: Reach, given: Mapping[str, Any]) -> str:
    await _pool(reach, given["pool"]).propose(
        given["content"], key=given["key"], session=reach.session, family="pools", door=reach.door
    )
    return f"Stored '{given['key']}' in pool '{given['pool']}'."


async def _read_from_pool(reach: Reach, given: Mapping[str, Any]) -> str:
    note = await _pool(reach, given["pool"]).get(given["key"])
    return note.text if note else f"No finding for key '{given['key']}' in pool '{given['pool']}'."


async def _search_pool(reach: Reach, given: Mapping[str, Any]) -> str:
    hits = await _pool(reach, given["pool"]).recall(
        given["query"], limit=given.get("top_k", 5), kinds=("note",)
    )
    return hit_lines(hits, f"No findings in pool '{given['pool']}'.")


async def _list_pool(reach: Reach, given: Mapping[str, Any]) -> str:
    notes = await _pool(reach, given["pool"]).notes(limit=given.get("limit", 20))
    return note_lines(notes, f"No findings in pool '{given['pool']}'.")


async def _share_finding(reach: Reach, given: Mapping[str, Any]) -> str:
    await _team(reach).propose(
        given["content"], key=given["key"], session=reach.session, family="team", door=reach.door
    )
    return f"Shared finding '{given['key']}' with the team."


async def _read_shared(reach: Reach, given: Mapping[str, Any]) -> str:
    note = await _team(reach).get(given["key"])
    return note.text if note else f"No shared finding found for key '{given['key']}'."


async def _search_shared(reach: Reach, given: Mapping[str, Any]) -> str:
    hits = await _team(reach).recall(given["query"], limit=given.get("top_k", 5), kinds=("note",))
    return hit_lines(hits, "No shared findings found.")


async def _list_shared(reach: Reach, given: Mapping[str, Any]) -> str:
    return note_lines(await _team(reach).notes(limit=given.get("limit", 20)), "No shared findings.")


_CONTENT = text(argument_description("scope.remember", "text"))
_NAME = text(argument_description("scope.remember", "key"))

TOOLS = (
    Tool(
        name="share_to",
        family="pools",
        effect="puts",
        verb="scope.remember",
        description=describe("scope.remember", "It goes into a pool that several agents share."),
        parameters=arguments(pool=POOL, key=_NAME, content=_CONTENT),
        act=_share_to,
    ),
    Tool(
        name="read_from_pool",
        family="pools",
        verb="scope.get",
        description=describe("scope.get", "It is read from a pool by its key."),
        parameters=arguments(pool=POOL, key=KEY),
        act=_read_from_pool,
    ),
    Tool(
        name="search_pool",
        family="pools",
        verb="scope.recall",
        description=describe("scope.recall", "Only the notes of a pool are searched."),
        parameters=arguments(("top_k",), pool=POOL, query=QUERY, top_k=TOP),
        act=_search_pool,
    ),
    Tool(
        name="list_pool",
        family="pools",
        verb="scope.notes",
        description=describe("scope.notes", "Those of a pool."),
        parameters=arguments(("limit",), pool=POOL, limit=LIMIT),
        act=_list_pool,
    ),
    Tool(
        name="share_finding",
        family="team",
        effect="puts",
        verb="scope.remember",
        description=describe("scope.remember", "It is shared with the team."),
        parameters=arguments(key=_NAME, content=_CONTENT),
        act=_share_finding,
    ),
    Tool(
        name="read_shared",
        family="team",
        verb="scope.get",
        description=describe("scope.get", "It is read from what the team shares, by its key."),
        parameters=arguments(key=KEY),
        act=_read_shared,
    ),
    Tool(
        name="search_shared",
        family="team",
        verb="scope.recall",
        description=describe("scope.recall", "Only what the team shares is searched."),
        parameters=arguments(("top_k",), query=QUERY, top_k=TOP),
        act=_search_shared,
    ),
    Tool(
        name="list_shared",
        family="team",
        verb="scope.notes",
        description=describe("scope.notes", "Those that the team shares."),
        parameters=arguments(("limit",), limit=LIMIT),
        act=_list_shared,
    ),
)
