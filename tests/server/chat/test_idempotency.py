"""A turn is played once under its key, however often it is asked for."""

import asyncio

import pytest

from bethink.scope.values import Principal
from bethink.server.idempotency_keys import key_digests
from bethink.testing.model_server import Calls, Says, Status

from .conftest import events
from .test_queue import running

pytestmark = pytest.mark.anyio

KEY = {"idempotency-key": "k1"}


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "not kept"])
async def test_a_repeated_message_is_not_played_again(talking, model, kept):
    async with talking(spec={"hooks": {"auto_memory": kept}}) as talk:
        model.then(Calls((("remember", {"key": "k", "content": "Likes green."}),)), Says("Noted."))
        first = (await talk.say("Green.", headers=KEY)).json()
        again = (await talk.say("Green.", headers=KEY)).json()
        assert len(await talk.items()) == (4 if kept else 0)
    assert (first["repeated"], again["repeated"]) == (False, True)
    assert again["turn"] == first["turn"]
    if kept:
        assert (again["text"], again["revision"]) == ("Noted.", first["revision"])
        assert [(each["name"], each["output"]) for each in again["tools"]] == [
            ("remember", "Stored memory 'k'.")
        ]


async def test_a_repeated_message_is_streamed_again_as_it_was_answered(talking, model):
    async with talking() as talk:
        model.then(Says("Hello there."))
        first = events((await talk.say("Hi.", stream=True, headers=KEY)).text)
        again = events((await talk.say("Hi.", stream=True, headers=KEY)).text)
    assert [kind for kind, _ in again] == ["turn", "delta", "done"]
    assert again[-1][1]["text"] == first[-1][1]["text"] == "Hello there."
    assert again[-1][1]["repeated"]


async def test_a_repetition_that_comes_at_once_waits_for_the_first(talking, model, gate):
    async with talking() as talk:
        model.then(gate)
        first = asyncio.create_task(talk.say("Hi.", headers=KEY))
        await running(talk)
        again = asyncio.create_task(talk.say("Hi.", headers=KEY))
        await running(talk, queued=1)
        gate.opened.set()
        assert (await first).json()["text"] == (await again).json()["text"] == "Late."
        assert len(await talk.items()) == 2


async def test_a_turn_that_failed_can_be_tried_again_under_its_key(talking, model):
    async with talking() as talk:
        model.then(Status(401), Says("Hello."))
        assert (await talk.say("Hi.", headers=KEY)).status_code == 502
        assert (await talk.say("Hi.", headers=KEY)).json()["text"] == "Hello."


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "not kept"])
async def test_a_key_is_not_used_for_another_message(talking, model, kept):
    async with talking(spec={"hooks": {"auto_memory": kept}}) as talk:
        model.then(Says("Hello."))
        await talk.say("Hi.", headers=KEY)
        other = await talk.say("Bye.", headers=KEY)
    assert (other.status_code, other.json()["type"]) == (422, "urn:bethink:key-reused")


async def test_what_was_undone_since_is_not_said_again(talking, model):
    async with talking() as talk:
        model.then(Says("Hello."), Says("Other."))
        await talk.text("Before.")
        await talk.say("Hi.", headers=KEY)
        await talk.client.post("/scopes/agent:concierge:u:noop/sessions/dashboard/undo", json={})
        again = (await talk.say("Hi.", headers=KEY)).json()
    assert (again["repeated"], again["text"]) == (True, "")


async def test_of_two_servers_that_are_asked_the_same_one_answer_is_stored_and_given(talking, model, gate):
    from bethink.server.agents import Agents
    from bethink.server.chat.log import ChatTurn

    async with talking() as talk:
        model.then(gate)
        first = asyncio.create_task(talk.say("Hi.", headers=KEY))
        await asyncio.to_thread(gate.reached.wait, 10)
        operation, _ = key_digests("k1", {"method": "POST", "raw_path": b"", "query_string": b""}, b"")
        async with talk.app.state.tenants.using("default") as memory:
            agents = Agents(memory.acting_as(Principal("noop", admin=True)))
            session = agents.scope(await agents.get("concierge")).session("dashboard")
            async with ChatTurn(session, origin="chat", operation=operation, asked="Hi.") as elsewhere:
                await elsewhere.append([{"role": "user", "content": "Hi."}])
                await elsewhere.append([{"role": "assistant", "content": "From elsewhere."}])
        gate.opened.set()
        answer = (await first).json()
        assert len(await talk.items()) == 2
    assert (answer["text"], answer["repeated"]) == ("From elsewhere.", True)
