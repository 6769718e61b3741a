"""Who shares an agent shares nothing else."""

import asyncio

import pytest

from bethink.testing.model_server import Calls, Says

from .conftest import Talk, events
from .test_queue import running

pytestmark = pytest.mark.anyio


@pytest.fixture
async def shared(serving, keys, model, anyio_backend):
    """Alice and Bob, who both use Alice's agent."""
    path, made = keys
    async with serving(auth="bearer", keys=path, model="scripted-1", model_url=model.url) as client:
        people = {name: Talk(client(key)) for name, key in made.items()}
        await people["alice"].put(shared_with=["bob"])
        yield people


OWNER = {"owner": "alice"}


async def say(talk, message, **more):
    body = {"message": message, **more}
    return await talk.client.post("/agents/concierge/chat", json=body, params=OWNER)


async def test_two_users_of_one_agent_share_neither_history_nor_memory(shared, model):
    model.then(
        Calls((("remember", {"key": "seat", "content": "Prefers aisle seats."}),)),
        Says("Noted."),
        Calls((("recall", {"key": "seat"}),)),
        Says("I do not know."),
    )
    assert (await say(shared["alice"], "Aisle, please.")).json()["text"] == "Noted."
    answer = (await say(shared["bob"], "Which seat?")).json()
    assert answer["tools"][0]["output"] == "No memory found for key 'seat'."
    third = model.requests[2].body["messages"]
    assert [each["content"] for each in third if each["role"] != "system"] == ["Which seat?"]
    assert "aisle" not in str(model.requests[2].body["messages"])


async def test_nobody_sees_or_stops_the_turn_of_another(shared, model, gate):
    model.then(gate)
    alice, bob = shared["alice"], shared["bob"]
    first = asyncio.create_task(say(alice, "one"))
    await running(alice)
    path = "/agents/concierge/sessions/dashboard"
    state = (await bob.client.get(f"{path}/state", params=OWNER)).json()
    assert state == {"state": "idle", "turn": None, "queued": 0}
    assert (await bob.client.post(f"{path}/cancel", params=OWNER)).json() == {"cancelled": False}
    gate.opened.set()
    assert (await first).json()["text"] == "Late."


async def test_an_agent_that_is_not_shared_is_not_there(shared):
    mallory = shared["mallory"]
    assert (await say(mallory, "Hi.")).status_code == 404
    assert (await say(mallory, "Hi.", stream=True)).status_code == 404
    path = "/agents/concierge/sessions/dashboard"
    assert (await mallory.client.get(f"{path}/state", params=OWNER)).status_code == 404
    assert (await mallory.client.post(f"{path}/cancel", params=OWNER)).status_code == 404


async def test_one_key_of_two_users_is_two_keys(shared, model):
    model.then(Says("For Alice."), Says("For Bob."))
    key = {"idempotency-key": "same"}
    answers = [
        await shared[name].client.post(
            "/agents/concierge/chat", json={"message": "Hi."}, params=OWNER, headers=key
        )
        for name in ("alice", "bob")
    ]
    assert [each.json()["text"] for each in answers] == ["For Alice.", "For Bob."]


async def test_a_pool_is_reached_by_the_rights_of_who_asks(shared, model):
    alice, bob = shared["alice"].client, shared["bob"].client
    await alice.post("/pools", json={"name": "org:docs"})
    spec = {"primitives": {"memory": {"shared_namespaces": ["org:docs"]}}, "shared_with": ["bob"]}
    assert (await alice.put("/agents/concierge", json=spec)).status_code == 200
    model.then(Calls((("share_to", {"pool": "org:docs", "key": "k", "content": "x"}),)), Says("No."))
    refused = (await say(shared["bob"], "Share it.")).json()["tools"][0]
    assert not refused["done"]
    await alice.put("/pools/org:docs/grants/bob", json={"rights": ["read", "write"]})
    model.then(Calls((("share_to", {"pool": "org:docs", "key": "k", "content": "x"}),)), Says("Done."))
    done = (await say(shared["bob"], "Share it.", stream=True)).text
    assert dict(events(done))["tool_result"]["done"]
    assert (await bob.get("/scopes/org:docs/notes")).json()["total"] == 1
