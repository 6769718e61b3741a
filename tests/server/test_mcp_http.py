"""The same tools over streamable HTTP, with the SDK's client."""

import json
import logging

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

pytestmark = pytest.mark.anyio


def said(result):
    return result.content[0].text


async def test_the_sdks_client_speaks_to_the_server(listening):
    server = listening(auth="noop")
    async with Client(f"{server.url}/mcp/claude-code") as client:
        assert client.server_info.name == "bethink"
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names == {"remember", "recall", "search_memory", "forget", "list_memories"}
        stored = await client.call_tool("remember", {"key": "color", "content": "Likes green."})
        assert stored.structured_content == {"result": "Stored memory 'color'."}
    async with Client(f"{server.url}/mcp/claude-code") as client:
        assert said(await client.call_tool("recall", {"key": "color"})) == "Likes green."
    async with Client(f"{server.url}/mcp/another") as client:
        assert said(await client.call_tool("list_memories", {})) == "No memories found."


async def test_each_caller_has_a_memory_of_their_own(listening, keys):
    path, made = keys
    server = listening(auth="bearer", keys=path)
    url = f"{server.url}/mcp/bot"

    async def ask(name, *calls):
        headers = {"authorization": f"Bearer {made[name]}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            return [said(await client.call_tool(tool, arguments)) for tool, arguments in calls]

    kept = ("remember", {"key": "color", "content": "Likes green."})
    assert (await ask("alice", kept, ("recall", {"key": "color"})))[1] == "Likes green."
    for name in ("bob", "mallory", "ali", "other"):
        found = await ask(name, ("list_memories", {}), ("search_memory", {"query": "green"}))
        assert found == ["No memories found."] * 2


async def test_without_credentials_nothing_is_said(listening, keys):
    server = listening(auth="bearer", keys=keys[0])
    async with httpx2.AsyncClient(timeout=60) as client:
        ping = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        answer = await client.post(f"{server.url}/mcp/bot", json=ping)
    assert answer.status_code == 401


async def test_a_page_of_another_origin_is_turned_away(listening):
    server = listening(auth="noop")
    async with httpx2.AsyncClient(timeout=60) as client:
        ping = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        for headers in ({"origin": "https://evil.example"}, {"host": "evil.example"}):
            accept = {"accept": "application/json, text/event-stream"}
            answer = await client.post(f"{server.url}/mcp/bot", json=ping, headers=headers | accept)
            assert answer.status_code in {403, 421}


async def test_the_audit_log_names_the_agent_and_the_tool(listening, caplog):
    caplog.set_level(logging.INFO, "bethink.audit")
    server = listening(auth="noop")
    async with Client(f"{server.url}/mcp/bot") as client:
        await client.call_tool("remember", {"key": "hobby", "content": "Keeps bees."})
    lines = [json.loads(record.message) for record in caplog.records if record.name == "bethink.audit"]
    assert {"agent": "bot", "calls": "remember"} in [line["what"] for line in lines]
    assert all(line["principal"] == "noop" for line in lines)
    assert "bees" not in "".join(str(line) for line in lines)
    assert "hobby" not in "".join(str(line) for line in lines)
