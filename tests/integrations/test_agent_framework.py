"""Microsoft's Agent Framework over Bethink: histories as its in-memory ones, and a memory that is learned."""

import asyncio
import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

pytest.importorskip("agent_framework", reason="make conformance has an environment with it")

from agent_framework import (
    Agent,
    AgentSession,
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationLayer,
    InMemoryHistoryProvider,
    Message,
    ResponseStream,
)

from bethink import AsyncMemory, InvalidError, Memory, StorageError
from bethink.integrations.agent_framework import BethinkContextProvider, BethinkHistoryProvider

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]


@pytest.fixture
async def memory(tmp_path):
    async with AsyncMemory(tmp_path / "memory.db") as opened:
        yield opened


@pytest.fixture(params=["theirs", "ours"])
def history(request, memory):
    if request.param == "theirs":
        return InMemoryHistoryProvider()
    return BethinkHistoryProvider(memory)


class Scripted(FunctionInvocationLayer, ChatMiddlewareLayer, BaseChatClient):
    """A client that keeps what it was asked, and answers with what it was given."""

    def __init__(self, *answers):
        super().__init__()
        self.answers = list(answers)
        self.asked = []
        self.instructions = []
        self.tools = []

    def _inner_get_response(self, *, messages, stream, options, **_):
        self.asked.append([message.text for message in messages])
        self.instructions.append(options.get("instructions") or "")
        self.tools.append([tool.name for tool in options.get("tools") or []])
        contents = self.answers.pop(0) if self.answers else ["Noted."]
        if stream:

            async def updates():
                yield ChatResponseUpdate(role="assistant", contents=[Content.from_text(contents[0])])

            return ResponseStream(updates(), finalizer=ChatResponse.from_updates)

        async def whole():
            return ChatResponse(messages=[Message("assistant", contents)])

        return whole()


def session_of(user, name="trip"):
    session = AgentSession(session_id=name)
    session.state["user_id"] = user
    return session


def texts(messages):
    return [(message.role, message.text) for message in messages]


# ---- histories: the same answers as the framework's own -------------------------------------------------------------


async def test_a_run_is_shown_the_runs_before_it_and_no_other_session(history):
    client = Scripted(["One."], ["Two."], ["Three."])
    agent = Agent(client, context_providers=[history])
    trip, other = session_of("ana"), session_of("ana", "other")
    await agent.run("first", session=trip)
    await agent.run("second", session=trip)
    await agent.run("elsewhere", session=other)
    assert client.asked == [["first"], ["first", "One.", "second"], ["elsewhere"]]


async def test_a_stream_is_kept_when_it_has_ended(history):
    client = Scripted(["One."], ["Two."])
    agent = Agent(client, context_providers=[history])
    trip = session_of("ana")
    assert "".join([update.text async for update in agent.run("first", session=trip, stream=True)]) == "One."
    await agent.run("second", session=trip)
    assert client.asked[1] == ["first", "One.", "second"]


async def test_calls_come_back_with_their_results(history):
    call = Content.from_function_call("c1", "book", arguments={"seat": 4})
    client = Scripted([call], ["Booked."], ["Yes."])

    def book(seat: int) -> str:
        return f"seat {seat} is yours"

    agent = Agent(client, context_providers=[history], tools=[book])
    trip = session_of("ana")
    await agent.run("Book a seat.", session=trip)
    await agent.run("Did you?", session=trip)
    state = {**trip.state.get("in_memory", {}), "bethink.user": "ana"}
    found = await history.get_messages("trip", state=state)
    kinds = [[content.type for content in message.contents] for message in found[:4]]
    assert kinds == [["text"], ["function_call"], ["function_result"], ["text"]]
    assert found[1].contents[0].arguments == {"seat": 4}
    assert found[2].contents[0].result == "seat 4 is yours"


