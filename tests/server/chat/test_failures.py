"""A turn that fails leaves the history as it was, with a note that it was tried."""

import json
import sys

import pytest

from bethink import AsyncMemory
from bethink.errors import StorageError
from bethink.lifecycle.guard import RulesGuard
from bethink.server.agents import Agents
from bethink.server.chat.runtime import ChatRuntime
from bethink.server.options import Options
from bethink.server.specs import AgentSpec
from bethink.testing.model_server import Calls, Drips, Hangs, Resets, Says, Sends, Status, Streams

from .conftest import NOOP, events

pytestmark = pytest.mark.anyio

SECRET = "the-secret-words"


def chunk(**choice):
    choice = {"index": 0, "delta": {}, "finish_reason": None, **choice}
    plain = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return b"data: " + json.dumps(plain).encode() + b"\n\n"


HALF = chunk(delta={"role": "assistant", "content": SECRET})
DONE = b"data: [DONE]\n\n"

#: what the endpoint does → the status of the answer, the reason, what the attempt is called
MISBEHAVIOURS = {
    "fails": ([Status(500, {"x-should-retry": "false"})], 502, "unavailable"),
    "holds back": ([Status(429, {"retry-after": "0"})] * 3, 502, "rate limited"),
    "does not know the key": ([Status(401)], 502, "denied"),
    "does not know the model": ([Status(404)], 502, "unknown model"),
    "rejected the request": ([Status(400)], 502, "rejected"),
    "is gone": ([Resets()] * 3, 502, "connection"),
    "breaks off": ([Streams((HALF,))], 502, "connection"),
    "ends in the middle": ([Streams((HALF,), breaks=False)], 502, "cut off"),
    "sends half of a chunk": (
        [Streams((b'data: {"id":"1","obj\n\n', DONE), breaks=False)],
        502,
        "unreadable",
    ),
    "sends an error": (
        [Streams((b'data: {"error": {"message": "%s"}}\n\n' % SECRET.encode(),), breaks=False)],
        502,
        "unreadable",
    ),
    "sends something else": ([Sends({"hello": 1})], 502, "empty"),
    "sends a page": ([Sends(b"<html>no</html>")], 502, "empty"),
    "says nothing": ([Says("")], 502, "empty"),
    "asks for a tool that is none": ([Calls((("fly", {"to": "Rome"}),))], 502, "unreadable"),
    "asks for tools for ever": ([Calls((("list_memories", {}),))] * 3, 502, None),
    "hangs": ([Hangs()], 504, None),
    "drips": ([Drips()], 504, None),
}


@pytest.mark.parametrize("streamed", [False, True], ids=["json", "events"])
@pytest.mark.parametrize("case", MISBEHAVIOURS)
async def test_history_stays_as_it_was_when_the_model(talking, model, case, streamed, caplog):
    steps, status, reason = MISBEHAVIOURS[case]
    async with talking(spec={"max_turns": 3}, turn_seconds=2 if status == 504 else 30) as talk:
        talk.client.timeout = 60
        model.then(Says("Hello."), *steps, Says("Here again."))
        await talk.text("Hi.")
        before = await talk.items()
        answer = await talk.say("Do it.", stream=streamed)
        if streamed:
            kinds = [kind for kind, _ in events(answer.text)]
            assert (kinds[0], kinds[-1]) == ("turn", "failed")
            problem = events(answer.text)[-1][1]
        else:
            assert answer.status_code == status
            problem = answer.json()
        assert await talk.items() == before
        assert len(await talk.attempts()) == 1
        assert await talk.text("Again?") == "Here again."
        assert len(await talk.items()) == 4
    assert problem["status"] == status
    assert problem.get("reason") == reason
    assert SECRET not in json.dumps(problem)
    assert SECRET not in caplog.text
    words = [each["content"] for each in model.requests[-1].body["messages"]]
    assert words == ["Hi.", "Hello.", "Again?"]


