"""An agent of LlamaIndex that knows its user: python examples/llamaindex_memory.py

Chats are kept in the user's sessions, and what was learned in one stands before the model in the next. The model is
scripted: no key.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import timedelta
from typing import Any

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.llms.mock import MockFunctionCallingLLM

from bethink import AsyncMemory
from bethink.integrations.llamaindex import BethinkMemory


def read_aloud(messages: list[ChatMessage], **_: Any) -> ChatMessage:
    """Stand for a model: say what it was told to remember."""
    lines = [line for message in messages for line in (message.content or "").splitlines()]
    known = [line for line in lines if line.startswith("- ") and "(none)" not in line]
    text = f"I know: {'; '.join(known)}" if known else "I know nothing of you yet."
    return ChatMessage(role="assistant", content=text)


async def main(path: str = "llamaindex-memory.db") -> None:
    agent = FunctionAgent(
        llm=MockFunctionCallingLLM(response_generator=read_aloud), system_prompt="You are a travel guide."
    )

    async with AsyncMemory(path) as memory:

        def of(user: str, session: str) -> BethinkMemory:
            return BethinkMemory(memory, user=user, session_id=session, agent="guide", idle=timedelta(0))

        async def ask(user: str, session: str, text: str) -> str:
            return str(await agent.run(text, memory=of(user, session)))

        print("ana, monday:", await ask("ana", "monday", "Remember that I am vegetarian."))
        print("ana, friday:", await ask("ana", "friday", "Where should I eat?"))
        print("bob, friday:", await ask("bob", "friday", "Where should I eat?"))
        print("on monday ana said:", (await of("ana", "monday").aget_all())[0].content)
        print("left after erasing:", (await memory.erase(user="ana")).remaining)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