@pytest.mark.parametrize(
    ("saved", "again", "after"),
    [
        (["a", "b"], ["a", "b"], ["a", "b"]),
        (["a", "b"], ["b", "c"], ["a", "b", "b", "c"]),
        (["a", "b", "c"], ["b", "c", "d"], ["a", "b", "c", "d"]),
        (["a", "b", "c"], ["a", "b", "c", "d"], ["a", "b", "c", "d"]),
        (["a"], ["a"], ["a", "a"]),
        (["a", "b"], ["x", "a", "b", "c"], ["a", "b", "c"]),
        (["a", "b", "c"], ["d"], ["a", "b", "c", "d"]),
        (["a", "b", "c", "a"], ["a"], ["a", "b", "c", "a", "a"]),
        (["a", "b"], [], ["a", "b"]),
    ],
)
async def test_what_is_handed_over_again_is_kept_as_often_as_theirs_keeps_it(history, saved, again, after):
    state = {"bethink.user": "ana"}
    for messages in (saved, again):
        await history.save_messages("trip", [Message("user", [text]) for text in messages], state=state)
    assert [each.text for each in await history.get_messages("trip", state=state)] == after


async def test_every_sort_of_content_comes_back_as_it_was(history):
    contents = [
        Content.from_text("words 😀 \ud800 \x00"),
        Content.from_text_reasoning(text="thought", protected_data="signed"),
        Content.from_data(b"%PDF\xff\x00", "application/pdf"),
        Content.from_uri("https://example.org/a.png", media_type="image/png"),
        Content.from_function_call("c", "book", arguments='{"n": 1}'),
        Content.from_function_result("c", result="done"),
        Content.from_function_approval_request(
            "q", Content.from_function_call("c", "book", arguments={"n": 1})
        ),
        Content.from_usage({"input_token_count": 3}),
    ]
    message = Message(
        "assistant",
        contents,
        author_name="guide",
        message_id="m1",
        additional_properties={"tags": ["x"], "n": None},
    )
    state = {"bethink.user": "ana"}
    await history.save_messages("trip", [message], state=state)
    (found,) = await history.get_messages("trip", state=state)
    assert found.to_dict() == message.to_dict()


async def test_flags_say_what_is_loaded_and_what_is_stored(memory):
    client = Scripted(["One."], ["Two."])
    audit = BethinkHistoryProvider(memory, load_messages=False, store_outputs=False, agent="audit")
    agent = Agent(client, context_providers=[InMemoryHistoryProvider(), audit])
    trip = session_of("ana")
    await agent.run("first", session=trip)
    await agent.run("second", session=trip)
    assert client.asked[1] == ["first", "One.", "second"]
    assert texts(await audit.get_messages("trip", user="ana")) == [("user", "first"), ("user", "second")]


# ---- what theirs does not do ----------------------------------------------------------------------------------------


async def test_the_newest_messages_are_loaded_and_no_call_is_without_its_result(memory):
    history = BethinkHistoryProvider(memory, user="ana", messages=3)
    call = Message("assistant", [Content.from_function_call("c", "book", arguments={})])
    result = Message("tool", [Content.from_function_result("c", result="done")])
    await history.save_messages(
        "trip",
        [
            Message("user", ["old"]),
            Message("assistant", ["ok"]),
            Message("user", ["new"]),
            call,
            result,
            Message("assistant", ["Booked."]),
        ],
    )
    found = await history.get_messages("trip")
    assert texts(found) == [("user", "new"), ("assistant", "Booked.")]


async def test_what_compaction_excluded_is_left_out_where_that_is_asked_for(memory):
    history = BethinkHistoryProvider(memory, user="ana", skip_excluded=True)
    said = [
        Message("user", ["old"], additional_properties={"_excluded": True}),
        Message("user", ["new"]),
    ]
    await history.save_messages("trip", said)
    assert [each.text for each in await history.get_messages("trip")] == ["new"]


async def test_two_users_may_have_sessions_of_one_name_and_what_is_erased_is_gone(memory):
    history = BethinkHistoryProvider(memory)
    client = Scripted()
    agent = Agent(client, context_providers=[history])
    await agent.run("Remember that I am vegetarian.", session=session_of("ana"))
    await agent.run("Hello.", session=session_of("bob"))
    assert client.asked[1] == ["Hello."]
    assert (await memory.erase(user="ana")).remaining == 0
    assert await history.get_messages("trip", user="ana") == []
    assert len(await history.get_messages("trip", user="bob")) == 2


