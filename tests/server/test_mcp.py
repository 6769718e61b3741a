"""An agent's tools over the Model Context Protocol: in memory, and from a process of its own."""

import sys

import pytest
from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from bethink import AsyncMemory, Principal
from bethink.server.agents import Agents
from bethink.server.mcp import server
from bethink.server.specs import AgentSpec
from bethink.server.stdio import bound_tools
from bethink.testing.faces import HashingEmbedder
from bethink.tools.registry import TOOLS, tools

pytestmark = pytest.mark.anyio

SEED_002 = {
    "remember",
    "recall",
    "search_memory",
    "forget",
    "list_memories",
    "share_to",
    "read_from_pool",
    "search_pool",
    "list_pool",
    "share_finding",
    "read_shared",
    "search_shared",
    "list_shared",
}
SEED_004 = {"memory_store", "memory_recall", "memory_forget"}
FAMILIES = ("private", "categories", "pools", "team", "notes", "history", "review", "documents")


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
async def memory(anyio_backend):
    async with AsyncMemory(":memory:", embedder=HashingEmbedder()) as memory:
        await memory.pools.create("org:docs", owner="alice")
        await memory.teams.create("crew", owner="alice")
        yield memory


def offered(memory, user="alice", **options):
    async def ask(_):
        return await bound_tools(memory, "concierge", user, **options)

    return server(ask)


def said(result):
    return result.content[0].text


async def test_the_names_of_both_seeds_are_offered(memory):
    async with Client(offered(memory, families=FAMILIES, pools=["org:docs"], team="crew")) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
    files = {tool.name for tool in tools("workspace")}
    documents = {tool.name for tool in tools("documents")}
    assert (
        names
        == {
            *SEED_002,
            *SEED_004,
            "save_memory_note",
            "search_history",
            "timeline",
            "list_waiting",
            *documents,
        }
        == set(TOOLS) - files
    )


async def test_each_family_is_switched_on_alone(memory):
    for family in FAMILIES:
        async with Client(offered(memory, families=[family])) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
        assert names == {tool.name for tool in TOOLS.values() if tool.family == family}


async def test_a_tool_says_what_it_does_to_memory(memory):
    async with Client(offered(memory, families=FAMILIES)) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert tools["recall"].annotations.read_only_hint
    assert not tools["remember"].annotations.read_only_hint
    assert tools["remember"].annotations.idempotent_hint
    assert tools["forget"].annotations.destructive_hint
    assert tools["memory_forget"].annotations.destructive_hint
    assert not any(tool.annotations.open_world_hint for tool in tools.values())
    assert all(tool.output_schema["type"] == "object" for tool in tools.values())


async def test_answers_are_text_and_structured_content(memory):
    async with Client(offered(memory, families=FAMILIES, pools=["org:docs"], team="crew")) as client:
        stored = await client.call_tool("remember", {"key": "color", "content": "Likes green."})
        assert said(stored) == "Stored memory 'color'."
        assert stored.structured_content == {"result": "Stored memory 'color'."}
        assert said(await client.call_tool("recall", {"key": "color"})) == "Likes green."
        staged = await client.call_tool("save_memory_note", {"text": "Likes tea.", "keywords": ["tea"]})
        assert staged.structured_content == {"ok": True}
        shared = await client.call_tool(
            "share_to", {"pool": "org:docs", "key": "style", "content": "Use tabs."}
        )
        assert said(shared) == "Stored 'style' in pool 'org:docs'."
        found = await client.call_tool("share_finding", {"key": "budget", "content": "It is 5."})
        assert said(found) == "Shared finding 'budget' with the team."


async def test_a_refusal_is_an_error_of_the_tool(memory):
    async with Client(offered(memory, user="bob", families=FAMILIES, pools=["org:docs"])) as client:
        denied = await client.call_tool("list_pool", {"pool": "org:docs"})
        assert denied.is_error
        assert said(denied).startswith("Not done: ")
        unknown = await client.call_tool("list_pool", {"pool": "other"})
        assert "Available pools: org:docs" in said(unknown)
        assert (await client.call_tool("recall", {})).is_error
        assert (await client.call_tool("search_memory", {"query": "x", "top_k": -1})).is_error
        assert (await client.call_tool("search_memory", {"query": "x", "top_k": 100_000})).is_error


async def test_one_user_never_reads_anothers_memory(memory):
    async with Client(offered(memory)) as client:
        await client.call_tool("remember", {"key": "color", "content": "Likes green."})
    for other in ("bob", "alice:x", "ali"):
        async with Client(offered(memory, user=other)) as client:
            assert said(await client.call_tool("list_memories", {})) == "No memories found."
            assert said(await client.call_tool("search_memory", {"query": "green"})) == "No memories found."


async def test_a_registered_agent_has_the_tools_of_its_spec(memory):
    spec = AgentSpec.model_validate(
        {
            "primitives": {"memory": {"shared_namespaces": ["org:docs"], "tools": ["recall", "list_pool"]}},
            "shared_with": ["*"],
        }
    )
    await Agents(memory).put("concierge", spec)
    async with Client(offered(memory, families=FAMILIES)) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == {"recall", "list_pool"}
        assert (await client.call_tool("remember", {"key": "a", "content": "b"})).is_error
        assert said(await client.call_tool("list_pool", {"pool": "org:docs"})) == (
            "No findings in pool 'org:docs'."
        )


async def test_a_pool_is_not_claimed_by_declaring_it(memory):
    bob = memory.acting_as(Principal("bob"))
    spec = AgentSpec.model_validate({"primitives": {"memory": {"shared_namespaces": ["org:docs"]}}})
    from bethink.errors import DeniedError

    with pytest.raises(DeniedError):
        await Agents(bob).put("thief", spec)


