"""An agent of LangChain that remembers its user: python examples/langchain_memory.py

The model is scripted, so that nothing is asked of a provider: put `init_chat_model("…")` in its place.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from bethink import Memory
from bethink.integrations.langchain import BethinkMiddleware
from bethink.integrations.langgraph import BethinkSaver


@dataclass
class Context:
    user_id: str


class Scripted(BaseChatModel):
    """Reads aloud what it was told to remember."""

    def _generate(self, messages: list[Any], *_: Any, **__: Any) -> ChatResult:
        known = [
            line for line in messages[0].text.splitlines() if line.startswith("- ") and "(none)" not in line
        ]
        text = f"I know: {'; '.join(known)}" if known else "I know nothing of you yet."
        return ChatResult(generations=[ChatGeneration(message=AIMessage(text))])

    @property
    def _llm_type(self) -> str:
        return "scripted"


def main(path: str = "langchain-memory.db") -> None:
    with Memory(path) as memory:
        agent = create_agent(
            Scripted(),
            system_prompt="You are a travel guide.",
            middleware=[BethinkMiddleware(memory, agent="guide", idle=timedelta(0))],
            checkpointer=BethinkSaver(memory, keep=10),
            context_schema=Context,
        )

        def ask(user: str, thread: str, text: str) -> str:
            found = agent.invoke(
                {"messages": [HumanMessage(text)]},
                {"configurable": {"thread_id": f"{user}-{thread}"}},
                context=Context(user),
            )
            return found["messages"][-1].text

        print("ana, monday:", ask("ana", "monday", "Remember that I am vegetarian."))
        print("ana, friday:", ask("ana", "friday", "Where should I eat?"))
        print("bob, friday:", ask("bob", "friday", "Where should I eat?"))


if __name__ == "__main__":
    main(*sys.argv[1:])
