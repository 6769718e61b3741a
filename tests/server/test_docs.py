"""The configuration lines of the docs, started as each client starts them."""

import json
import re
import shlex
import sys
import tomllib
from pathlib import Path

import httpx
import httpx2
import pytest
from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "mcp.md"


def commands():
    text = PAGE.read_text().partition("## Over HTTP")[0]
    line = re.search(r"^ {4}claude mcp add bethink -- (.+)$", text, re.MULTILINE)[1]
    yield "Claude Code", shlex.split(line)
    (given,) = re.findall(r"```json\n(.+?)```", text, re.DOTALL)
    server = json.loads(given)["mcpServers"]["bethink"]
    yield "Claude Desktop and Cursor", [server["command"], *server["args"]]
    (given,) = re.findall(r"```toml\n(.+?)```", text, re.DOTALL)
    server = tomllib.loads(given)["mcp_servers"]["bethink"]
    yield "Codex", [server["command"], *server["args"]]


@pytest.mark.parametrize(("client", "command"), [pytest.param(*each, id=each[0]) for each in commands()])
async def test_a_client_is_configured_as_the_docs_say(client, command, tmp_path):
    program, *arguments = command
    assert program == "bethink"
    arguments[arguments.index("--db") + 1] = str(tmp_path / "memory.db")
    run = ["-c", "from bethink.cli import main; main()", *arguments]
    async with Client(StdioServerParameters(command=sys.executable, args=run)) as speaking:
        names = {tool.name for tool in (await speaking.list_tools()).tools}
        assert names == {"remember", "recall", "search_memory", "forget", "list_memories"}
        said = await speaking.call_tool("remember", {"key": "a", "content": "Likes tea."})
        assert said.content[0].text == "Stored memory 'a'."


def addresses():
    text = PAGE.read_text().partition("## Over HTTP")[2]
    line = re.search(r"^ {4}claude mcp add (--transport .+)$", text, re.MULTILINE)[1]
    transport, kind, name, url, option, header = shlex.split(line)
    assert (transport, kind, name, option) == ("--transport", "http", "bethink", "--header")
    yield "Claude Code", url, dict([header.split(": ", 1)])
    (given,) = re.findall(r"```json\n(.+?)```", text, re.DOTALL)
    server = json.loads(given)["mcpServers"]["bethink"]
    yield "Cursor", server["url"], server["headers"]
    (given,) = re.findall(r"```toml\n(.+?)```", text, re.DOTALL)
    server = tomllib.loads(given)["mcp_servers"]["bethink"]
    environment = {server["bearer_token_env_var"]: "bk_…"}  # as Codex reads it
    yield "Codex", server["url"], {"Authorization": f"Bearer {environment['MEMORY_KEY']}"}


@pytest.mark.parametrize(
    ("client", "url", "headers"), [pytest.param(*each, id=each[0]) for each in addresses()]
)
async def test_a_client_reaches_a_server_as_the_docs_say(client, url, headers, listening, keys):
    path, made = keys
    server = listening(auth="bearer", keys=path)
    sent = {name: value.replace("bk_…", made["alice"]) for name, value in headers.items()}
    assert sent != headers
    place = url.replace("http://127.0.0.1:8000", server.url)
    assert place.startswith(server.url)
    async with (
        httpx2.AsyncClient(headers=sent, timeout=60) as http,
        Client(streamable_http_client(place, http_client=http)) as speaking,
    ):
        said = await speaking.call_tool("remember", {"key": "a", "content": "Likes tea."})
        assert said.content[0].text == "Stored memory 'a'."
    agent = place.rpartition("/")[2]
    async with httpx.AsyncClient(
        base_url=server.url, headers={"x-api-key": made["alice"]}, timeout=60
    ) as door:
        kept = await door.get(f"/v1/scopes/agent:{agent}:u:alice/notes")
    assert [note["text"] for note in kept.json()["entries"]] == ["Likes tea."]


def test_every_option_that_the_docs_name_is_there():
    import typer.main

    from bethink.cli.app import app

    known = {
        option
        for command in typer.main.get_command(app).commands.values()
        for parameter in command.params
        for option in parameter.opts
    }
    for name in ("mcp", "server", "webhooks", "background"):
        named = set(re.findall(r"`(--[a-z-]+)", (ROOT / "docs" / f"{name}.md").read_text()))
        assert named <= known, name


def test_every_resource_that_the_docs_name_is_there():
    from bethink.server.app import create_app
    from bethink.server.options import Options

    paths = create_app(Options(db=":memory:", embedder=None)).openapi()["paths"]
    known = {part for path in paths for part in path.split("/")}
    text = (ROOT / "docs" / "server.md").read_text()
    named = set(re.findall(r"`/v1/([a-z]+)`", text)) - {"pools", "teams"}
    assert named <= known
