"""Record a run from its hooks, as it happens."""

from __future__ import annotations

import itertools
import json
import uuid
from typing import TYPE_CHECKING, Any, cast

from agents import ItemHelpers, RunState

from bethink.integrations.openai_agents.usage_hooks import UsageHooks
from bethink.sessions.item_kinds import classify
from bethink.workspace.rollouts import RunEnd, plain_json, run_digest, segment

if TYPE_CHECKING:
    from agents import Agent, ModelResponse, RunContextWrapper, RunHooks, RunResult
    from agents.items import TResponseInputItem
    from agents.run_context import AgentHookContext

    from bethink.memory.workspace import AsyncWorkspace


class Recorder(UsageHooks):
    """Hooks of one run: what is asked and done is durable as it happens, and each event is passed on."""

    def __init__(
        self,
        space: AsyncWorkspace | None,
        run_digests: dict[str, str] | None = None,
        *,
        conversation_id: str | None = None,
        session_id: str | None = None,
        group_id: str | None = None,
        then: RunHooks[Any] | None = None,
    ) -> None:
        super().__init__(then)
        self._space = space
        self._run_digests = {} if run_digests is None else run_digests
        self._run = uuid.uuid4().hex
        fresh = conversation_id or session_id or group_id or f"run-{self._run}"
        self.group: str = fresh
        self._conversation: dict[str, Any] = {
            "conversation_id": conversation_id,
            "session_id": session_id,
            "group_id": fresh,
        }
        self._input: list[dict[str, Any]] | None = None
        self._generated: list[dict[str, Any]] = []
        self._known: set[str] = set()  #: items of the run that is resumed
        self._over = False
        self._told = False  #: somebody will say how the run ends

    # ---- what is told -----------------------------------------------------------------------------------------

    def given(self, input: str | list[TResponseInputItem] | RunState[Any]) -> None:  # noqa: A002
        """Say what the run is given; without this, it is read from the first event."""
        self._told = True
        if isinstance(input, RunState):
            self._input = []
            self._known = {_print(each) for each in _generated(getattr(input, "_generated_items", []))}
        else:
            self._input = [plain_json(each) for each in ItemHelpers.input_to_new_input_list(input)]

    async def finished(self, result: RunResult) -> None:
        """Note how a run ended that returned."""
        await self._keep(
            [each for each in _generated(result.new_items) if _print(each) not in self._known],
            final_output=result.final_output,
            interruptions=[each.raw_item for each in result.interruptions],
            over=True,
        )
        if self._known:  # the Runner's own account of a resumed run begins where the run began
            self._recognise(_generated(result.new_items), part="whole")

    async def failed(self, error: BaseException) -> None:
        """Note how a run ended that raised."""
        data = getattr(error, "run_data", None)
        generated = _generated(data.new_items) if data is not None else []
        generated = [each for each in generated if _print(each) not in self._known]
        await self._keep(generated or self._generated, error=error, over=True)

    # ---- what is seen -----------------------------------------------------------------------------------------

    async def on_llm_start(
        self,
        context: RunContextWrapper[Any],
        agent: Agent[Any],
        system_prompt: str | None,
        input_items: list[TResponseInputItem],
    ) -> None:
        """Take up what was asked, or what tools answered since the last call."""
        shown = [cast("dict[str, Any]", plain_json(each)) for each in input_items]
        if self._input is None:
            self._input = _newest(shown)
        else:
            asked = {call for each in self._generated for call in classify(each).opens}
            there = {call for each in self._generated for call in classify(each).answers}
            for each in shown:
                answers = set(classify(each).answers)
                if answers & asked and not answers & there:
                    self._generated.append(each)
        await self._keep(self._generated)
        await super().on_llm_start(context, agent, system_prompt, input_items)

    async def on_llm_end(
        self, context: RunContextWrapper[Any], agent: Agent[Any], response: ModelResponse
    ) -> None:
        """Take up what the model answered."""
        self._generated += [cast("dict[str, Any]", plain_json(each)) for each in response.to_input_items()]
        await self._keep(self._generated)
        await super().on_llm_end(context, agent, response)

    async def on_agent_end(self, context: AgentHookContext[Any], agent: Any, output: Any) -> None:
        """Note the final answer."""
        await self._keep(self._generated, final_output=output, over=not self._told)
        await super().on_agent_end(context, agent, output)

    async def _keep(
        self,
        generated: list[dict[str, Any]],
        *,
        final_output: Any = None,
        interruptions: list[Any] | None = None,
        error: BaseException | None = None,
        over: bool = False,
    ) -> None:
        if self._space is None or self._over:
            return
        self._over = over
        waiting = interruptions or ([] if over or self._told else _unanswered(generated))
        await self._space.record(
            self._input or [],
            generated,
            final_output=final_output,
            interruptions=waiting,
            error=error,
            run_id=self._run,
            under_way=not over,
            **self._conversation,
        )
        self._recognise(generated)

    def _recognise(self, generated: list[dict[str, Any]], part: str = "") -> None:
        """Note by what the Runner's own account of this run is recognised."""
        account = segment(
            "", at="", given=self._input or [], generated=generated, how=RunEnd(state="completed")
        )
        self._run_digests[f"{self._run} {part}"] = run_digest(account)


def _newest(shown: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what was said last: after everything that an agent or a tool said."""
    tail = itertools.takewhile(
        lambda each: each.get("role") in {"user", "system", "developer"}, reversed(shown)
    )
    return list(tail)[::-1]


def _generated(items: list[Any]) -> list[dict[str, Any]]:
    """Return what a run made, as items of the model's input."""
    return [
        cast("dict[str, Any]", plain_json(each.to_input_item()))
        for each in items
        if getattr(each, "type", "") != "tool_approval_item"
    ]


def _unanswered(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the calls that have no result yet."""
    there = {call for each in items for call in classify(each).answers}
    return [each for each in items if (opens := classify(each).opens) and not there.intersection(opens)]


def _print(item: dict[str, Any]) -> str:
    return json.dumps(item, sort_keys=True, default=str)
