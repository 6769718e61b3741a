"""A turn: what the model is shown, what is stored, what the caller is told."""

import json

import pytest

from bethink.testing.model_server import Calls, Says

from .conftest import NOOP, events

pytestmark = pytest.mark.anyio


def shown(request):
    """Return roles and words of what a model was shown, without the system prompt."""
    return [
        (each["role"], each.get("content")) for each in request.body["messages"] if each["role"] != "system"
    ]


async def test_a_conversation_goes_on_where_it_was(talking, model):
    async with talking() as talk:
        model.then(Says("Hello Alice."), Says("You are Alice."))
        assert await talk.text("I am called Alice.") == "Hello Alice."
        assert await talk.text("Who am I?") == "You are Alice."
    assert shown(model.requests[-1]) == [
        ("user", "I am called Alice."),
        ("assistant", "Hello Alice."),
        ("user", "Who am I?"),
    ]


async def test_calls_of_tools_stay_in_the_history(talking, model):
    async with talking() as talk:
        model.then(
            Calls((("remember", {"key": "visited", "content": "Visited x.com."}),), text="One moment."),
            Says("I have visited x.com."),
            Says("You visited x.com."),
        )
        await talk.text("Visit x.com.")
        await talk.text("What page did you just visit?")
        kinds = [item.get("type") or item["role"] for item in await talk.items()]
    assert kinds == ["user", "message", "function_call", "function_call_output", "message", "user", "message"]
    last = model.requests[-1].body["messages"]
    call = next(each for each in last if each.get("tool_calls"))
    assert call["tool_calls"][0]["function"] == {
        "name": "remember",
        "arguments": json.dumps({"key": "visited", "content": "Visited x.com."}),
    }
    result = next(each for each in last if each["role"] == "tool")
    assert result["tool_call_id"] == call["tool_calls"][0]["id"]
    assert result["content"] == "Stored memory 'visited'."


async def test_the_system_prompt_counts_at_once_and_is_never_stored(talking, model):
    async with talking(spec={"system_prompt": "You are a PIRATE."}) as talk:
        model.then(Says("Ahoy."), Says("Good day."))
        await talk.text("Hi.")
        await talk.put(system_prompt="You are a BUTLER.")
        await talk.text("Hi again.")
        stored = json.dumps(await talk.items())
    assert "PIRATE" in model.requests[0].system
    assert "BUTLER" in model.requests[1].system
    assert "PIRATE" not in json.dumps(model.requests[1].body)
    assert "PIRATE" not in stored
    assert "BUTLER" not in stored


async def test_memories_are_injected_where_no_history_was_loaded_and_never_stored(talking, model):
    async with talking() as talk:
        await talk.client.post(f"{NOOP}/notes", json={"text": "Prefers aisle seats."})
        model.then(Says("Aisle."), Says("Still aisle."), Says("Aisle here too."))
        await talk.text("Which seat?")
        await talk.text("Sure?")
        await talk.text("Which seat?", session="other")
        stored = json.dumps(await talk.items())
    assert ["Prefers aisle seats." in request.system for request in model.requests[::2]] == [True, True]
    assert "Prefers aisle seats." not in json.dumps(model.requests[1].body)
    assert "Prefers aisle seats." not in stored


async def test_memories_are_injected_in_every_turn_where_the_spec_says_so(talking, model):
    async with talking(spec={"hooks": {"injection": "relevance"}}) as talk:
        model.then(Says("Hello."), Says("Aisle."), Says("Aisle."))
        await talk.text("Hi.")
        await talk.client.post(f"{NOOP}/notes", json={"text": "Prefers aisle seats."})
        await talk.text("Which seat?")
        await talk.text("Which seat?", session="other")
        stored = json.dumps(await talk.items())
    assert "Prefers aisle seats." not in json.dumps(model.requests[0].body)
    # written since the conversation began: it stands behind the history, so that what comes before stays the same
    assert model.requests[1].system == model.requests[0].system
    behind = [content for _, content in shown(model.requests[1])]
    assert ["Prefers aisle seats." in content for content in behind] == [False, False, True, False]
    assert "Prefers aisle seats." not in stored
    assert "Prefers aisle seats." in model.requests[2].system


async def test_an_agent_without_memory_gets_none_and_has_no_tools(talking, model):
    spec = {"system_prompt": "Plain.", "primitives": {"memory": {"enabled": False}}}
    async with talking(spec=spec) as talk:
        await talk.client.post(f"{NOOP}/notes", json={"text": "Prefers aisle seats."})
        model.then(Says("Hello."))
        await talk.text("Hi.")
    assert model.requests[0].system == "Plain."
    assert "tools" not in model.requests[0].body


async def test_the_model_sees_the_window_and_not_the_whole_log(talking, model):
    async with talking() as talk:
        log = []
        for number in range(40):
            log += [{"role": "user", "content": f"q{number}"}, {"role": "assistant", "content": f"a{number}"}]
        await talk.client.post(f"{NOOP}/sessions/dashboard/items", json={"items": log})
        model.then(Says("Yes."))
        await talk.text("Still there?")
        assert len(await talk.items()) == 82
    words = [content for _, content in shown(model.requests[0])]
    assert len(words) == 45  # trimmed in blocks: 50 at most, and the next turn begins with the same
    assert (words[0], words[-1]) == ("q18", "Still there?")


async def test_only_the_tools_of_the_spec_are_offered(talking, model):
    memory = {"families": ["private", "categories"], "tools": ["remember", "memory_recall"]}
    async with talking(spec={"primitives": {"memory": memory}}) as talk:
        model.then(Says("Hello."))
        await talk.text("Hi.")
    assert [each["function"]["name"] for each in model.requests[0].body["tools"]] == [
        "remember",
        "memory_recall",
    ]


