"""REST routes of sessions: items and windows."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any, TypedDict

from fastapi import Query
from pydantic import Field
from starlette.responses import Response

from bethink.errors import NotFoundError
from bethink.memory.session_details import MAX_TITLE, MAX_TTL
from bethink.pages import Page
from bethink.server.dependencies import (
    Body,
    Cursor,
    Expected,
    Instant,
    Label,
    Limit,
    Operation,
    Revision,
    Scope,
    Session,
)
from bethink.server.json_responses import Answer, Entries, answer, nothing, page
from bethink.server.openapi import Router, of
from bethink.sessions.values import Attempt, Expiry, Head, Item, SessionInfo, TurnUsage

router = Router(prefix="/scopes/{namespace}/sessions", tags=["sessions"])
Count = Annotated[int, Query(ge=1, le=100_000)]


class NewItems(Body):
    """Items for the end of a log, all or none."""

    items: Annotated[list[dict[str, Any]], Field(max_length=1_000)]
    at: Instant | None = None
    speaker: Label | None = None
    origin: Label = "chat"
    operation: Label | None = None
    expected: Revision = None


class Undone(Body):
    """How many turns are removed."""

    turns: Annotated[int, Field(ge=1, le=100_000)] = 1


class Fork(Body):
    """The new session, and how much of the log it begins with."""

    name: Label
    at: Revision = None


class SessionLabel(Body):
    """What people see of a session."""

    title: Annotated[str, Field(max_length=MAX_TITLE)] | None = None
    metadata: dict[str, Any] | None = None


class Keeping(Body):
    """For how long the items of a session are kept."""

    seconds: Annotated[float, Field(gt=0, le=MAX_TTL.total_seconds())] | None = Field(
        description="How long to keep each item; null keeps items forever."
    )


class Window(TypedDict):
    """What a model should see of a log."""

    items: list[dict[str, Any]]


@router.get("")
@of("scope.sessions")
async def sessions(scope: Scope, limit: Limit = 100, cursor: Cursor = None) -> Answer[Page[SessionInfo]]:
    return page(await scope.sessions(limit=limit, cursor=cursor))


@router.get("/{session}")
@of("session.info")
async def read(session: Session) -> Answer[SessionInfo]:
    info = await session.info()
    if info is None:
        raise NotFoundError("no such session in this scope", kind="session", id=session.session_id)
    return answer(info, revision=info.revision)


@router.patch("/{session}")
@of("session.annotate")
async def annotate(session: Session, given: SessionLabel) -> Answer[SessionInfo]:
    return answer(await session.annotate(title=given.title, metadata=given.metadata))


@router.delete("/{session}", status_code=204)
@of("session.delete")
async def delete(session: Session, keep_notes: bool = False) -> Response:
    await session.delete(keep_notes=keep_notes)
    return nothing()


@router.get("/{session}/expiry")
@of("session.expiry")
async def expiry(session: Session) -> Answer[Expiry]:
    return answer(await session.expiry())


@router.put("/{session}/expiry")
@of("session.expire")
async def expire(session: Session, wanted: Keeping) -> Answer[Expiry]:
    return answer(await session.expire(None if wanted.seconds is None else timedelta(seconds=wanted.seconds)))


@router.get("/{session}/items")
@of("session.items")
async def items(session: Session, limit: Limit = 100, cursor: Cursor = None) -> Answer[Page[Item]]:
    return page(await session.items(limit=limit, cursor=cursor))


@router.post(
    "/{session}/items",
    status_code=201,
    responses={200: {"description": "Nothing was added: the operation was known."}},
)
@of("session.append")
async def append(session: Session, new: NewItems, expected: Expected, operation: Operation) -> Answer[Head]:
    options: Any = {"at": new.at, "speaker": new.speaker, "origin": new.origin}
    options["expected"] = expected if expected is not None else new.expected
    head = await session.append(new.items, operation=new.operation or operation, **options)
    return answer(head, 200 if head.repeated else 201, revision=head.revision)


@router.get("/{session}/window")
@of("session.window")
async def window(
    session: Session,
    messages: Count | None = None,
    turns: Count | None = None,
    tokens: Annotated[int | None, Query(ge=1, le=10_000_000)] = None,
    pending: bool = False,
) -> Answer[Window]:
    found = await session.window(messages=messages, turns=turns, tokens=tokens, pending=pending)
    return answer({"items": found})


@router.post("/{session}/undo")
@of("session.undo")
async def undo(session: Session, wanted: Undone) -> Answer[Head]:
    return answer(await session.undo(wanted.turns))


@router.post("/{session}/clear")
@of("session.clear")
async def clear(session: Session) -> Answer[Head]:
    return answer(await session.clear())


@router.post("/{session}/fork", status_code=201)
@of("session.fork")
async def fork(session: Session, wanted: Fork) -> Answer[SessionInfo]:
    info = await (await session.fork(wanted.at, wanted.name)).info()
    if info is None:
        raise NotFoundError("the new session was deleted at the same time", kind="session", id=wanted.name)
    return answer(info, 201)


@router.get("/{session}/attempts")
@of("session.attempts")
async def attempts(session: Session, limit: Limit = 20) -> Answer[Entries[Attempt]]:
    return answer({"entries": await session.attempts(limit=limit)})


@router.get("/{session}/usage")
@of("session.usage")
async def usage(session: Session) -> Answer[Entries[TurnUsage]]:
    return answer({"entries": await session.usage()})


@router.get("/{session}/export")
@of("session.export")
async def export(session: Session) -> Answer[dict[str, Any]]:
    return answer(await session.export())
