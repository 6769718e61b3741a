"""An agent of Pydantic AI that knows its user in the next conversation: python examples/pydantic_ai_memory.py

Conversations and what is remembered are in one file. The model is a function: no key.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from pydantic_ai import Agent
from pydantic_ai.conversation import Conversation
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from bethink import AsyncMemory
from bethink.integrations.pydantic_ai import BethinkConversationStore, BethinkMemory


@dataclass
class Deps:
    user_id: str


def scripted(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:  # noqa: ARG001
    """Say whether a memory stands in the instructions."""
    known = "vegetarian" in str(info.instructions)
    return ModelResponse(parts=[TextPart("You are vegetarian." if known else "I know nothing of you yet.")])


async def ask(memory: AsyncMemory, user: str, conversation_id: str, prompt: str) -> str:
    remembers = BethinkMemory(memory, user_of=lambda ctx: ctx.deps.user_id, idle=timedelta(0))
    agent: Any = Agent(FunctionModel(scripted), deps_type=Deps, capabilities=[remembers])
    store = BethinkConversationStore(memory, user=user)
    conversation = await store.load(conversation_id) or Conversation(conversation_id=conversation_id)
    result = await agent.run(prompt, deps=Deps(user), conversation=conversation)
    await store.save(result)
    kept = await store.load(conversation_id)
    return f"{result.output} ({len(kept.messages) if kept else 0} messages)"


async def main(path: str = "pydantic-ai-memory.db") -> None:
    async with AsyncMemory(path) as memory:
        print("ana, monday:", await ask(memory, "ana", "on-monday", "Remember that I am vegetarian."))
    async with AsyncMemory(path) as memory:
        print("ana, monday:", await ask(memory, "ana", "on-monday", "Thank you."))
        print("ana, friday:", await ask(memory, "ana", "on-friday", "What do you know of my food?"))
        print("bob, friday:", await ask(memory, "bob", "on-friday", "What do you know of my food?"))
        print("left after erasing:", (await memory.erase(user="ana")).remaining)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
