"""Talk to an agent from the command line, in this process and over its own memory."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bethink.cli.model_options import (  # noqa: TC001 - typer reads them at run time
    Model,
    ModelUrl,
    TurnSeconds,
)
from bethink.cli.options import add
from bethink.cli.terminal_escapes import visible
from bethink.errors import BethinkError, NotFoundError
from bethink.plain import plain

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bethink.cli.command_context import CommandContext
    from bethink.memory.memory import AsyncMemory
    from bethink.server.agents import Agent, Agents
    from bethink.server.chat.events import Event

PROMPT = "> "


def chat(
    command: CommandContext,
    agent: Annotated[str, typer.Argument(help="The agent to talk to.")],
    *,
    message: Annotated[
        str | None,
        typer.Option("--message", "-m", help="A single message; without it, messages are read line by line."),
    ] = None,
    session: Annotated[str, typer.Option("--session", help="The session of the conversation.")] = "dashboard",
    model: Model = None,
    model_url: ModelUrl = None,
    turn_seconds: TurnSeconds = 300.0,
) -> None:
    """Chat with a registered agent, or with a default agent of that name.

    Without a model, an offline responder answers from memory alone. With --json, each event is a line of JSON.
    """
    from bethink.server.chat.runtime import ChatRuntime
    from bethink.server.options import Options

    options = Options(
        db=command.db, tenant=command.tenant, model=model, model_url=model_url, turn_seconds=turn_seconds
    )

    async def work(memory: AsyncMemory) -> None:
        agents, known = await _known(memory, agent, command.user)
        runtime = ChatRuntime(options)
        try:
            async for text in _messages(message):
                events = runtime.stream(agents, known, session, text)
                await _show(events, json_lines=command.json, once=message is not None)
        finally:
            await runtime.close()

    command.awaited(work)


async def _known(memory: AsyncMemory, name: str, user: str | None) -> tuple[Agents, Agent]:
    """Return an agent as the user may use it; one that nobody registered is a plain one.

    Raises:
        NotFoundError: it is registered, and not for this user.
    """
    from bethink.scope.values import SYSTEM, Principal, validate_principal
    from bethink.server.agents import Agent, Agents
    from bethink.server.specs import AgentSpec
    from bethink.times import now

    agents = Agents(memory if user is None else memory.acting_as(Principal(validate_principal(user))))
    try:
        return agents, await agents.get(name)
    except NotFoundError:
        if any(each.name == name and each.owner == SYSTEM for each in await Agents(memory).all()):
            raise
    at = now()
    spec = AgentSpec()
    return agents, Agent(name=name, owner=SYSTEM, spec=spec, revision=0, created_at=at, updated_at=at)


async def _messages(message: str | None) -> AsyncIterator[str]:
    """Yield what is said: one message, or line by line until there are no more."""
    if message is not None:
        yield message
        return
    import asyncio

    while True:
        if sys.stdin.isatty():
            sys.stderr.write(PROMPT)
            sys.stderr.flush()
        line = await asyncio.to_thread(sys.stdin.readline)
        if not line:
            return
        if line.strip():
            yield line.strip()


async def _show(events: AsyncIterator[Event], *, json_lines: bool, once: bool) -> None:
    """Print a turn as it happens; one that failed ends the command where nothing else is to be said.

    Raises:
        BethinkError: the turn failed.
    """
    async for event in events:
        if json_lines:
            payload: Any = plain(event.data)
            sys.stdout.write(json.dumps({"event": event.kind, **payload}) + "\n")
        elif event.kind == "delta":
            sys.stdout.write(visible(event.data["text"]))
        elif event.kind == "tool_call":
            sys.stderr.write(visible(f"· {event.data['name']} {event.data['arguments']}") + "\n")
        elif event.kind == "done":
            sys.stdout.write("\n")
        sys.stdout.flush()
        if event.kind == "failed":
            if once:
                raise BethinkError(event.data["detail"], type=event.data["type"])
            sys.stderr.write(visible(f"bethink: {event.data['detail']}") + "\n")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, chat, makes=True)
