"""The chat store of LlamaIndex over Bethink, beside LlamaIndex's own SQL one, alone and under its `Memory`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from in_turn import awaited, head
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import Memory as Short
from llama_index.core.storage.chat_store.sql import SQLAlchemyChatStore
from sqlalchemy.ext.asyncio import create_async_engine

from bethink import AsyncMemory
from bethink.integrations.llamaindex import BethinkChatStore

if TYPE_CHECKING:
    from pathlib import Path

LONG = 1_000  #: messages of a long chat


def message(number: int) -> ChatMessage:
    return ChatMessage(
        role="user", content=f"The ferry number {number} leaves at noon, and the harbour is full. " * 3
    )


async def one_after_another(store: Any, number: int) -> None:
    for each in range(10):
        await store.add_message(f"new-{number}", message(each))


async def turn(store: Any, number: int) -> None:
    """Do a turn as an agent does: the message of the user, what the model is shown, and the answer."""
    memory = Short.from_defaults(session_id="turns", chat_store=store, token_limit=3_000)
    await memory.aput(message(number))
    await memory.aget()
    await memory.aput(ChatMessage(role="tool", content="It leaves at one. " * 3))


async def run(folder: Path, rounds: int) -> None:
    engine = create_async_engine(f"sqlite+aiosqlite:///{folder / 'theirs.db'}")
    theirs = SQLAlchemyChatStore("chats", async_engine=engine)
    async with AsyncMemory(str(folder / "ours.db")) as memory:
        ours = BethinkChatStore(memory, user="ana")
        for store in (ours, theirs):
            await store.add_messages("long", [message(number) for number in range(LONG)])
            await store.add_messages("archived", [message(number) for number in range(LONG)])
            await store.archive_oldest_messages("archived", LONG - 20)
        head("LlamaIndex: the chat store")
        await awaited(
            ours,
            theirs,
            rounds,
            {
                "add one message": lambda store, n: store.add_message("one", message(n)),
                "add 10, one after another": one_after_another,
                "add 100 at once": lambda store, n: store.add_messages(f"many-{n}", [message(n)] * 100),
                "read a chat of 1,000": lambda store, _: store.get_messages("long"),
                "read the 20 that are not archived, of 1,000": lambda store, _: store.get_messages(
                    "archived"
                ),
                "a turn of its `Memory`, whose queue is full": turn,
            },
        )
    await engine.dispose()
    print(
        f"\nsizes: {(folder / 'ours.db').stat().st_size:,} and {(folder / 'theirs.db').stat().st_size:,} bytes"
    )


def measure(folder: Path, rounds: int) -> None:
    asyncio.run(run(folder, rounds))
