"""The MCP server of a project: both memories behind the tools, and no other one."""

import os
import sys
from pathlib import Path

import pytest
from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend():
    return "asyncio"


def served(machine, folder):
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(Path(__file__).parents[2] / "src"),
        **machine.environment,
    }
    return stdio_client(
        StdioServerParameters(
            command=sys.executable,
            args=["-m", "bethink.cli", "mcp", "--project", "."],
            env=environment,
            cwd=str(folder),
        )
    )


async def test_tools_and_resources_reach_the_project_and_the_user_and_nothing_else(machine):
    app, other = machine.repository("app"), machine.repository("other")
    machine.say("s1", app, "We decided to keep invoices immutable.", "Yes.")
    machine.hook("Stop", "s1", app)
    machine.say("s2", other, "Invoices of the other kind are mutable, we decided.", "Yes.")
    machine.hook("Stop", "s2", other)
    with machine.memory() as memory:
        machine.register(memory).own.remember("I file invoices on Fridays.", key="fridays")
    async with Client(served(machine, app)) as client:
        found = (await client.call_tool("search_memory", {"query": "invoices"})).content[0].text
        assert "immutable" in found
        assert "Fridays" in found
        assert "other kind" not in found
        said = (await client.call_tool("search_history", {"query": "invoices"})).content[0].text
        assert "immutable" in said
        assert "other kind" not in said
        await client.call_tool("remember", {"key": "auth", "content": "Tokens live for an hour."})
        listed = {str(each.uri) for each in (await client.list_resources()).resources}
        assert listed == {"memory://context", "memory://notes"}
        notes = (await client.read_resource("memory://notes")).contents[0].text
        assert "Tokens live" in notes
        assert "Fridays" in notes
        kept = (await client.read_resource("memory://note/auth")).contents[0].text
        assert kept == "Tokens live for an hour."
        asked = await client.get_prompt("recall", {"about": "invoices"})
        assert "immutable" in asked.messages[0].content.text
        assert (await client.call_tool("recall", {"key": "fridays"})).content[
            0
        ].text == "I file invoices on Fridays."
        assert (await client.call_tool("forget", {"key": "fridays"})).content[0].text == "Deleted: True"
        assert (await client.call_tool("forget", {"key": "fridays"})).content[0].text == "Deleted: False"
    assert "Fridays" not in machine.start(app)
    assert "Tokens live" in machine.start(app)
    assert "Tokens live" not in machine.start(other)