async def test_arguments_that_are_none_are_told_to_the_model(talking, model):
    async with talking() as talk:
        model.then(Calls((("remember", "{nonsense"), ("remember", {"key": 7}))), Says("I could not."))
        answer = (await talk.say("Remember it.")).json()
    assert [each["done"] for each in answer["tools"]] == [False, False]
    said = [each["content"] for each in model.requests[-1].body["messages"] if each["role"] == "tool"]
    assert said[0] == "Not done: the arguments must be a JSON object"
    assert said[1].startswith("Not done: ")


class Broken(RulesGuard):
    """A guard of somebody else's, with a fault."""

    def __init__(self, error):
        super().__init__()
        self._error = error

    def judge(self, text, **given):
        if SECRET in text:
            raise self._error
        return super().judge(text, **given)


@pytest.fixture
async def alone(model, anyio_backend):
    """Play turns in this process, with a memory whose guard is broken."""

    async def play(error, message):
        runtime = ChatRuntime(Options(db=":memory:", model="scripted-1", model_url=model.url))
        async with AsyncMemory(":memory:", embedder=None, guard=Broken(error)) as memory:
            agents = Agents(memory)
            agent = await agents.put("concierge", AgentSpec())
            try:
                return [event async for event in runtime.stream(agents, agent, "s", message)]
            finally:
                session = agents.scope(agent).session("s")
                play.attempts = await session.attempts()
                play.items = await session.get_items()
                await runtime.close()

    return play


@pytest.mark.parametrize(
    ("error", "kind"),
    [(StorageError("the disk is full", outcome="none"), "storage"), (KeyError(SECRET), "defect")],
    ids=["known", "defect"],
)
async def test_a_tool_that_crashes_fails_the_turn_without_its_words(alone, model, error, kind, caplog):
    model.then(Calls((("remember", {"key": "k", "content": SECRET}),)))
    found = await alone(error, "Remember it.")
    assert (found[-1].kind, found[-1].data["type"]) == ("failed", f"urn:bethink:{kind}")
    assert SECRET not in str(found[-1])
    assert SECRET not in caplog.text
    assert alone.items == []
    assert [each.calls for each in alone.attempts] == [("remember",)]


async def test_what_a_failed_turn_took_is_accounted_for(talking, model):
    async with talking(spec={"max_turns": 2}) as talk:
        model.then(*[Calls((("list_memories", {}),))] * 2)
        assert (await talk.say("Loop.")).status_code == 502
        stats = (await talk.client.get("/stats")).json()
    assert [*stats["spend"].values()] == [{"chat": 240}]


async def test_an_agent_that_nobody_registered_is_not_there(talking):
    async with talking(offline=True) as talk:
        assert (await talk.client.post("/agents/nobody/chat", json={"message": "Hi."})).status_code == 404


async def test_without_the_sdk_a_turn_says_what_to_install(talking, monkeypatch):
    async with talking(offline=True) as talk:
        monkeypatch.delitem(sys.modules, "bethink.server.chat.models", raising=False)
        monkeypatch.setitem(sys.modules, "agents", None)
        for streamed in (False, True):
            answer = await talk.say("Hi.", stream=streamed)
            assert (answer.status_code, answer.json()["type"]) == (501, "urn:bethink:not-installed")
            assert "pip install 'bethink[agents]'" in answer.text


async def test_an_item_with_half_of_a_character_in_the_history_is_no_reason_to_fail(talking, model):
    async with talking() as talk:
        items = json.dumps({"items": [{"role": "user", "content": "half \ud83d"}]})
        made = await talk.client.post(
            f"{NOOP}/sessions/dashboard/items", content=items, headers={"content-type": "application/json"}
        )
        assert made.status_code == 201
        model.then(Says("Hello."))
        assert await talk.text("Hi.") == "Hello."
        assert (await talk.items())[0] == {"role": "user", "content": "half \ud83d"}
