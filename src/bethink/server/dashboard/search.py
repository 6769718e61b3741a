"""The search page of a namespace, with explanations of each hit and of misses."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from bethink.server.dashboard.charts import moments
from bethink.server.dashboard.dependencies import html, is_part
from bethink.server.dashboard.notes import around, instant
from bethink.server.dependencies import Cursor, Memory, Scope

router = APIRouter(prefix="/memory/{namespace}")
FOUND = 10  #: hits at once
SHOWN = 30  #: entries of a timeline at once
MISSED = 100  #: notes of which one can be asked for

Question = Annotated[str, Query(max_length=4_000)]


@router.get("/timeline")
async def timeline(
    request: Request,
    memory: Memory,
    scope: Scope,
    q: Question = "",
    since: Annotated[str, Query(max_length=64)] = "",
    until: Annotated[str, Query(max_length=64)] = "",
    cursor: Cursor = None,
) -> Response:
    """Show what was said and learned in the order of time, about a matter or altogether, with a picture of it."""
    chosen: Any = {"since": instant(since) if since else None, "until": instant(until) if until else None}
    found = await scope.timeline(q.strip() or None, limit=SHOWN, cursor=cursor, **chosen)
    values: Any = {"namespace": scope.namespace, "q": q, "since": since, "until": until, "found": found}
    values["plot"] = moments([entry.at for entry in found if entry.at is not None])
    return html(request, "timeline.html", **values, **await around(memory, scope, "timeline"))


@router.get("/search")
async def search(
    request: Request,
    memory: Memory,
    scope: Scope,
    q: Question = "",
    kind: Annotated[str, Query(max_length=16)] = "all",
    expected: Annotated[str, Query(max_length=64)] = "",
) -> Response:
    """Show what recall finds, each hit with the parts of its score in words."""
    kinds = (kind,) if kind in {"note", "item"} else ("note", "item")
    found = await scope.recall(q, limit=FOUND, kinds=kinds, explain=True) if q.strip() else None
    lost = await scope.why_not(q, expected, limit=FOUND, kinds=kinds) if q.strip() and expected else None
    values: Any = {"namespace": scope.namespace, "q": q, "kind": kind, "found": found, "lost": lost}
    values["missed"] = []
    if found is not None:
        shown = {hit.note.id for hit in found if hit.note is not None}
        notes = await scope.notes(limit=MISSED)
        values["missed"] = [note for note in notes if note.id not in shown]
    if is_part(request):
        return html(request, "_hits.html", **values, expected=expected)
    around_it = await around(memory, scope, "search")
    return html(request, "search.html", **values, expected=expected, **around_it)
