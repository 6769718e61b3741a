"""The session service of Google ADK over Bethink, beside ADK's own SQLite one."""

from __future__ import annotations

import asyncio
import warnings
from typing import TYPE_CHECKING, Any

from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.adk.sessions.base_session_service import GetSessionConfig
from google.adk.sessions.sqlite_session_service import SqliteSessionService
from google.genai import types
from in_turn import awaited, head

from bethink import AsyncMemory
from bethink.integrations.google_adk import BethinkSessionService

if TYPE_CHECKING:
    from pathlib import Path

LONG = 1_000  #: events of a long session
ANA: dict[str, Any] = {"app_name": "app", "user_id": "ana"}


def event(number: int) -> Event:
    part = types.Part(text=f"When does the ferry number {number} leave, and is the harbour full? " * 3)
    changed = EventActions(state_delta={"asked": number, "user:asked": number})
    content = types.Content(role="user", parts=[part])
    return Event(author="user", invocation_id=str(number), content=content, actions=changed)


async def turn(service: Any, number: int) -> None:
    """Make a session and append ten events to it, as a runner does."""
    session = await service.create_session(**ANA, session_id=f"new-{number}")
    for each in range(10):
        await service.append_event(session, event(each))


async def run(folder: Path, rounds: int) -> None:
    warnings.simplefilter("ignore")
    theirs = SqliteSessionService(str(folder / "theirs.db"))
    async with AsyncMemory(str(folder / "ours.db")) as memory:
        ours = BethinkSessionService(memory)
        for service in (ours, theirs):
            session = await service.create_session(**ANA, session_id="long")
            for number in range(LONG):
                await service.append_event(session, event(number))
        head("Google ADK: the session service")
        await awaited(
            ours,
            theirs,
            rounds,
            {
                "a new session of 10 events": turn,
                "read a session of 1,000": lambda service, _: service.get_session(**ANA, session_id="long"),
                "read its newest 20": lambda service, _: service.get_session(
                    **ANA, session_id="long", config=GetSessionConfig(num_recent_events=20)
                ),
                "list the sessions": lambda service, _: service.list_sessions(**ANA),
            },
        )


def measure(folder: Path, rounds: int) -> None:
    asyncio.run(run(folder, rounds))
