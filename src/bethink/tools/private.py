"""Tools of an agent's own memory, by key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.errors import NotFoundError
from bethink.scope.children import merge_children
from bethink.tools.result_lines import hit_lines, note_lines, waiting_remark
from bethink.tools.schemas import argument_description, arguments, describe, number, text
from bethink.tools.values import Tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bethink.notes.values import Note
    from bethink.recall.values import Hit
    from bethink.tools.values import Reach
    from bethink.tools.verbs import ScopeVerbs

NOTHING = "No memories found."


async def _remember(reach: Reach, given: Mapping[str, Any]) -> str:
    metadata = {"source": given["source"]} if given.get("source") else None
    note = await reach.scope.propose(
        given["content"],
        key=given["key"],
        metadata=metadata,
        session=reach.session,
        family="private",
        door=reach.door,
    )
    return waiting_remark(note, given["key"]) or f"Stored memory '{given['key']}'."


async def _recall(reach: Reach, given: Mapping[str, Any]) -> str:
    note = await reach.scope.get(given["key"])
    if note is not None and note.session not in {None, reach.session}:
        note = None  # the note of a session stays in it
    if note is None:
        note = await _newest(await reach.scope.stand_ins(), given["key"])
    if note is not None and note.status != "active":
        return f"The memory '{given['key']}' waits for a decision: it is not used before that."
    return note.text if note is not None else f"No memory found for key '{given['key']}'."


async def _search(reach: Reach, given: Mapping[str, Any]) -> str:
    most, below = given.get("top_k", 5), await reach.scope.stand_ins()
    hits = [hit for scope in (below or [reach.scope]) for hit in await _hits(scope, given["query"], most)]
    if below:
        hits = [hit for hit in hits if await _is_newest(hit.note, below)]
        hits.sort(key=lambda hit: hit.score, reverse=True)
    return hit_lines(hits[:most], NOTHING)


async def _hits(scope: ScopeVerbs, query: str, most: int) -> Iterable[Hit]:
    return await scope.recall(query, limit=most, kinds=("note",))


async def _newest(scopes: Sequence[ScopeVerbs], key: str) -> Note | None:
    """Return the newest of the notes that several scopes have under one key."""
    kept = [await each.get(key) for each in scopes]
    return max(filter(None, kept), key=lambda note: note.updated_at, default=None)


async def _is_newest(note: Note | None, scopes: Sequence[ScopeVerbs]) -> bool:
    if note is None or note.key is None:
        return True
    newest = await _newest(scopes, note.key)
    return newest is not None and newest.id == note.id


async def _forget(reach: Reach, given: Mapping[str, Any]) -> str:
    try:
        await reach.scope.forget(given["key"])
    except NotFoundError:
        return "Deleted: False"
    return "Deleted: True"


async def _list(reach: Reach, given: Mapping[str, Any]) -> str:
    most = given.get("limit", 20)
    notes: Iterable[Note] = await reach.scope.notes(limit=most)
    below = await reach.scope.stand_ins()
    if below:
        batches = [list(await each.notes(limit=most)) for each in below]
        notes = merge_children(batches, key=lambda note: note.key, newness=lambda note: note.updated_at)[
            :most
        ]
    return note_lines(notes, NOTHING)


KEY = text("The key of a note.")
QUERY = text(argument_description("scope.recall", "query"))
TOP = number(argument_description("scope.recall", "limit", "5 by default."))
LIMIT = number(argument_description("scope.notes", "limit", "20 by default."))

TOOLS = (
    Tool(
        name="remember",
        family="private",
        effect="puts",
        verb="scope.remember",
        description=describe("scope.remember", "It goes into your private memory."),
        parameters=arguments(
            ("source",),
            key=text(argument_description("scope.remember", "key")),
            content=text(argument_description("scope.remember", "text")),
            source=text("Where it comes from."),
        ),
        act=_remember,
    ),
    Tool(
        name="recall",
        family="private",
        verb="scope.get",
        description=describe("scope.get", "It is read from your private memory by its key."),
        parameters=arguments(key=KEY),
        act=_recall,
    ),
    Tool(
        name="search_memory",
        family="private",
        verb="scope.recall",
        description=describe("scope.recall", "Only the notes of your private memory are searched."),
        parameters=arguments(("top_k",), query=QUERY, top_k=TOP),
        act=_search,
    ),
    Tool(
        name="forget",
        family="private",
        effect="removes",
        verb="scope.forget",
        description=describe("scope.forget", "It is found in your private memory by its key."),
        parameters=arguments(key=KEY),
        act=_forget,
    ),
    Tool(
        name="list_memories",
        family="private",
        verb="scope.notes",
        description=describe("scope.notes", "Those of your private memory."),
        parameters=arguments(("limit",), limit=LIMIT),
        act=_list,
    ),
)