async def test_a_run_of_nobody_is_refused_before_the_model_is_asked(memory):
    client = Scripted()
    for provider in (
        BethinkHistoryProvider(memory),
        BethinkHistoryProvider(memory, load_messages=False),
        BethinkContextProvider(memory),
    ):
        loads = getattr(provider, "load_messages", True)
        for session in (None, AgentSession(), session_of("")):
            with pytest.raises(InvalidError, match="whose memory"):
                await Agent(client, context_providers=[provider]).run("Hi", session=session)
        assert len(client.asked) == (0 if loads else 3)
        client.asked.clear()
    with pytest.raises(InvalidError, match="user="):
        await BethinkHistoryProvider(memory).get_messages("trip")
    with pytest.raises(InvalidError, match="session"):
        await BethinkHistoryProvider(memory, user="ana").get_messages(None)


async def test_a_session_that_was_stored_elsewhere_goes_on(memory):
    client = Scripted(["One."], ["Two."])
    agent = Agent(client, context_providers=[BethinkHistoryProvider(memory)])
    trip = session_of("ana")
    await agent.run("first", session=trip)
    restored = AgentSession.from_dict(json.loads(json.dumps(trip.to_dict())))
    await agent.run("second", session=restored)
    assert client.asked[1] == ["first", "One.", "second"]
    assert "first" not in json.dumps(trip.to_dict())


async def test_history_that_is_kept_at_each_call_of_the_model_is_kept_once(memory):
    call = Content.from_function_call("c1", "book", arguments={"seat": 4})
    client = Scripted([call], ["Booked."])

    def book(seat: int) -> str:
        return f"seat {seat} is yours"

    history = BethinkHistoryProvider(memory)
    agent = Agent(
        client,
        context_providers=[history],
        tools=[book],
        require_per_service_call_history_persistence=True,
    )
    await agent.run("Book a seat.", session=session_of("ana"))
    found = await history.get_messages("trip", user="ana")
    assert [each.role for each in found] == ["user", "assistant", "tool", "assistant"]


async def test_runs_at_the_same_time_lose_nothing(memory):
    history = BethinkHistoryProvider(memory, user="ana")
    await asyncio.gather(
        *(history.save_messages("trip", [Message("user", [f"text {number}"])]) for number in range(12))
    )
    assert len(await history.get_messages("trip")) == 12


# ---- memories -------------------------------------------------------------------------------------------------------


async def test_what_is_injected_is_neither_kept_nor_learned_again(memory):
    client = Scripted()
    remembers = BethinkContextProvider(memory, idle=timedelta(0))
    agent = Agent(client, "You are a guide.", context_providers=[remembers])
    await agent.run("Remember that I am vegetarian.", session=session_of("ana", "monday"))
    friday = session_of("ana", "friday")
    await agent.run("Find a restaurant.", session=friday)
    await agent.run("Find a restaurant.", session=session_of("bob"))
    assert ["vegetarian" in told for told in client.instructions] == [False, True, False]
    assert all("You are a guide." in told for told in client.instructions)
    assert "vegetarian" not in json.dumps(friday.to_dict(), default=str)
    scope = memory.scope(agent="agent-framework", user="ana")
    kept = [str(await scope.session(info.id).get_items()) for info in await scope.sessions()]
    assert len(kept) == 2
    assert sum("vegetarian" in each for each in kept) == 1
    assert len([note for note in await scope.notes() if "vegetarian" in note.text]) == 1


@pytest.mark.parametrize("turned", [False, True])
async def test_beside_a_history_everything_is_kept_and_learned_once(memory, turned):
    client = Scripted()
    providers = [
        BethinkHistoryProvider(memory, idle=timedelta(0)),
        BethinkContextProvider(memory, idle=timedelta(0)),
    ]
    agent = Agent(client, context_providers=providers[::-1] if turned else providers)
    await agent.run("Remember that I am vegetarian.", session=session_of("ana", "monday"))
    scope = memory.scope(agent="agent-framework", user="ana")
    assert len(await scope.session("monday").get_items()) == 2
    assert len([note for note in await scope.notes() if "vegetarian" in note.text]) == 1
    await agent.run("Find a restaurant.", session=session_of("ana", "friday"))
    assert "vegetarian" in client.instructions[1]


