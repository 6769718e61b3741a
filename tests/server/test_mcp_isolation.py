"""No tool shows one caller what is another's: every tool is called over HTTP, and one that is not called fails."""

from typing import get_args

import httpx
import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from bethink.tools.registry import TOOLS
from bethink.tools.values import Family

pytestmark = pytest.mark.anyio

SECRET = "Keeps bees on the roof"
POOL, TEAM = "org:bees", "keepers"
FAMILIES = [each for each in get_args(Family) if each != "workspace"]  #: that a spec may name
#: Every tool, and how a stranger calls it.
CALLS = {
    "remember": {"key": "bees", "content": "Planted."},
    "recall": {"key": "bees"},
    "search_memory": {"query": "bees"},
    "search_history": {"query": "bees"},
    "timeline": {"query": "bees"},
    "list_waiting": {},
    "forget": {"key": "bees"},
    "document_list": {},
    "document_get": {"path": "hives", "key": "bees"},
    "document_put": {"path": "hives", "key": "bees", "value": '"Planted."'},
    "document_delete": {"path": "hives", "key": "bees"},
    "document_search": {"query": "bees"},
    "list_memories": {},
    "memory_store": {"key": "bees", "content": "Planted."},
    "memory_recall": {"query": "bees"},
    "memory_forget": {"key": "bees"},
    "save_memory_note": {"text": "Planted.", "keywords": ["bees"]},
    "share_to": {"pool": POOL, "key": "bees", "content": "Planted."},
    "read_from_pool": {"pool": POOL, "key": "bees"},
    "search_pool": {"pool": POOL, "query": "bees"},
    "list_pool": {"pool": POOL},
    "share_finding": {"key": "bees", "content": "Planted."},
    "read_shared": {"key": "bees"},
    "search_shared": {"query": "bees"},
    "list_shared": {},
    "workspace_view": {"path": "/memories"},
    "workspace_create": {"path": "/memories/bees.md", "file_text": "Planted."},
    "workspace_str_replace": {"path": "/memories/bees", "old_str": "Keeps", "new_str": "Planted"},
    "workspace_insert": {"path": "/memories/bees", "insert_line": 0, "insert_text": "Planted."},
    "workspace_rename": {"old_path": "/memories/bees", "new_path": "/memories/planted"},
    "workspace_delete": {"path": "/memories/bees"},
}
PLACES = ("agent:desk:u:alice", POOL, f"team:{TEAM}")


def test_every_tool_is_called():
    assert CALLS.keys() == TOOLS.keys()


@pytest.fixture
def server(listening, keys):
    """A server with an agent of all families, shared with everybody, and a secret in each place of alice."""
    path, made = keys
    serving = listening(auth="bearer", keys=path)
    alice, root = ({"x-api-key": made[name]} for name in ("alice", "root"))
    with httpx.Client(base_url=f"{serving.url}/v1", timeout=60) as door:
        door.post("/pools", json={"name": POOL}, headers=alice)
        door.post("/teams", json={"name": TEAM}, headers=alice)
        memory = {"families": FAMILIES, "shared_namespaces": [POOL], "team": TEAM}
        spec = {"primitives": {"memory": memory}, "shared_with": ["*"]}
        assert door.put("/agents/desk", json=spec, headers=root).status_code == 200
        for place in PLACES:
            note = {"text": f"{SECRET}.", "key": "bees"}
            assert door.post(f"/scopes/{place}/notes", json=note, headers=alice).status_code == 201
    return serving.url, made


def kept(url, key):
    with httpx.Client(base_url=f"{url}/v1", headers={"x-api-key": key}, timeout=60) as door:
        return [door.get(f"/scopes/{place}/export").json() for place in PLACES]


async def called(url, key):
    """Call every tool that is offered, and return what was said, by tool."""
    async with (
        httpx2.AsyncClient(headers={"authorization": f"Bearer {key}"}, timeout=60) as http,
        Client(streamable_http_client(f"{url}/mcp/desk", http_client=http)) as client,
    ):
        return {name: str(await client.call_tool(name, arguments)) for name, arguments in CALLS.items()}


@pytest.mark.parametrize("stranger", ["bob", "mallory", "ali", "other", "other-root"])
async def test_a_stranger_neither_reads_nor_changes_anothers_memory(server, stranger):
    url, made = server
    before = kept(url, made["alice"])
    for name, said in (await called(url, made[stranger])).items():
        assert SECRET not in said, name
    assert kept(url, made["alice"]) == before


#: Every resource, and how a stranger reads it.
RESOURCES = (
    "memory://context",
    "memory://notes",
    "memory://note/bees",
    "memory://search/bees",
    "memory://history/bees",
    "memory://timeline/bees",
)


async def read(url, key):
    """Read every resource and ask every prompt, and return what is listed, and what was said."""
    async with (
        httpx2.AsyncClient(headers={"authorization": f"Bearer {key}"}, timeout=60) as http,
        Client(streamable_http_client(f"{url}/mcp/desk", http_client=http)) as client,
    ):
        listed = [each.uri for each in (await client.list_resources()).resources]
        listed += [each.uri_template for each in (await client.list_resource_templates()).resource_templates]
        said = {}
        for uri in RESOURCES:
            try:
                said[uri] = str(await client.read_resource(uri))
            except MCPError as error:
                said[uri] = str(error)
        said["recall"] = str(await client.get_prompt("recall", {"about": "bees"}))
        return {uri.partition("{")[0] for uri in listed}, said


@pytest.mark.parametrize("stranger", ["bob", "mallory", "ali", "other", "other-root"])
async def test_a_stranger_reads_nothing_of_another_by_resources_and_prompts(server, stranger):
    url, made = server
    for name, said in (await read(url, made[stranger]))[1].items():
        assert SECRET not in said, name


async def test_the_owner_reads_it_by_resources_and_prompts(server):
    url, made = server
    listed, said = await read(url, made["alice"])
    assert listed == {uri.removesuffix("bees") for uri in RESOURCES}
    for name in (
        "memory://context",
        "memory://notes",
        "memory://note/bees",
        "memory://search/bees",
        "recall",
    ):
        assert SECRET in said[name], name


async def test_the_owner_finds_it_with_the_same_calls(server):
    url, made = server
    async with (
        httpx2.AsyncClient(headers={"authorization": f"Bearer {made['alice']}"}, timeout=60) as http,
        Client(streamable_http_client(f"{url}/mcp/desk", http_client=http)) as client,
    ):
        for name in (
            "recall",
            "search_memory",
            "list_memories",
            "read_from_pool",
            "list_pool",
            "read_shared",
        ):
            assert SECRET in str(await client.call_tool(name, CALLS[name])), name
