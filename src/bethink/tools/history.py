"""Tools that search the history: by question, or as a timeline."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bethink.errors import InvalidError
from bethink.tools.private import QUERY, TOP
from bethink.tools.result_lines import one_line
from bethink.tools.schemas import argument_description, arguments, describe, number, text, words
from bethink.tools.values import Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.recall.values import TimelineEntry
    from bethink.sessions.values import Item
    from bethink.tools.values import Reach

NOTHING = "Nothing was said about this."
LONGEST = 600  #: characters of what was said, in a list


async def _search(reach: Reach, given: Mapping[str, Any]) -> str:
    found = await reach.scope.recall(
        given["query"],
        limit=given.get("top_k", 5),
        kinds=("item",),
        answering=reach.session,
        **_filters(given),
    )
    lines: list[str] = []
    for hit in found:
        if hit.item is not None:
            lines.append(f"- [{hit.score:.2f}] {_who(hit.item)}: {one_line(hit.text)[:LONGEST]}")
            if hit.exchange is not None:
                earlier = hit.exchange.item.seq < hit.item.seq
                answer_line = one_line(hit.exchange.text)[:LONGEST]
                lines.append(f"  {'in answer to' if earlier else 'answered'}: {answer_line}")
    return "\n".join(lines) or NOTHING


async def _timeline(reach: Reach, given: Mapping[str, Any]) -> str:
    page = await reach.scope.timeline(
        given.get("query"),
        limit=given.get("limit", 20),
        cursor=given.get("cursor") or None,
        **_filters(given),
    )
    lines = [_entry(entry) for entry in page]
    if page.next is not None:
        lines.append(f"{page.total} in all; for the next ones pass cursor {page.next}")
    return "\n".join(lines) or NOTHING


def _filters(given: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "session": given.get("session") or None,
        "roles": given.get("roles") or None,
        "since": _instant(given, "since"),
        "until": _instant(given, "until"),
    }


def _instant(given: Mapping[str, Any], name: str) -> datetime | None:
    """Read a day or an instant; without a zone it is in UTC."""
    if not given.get(name):
        return None
    try:
        at = datetime.fromisoformat(given[name])
    except ValueError:
        raise InvalidError(f"{name} must be a date or a time, such as 2026-05-01", argument=name) from None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)


def _who(item: Item) -> str:
    role = item.body.get("role", "tool")
    day = f"{item.at.date().isoformat()}, " if item.at is not None else ""
    return f"{day}{item.speaker or role}, session {item.session}"


def _entry(entry: TimelineEntry) -> str:
    if entry.item is not None:
        where = _who(entry.item)
    else:
        day = f"{entry.at.date().isoformat()}, " if entry.at is not None else ""
        where = f"{day}note {(entry.note.key or entry.note.id) if entry.note is not None else ''}"
    again = f" (said again {len(entry.repeats)} times)" if entry.repeats else ""
    return f"- {where}: {one_line(entry.text)[:LONGEST]}{again}"


FILTERS = {
    "session": text(argument_description("scope.recall", "session")),
    "roles": words(argument_description("scope.recall", "roles", "All by default.")),
    "since": text(argument_description("scope.recall", "since", "ISO 8601.")),
    "until": text(argument_description("scope.recall", "until", "ISO 8601.")),
}

TOOLS = (
    Tool(
        name="search_history",
        family="history",
        verb="scope.recall",
        description=describe(
            "scope.recall", "Only conversations are searched; each hit comes with the reply to it."
        ),
        parameters=arguments(("top_k", *FILTERS), query=QUERY, top_k=TOP, **FILTERS),
        act=_search,
    ),
    Tool(
        name="timeline",
        family="history",
        verb="scope.timeline",
        description=describe(
            "scope.timeline", "Use it for how something went, how often, or what came first."
        ),
        parameters=arguments(
            ("query", "limit", "cursor", *FILTERS),
            query=text(argument_description("scope.timeline", "query")),
            limit=number(argument_description("scope.timeline", "limit", "20 by default.")),
            cursor=text(argument_description("scope.timeline", "cursor")),
            **{
                **FILTERS,
                "roles": words(argument_description("scope.timeline", "roles", "People by default.")),
            },
        ),
        act=_timeline,
    ),
)
