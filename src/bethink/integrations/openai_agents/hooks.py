"""Run hooks and conversation hooks at which memory is distilled and consolidated."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from agents import AgentHooks

from bethink.integrations.learning import consolidate_left, ignoring_silence
from bethink.integrations.openai_agents.scope_and_session import scope_in

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from agents.run_context import AgentHookContext

    from bethink.integrations.openai_agents.scope_and_session import ScopeChoice
    from bethink.memory.scope import AsyncScope
    from bethink.memory.session import AsyncSession

IDLE = timedelta(minutes=30)


class MemoryHooks(AgentHooks[Any]):
    """Hooks of an agent: before a run begins, sessions that were left are consolidated.

    So what was said in a conversation that nobody closed is known in the next one. A session that was written to
    less than `idle` ago is left alone.
    """

    def __init__(self, scope: ScopeChoice, *, idle: timedelta = IDLE) -> None:
        self._scope = scope
        self._idle = idle

    async def on_start(self, context: AgentHookContext[Any], agent: Any) -> None:  # noqa: ARG002
        """Consolidate what was left; where nothing was, nothing is written."""
        await consolidate_left(scope_in(self._scope, context), self._idle)


@asynccontextmanager
async def conversation(scope: AsyncScope, name: str, **options: Any) -> AsyncGenerator[AsyncSession]:
    """Hold a conversation; when its block ends well, it is consolidated.

    After an error the notes stay staged: `consolidate`, `MemoryHooks` or `memory.consolidate_idle` come back to
    them. `scope.plans()` says what was done.
    """
    session = scope.session(name, **options)
    yield session
    with ignoring_silence():
        await scope.consolidate(session=session.session_id)
