"""Tools for notes by category: core, daily, conversation or a custom one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bethink.errors import NotFoundError
from bethink.notes.values import CORE
from bethink.tools.private import KEY
from bethink.tools.result_lines import name_of, one_line, waiting_remark
from bethink.tools.schemas import argument_description, arguments, describe, number, text
from bethink.tools.values import Tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bethink.notes.values import Note
    from bethink.tools.values import Reach

NOTHING = "No memories found."


async def _store(reach: Reach, given: Mapping[str, Any]) -> str:
    note = await reach.scope.propose(
        given["content"],
        key=given.get("key") or None,
        category=given.get("category") or CORE,
        session=reach.session,
        family="categories",
        door=reach.door,
    )
    return waiting_remark(note, name_of(note)) or f"Stored memory: {name_of(note)}"


async def _recall(reach: Reach, given: Mapping[str, Any]) -> str:
    limit, query = given.get("limit", 5), given.get("query", "*").strip()
    if query in {"", "*"}:
        listed = [*(await _of_session(reach, limit)), *(await reach.scope.notes(limit=limit))]
        notes: list[tuple[Note, str]] = [(note, "") for note in listed[:limit]]
    else:
        hits = await reach.scope.recall(query, limit=limit, kinds=("note",))
        if reach.session is not None:
            own = await reach.scope.recall(query, limit=limit, kinds=("note",), session=reach.session)
            hits = replace(
                hits, hits=(*own, *hits)[:limit], relevance=max(hits.relevance, own.relevance if own else 0.0)
            )
        best = max((hit.score for hit in hits), default=1.0) or 1.0
        sure = 100 * hits.relevance  # the first of what is irrelevant is no answer either
        notes = [
            (hit.note, f" [{max(0, round(sure * hit.score / best))}%]")
            for hit in hits
            if hit.note is not None
        ]
    lines = [f"- [{note.category}] {name_of(note)}: {one_line(note.text)}{share}" for note, share in notes]
    return "\n".join([f"Found {len(lines)} memories:", *lines]) if lines else NOTHING


async def _of_session(reach: Reach, limit: int) -> Iterable[Note]:
    """Return what was kept for the session that goes on."""
    return () if reach.session is None else await reach.scope.notes(session=reach.session, limit=limit)


async def _forget(reach: Reach, given: Mapping[str, Any]) -> str:
    try:
        await reach.scope.forget(given["key"])
    except NotFoundError:
        return f"No memory found with key: {given['key']}"
    return f"Forgot memory: {given['key']}"


TOOLS = (
    Tool(
        name="memory_store",
        family="categories",
        effect="puts",
        verb="scope.remember",
        description=describe(
            "scope.remember",
            "Category core is permanent, daily is for the coming days, conversation is for this conversation.",
        ),
        parameters=arguments(
            ("key", "category"),
            key=text(argument_description("scope.remember", "key")),
            content=text(argument_description("scope.remember", "text")),
            category=text(argument_description("scope.remember", "category", "core by default.")),
        ),
        act=_store,
    ),
    Tool(
        name="memory_recall",
        family="categories",
        verb="scope.recall",
        description=describe(
            "scope.recall", "Only notes are searched; without a query, the newest are listed."
        ),
        parameters=arguments(
            ("query", "limit"),
            query=text(argument_description("scope.recall", "query", "* or nothing for the newest.")),
            limit=number(argument_description("scope.recall", "limit", "5 by default.")),
        ),
        act=_recall,
    ),
    Tool(
        name="memory_forget",
        family="categories",
        effect="removes",
        verb="scope.forget",
        description=describe("scope.forget", "It is found by its key."),
        parameters=arguments(key=KEY),
        act=_forget,
    ),
)
