"""REST routes of notes: add, read, revise, forget, undo, review."""

from __future__ import annotations

import json
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Path, Query
from pydantic import Field

from bethink.errors import InvalidError, NotFoundError
from bethink.json_kinds import is_object
from bethink.lifecycle.plans import Plan
from bethink.lifecycle.review_reasons import Waiting
from bethink.memory.scope_review import MAX_DECIDED, Wait
from bethink.notes.checks import MAX_KEY, MAX_KEYWORD, MAX_KEYWORDS
from bethink.notes.values import Note, NoteVersion, Source, Status
from bethink.pages import Page
from bethink.server.dependencies import (
    Body,
    Cursor,
    Expected,
    Instant,
    Key,
    Label,
    Limit,
    Scope,
    Text,
    Word,
)
from bethink.server.json_responses import Answer, Entries, answer, page
from bethink.server.openapi import Router, of
from bethink.verbs import VERBS

router = Router(prefix="/scopes/{namespace}", tags=["notes"])
Which = Annotated[
    str, Path(min_length=1, max_length=MAX_KEY, description=VERBS["scope.get"].parameters["key_or_id"])
]
Filter = Annotated[str | None, Query(max_length=4_096, description="As JSON.")]


class NewNote(Body):
    """What is to be remembered."""

    text: Text
    key: Key | None = None
    category: Label = "core"
    keywords: Annotated[
        tuple[Annotated[str, Field(max_length=MAX_KEYWORD)], ...], Field(max_length=MAX_KEYWORDS)
    ] = ()
    session: Label | None = Field(
        default=None, description="Stage the note in this session instead of storing it for the user."
    )
    valid_from: Instant | None = None
    expires_at: Instant | None = None
    confidence: float | None = None
    source: Source = "user"
    metadata: dict[str, Any] | None = None


class Wording(Body):
    """Another wording."""

    text: Text


@router.post("/notes", status_code=201)
@of("scope.remember")
async def remember(scope: Scope, new: NewNote) -> Answer[Note]:
    if new.source in {"agent", "tool"}:
        note = await scope.propose(**new.model_dump(exclude={"category"}), **_agents(scope, new))
    elif new.session is not None:
        note = await scope.stage(new.session, new.text, keywords=new.keywords, key=new.key)
    else:
        note = await scope.remember(**new.model_dump(exclude={"session"}))
    place = f"/v1/scopes/{quote(str(scope.namespace), safe='')}/notes/{note.id}"
    return answer(note, 201, revision=note.revision, at=place)


@router.get("/notes")
@of("scope.notes")
async def notes(
    scope: Scope,
    limit: Limit = 100,
    cursor: Cursor = None,
    key: Annotated[
        str | None, Query(min_length=1, max_length=MAX_KEY, description="Only the active note with this key.")
    ] = None,
    category: Annotated[list[str] | None, Query(max_length=32)] = None,
    session: Annotated[str | None, Query(min_length=1, max_length=128)] = None,
    status: Annotated[Status | str, Query(description="Or `all`.")] = "active",
    where: Filter = None,
    as_of: Instant | None = None,
) -> Answer[Page[Note]]:
    if key is not None:
        note = await scope.get(key)
        return page(Page((note,) if note else (), int(note is not None)))
    wanted: Any = None if status == "all" else status
    options: Any = {"where": parse_where(where), "as_of": as_of, "limit": limit, "cursor": cursor}
    return page(await scope.notes(category=category, session=session, status=wanted, **options))


@router.get("/quarantine")
@of("scope.quarantine")
async def quarantine(scope: Scope, limit: Limit = 100, cursor: Cursor = None) -> Answer[Page[Note]]:
    return page(await scope.quarantine(limit=limit, cursor=cursor))


@router.get("/review")
@of("scope.review")
async def review(
    scope: Scope,
    status: Annotated[Wait | None, Query()] = None,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Answer[Page[Waiting]]:
    return page(await scope.review(status=status, limit=limit, cursor=cursor))


class Decisions(Body):
    """Notes that wait, and what becomes of each."""

    approve: list[Word] = Field(default_factory=list[str], max_length=MAX_DECIDED)
    reject: list[Word] = Field(default_factory=list[str], max_length=MAX_DECIDED)


@router.post("/review")
@of("scope.decide")
async def decide(scope: Scope, wanted: Decisions) -> Answer[Entries[Note]]:
    return answer({"entries": await scope.decide(approve=wanted.approve, reject=wanted.reject)})


@router.get("/notes/{note}/history")
@of("scope.history")
async def history(scope: Scope, note: Which) -> Answer[Entries[NoteVersion]]:
    return answer({"entries": await scope.history(note)})


@router.get("/notes/{note}")
@of("scope.get")
async def read(scope: Scope, note: Which) -> Answer[Note]:
    found = await scope.get(note)
    if found is None:
        raise NotFoundError("no such note in this scope", kind="note", id=note)
    return answer(found, revision=found.revision)


@router.patch("/notes/{note}")
@of("scope.revise")
async def revise(scope: Scope, note: Which, wording: Wording, expected: Expected) -> Answer[Note]:
    revised = await scope.revise(note, wording.text, expected=expected)
    return answer(revised, revision=revised.revision)


@router.delete("/notes/{note}")
@of("scope.forget")
async def forget(scope: Scope, note: Which) -> Answer[Note]:
    forgotten = await scope.forget(note)
    return answer(forgotten, revision=forgotten.revision)


@router.post("/notes/{note}/undo")
@of("scope.undo")
async def undo(scope: Scope, note: Which) -> Answer[Plan | Note]:
    return answer(await scope.undo(note))


@router.post("/notes/{note}/approve")
@of("scope.approve")
async def approve(scope: Scope, note: Which) -> Answer[Note]:
    return answer(await scope.approve(note))


@router.post("/notes/{note}/reject")
@of("scope.reject")
async def reject(scope: Scope, note: Which) -> Answer[Note]:
    return answer(await scope.reject(note))


def parse_where(text: str | None) -> dict[str, Any] | None:
    """Return a filter that was written as JSON."""
    if text is None:
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not is_object(found):
        raise InvalidError('where must be a JSON object, such as {"city": "Paris"}', argument="where")
    return found


def _agents(scope: Any, new: NewNote) -> dict[str, Any]:
    """Return how a note of an agent is handed in: with a session, it is staged there."""
    kinds = {"pool": "pools", "team": "team"}
    family = kinds.get(scope.namespace.kind, "private" if new.session is None else "notes")
    return {
        "door": "rest",
        "family": family,
        "category": new.category if new.session is None else "conversation",
    }
