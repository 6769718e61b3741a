"""An agent of Microsoft's Agent Framework that knows its user: python examples/agent_framework_memory.py

The history provider keeps what was said, and the session goes on in what stands for another process; the context
provider puts what was learned into the instructions of the next one. The model is scripted: no key.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import timedelta
from typing import Any

from agent_framework import (
    Agent,
    AgentSession,
    BaseChatClient,
    ChatResponse,
    FunctionInvocationLayer,
    Message,
)

from bethink import AsyncMemory
from bethink.integrations.agent_framework import BethinkContextProvider, BethinkHistoryProvider


class Scripted(FunctionInvocationLayer, BaseChatClient):
    """Reads aloud what it was told to remember, and how many messages it was shown."""

    async def _inner_get_response(
        self,
        *,
        messages: Any,
        stream: bool,  # noqa: ARG002
        options: Any,
        **_: Any,
    ) -> ChatResponse:
        lines = (options.get("instructions") or "").splitlines()
        known = [line for line in lines if line.startswith("- ") and "(none)" not in line]
        text = f"I know: {'; '.join(known)}" if known else "I know nothing of you yet."
        shown = f"{len(messages)} message{'s' if len(messages) > 1 else ''}"
        return ChatResponse(messages=[Message("assistant", [f"{text} ({shown})"])])


async def ask(memory: AsyncMemory, user: str, name: str, text: str) -> str:
    agent = Agent(
        Scripted(),
        "You are a travel guide.",
        context_providers=[
            BethinkHistoryProvider(memory, agent="guide"),
            BethinkContextProvider(memory, agent="guide"),
        ],
    )
    session = AgentSession(session_id=name)
    session.state["user_id"] = user  # whose memory it is
    return (await agent.run(text, session=session)).text


async def main(path: str = "agent-framework-memory.db") -> None:
    async with AsyncMemory(path) as memory:
        print("ana, monday:", await ask(memory, "ana", "monday", "Remember that I am vegetarian."))
    async with AsyncMemory(path) as memory:
        print("ana, monday:", await ask(memory, "ana", "monday", "Thank you."))
        await memory.consolidate_idle(after=timedelta(0))  # by itself after half an hour
        print("ana, friday:", await ask(memory, "ana", "friday", "Where should I eat?"))
        print("bob, monday:", await ask(memory, "bob", "monday", "Where should I eat?"))
        print("left after erasing:", (await memory.erase(user="ana")).remaining)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
