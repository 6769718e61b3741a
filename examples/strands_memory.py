"""An agent of Strands that knows its user in the next session: python examples/strands_memory.py

Sessions are kept by the repository, and go on in what stands for another process; what is worth keeping is learned by
the memory store, and stands before the model in the next session. The model is scripted: no key.
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any

from strands import Agent
from strands.memory import MemoryManager
from strands.memory.extraction.triggers import InvocationTrigger
from strands.memory.extraction.types import ExtractionConfig
from strands.models import Model
from strands.session.repository_session_manager import RepositorySessionManager

from bethink import Memory
from bethink.integrations.strands import BethinkMemoryStore, BethinkSessionRepository

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class Scripted(Model):
    """Answers with the memories that stand in what it is asked."""

    def get_config(self) -> Any:
        return {}

    def update_config(self, **config: Any) -> None: ...

    async def structured_output(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ARG002
        raise NotImplementedError
        yield

    async def stream(self, messages: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:  # noqa: ARG002
        blocks = [block.get("text", "") for block in messages[-1]["content"]]
        known = [line for text in blocks for line in text.splitlines() if line.lstrip().startswith("<entry")]
        text = f"I know: {' '.join(known)}" if known else "I know nothing of you yet."
        yield {"messageStart": {"role": "assistant"}}
        yield {"contentBlockStart": {"start": {}}}
        yield {"contentBlockDelta": {"delta": {"text": text}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn"}}


async def ask(memory: Memory, user: str, session: str, prompt: str) -> str:
    store = BethinkMemoryStore(
        memory,
        user=user,
        extraction=ExtractionConfig(trigger=InvocationTrigger()),
        session=f"learned-{session}",
    )
    manager = MemoryManager(stores=[store])
    agent = Agent(
        model=Scripted(),
        agent_id="guide",
        plugins=[manager],
        session_manager=RepositorySessionManager(
            session_id=session, session_repository=BethinkSessionRepository(memory, user=user)
        ),
        callback_handler=None,
    )
    result = await agent.invoke_async(prompt)
    await manager.flush()
    return f"{str(result).strip()} ({len(agent.messages)} messages)"


async def main(path: str = "strands-memory.db") -> None:
    with Memory(path) as memory:
        print("ana, monday:", await ask(memory, "ana", "monday", "Remember that I am vegetarian."))
    with Memory(path) as memory:
        print("ana, monday:", await ask(memory, "ana", "monday", "Thank you."))
        print("ana, friday:", await ask(memory, "ana", "friday", "Find a vegetarian restaurant."))
        print("bob, monday:", await ask(memory, "bob", "monday", "Find a vegetarian restaurant."))
        print("left after erasing:", memory.erase(user="ana").remaining)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
