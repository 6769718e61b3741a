"""The memory tools as LangChain tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_core.tools import StructuredTool

from bethink.integrations.async_and_blocking import both_faces
from bethink.integrations.langchain.user_from_context import RunUser, thread_id
from bethink.storage.stores import run
from bethink.tools.calls import answer, answer_text
from bethink.tools.formats import parameters
from bethink.tools.registry import own_tools
from bethink.tools.values import Reach

if TYPE_CHECKING:
    from collections.abc import Iterable

    from langchain_core.tools import BaseTool

    from bethink.memory.memory import AsyncMemory
    from bethink.sync import Memory
    from bethink.tools.values import Family, Tool


def memory_tools(
    memory: Memory | AsyncMemory,
    *,
    agent: str = "langchain",
    user: str | None = None,
    user_key: str | None = "user_id",
    families: Iterable[Family] = ("private",),
) -> list[BaseTool]:
    """Return tools by which an agent uses its memory, with and without `await`.

    Args:
        memory: an opened memory.
        agent: whose memory it is.
        user: the user of every call; or
        user_key: the field that names the user, of the run's context or of `configurable`. A call without it fails.
        families: `private` (remember, recall, search_memory, forget, list_memories), `categories` (memory_store,
            memory_recall, memory_forget), `notes` (save_memory_note, in the session of the thread's name).

    Raises:
        InvalidError: there is no such family, or it is of pools, teams and workspaces, which are not reached from here.
    """
    memories, whose = both_faces(memory), RunUser(user, user_key)

    def reach(opened: AsyncMemory) -> Reach:
        return Reach(scope=opened.scope(agent=agent, user=whose.found()), session=thread_id())

    def made(tool: Tool) -> BaseTool:
        def act(**arguments: Any) -> str:
            return answer_text(run(answer(tool, reach(memories.driven), arguments)).value)

        async def act_awaited(**arguments: Any) -> str:
            return answer_text((await answer(tool, reach(memories.awaited), arguments)).value)

        return StructuredTool(
            name=tool.name,
            description=tool.description,
            args_schema=parameters(tool),
            func=act,
            coroutine=act_awaited,
        )

    return [made(tool) for tool in own_tools(families)]
