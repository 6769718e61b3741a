"""An agent of Google ADK that knows its user in the next session: python examples/google_adk_memory.py

Sessions, their states and what is remembered are in one file. The model is scripted: no key.
"""

from __future__ import annotations

import asyncio
import sys
import warnings
from typing import TYPE_CHECKING, Any

warnings.simplefilter("ignore")

from google.adk.agents import LlmAgent  # noqa: E402
from google.adk.models.base_llm import BaseLlm  # noqa: E402
from google.adk.models.llm_response import LlmResponse  # noqa: E402
from google.adk.runners import Runner  # noqa: E402
from google.adk.tools.preload_memory_tool import PreloadMemoryTool  # noqa: E402
from google.genai import types  # noqa: E402

from bethink import AsyncMemory  # noqa: E402
from bethink.integrations.google_adk import BethinkMemoryService, BethinkSessionService  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator


class Scripted(BaseLlm):
    """Says whether a memory stands in its instructions."""

    async def generate_content_async(
        self,
        llm_request: Any,
        stream: bool = False,  # noqa: ARG002
    ) -> AsyncGenerator[LlmResponse, None]:
        told = str(llm_request.config.system_instruction) + str(llm_request.contents[:-1])
        text = "You are vegetarian." if "vegetarian" in told else "I know nothing of you yet."
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=text)]))


async def ask(memory: AsyncMemory, user: str, session: str, prompt: str) -> str:
    sessions, memories = BethinkSessionService(memory), BethinkMemoryService(memory)
    agent = LlmAgent(
        name="guide",
        model=Scripted(model="scripted"),
        tools=[PreloadMemoryTool()],
        output_key="user:answer",
    )
    runner = Runner(app_name="concierge", agent=agent, session_service=sessions, memory_service=memories)
    if not await sessions.get_session(app_name="concierge", user_id=user, session_id=session):
        await sessions.create_session(app_name="concierge", user_id=user, session_id=session)
    said = types.Content(role="user", parts=[types.Part(text=prompt)])
    answer = ""
    async for event in runner.run_async(user_id=user, session_id=session, new_message=said):
        if event.is_final_response() and event.content:
            answer = event.content.parts[0].text
    done = await sessions.get_session(app_name="concierge", user_id=user, session_id=session)
    await memories.add_session_to_memory(done)
    return f"{answer} ({len(done.events)} events)"


async def main(path: str = "adk-memory.db") -> None:
    async with AsyncMemory(path) as memory:
        print("ana, monday:", await ask(memory, "ana", "monday", "Remember that I am vegetarian."))
    async with AsyncMemory(path) as memory:
        print("ana, monday:", await ask(memory, "ana", "monday", "Thank you."))
        print("ana, friday:", await ask(memory, "ana", "friday", "What do you know of my food?"))
        print("bob, friday:", await ask(memory, "bob", "friday", "What do you know of my food?"))
        kept = await BethinkSessionService(memory).get_user_state(app_name="concierge", user_id="ana")
        print("kept of ana:", kept)
        print("left after erasing:", (await memory.erase(user="ana")).remaining)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
