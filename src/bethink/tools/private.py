"""The tools of an agent's own memory, by key (seed 002)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.errors import NotFoundError
from bethink.scope.children import merge_children
from bethink.tools.lines import found, listed, waiting
from bethink.tools.schemas import arguments, number, text
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
    return waiting(note, given["key"]) or f"Stored memory '{given['key']}'."


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
    return found(hits[:most], NOTHING)


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
    return listed(notes, NOTHING)


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