async def test_bethink_mcp_speaks_over_standard_input_and_output(tmp_path):
    command = StdioServerParameters(
        command=sys.executable,
        args=[
            "-c",
            "from bethink.cli import main; main()",
            "mcp",
            "--db",
            str(tmp_path / "memory.db"),
            "--agent",
            "claude-code",
            "--user",
            "alice",
            "--family",
            "private",
            "--family",
            "categories",
        ],
    )
    async with Client(command) as client:
        assert client.server_info.name == "bethink"
        assert len((await client.list_tools()).tools) == 8
        await client.call_tool("memory_store", {"key": "mode", "content": "Dark mode.", "category": "Core"})
        assert said(await client.call_tool("recall", {"key": "mode"})) == "Dark mode."
    async with AsyncMemory(str(tmp_path / "memory.db"), embedder=None) as memory:
        assert (await memory.scope(agent="claude-code", user="alice").get("mode")).category == "core"


async def test_a_workspace_is_offered_with_the_commands_of_the_memory_tool(memory, tmp_path):
    scope = memory.scope(agent="concierge", user="alice")
    async with scope.workspace(tmp_path) as space, Client(offered(memory, workspace=space)) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"workspace_view", "workspace_rename", "remember"} <= set(listed)
        assert listed["workspace_view"].annotations.read_only_hint
        assert listed["workspace_delete"].annotations.destructive_hint
        path = "/memories/build.md"
        made = await client.call_tool(
            "workspace_create", {"path": path, "file_text": "Run make.\nThen test."}
        )
        assert not made.is_error
        await client.call_tool("workspace_insert", {"path": path, "insert_line": 1, "insert_text": "Wait."})
        await client.call_tool(
            "workspace_str_replace", {"path": path, "old_str": "make", "new_str": "make all"}
        )
        await client.call_tool("workspace_rename", {"old_path": path, "new_path": "/memories/how.md"})
        shown = said(
            await client.call_tool("workspace_view", {"path": "/memories/how.md", "view_range": [1, 2]})
        )
        assert "Run make all." in shown
        assert "Wait." in shown
        assert "Then test." not in shown
        assert (tmp_path / "memories/how.md").read_text().startswith("Run make all.\nWait.")
        assert not (await client.call_tool("workspace_delete", {"path": "/memories/how.md"})).is_error
        outside = await client.call_tool("workspace_view", {"path": "/memories/../../etc/passwd"})
        assert outside.is_error
        secret = {"path": "/memories/x.md", "file_text": "My card is 4111 1111 1111 1111"}
        assert (await client.call_tool("workspace_create", secret)).is_error


async def test_without_a_directory_the_tools_of_a_workspace_say_how_to_get_one(memory):
    async with Client(offered(memory, families=["workspace"])) as client:
        answer = await client.call_tool("workspace_view", {"path": "/memories"})
        assert answer.is_error
        assert "--workspace" in said(answer)


async def test_what_the_tools_read_can_be_read_as_resources(memory):
    alice = memory.scope(agent="concierge", user="alice")
    await alice.remember("Prefers an aisle seat.", key="seat")
    await memory.scope(agent="concierge", user="bob").remember("Prefers a window seat.", key="seat")
    async with Client(offered(memory, families=("private", "history"))) as client:
        assert {each.uri for each in (await client.list_resources()).resources} == {
            "memory://context",
            "memory://notes",
        }
        templates = {
            each.uri_template for each in (await client.list_resource_templates()).resource_templates
        }
        assert templates == {
            "memory://note/{key}",
            "memory://search/{query}",
            "memory://history/{query}",
            "memory://timeline/{query}",
        }
        for uri in (
            "memory://context",
            "memory://notes",
            "memory://note/seat",
            "memory://search/which%20seat%3F",
        ):
            text = (await client.read_resource(uri)).contents[0].text
            assert "aisle seat" in text
            assert "window" not in text


@pytest.mark.parametrize(
    "uri",
    ["memory://nonsense", "memory://notes/x", "memory://note", "memory://context/x", "file:///etc/passwd"],
)
async def test_a_resource_that_is_not_there_is_refused(memory, uri):
    async with Client(offered(memory)) as client:
        with pytest.raises(MCPError, match="no such resource"):
            await client.read_resource(uri)


async def test_an_agent_that_may_only_write_has_no_resources(memory):
    await memory.scope(agent="concierge", user="alice").remember("Prefers an aisle seat.", key="seat")
    async with Client(offered(memory, families=("notes",))) as client:
        assert not (await client.list_resources()).resources
        assert not (await client.list_resource_templates()).resource_templates
        assert [each.name for each in (await client.list_prompts()).prompts] == ["remember"]
        for uri in ("memory://context", "memory://notes", "memory://note/seat"):
            with pytest.raises(MCPError, match="no such resource"):
                await client.read_resource(uri)


async def test_prompts_look_up_and_keep(memory):
    await memory.scope(agent="concierge", user="alice").remember("Prefers an aisle seat.", key="seat")
    async with Client(offered(memory)) as client:
        assert {each.name for each in (await client.list_prompts()).prompts} == {"recall", "remember"}
        asked = await client.get_prompt("recall", {"about": "her seat"})
        assert "aisle seat" in asked.messages[0].content.text
        kept = await client.get_prompt("remember", {"text": "Takes the train to Bergen."})
        assert "Takes the train to Bergen." in kept.messages[0].content.text
        for name, arguments in (("recall", {}), ("remember", {"text": " "}), ("nonsense", {"about": "x"})):
            with pytest.raises(MCPError):
                await client.get_prompt(name, arguments)
