"""REST routes of chat: send a message, answered at once or streamed as server-sent events (SSE)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any, TypedDict, TypeVar

from fastapi import Request
from pydantic import Field
from starlette.responses import StreamingResponse

from bethink.server.chat.events import Event
from bethink.server.chat.values import Answer as Turn
from bethink.server.chat.values import State
from bethink.server.dependencies import Body, Label, Operation, Owner, PartOfPath, Registered
from bethink.server.json_responses import Answer, answer
from bethink.server.openapi import Router
from bethink.server.problems import HttpError
from bethink.server.services import services

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable

router = Router(prefix="/agents/{name}", tags=["chat"])
Name = PartOfPath
Session = PartOfPath
EVENTS = "text/event-stream"
#: how a route is described that may answer with events
STREAMED: dict[int | str, dict[str, Any]] = {200: {"content": {EVENTS: {}}}}
ALIVE_SECONDS = 15.0  #: between two signs of life in a stream
T = TypeVar("T")


class Message(Body):
    """What is said, and in which session."""

    message: Annotated[str, Field(min_length=1, max_length=100_000)]
    session: Label = "dashboard"
    stream: bool = False


class Stopped(TypedDict):
    """Whether something was stopped; nothing is where it had ended, or was being stored."""

    cancelled: bool


@router.post("/chat", responses=STREAMED)
async def chat(
    request: Request,
    agents: Registered,
    name: Name,
    message: Message,
    operation: Operation,
    owner: Owner = None,
) -> Answer[Turn] | StreamingResponse:
    """Send a message to an agent; with `stream`, or if the client accepts events, the answer is streamed."""
    runtime, agent = services(request).chat, await agents.get(name, owner=owner)
    if message.stream or EVENTS in request.headers.get("accept", ""):
        events = runtime.stream(agents, agent, message.session, message.message, operation=operation)
        return await streamed(request, events)
    turn = runtime.turn(agents, agent, message.session, message.message, operation=operation)
    return answer(await attended(request, turn))


@router.get("/sessions/{session}/state")
async def state(
    request: Request, agents: Registered, name: Name, session: Session, owner: Owner = None
) -> Answer[State]:
    """Return whether a turn is running in a session, and how many are queued."""
    agent = await agents.get(name, owner=owner)
    return answer(await services(request).chat.state(agents, agent, session))


@router.post("/sessions/{session}/cancel")
async def cancel(
    request: Request, agents: Registered, name: Name, session: Session, owner: Owner = None
) -> Answer[Stopped]:
    """Cancel the running turn; nothing of it is stored."""
    agent = await agents.get(name, owner=owner)
    return answer({"cancelled": await services(request).chat.cancel(agents, agent, session)})


async def streamed(request: Request, events: AsyncIterator[Event]) -> StreamingResponse:
    """Return events as they happen; what goes wrong before the first of them is raised."""
    first = await attended(request, anext(events))
    return StreamingResponse(
        _sent(first, events),
        media_type=EVENTS,
        headers={"cache-control": "no-store", "x-content-type-options": "nosniff"},
    )


async def attended(request: Request, work: Awaitable[T]) -> T:
    """Return what work comes to; where the client is gone before, let go of it: what began goes on by itself.

    Raises:
        HttpError: the client is gone.
    """
    task, gone = asyncio.ensure_future(work), asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise HttpError(400, "invalid", "the client disconnected before the answer was sent")
    finally:
        for each in (task, gone):
            each.cancel()
        await asyncio.wait((task, gone))


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _sent(first: Event, rest: AsyncIterator[Event]) -> AsyncIterator[bytes]:
    """Yield events as they are sent, with a sign of life where none comes for a while."""
    yield first.sse()
    coming = asyncio.ensure_future(anext(rest, None))
    try:
        while True:
            done, _ = await asyncio.wait((coming,), timeout=ALIVE_SECONDS)
            if not done:
                yield b": alive\n\n"
                continue
            event = coming.result()
            if event is None:
                return
            yield event.sse()
            coming = asyncio.ensure_future(anext(rest, None))
    finally:
        coming.cancel()
        await asyncio.wait((coming,))
