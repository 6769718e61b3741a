"""The history of Agent Framework over Bethink, beside its own file history."""

from __future__ import annotations

import asyncio
import warnings
from typing import TYPE_CHECKING, Any

from agent_framework import FileHistoryProvider, Message
from in_turn import awaited, head

from bethink import AsyncMemory
from bethink.integrations.agent_framework import BethinkHistoryProvider

if TYPE_CHECKING:
    from pathlib import Path

LONG = 1_000  #: messages of a long session


def turn(number: int) -> list[Message]:
    return [
        Message("user", [f"When does the ferry number {number} leave, and is the harbour full? " * 3]),
        Message("assistant", [f"It leaves at noon. {number} " * 10]),
    ]


async def new_session(history: Any, number: int) -> None:
    """Keep ten turns, one after another, as runs do: each loads what is there."""
    for each in range(10):
        await history.get_messages(f"new-{number}")
        await history.save_messages(f"new-{number}", turn(each))


async def run(folder: Path, rounds: int) -> None:
    warnings.simplefilter("ignore")
    theirs = FileHistoryProvider(folder / "theirs")
    async with AsyncMemory(str(folder / "ours.db")) as memory:
        ours = BethinkHistoryProvider(memory, user="ana")
        for history in (ours, theirs):
            for name in ("long", "grows"):
                await history.save_messages(name, [each for n in range(LONG // 2) for each in turn(n)])
        head("Agent Framework: the history")
        await awaited(
            ours,
            theirs,
            rounds,
            {
                "load a session of 1,000": lambda history, _: history.get_messages("long"),
                "keep a turn of a session of 1,000": lambda history, n: history.save_messages(
                    "grows", turn(LONG + n)
                ),
                "a session of 10 turns": new_session,
            },
        )


def measure(folder: Path, rounds: int) -> None:
    asyncio.run(run(folder, rounds))
