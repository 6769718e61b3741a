"""Play one turn: the SDK's Runner over the window of a session, what is remembered, and the agent's tools."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents import Agent as SdkAgent
from agents import ModelSettings, RunConfig, Runner

from bethink.errors import ClosedError
from bethink.integrations.openai_agents.tools import function_tool
from bethink.server.agents import tools_of
from bethink.server.chat.events import Event
from bethink.server.chat.log import ChatTurn
from bethink.server.chat.values import Answer, Called, Usage

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.result import RunResultStreaming

    from bethink.memory.session import AsyncSession
    from bethink.server.agents import Agent, Agents
    from bethink.server.chat.models import Chosen
    from bethink.tools.values import Answer as Said
    from bethink.tools.values import Reach


@dataclass(slots=True, kw_only=True)
class Run:
    """The context of a run: its tools work only as long as it goes on."""

    over: bool = False
    said: dict[str, Said] = field(default_factory=dict[str, "Said"])  #: by the id of the call

    def check(self) -> None:
        """Make sure that a tool is called within its run.

        Raises:
            ClosedError: the run is over.
        """
        if self.over:
            raise ClosedError("the run of this tool is over", reason="run")


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What is to be played."""

    id: str
    agents: Agents
    agent: Agent
    session: AsyncSession | None  #: None for a background run
    stored: bool
    message: str
    origin: str
    chosen: Chosen
    seconds: float

    @property
    def name(self) -> str | None:
        """Return the id of the session."""
        return None if self.session is None else self.session.session_id


async def play(turn: Turn, tell: Callable[[Event], None]) -> Answer:
    """Play a turn, telling what happens, and store it once it has succeeded."""
    tell(
        Event(
            kind="turn",
            data={
                "turn": turn.id,
                "session": turn.name,
                "agent": turn.agent.name,
                "model": turn.chosen.name,
                "offline": turn.chosen.offline,
            },
        )
    )
    if turn.session is None or not turn.stored:
        text, called, usage = await _run(turn, None, tell)
        revision = None
    else:
        async with ChatTurn(turn.session, origin=turn.origin) as log:
            text, called, usage = await _run(turn, log, tell)
        revision = log.head.revision if log.head else None
    answer = Answer(
        turn=turn.id,
        session=turn.name,
        text=text,
        tools=called,
        usage=usage,
        model=turn.chosen.name,
        offline=turn.chosen.offline,
        revision=revision,
    )
    tell(
        Event(
            kind="done",
            data={
                "turn": turn.id,
                "session": answer.session,
                "text": text,
                "usage": usage,
                "revision": revision,
            },
        )
    )
    return answer


async def _run(
    turn: Turn, log: ChatTurn | None, tell: Callable[[Event], None]
) -> tuple[str, tuple[Called, ...], Usage]:
    spec = turn.agent.spec
    run = Run()
    sdk = SdkAgent[Run](
        name=turn.agent.name,
        instructions=await _instructions(turn, log),
        model=turn.chosen.model,
        model_settings=ModelSettings(temperature=spec.temperature, include_usage=True),
        tools=[*_tools(turn, run)],
    )
    async with asyncio.timeout(turn.seconds):
        session: Any = log
        result = Runner.run_streamed(
            sdk,
            turn.message,
            context=run,
            session=session,
            max_turns=spec.max_turns,
            run_config=RunConfig(tracing_disabled=True),
        )
        try:
            called = await _follow(result, run, tell)
        finally:
            run.over = True
            await _settle(result)
    usage = result.context_wrapper.usage
    return (
        str(result.final_output),
        called,
        Usage(requests=usage.requests, tokens_in=usage.input_tokens, tokens_out=usage.output_tokens),
    )


async def _follow(result: RunResultStreaming, run: Run, tell: Callable[[Event], None]) -> tuple[Called, ...]:
    calls: dict[str, tuple[str, str]] = {}
    called: list[Called] = []
    async for event in result.stream_events():
        if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
            tell(Event(kind="delta", data={"text": event.data.delta}))
        elif event.type != "run_item_stream_event":
            continue
        elif event.name == "tool_called":
            raw: Any = event.item.raw_item
            calls[raw.call_id] = (raw.name, raw.arguments)
            tell(
                Event(
                    kind="tool_call",
                    data={"call_id": raw.call_id, "name": raw.name, "arguments": raw.arguments},
                )
            )
        elif event.name == "tool_output":
            call_id = event.item.raw_item["call_id"]
            name, arguments = calls.get(call_id, ("", ""))
            said = run.said.get(call_id)
            each = Called(
                call_id=call_id,
                name=name,
                arguments=arguments,
                output=str(event.item.output),
                done=said is None or said.done,
            )
            called.append(each)
            tell(
                Event(
                    kind="tool_result",
                    data={"call_id": call_id, "name": name, "output": each.output, "done": each.done},
                )
            )
    return tuple(called)


async def _settle(result: RunResultStreaming) -> None:
    """Make sure that nothing of a run goes on after it."""
    task = result.run_loop_task
    if task is not None and not task.done():
        result.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _instructions(turn: Turn, log: ChatTurn | None) -> str:
    """Return the agent's own words, and what is remembered where it is to be said."""
    spec = turn.agent.spec
    wanted = spec.hooks.injection == "relevance" or not (log is not None and log.shown)
    if not (wanted and spec.primitives.memory.enabled):
        return spec.system_prompt
    scope = turn.agents.scope(turn.agent)
    context = await scope.context(session=turn.name, query=turn.message[-2_000:])
    return f"{spec.system_prompt}\n\n{context.text}".strip()


def _tools(turn: Turn, run: Run) -> list[Any]:
    reach = turn.agents.reach(turn.agent, turn.name)

    def reached(_: Any) -> Reach:
        run.check()
        return reach

    return [function_tool(tool, reached, run.said.__setitem__) for tool in tools_of(turn.agent)]
