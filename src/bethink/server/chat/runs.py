"""Run an agent with the OpenAI Agents SDK and stream its events."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents import Agent, ModelSettings, RunConfig, Runner
from agents.run import CallModelData, ModelInputData
from agents.usage import Usage as SdkUsage

from bethink.errors import ClosedError
from bethink.integrations.openai_agents.context_injection import behind_history
from bethink.integrations.openai_agents.tools import function_tool
from bethink.json_kinds import is_list, is_object
from bethink.models.openai_calls import without_surrogates
from bethink.models.openai_failures import model_error
from bethink.server.chat.events import Event
from bethink.server.chat.values import Called

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agents import FunctionTool
    from agents.result import RunResultStreaming

    from bethink.server.chat.models import ChosenModel
    from bethink.tools.values import Answer, Reach, Tool


@dataclass(slots=True, kw_only=True)
class Run:
    """One run of one agent. Its tools reach its own memory, and only as long as it goes on."""

    name: str
    instructions: str
    recalled: str = ""  #: context for this turn: sent after the history, never stored
    chosen: ChosenModel
    max_turns: int
    temperature: float | None = None
    tell: Callable[[Event], None]
    before: Callable[[], None] = lambda: None  #: asked before each call of the model
    usage: SdkUsage = field(default_factory=SdkUsage)
    over: bool = False
    calls: dict[str, Any] = field(
        default_factory=dict[str, Any]
    )  #: tool calls by id, as the model wrote them
    answers: dict[str, Answer] = field(default_factory=dict[str, "Answer"])  #: tool results by call id

    def tools(self, tools: Iterable[Tool], reach: Reach) -> list[FunctionTool]:
        """Return tools bound to what they reach."""

        def reached(_: Any) -> Reach:
            if self.over:
                raise ClosedError("the run has ended; tools can be called only during a run", reason="run")
            return reach

        return [function_tool(tool, reached, self.answers.__setitem__) for tool in tools]

    async def play(
        self, message: str, tools: list[Any], session: Any = None
    ) -> tuple[str, tuple[Called, ...]]:
        """Return the answer and the tools that were called for it; what happens is told as it happens."""
        agent = Agent[None](
            name=self.name,
            instructions=self.instructions,
            model=self.chosen.model,
            model_settings=ModelSettings(temperature=self.temperature, include_usage=True),
            tools=tools,
        )
        config = RunConfig(tracing_disabled=True, call_model_input_filter=self._before)
        result = Runner.run_streamed(
            agent, message, session=session, max_turns=self.max_turns, run_config=config
        )
        try:
            called = await self._follow(result)
        finally:
            self.over = True
            await _settle(result)
            self.usage = result.context_wrapper.usage
        text = str(result.final_output or "")
        if not text.strip():
            raise model_error(f"chat:{self.chosen.name}", "empty")
        return text, called

    def _before(self, data: CallModelData[Any]) -> ModelInputData:
        self.before()
        given = data.model_data
        behind = behind_history(given.input, self.recalled)
        return _sendable(ModelInputData(input=behind, instructions=given.instructions))

    async def _follow(self, result: RunResultStreaming) -> tuple[Called, ...]:
        called: list[Called] = []
        async for event in result.stream_events():
            if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
                self.tell(Event(kind="delta", data={"text": event.data.delta}))
            elif event.type != "run_item_stream_event":
                continue
            elif event.name == "tool_called":
                raw: Any = event.item.raw_item
                self.calls[raw.call_id] = raw
                data = {"call_id": raw.call_id, "name": raw.name, "arguments": raw.arguments}
                self.tell(Event(kind="tool_call", data=data))
            elif event.name == "tool_output":
                output: Any = event.item
                each = self._called(self.calls[output.raw_item["call_id"]], str(output.output))
                called.append(each)
                data = {"call_id": each.call_id, "name": each.name, "output": each.output, "done": each.done}
                self.tell(Event(kind="tool_result", data=data))
        return tuple(called)

    def _called(self, raw: Any, output: str) -> Called:
        answered = self.answers.get(raw.call_id)
        return Called(
            call_id=raw.call_id,
            name=raw.name,
            arguments=raw.arguments,
            output=output,
            done=answered is None or answered.done,
        )


async def _settle(result: RunResultStreaming) -> None:
    """Make sure that nothing of a run goes on after it."""
    task = result.run_loop_task
    if task is not None and not task.done():
        result.cancel()
        await asyncio.wait([task])


def _sendable(given: ModelInputData) -> ModelInputData:
    """Return what a request can carry: halves of characters stay in the log."""
    try:
        json.dumps([given.instructions, given.input], ensure_ascii=False).encode()
    except UnicodeEncodeError:
        instructions = None if given.instructions is None else without_surrogates(given.instructions)
        return ModelInputData(input=_whole(given.input), instructions=instructions)
    return given


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return without_surrogates(value)
    if is_list(value):
        return [_whole(each) for each in value]
    return {_whole(name): _whole(each) for name, each in value.items()} if is_object(value) else value
