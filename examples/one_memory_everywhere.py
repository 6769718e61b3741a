"""One memory, written by one framework and read by others: python examples/one_memory_everywhere.py

An agent of LangChain on LangGraph hears something and keeps it. An agent of the OpenAI Agents SDK, another one over
MCP, and a person at the dashboard find it. Erased over REST, with one receipt, it is gone for all of them. The models
are scripted; everything else is real, and the server listens on a port of this machine.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import httpx2
import uvicorn
from agents import Agent, Runner, set_tracing_disabled
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.messages import HumanMessage
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from bethink import AsyncMemory
from bethink.integrations.langchain import BethinkMiddleware
from bethink.integrations.langgraph import BethinkSaver, BethinkStore
from bethink.integrations.openai_agents import memory_instructions
from bethink.server.api_keys import add_key
from bethink.server.app import create_app
from bethink.server.options import Options
from bethink.testing.models import Script, says

if TYPE_CHECKING:
    from collections.abc import Iterator

THREAD = {"configurable": {"thread_id": "monday", "user_id": "ana"}}


@dataclass
class Context:
    user_id: str


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve REST, MCP and the dashboard, and yield where."""
    app = create_app(Options(db=str(folder / "memory.db"), auth="bearer", keys=folder / "keys.json"))
    listening = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    server = uvicorn.Server(uvicorn.Config(app, log_config=None))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    while not server.started:
        time.sleep(0.05)
    try:
        yield url
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


async def write_through_langgraph(memory: AsyncMemory) -> None:
    """Tell an agent of LangChain something, and put something into its store."""
    store = BethinkStore(memory, agent="guide", users="memories/{user}")
    agent = create_agent(
        FakeListChatModel(responses=["Noted."]),
        middleware=[BethinkMiddleware(memory, agent="guide", idle=timedelta(0))],
        checkpointer=BethinkSaver(memory, agent="guide", user_key="user_id"),
        store=store,
        context_schema=Context,
    )
    said = {"messages": [HumanMessage("Remember that I am vegetarian.")]}
    await agent.ainvoke(said, THREAD, context=Context("ana"))
    await store.aput(("memories", "ana"), "home", {"text": "Lives in Bergen."})


async def what_langgraph_has(memory: AsyncMemory) -> list[Any]:
    """Return the thread's messages, and the item of the store."""
    state = await BethinkSaver(memory, agent="guide", user_key="user_id").aget_tuple(THREAD)
    item = await BethinkStore(memory, agent="guide", users="memories/{user}").aget(
        ("memories", "ana"), "home"
    )
    messages = [] if state is None else state.checkpoint["channel_values"]["messages"]
    return [*(message.text for message in messages), *([] if item is None else [item.value["text"]])]


async def what_an_agent_of_the_sdk_is_told(memory: AsyncMemory) -> str:
    """Ask an agent of the OpenAI Agents SDK, and return the line of its instructions that says it."""
    with Script(says("Something without meat.")) as model:
        scope = memory.scope(agent="guide", user="ana")
        guide = Agent(name="guide", model=model, instructions=memory_instructions("You are a guide.", scope))
        await Runner.run(guide, "What may I eat?")
        lines = [line for line in model.prompts[-1].splitlines() if "vegetarian" in line]
    return lines[0] if lines else "nothing"


async def what_is_found_over_mcp(url: str, key: str) -> str:
    """Search by the tool that a coding agent or an assistant calls."""
    headers = {"authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        Client(streamable_http_client(f"{url}/mcp/guide", http_client=http)) as client,
    ):
        found = await client.call_tool("search_memory", {"query": "vegetarian"})
    content: Any = found.content[0]
    return content.text


async def what_the_dashboard_shows(url: str, key: str) -> str:
    """Sign in as a person does, and look at the panel of notes."""
    async with httpx.AsyncClient(base_url=url, headers={"accept": "text/html"}) as person:
        await person.post("/sign-in", data={"credential": key, "next": "/"})
        page = await person.get("/memory/agent:guide:u:ana")
    return "shown" if "vegetarian" in page.text else "not shown"


async def play(folder: Path) -> None:
    key = add_key(folder / "keys.json", "ana")
    with serving(folder) as url:
        async with AsyncMemory(str(folder / "memory.db")) as memory:
            await write_through_langgraph(memory)
            print("LangGraph has:", await what_langgraph_has(memory))
            print("the Agents SDK is told:", await what_an_agent_of_the_sdk_is_told(memory))
            print("MCP finds:", await what_is_found_over_mcp(url, key))
            print("the dashboard:", await what_the_dashboard_shows(url, key))
            async with httpx.AsyncClient(base_url=f"{url}/v1", headers={"x-api-key": key}) as client:
                receipt = (await client.post("/erase", json={"user": "ana"})).json()
            shown = {name: receipt["erased"][name] for name in ("notes", "items", "documents")}
            print("REST erased:", json.dumps(shown), "and left", receipt["remaining"])
            print("LangGraph has:", await what_langgraph_has(memory))
            print("the Agents SDK is told:", await what_an_agent_of_the_sdk_is_told(memory))
            print("MCP finds:", await what_is_found_over_mcp(url, key))
            print("the dashboard:", await what_the_dashboard_shows(url, key))


def main() -> None:
    set_tracing_disabled(disabled=True)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play(Path(sys.argv[1] if len(sys.argv) > 1 else folder)))


if __name__ == "__main__":
    main()