async def test_an_agent_that_keeps_no_conversations_stores_nothing(talking, model):
    async with talking(spec={"hooks": {"auto_memory": False}}) as talk:
        model.then(Says("Hello."), Says("Who?"))
        said = (await talk.say("I am Alice.")).json()
        await talk.text("Who am I?")
        assert (await talk.client.get(f"{NOOP}/sessions")).json()["total"] == 0
    assert (said["text"], said["revision"]) == ("Hello.", None)
    assert shown(model.requests[1]) == [("user", "Who am I?")]


async def test_what_a_turn_took_is_noted_beside_it_and_in_the_ledger(talking, model):
    async with talking() as talk:
        model.then(Calls((("list_memories", {}),)), Says("Nothing."))
        said = (await talk.say("What do you know?")).json()
        usage = (await talk.client.get(f"{NOOP}/sessions/dashboard/usage")).json()["entries"]
        stats = (await talk.client.get("/stats")).json()
    assert said["usage"] == {"requests": 2, "tokens_in": 200, "tokens_out": 40}
    assert [(each["first"], each["last"], each["tokens_in"], each["tokens_out"]) for each in usage] == [
        (0, 4, 200, 40)
    ]
    assert [*stats["spend"].values()] == [{"chat": 240}]


async def test_the_model_of_the_spec_answers_in_place_of_that_of_the_server(talking, model):
    async with talking(spec={"model": "special-7", "temperature": 0.5}) as talk:
        model.then(Says("Hello."))
        assert (await talk.say("Hi.")).json()["model"] == "special-7"
    assert (model.requests[0].body["model"], model.requests[0].body["temperature"]) == ("special-7", 0.5)
    assert model.requests[0].headers["authorization"] == "Bearer unused"


async def test_only_a_key_that_is_meant_for_the_endpoint_is_sent_to_it(talking, model, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai")
    monkeypatch.setenv("BETHINK_MODEL_KEY", "of-this-endpoint")
    async with talking() as talk:
        model.then(Says("Hello."))
        await talk.text("Hi.")
    assert model.requests[0].headers["authorization"] == "Bearer of-this-endpoint"


async def test_events_come_in_their_order(talking, model):
    async with talking() as talk:
        model.then(
            Calls((("remember", {"key": "seat", "content": "Prefers aisle seats."}), ("recall", {}))),
            Says("All noted."),
        )
        answer = await talk.say("Remember: aisle.", stream=True)
    assert answer.headers["content-type"].startswith("text/event-stream")
    found = events(answer.text)
    kinds = [kind for kind, _ in found]
    assert kinds == ["turn", "tool_call", "tool_call", "tool_result", "tool_result", "delta", "delta", "done"]
    data = [data for _, data in found]
    assert data[0] | {"turn": ""} == {
        "turn": "",
        "session": "dashboard",
        "agent": "concierge",
        "model": "scripted-1",
        "offline": False,
    }
    assert (data[1]["name"], json.loads(data[1]["arguments"])["key"]) == ("remember", "seat")
    by_call = {each["call_id"]: each for each in data[3:5]}
    first, second = by_call[data[1]["call_id"]], by_call[data[2]["call_id"]]
    assert (first["name"], first["output"], first["done"]) == ("remember", "Stored memory 'seat'.", True)
    assert (second["name"], second["done"]) == ("recall", False)
    assert "".join(each["text"] for each in data[5:7]) == data[-1]["text"] == "All noted."
    assert data[-1]["turn"] == data[0]["turn"]


async def test_events_are_sent_to_whom_accepts_them(talking, model):
    async with talking() as talk:
        model.then(Says("Hello."))
        answer = await talk.say("Hi.", headers={"accept": "text/event-stream"})
    assert events(answer.text)[-1][1]["text"] == "Hello."


async def test_sessions_do_not_know_of_each_other(talking, model):
    async with talking() as talk:
        model.then(Says("Hello."), Says("Who?"))
        await talk.text("I am Alice.", session="one")
        await talk.text("Who am I?", session="two")
    assert shown(model.requests[1]) == [("user", "Who am I?")]


async def test_past_the_tokens_of_a_day_the_responder_stands_in_and_says_so(talking, model):
    from bethink.settings import Settings

    async with talking(settings=Settings(daily_tokens=100)) as talk:
        model.then(Says("Hello."))
        await talk.text("Hi.")
        answer = (await talk.say("Hi again.")).json()
    assert answer["offline"]
    assert "the tokens of the day are used up" in answer["text"]


async def test_a_tool_that_is_called_when_its_run_is_over_fails(anyio_backend):
    from bethink import AsyncMemory
    from bethink.errors import ClosedError
    from bethink.server.chat.models import offline_responder
    from bethink.server.chat.runs import Run
    from bethink.tools.registry import TOOLS
    from bethink.tools.values import Reach

    async with AsyncMemory(":memory:", embedder=None) as memory:
        scope = memory.scope(agent="concierge", user="alice")
        run = Run(
            name="concierge",
            instructions="",
            chosen=offline_responder("no model is set", "answer"),
            max_turns=5,
            tell=lambda _: None,
        )
        (remember,) = run.tools([TOOLS["remember"]], Reach(scope=scope))
        await run.play("I am vegetarian.", [remember])
        assert [note.text for note in await scope.notes()] == ["I am vegetarian."]
        with pytest.raises(ClosedError):
            await remember.on_invoke_tool(None, '{"key": "k", "content": "Later."}')
        assert len(await scope.notes()) == 1
