"""LangChain middleware: it injects context into each model request and learns from the conversation."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import SystemMessage

from bethink.integrations.async_and_blocking import both_faces
from bethink.integrations.langchain.messages import as_items, latest_words, stored_messages
from bethink.integrations.langchain.tools import memory_tools
from bethink.integrations.langchain.user_from_context import RunUser, thread_id
from bethink.integrations.learning import IDLE, consolidate_left, context_text, learn_from
from bethink.storage.stores import run

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from datetime import timedelta

    from langchain.agents.middleware import AgentState, ModelRequest, ModelResponse
    from langgraph.runtime import Runtime

    from bethink.lifecycle.inject.values import Strategy
    from bethink.memory.memory import AsyncMemory
    from bethink.sync import Memory
    from bethink.tools.values import Family

log = logging.getLogger("bethink.langchain")


class BethinkMiddleware(AgentMiddleware[Any, Any, Any]):
    """Gives an agent of LangChain memory: `create_agent(…, middleware=[BethinkMiddleware(memory)])`.

    What is remembered stands at the end of the system message of each request. It is never in the thread's state, so
    that it is not learned again. After each run the new messages are kept in the session of the thread's name, once
    each by their ids, and what is worth keeping is noted in it; before a run, sessions that were left are consolidated
    into the user's memory.

    Args:
        memory: an opened memory; who opened it closes it.
        agent: whose memory it is.
        user: the user of every run; or
        user_key: the field that names the user, of the run's context or of `configurable`. A run without it is
            refused. None with no user: the memory is the agent's own.
        tokens: of what is remembered, at most, in a request.
        strategy: how notes are ordered: `relevance+recency`, `relevance` or `recency`.
        items: `all` quotes what was said in other sessions as well.
        policy: your own words on how memories are to be taken.
        idle: for how long nobody wrote to a session that is consolidated; zero consolidates at the end of each run.
        families: tools by which the agent uses its memory, such as `("private",)`.
    """

    def __init__(
        self,
        memory: Memory | AsyncMemory,
        *,
        agent: str = "langchain",
        user: str | None = None,
        user_key: str | None = "user_id",
        tokens: int | None = None,
        strategy: Strategy = "relevance+recency",
        items: str = "session",
        policy: str | None = None,
        idle: timedelta = IDLE,
        families: Iterable[Family] = (),
    ) -> None:
        super().__init__()
        self._memories = both_faces(memory)
        self._whose = RunUser(user, user_key)
        self.agent = agent
        self.idle = idle
        self._options: dict[str, Any] = {
            "tokens": tokens,
            "strategy": strategy,
            "items": items,
            "policy": policy,
        }
        self.tools = (
            memory_tools(memory, agent=agent, user=user, user_key=user_key, families=families)
            if families
            else []
        )

    # ---- before a run -----------------------------------------------------------------------------------------

    def before_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> None:  # noqa: ARG002
        """Consolidate what was left."""
        run(self._begin(self._memories.driven))

    async def abefore_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> None:  # noqa: ARG002
        """Consolidate what was left."""
        await self._begin(self._memories.awaited)

    async def _begin(self, memory: AsyncMemory) -> None:
        await consolidate_left(memory.scope(agent=self.agent, user=self._whose.found()), self.idle)

    # ---- each request -----------------------------------------------------------------------------------------

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Put what is remembered behind the system message."""
        return handler(run(self._with_memories(self._memories.driven, request)))

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Put what is remembered behind the system message."""
        return await handler(await self._with_memories(self._memories.awaited, request))

    async def _with_memories(self, memory: AsyncMemory, request: ModelRequest[Any]) -> ModelRequest[Any]:
        scope = memory.scope(agent=self.agent, user=self._whose.found())
        query = latest_words(request.messages)
        text = await context_text(scope, log, session=thread_id(), query=query, **self._options)
        return request.override(system_message=_behind(request.system_message, text)) if text else request

    # ---- after a run ------------------------------------------------------------------------------------------

    def after_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> None:  # noqa: ARG002
        """Keep what was said, and note what is worth keeping."""
        run(self._learn(self._memories.driven, state))

    async def aafter_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> None:  # noqa: ARG002
        """Keep what was said, and note what is worth keeping."""
        await self._learn(self._memories.awaited, state)

    async def _learn(self, memory: AsyncMemory, state: AgentState[Any]) -> None:
        scope = memory.scope(agent=self.agent, user=self._whose.found())
        session = scope.session(thread_id() or f"run-{uuid4()}")
        messages = stored_messages(state["messages"])
        if not messages:
            return
        await session.append(as_items(messages), keys=[each.id for each in messages])
        await learn_from(scope, log, session.session_id, self.idle)


def _behind(message: SystemMessage | None, text: str) -> SystemMessage:
    """Return a system message that ends in a text."""
    if message is None:
        return SystemMessage(content=text)
    if isinstance(message.content, str):
        return message.model_copy(update={"content": f"{message.content}\n\n{text}"})
    return message.model_copy(update={"content": [*message.content, {"type": "text", "text": text}]})
