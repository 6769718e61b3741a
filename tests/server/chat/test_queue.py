"""One turn at a time a session: who comes later waits, so many and so long."""

import asyncio

import httpx
import pytest

from bethink.testing.model_server import Says

from .conftest import NOOP, Talk, events

pytestmark = pytest.mark.anyio


async def until(check):
    """Wait until something is so."""
    for _ in range(2_000):
        if await check():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it never came to that")


async def running(talk, queued=0, session="dashboard"):
    async def check():
        state = await talk.state(session)
        return state["turn"] is not None and state["queued"] == queued

    await until(check)


async def asked(model):
    async def check():
        return bool(model.requests)

    await until(check)


async def test_turns_of_one_session_come_in_their_order(talking, model, gate):
    async with talking() as talk:
        model.then(gate, Says("Second."), Says("Third."))
        first = asyncio.create_task(talk.say("one"))
        await running(talk)
        second = asyncio.create_task(talk.say("two"))
        await running(talk, queued=1)
        third = asyncio.create_task(talk.say("three"))
        await running(talk, queued=2)
        gate.opened.set()
        assert [(await each).json()["text"] for each in (first, second, third)] == [
            "Late.",
            "Second.",
            "Third.",
        ]
        assert await talk.state() == {"state": "idle", "turn": None, "queued": 0}
        said = [item["content"] for item in await talk.items() if item["role"] == "user"]
    assert said == ["one", "two", "three"]
    assert len(model.requests[-1].body["messages"]) == 5


async def test_other_sessions_do_not_wait(talking, model, gate):
    async with talking() as talk:
        model.then(gate, Says("At once."))
        first = asyncio.create_task(talk.say("one"))
        await running(talk)
        await asked(model)  # else the other session might come to the gate first
        assert await talk.text("two", session="other") == "At once."
        gate.opened.set()
        await first


@pytest.mark.parametrize("streamed", [False, True], ids=["json", "events"])
async def test_more_than_may_wait_are_turned_away_with_the_time_to_come_back(talking, model, gate, streamed):
    async with talking(queue=1) as talk:
        model.then(gate, Says("Second."))
        first = asyncio.create_task(talk.say("one"))
        await running(talk)
        second = asyncio.create_task(talk.say("two"))
        await running(talk, queued=1)
        late = await talk.say("three", stream=streamed)
        assert (late.status_code, late.json()["type"]) == (429, "urn:bethink:busy")
        assert int(late.headers["retry-after"]) >= 1
        gate.opened.set()
        assert (await first).status_code == (await second).status_code == 200
        assert await talk.attempts() == []


@pytest.mark.parametrize("streamed", [False, True], ids=["json", "events"])
async def test_who_waited_too_long_is_told(talking, model, gate, streamed):
    async with talking(queue_seconds=0.05) as talk:
        model.then(gate)
        first = asyncio.create_task(talk.say("one"))
        await running(talk)
        late = await talk.say("two", stream=streamed)
        assert (late.status_code, late.json()["type"]) == (408, "urn:bethink:timeout")
        gate.opened.set()
        assert (await first).json()["text"] == "Late."
        assert await talk.attempts() == []


@pytest.mark.parametrize("streamed", [False, True], ids=["json", "events"])
async def test_a_turn_that_is_cancelled_leaves_an_attempt_and_nothing_else(talking, model, gate, streamed):
    async with talking() as talk:
        model.then(gate, Says("Later."))
        first = asyncio.create_task(talk.say("one", stream=streamed))
        await asyncio.to_thread(gate.reached.wait, 10)
        assert await talk.cancel() == {"cancelled": True}
        answer = await first
        assert await talk.cancel() == {"cancelled": False}
        assert await talk.items() == []
        assert [each["error"] for each in await talk.attempts()] == ["CancelledError"]
        gate.opened.set()
        assert await talk.text("two") == "Later."
    if streamed:
        assert [kind for kind, _ in events(answer.text)] == ["turn", "cancelled"]
    else:
        assert (answer.status_code, answer.json()["type"]) == (409, "urn:bethink:cancelled")


async def test_the_next_in_line_begins_when_a_turn_is_cancelled(talking, model, gate):
    async with talking() as talk:
        model.then(gate, Says("Second."))
        first = asyncio.create_task(talk.say("one"))
        await running(talk)
        second = asyncio.create_task(talk.say("two"))
        await running(talk, queued=1)
        await asyncio.to_thread(gate.reached.wait, 10)
        await talk.cancel()
        assert (await second).json()["text"] == "Second."
        assert (await first).status_code == 409


