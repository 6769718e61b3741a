"""The tools of a memory in categories: core, daily, conversation or a word of one's own (seed 004)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bethink.errors import NotFoundError
from bethink.notes.values import CORE
from bethink.tools.lines import name_of, one_line, waiting
from bethink.tools.private import KEY
from bethink.tools.schemas import arguments, number, text
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
    return waiting(note, name_of(note)) or f"Stored memory: {name_of(note)}"


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
        description=(
            "Keep a fact, a preference or a note across conversations. Category core is permanent, daily is for "
            "the coming days, conversation is for this talk."
        ),
        parameters=arguments(
            ("key", "category"),
            key=text(
                "the name under which it is kept, if it is to have one; the same key replaces what was there"
            ),
            content=text("what to keep, as a short statement"),
            category=text("core, daily, conversation or a word of your own; core where nothing is said"),
        ),
        act=_store,
    ),
    Tool(
        name="memory_recall",
        family="categories",
        description="Search what was kept, by meaning; without a query the newest entries are listed.",
        parameters=arguments(
            ("query", "limit"),
            query=text("what to look for, in plain words; * or nothing for the newest"),
            limit=number("how many at most; 5 where nothing is said"),
        ),
        act=_recall,
    ),
    Tool(
        name="memory_forget",
        family="categories",
        effect="removes",
        description="Remove what is kept under a key.",
        parameters=arguments(key=KEY),
        act=_forget,
    ),
)
