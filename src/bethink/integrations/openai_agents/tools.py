"""The memory tools as function tools of the SDK."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents import FunctionTool

from bethink.errors import InvalidError
from bethink.integrations.openai_agents.scope_and_session import scope_in, session_name
from bethink.tools.calls import answer, answer_text
from bethink.tools.formats import is_strict, parameters
from bethink.tools.registry import tools
from bethink.tools.values import Reach

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agents.tool_context import ToolContext

    from bethink.integrations.openai_agents.scope_and_session import ScopeChoice, SessionChoice
    from bethink.memory.memory import AsyncMemory
    from bethink.tools.values import Answer, Family, Tool


def memory_tools(
    scope: ScopeChoice,
    *,
    session: SessionChoice = None,
    families: Iterable[Family] = ("notes", "private"),
    memory: AsyncMemory | None = None,
    pools: Iterable[str] = (),
    team: str | None = None,
) -> list[FunctionTool]:
    """Return tools by which an agent uses its memory.

    Args:
        scope: whose memory, or a function that chooses it from the run's context.
        session: where `save_memory_note` stages what it is told.
        families: `notes` (save_memory_note), `private` (remember, recall, search_memory, forget, list_memories),
            `categories` (memory_store, memory_recall, memory_forget), `pools` and `team`.
        memory: where pools and teams are found, narrowed to what the agent may do by `memory.acting_as(…)`.
        pools: the pools that the agent may name.
        team: the team that it works in.

    Raises:
        InvalidError: there is no such family, or one that is shared is asked for without a memory.
    """
    chosen, named = tools(families), tuple(pools)
    if memory is None and any(tool.family in {"pools", "team"} for tool in chosen):
        raise InvalidError("tools for pools and teams need the memory; pass memory=", argument="memory")

    def reach(context: ToolContext[Any]) -> Reach:
        return Reach(
            scope=scope_in(scope, context),
            session=session_name(session, context),
            memory=memory,
            pools=named,
            team=team,
        )

    return [function_tool(tool, reach) for tool in chosen]


def function_tool(
    tool: Tool,
    reach: Callable[[ToolContext[Any]], Reach],
    on_answer: Callable[[str, Answer], None] | None = None,
) -> FunctionTool:
    """Return one tool of the registry as the SDK wants it; `heard` is told what each call was answered."""

    async def invoke(context: ToolContext[Any], arguments: str) -> str:
        answered = await answer(tool, reach(context), arguments)
        if on_answer is not None:
            on_answer(context.tool_call_id, answered)
        return answer_text(answered.value)

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=parameters(tool),
        on_invoke_tool=invoke,
        strict_json_schema=is_strict(tool),
    )
