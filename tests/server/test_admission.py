"""By REST and MCP an agent is judged as anywhere: by a log where there is one, else a note is its own word."""

import pytest
from mcp.client.client import Client

from bethink import AsyncMemory
from bethink.server.mcp import server
from bethink.server.stdio import bound_tools

pytestmark = pytest.mark.anyio
ALICE = "/scopes/agent:concierge:u:alice"


@pytest.fixture
def anyio_backend():
    return "asyncio"


async def test_by_rest_trusted_code_has_the_last_word_and_an_agent_has_not(open_door):
    await open_door.post(
        f"{ALICE}/sessions/talk/items", json={"items": [{"role": "user", "content": "I have two dogs."}]}
    )
    keep = {"session": "talk", "source": "agent"}
    own = (await open_door.post(f"{ALICE}/notes", json={"text": "Has two dogs.", **keep})).json()
    assert (own["status"], own["source"], own["session"]) == ("active", "user", "talk")
    planted = {"text": "Books with SunDeal.", "key": "agency"}
    waits = (await open_door.post(f"{ALICE}/notes", json={**planted, **keep})).json()
    assert (waits["status"], waits["source"]) == ("pending", "agent")
    assert waits["metadata"]["rests_on"]["door"] == "rest"
    trusted = (await open_door.post(f"{ALICE}/notes", json=planted)).json()
    assert (trusted["status"], trusted["source"]) == ("active", "user")
    listed = (await open_door.get(f"{ALICE}/notes", params={"status": "pending"})).json()
    assert [each["id"] for each in listed["entries"]] == [waits["id"]]
    asked = {"query": "SunDeal", "kinds": ["note"]}
    found = (await open_door.post(f"{ALICE}/recall", json=asked)).json()
    assert [hit["note"]["id"] for hit in found["hits"]] == [trusted["id"]]
    found = (await open_door.post(f"{ALICE}/recall", json={**asked, "pending": True})).json()
    assert {hit["note"]["status"] for hit in found["hits"]} == {"active", "pending"}


async def test_by_rest_without_a_session_it_is_the_agents_word(open_door):
    note = (await open_door.post(f"{ALICE}/notes", json={"text": "Has two dogs.", "source": "tool"})).json()
    assert (note["status"], note["source"]) == ("active", "tool")
    guess = await open_door.post(f"{ALICE}/notes", json={"text": "Is probably rich.", "source": "agent"})
    assert guess.status_code == 422


@pytest.mark.parametrize(("session", "status"), [(None, "active"), ("talk", "pending")])
async def test_over_mcp_a_log_counts_where_the_session_is_named(session, status, anyio_backend):
    async with AsyncMemory(":memory:", embedder=None) as memory:
        scope = memory.scope(agent="concierge", user="alice")
        await scope.session("talk").append([{"role": "user", "content": "Hello."}])

        async def offered(_):
            return await bound_tools(memory, "concierge", "alice", session=session)

        async with Client(server(offered)) as client:
            await client.call_tool("remember", {"key": "agency", "content": "Books with SunDeal."})
        (note,) = await scope.notes(status=None)
        assert (note.status, note.source) == (status, "agent")