async def test_sessions_that_were_left_become_memory_before_the_next_run(memory):
    told = BethinkContextProvider(memory, idle=timedelta(hours=1))
    await Agent(Scripted(), context_providers=[told]).run(
        "Remember that I am vegetarian.", session=session_of("ana", "monday")
    )
    scope = memory.scope(agent="agent-framework", user="ana")
    assert list(await scope.notes()) == []
    assert "vegetarian" in (await scope.notes(session="monday"))[0].text
    client = Scripted()
    at_once = BethinkContextProvider(memory, idle=timedelta(0))
    await Agent(client, context_providers=[at_once]).run("Hello.", session=session_of("ana", "friday"))
    assert "vegetarian" in client.instructions[0]


async def test_a_store_that_does_not_answer_leaves_the_run_without_memories(memory, monkeypatch):
    from bethink.memory.scope import AsyncScope

    async def fails(self, **options):
        raise StorageError("the disk is gone", outcome="none")

    client = Scripted()
    monkeypatch.setattr(AsyncScope, "context", fails)
    agent = Agent(client, "You are a guide.", context_providers=[BethinkContextProvider(memory, user="ana")])
    await agent.run("Hi")
    assert client.instructions == ["You are a guide."]


async def test_an_agent_uses_its_memory_by_tools_and_each_run_reaches_its_own_user(memory):
    calls = [
        [
            Content.from_function_call(
                "c", "remember", arguments={"content": "Prefers aisle seats.", "key": "seat"}
            )
        ],
        ["Done."],
        [Content.from_function_call("d", "recall", arguments={"key": "seat"})],
        ["Nothing."],
    ]
    client = Scripted(*calls)
    remembers = BethinkContextProvider(memory, families=("private",))
    agent = Agent(client, context_providers=[remembers, InMemoryHistoryProvider()])
    await agent.run("I prefer aisle seats.", session=session_of("ana"))
    bob = session_of("bob")
    await agent.run("What do I prefer?", session=bob)
    assert "remember" in client.tools[0]
    kept = await memory.scope(agent="agent-framework", user="ana").get("seat")
    assert kept.text == "Prefers aisle seats."
    results = [content.result for each in bob.state["in_memory"]["messages"] for content in each.contents
               if content.type == "function_result"]  # fmt: skip
    assert len(results) == 1
    assert "aisle" not in str(results[0])
    with pytest.raises(InvalidError, match="MCP"):
        BethinkContextProvider(memory, families=("team",))


def test_a_memory_that_was_opened_to_be_waited_for_serves_as_well(tmp_path):
    client = Scripted()
    with Memory(tmp_path / "memory.db") as memory:
        agent = Agent(
            client, context_providers=[BethinkContextProvider(memory, user="ana", idle=timedelta(0))]
        )
        asyncio.run(agent.run("Remember that I am vegetarian."))
        asyncio.run(agent.run("Find a restaurant."))
    assert "vegetarian" in client.instructions[1]


def test_another_version_is_refused_with_the_range():
    code = (
        "import importlib.metadata as m; v = m.version\n"
        "import bethink.integrations.versions as w\n"
        "w.version = lambda n: '1.9.0' if n == 'agent-framework-core' else v(n)\n"
        "import bethink.integrations.agent_framework"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (
        "agent-framework-core 1.9.0 is installed, but 1.23 or later and before 2 is required" in done.stderr
    )


def test_the_example_shows_what_it_says(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "agent_framework_memory.py", str(tmp_path / "memory.db")],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert lines[0] == "ana, monday: I know nothing of you yet. (1 message)"
    assert lines[1] == "ana, monday: I know nothing of you yet. (3 messages)"
    assert lines[2].startswith("ana, friday: I know: - ")
    assert "vegetarian" in lines[2]
    assert lines[3] == "bob, monday: I know nothing of you yet. (1 message)"
    assert lines[4] == "left after erasing: 0"
