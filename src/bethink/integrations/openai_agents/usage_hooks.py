"""Run hooks that count token usage, wrapped around the caller's own hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents import RunHooks
from agents.usage import Usage

if TYPE_CHECKING:
    from agents import Agent, ModelResponse, RunContextWrapper, Tool
    from agents.items import TResponseInputItem
    from agents.run_context import AgentHookContext


class UsageHooks(RunHooks[Any]):
    """Adds up the usage of every model call, and passes every event on.

    The SDK's own total goes on over a run and its resumption; this one is of a single run.
    """

    def __init__(self, then: RunHooks[Any] | None = None) -> None:
        self.usage = Usage()
        self._then: RunHooks[Any] = then or RunHooks()

    async def on_llm_start(
        self,
        context: RunContextWrapper[Any],
        agent: Agent[Any],
        system_prompt: str | None,
        input_items: list[TResponseInputItem],
    ) -> None:
        """Pass it on."""
        await self._then.on_llm_start(context, agent, system_prompt, input_items)

    async def on_llm_end(
        self, context: RunContextWrapper[Any], agent: Agent[Any], response: ModelResponse
    ) -> None:
        """Count what the answer took."""
        self.usage.add(response.usage)
        await self._then.on_llm_end(context, agent, response)

    async def on_agent_start(self, context: AgentHookContext[Any], agent: Any) -> None:
        """Pass it on."""
        await self._then.on_agent_start(context, agent)

    async def on_agent_end(self, context: AgentHookContext[Any], agent: Any, output: Any) -> None:
        """Pass it on."""
        await self._then.on_agent_end(context, agent, output)

    async def on_handoff(self, context: RunContextWrapper[Any], from_agent: Any, to_agent: Any) -> None:
        """Pass it on."""
        await self._then.on_handoff(context, from_agent, to_agent)

    async def on_tool_start(self, context: RunContextWrapper[Any], agent: Any, tool: Tool) -> None:
        """Pass it on."""
        await self._then.on_tool_start(context, agent, tool)

    async def on_tool_end(self, context: RunContextWrapper[Any], agent: Any, tool: Tool, result: Any) -> None:
        """Pass it on."""
        await self._then.on_tool_end(context, agent, tool, result)