async def test_a_queued_turn_is_played_by_the_spec_of_its_beginning(talking, model, gate):
    async with talking(spec={"system_prompt": "You are a PIRATE."}) as talk:
        model.then(gate, Says("Good day."))
        first = asyncio.create_task(talk.say("one"))
        await running(talk)
        second = asyncio.create_task(talk.say("two"))
        await running(talk, queued=1)
        await talk.put(system_prompt="You are a BUTLER.")
        gate.opened.set()
        await asyncio.gather(first, second)
    assert "BUTLER" in model.requests[1].system


async def test_an_agent_that_is_removed_while_a_turn_waits_is_not_there(talking, model, gate):
    async with talking() as talk:
        model.then(gate)
        first = asyncio.create_task(talk.say("one"))
        await running(talk)
        second = asyncio.create_task(talk.say("two"))
        await running(talk, queued=1)
        await talk.client.delete("/agents/concierge")
        gate.opened.set()
        assert (await second).status_code == 404
        assert (await first).status_code == 200


@pytest.fixture
def distant(listening, model):
    """A server that listens, and a client of it."""

    def start(**options):
        server = listening(model="scripted-1", model_url=model.url, **options)
        client = httpx.AsyncClient(base_url=f"{server.url}/v1", timeout=30)
        return server, Talk(client)

    return start


async def test_a_turn_goes_on_when_its_client_is_gone(distant, model, gate):
    _, talk = distant()
    async with talk.client:
        await talk.put()
        model.then(gate)
        body = {"message": "one", "stream": True}
        async with talk.client.stream("POST", "/agents/concierge/chat", json=body) as answer:
            assert answer.status_code == 200
            await asyncio.to_thread(gate.reached.wait, 10)
        assert (await talk.state())["state"] == "running"
        gate.opened.set()

        async def idle():
            return (await talk.state())["state"] == "idle"

        await until(idle)
        assert len(await talk.items()) == 2
        assert await talk.attempts() == []


@pytest.mark.parametrize("streamed", [False, True], ids=["json", "events"])
async def test_a_turn_that_still_waits_is_given_up_when_its_client_is_gone(distant, model, gate, streamed):
    _, talk = distant()
    async with talk.client:
        await talk.put()
        model.then(gate)
        first = asyncio.create_task(talk.say("one"))
        await running(talk)
        second = asyncio.create_task(talk.say("two", stream=streamed))
        await running(talk, queued=1)
        second.cancel()
        await asyncio.wait([second])
        await running(talk, queued=0)
        gate.opened.set()
        await first
        assert len(await talk.items()) == 2


async def test_deltas_come_as_they_are_made(distant, model):
    _, talk = distant()
    async with talk.client:
        await talk.put()
        model.then(Says("One two three."))
        body = {"message": "count", "stream": True}
        async with talk.client.stream("POST", "/agents/concierge/chat", json=body) as answer:
            found = [line async for line in answer.aiter_lines() if line.startswith("event: ")]
    assert found == ["event: turn", "event: delta", "event: delta", "event: delta", "event: done"]


async def test_turns_that_were_accepted_end_before_the_memory_is_closed(talking, model, gate):
    async with talking() as talk:
        model.then(gate)
        first = asyncio.create_task(talk.say("one"))
        await running(talk)
        closing = asyncio.create_task(talk.app.state.chat.close())
        await asyncio.sleep(0)
        refused = await talk.say("two", session="other")
        assert (refused.status_code, refused.json()["type"]) == (503, "urn:bethink:closed")
        gate.opened.set()
        await closing
        assert (await first).json()["text"] == "Late."
        assert len((await talk.client.get(f"{NOOP}/sessions/dashboard/items")).json()["entries"]) == 2


async def test_a_turn_that_was_overtaken_by_another_server_conflicts(talking, model, gate):
    async with talking() as talk:
        model.then(gate)
        first = asyncio.create_task(talk.say("one"))
        await asyncio.to_thread(gate.reached.wait, 10)
        items = {"items": [{"role": "user", "content": "from elsewhere"}]}
        await talk.client.post(f"{NOOP}/sessions/dashboard/items", json=items)
        gate.opened.set()
        answer = await first
        assert (answer.status_code, answer.json()["type"]) == (409, "urn:bethink:conflict")
        assert [item["content"] for item in await talk.items()] == ["from elsewhere"]
