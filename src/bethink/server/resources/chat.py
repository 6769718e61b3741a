"""Chat: say something to an agent, and hear its answer at once or as it comes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Path, Request
from pydantic import Field
from starlette.responses import Response, StreamingResponse

from bethink.server.asking import Body, Operation, Owner, Registered, Word
from bethink.server.chat.events import Event
from bethink.server.rendering import answer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

router = APIRouter(prefix="/agents/{name}", tags=["chat"])
Name = Annotated[str, Path(max_length=512)]
Session = Annotated[str, Path(max_length=512)]
EVENTS = "text/event-stream"


class Message(Body):
    """What is said, and in which session."""

    message: Annotated[str, Field(min_length=1, max_length=100_000)]
    session: Word = "dashboard"
    stream: bool = False


@router.post("/chat")
async def chat(
    request: Request, agents: Registered, name: Name, said: Message, operation: Operation, owner: Owner = None
) -> Response:
    """Say something to an agent; with `stream`, or where events are accepted, the answer comes as it is made."""
    runtime, agent = request.app.state.chat, await agents.get(name, owner=owner)
    if said.stream or EVENTS in request.headers.get("accept", ""):
        return await streamed(runtime.stream(agents, agent, said.session, said.message, operation=operation))
    return answer(await runtime.turn(agents, agent, said.session, said.message, operation=operation))


@router.get("/sessions/{session}/state")
async def state(
    request: Request, agents: Registered, name: Name, session: Session, owner: Owner = None
) -> Response:
    """Say whether a turn is being played in a session, and how many wait."""
    agent = await agents.get(name, owner=owner)
    return answer(request.app.state.chat.state(agents, agent, session))


@router.post("/sessions/{session}/cancel")
async def cancel(
    request: Request, agents: Registered, name: Name, session: Session, owner: Owner = None
) -> Response:
    """Stop the turn that is being played; nothing of it is stored."""
    agent = await agents.get(name, owner=owner)
    return answer({"cancelled": await request.app.state.chat.cancel(agents, agent, session)})


async def streamed(events: AsyncIterator[Event]) -> Response:
    """Return the events of a turn as they happen; what goes wrong before the first of them is raised."""
    first = await anext(events)
    return StreamingResponse(
        _sent(first, events),
        media_type=EVENTS,
        headers={"cache-control": "no-store", "x-content-type-options": "nosniff"},
    )


async def _sent(first: Event, rest: AsyncIterator[Event]) -> AsyncIterator[bytes]:
    yield first.sse()
    async for event in rest:
        yield event.sse()
