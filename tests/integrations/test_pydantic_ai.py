"""Pydantic AI over Bethink: what its in-memory store answers, ours answers; and a memory that is learned."""

import asyncio
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

pytest.importorskip("pydantic_ai", reason="make conformance has an environment with it")

from pydantic_ai import Agent, BinaryContent
from pydantic_ai.conversation import Conversation
from pydantic_ai.conversation_store import (
    ConversationConflict,
    ConversationEntry,
    ConversationRecord,
    InMemoryConversationStore,
)
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.tools import DeferredToolRequests
from pydantic_ai.usage import RunUsage

from bethink import AsyncMemory, InvalidError, Memory, StorageError
from bethink.integrations.pydantic_ai import BethinkConversationStore, BethinkMemory, BethinkToolset

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]
AT = datetime(2026, 3, 2, tzinfo=UTC)


@pytest.fixture
async def memory(tmp_path):
    async with AsyncMemory(tmp_path / "memory.db") as opened:
        yield opened


@pytest.fixture(params=["theirs", "ours"])
def store(request, memory):
    if request.param == "theirs":
        return InMemoryConversationStore()
    return BethinkConversationStore(memory, user="ana")


def turn(text, answer="ok"):
    asked = ModelRequest(parts=[UserPromptPart(content=text, timestamp=AT)], timestamp=AT)
    return [asked, ModelResponse(parts=[TextPart(answer)], timestamp=AT)]


def talk(*texts, name="trip"):
    return Conversation(conversation_id=name, messages=[each for text in texts for each in turn(text)])


def words(messages):
    return [message.parts[0].content for message in messages if message.kind == "request"]


# ---- conversations: the same answers as the framework's own ---------------------------------------------------------


async def test_messages_come_back_as_they_were_with_usage_and_calls_that_wait(store):
    call = ToolCallPart(tool_name="book", args={"seat": 4}, tool_call_id="c")
    picture = BinaryContent(data=b"%PDF\xff\x00", media_type="application/pdf")
    messages = [
        ModelRequest(
            parts=[UserPromptPart(content=["Where?", picture], timestamp=AT)],
            instructions="Be brief.",
            timestamp=AT,
        ),
        ModelResponse(parts=[call], timestamp=AT),
        ModelRequest(
            parts=[ToolReturnPart(tool_name="book", content={"n": 1}, tool_call_id="c", timestamp=AT)],
            timestamp=AT,
        ),
    ]
    saved = Conversation(
        conversation_id="trip",
        messages=messages,
        usage=RunUsage(requests=2, input_tokens=30),
        deferred_tool_requests=DeferredToolRequests(approvals=[call]),
    )
    await store.save(saved)
    found = await store.load("trip")
    assert found.messages == messages
    assert found.messages[0].parts[0].content[1].data == picture.data
    assert (found.usage, found.revision) == (saved.usage, saved.revision)
    assert found.deferred_tool_requests.approvals == [call]
    assert await store.load("elsewhere") is None


async def test_a_save_appends_what_is_new_and_a_rewritten_history_branches_off(store):
    await store.save(talk("one", "two"))
    conversation = await store.load("trip")
    conversation.messages.extend(turn("three"))
    assert len(await store.save(conversation)) == 2
    rewritten = talk("one", "other")
    rewritten.revision = conversation.revision
    await store.save(rewritten)
    assert words((await store.load("trip")).messages) == ["one", "other"]
    (left,) = (await store.read_record("trip")).branches
    assert words([entry.message for entry in await store.read_history(left)]) == ["one", "two", "three"]


async def test_a_writer_that_another_one_went_past_is_refused_and_leaves_nothing(store):
    await store.save(talk("one"))
    first, second = [await store.load("trip") for _ in range(2)]
    first.messages.extend(turn("mine"))
    second.messages.extend(turn("yours"))
    await store.save(first)
    for stale in (second, talk("anew")):
        with pytest.raises(ConversationConflict):
            await store.save(stale)
    assert words((await store.load("trip")).messages) == ["one", "mine"]


async def test_forks_share_entries_and_outlive_what_they_came_from(store):
    await store.save(talk("one", "two"))
    fork = await store.fork("trip", at=2, new_conversation_id="other")
    fork.messages.extend(turn("three"))
    await store.save(fork)
    shared = [entry.id for entry in await store.load_entries("trip")]
    assert [entry.id for entry in await store.load_entries("other")][:2] == shared[:2]
    await store.delete("trip")
    assert await store.load("trip") is None
    assert words((await store.load("other")).messages) == ["one", "three"]
    with pytest.raises(LookupError):
        await store.read_entry(shared[3])
    await store.delete("other")
    with pytest.raises(LookupError):
        await store.read_entry(shared[0])


async def test_a_conversation_goes_back_and_comes_forth_again(store):
    await store.save(talk("one", "two"))
    conversation = await store.load("trip")
    tip = (await store.load_entries("trip"))[-1].id
    back = await store.branch("trip", at=2, expected_revision=conversation.revision)
    assert words(back.messages) == ["one"]
    forth = await store.branch("trip", from_entry=tip, expected_revision=back.revision)
    assert words(forth.messages) == ["one", "two"]
    with pytest.raises(UserError):
        await store.branch("trip", from_entry="nowhere", expected_revision=forth.revision)


async def test_a_long_history_is_read_whole_or_its_end(store):
    texts = [str(number) for number in range(80)]
    await store.save(talk(*texts))
    assert words((await store.load("trip")).messages) == texts
    assert words((await store.load("trip", limit=5)).messages) == ["78", "79"]
    assert (await store.load("trip", limit=0)).messages == []
    window = await store.load("trip", limit=2)
    window.messages.extend(turn("more"))
    await store.save(window)
    assert words((await store.load("trip")).messages) == [*texts, "more"]


async def test_lists_are_newest_first_and_by_scope_which_reads_as_absence(store):
    for name, scope in (("a", "x"), ("b", "y"), ("c", "x")):
        await store.save(talk("one", name=name), scope=scope)
    assert [record.conversation_id for record in await store.list_conversations()] == ["c", "b", "a"]
    assert [record.conversation_id for record in await store.list_conversations(scope="x", limit=1)] == ["c"]
    assert await store.load("a", scope="y") is None
    await store.delete("a", scope="y")
    assert await store.load("a", scope="x") is not None


async def test_a_head_that_is_not_there_is_a_conflict(store):
    record = ConversationRecord(conversation_id="trip", head_id="gone")
    with pytest.raises(ConversationConflict):
        await store.write_record(record, expected_revision=None)
    with pytest.raises(ConversationConflict):
        await store.delete_record("trip", expected_revision="never")
    entry = ConversationEntry(parent_id=None, message=turn("one")[0])
    await store.write_record(
        ConversationRecord(conversation_id="trip", head_id=entry.id),
        new_entries=[entry],
        expected_revision=None,
    )
    assert (await store.read_entry(entry.id)) == entry


# ---- what theirs does not do ----------------------------------------------------------------------------------------


async def test_of_writers_at_the_same_time_one_wins_and_the_others_leave_nothing(memory):
    store = BethinkConversationStore(memory, user="ana")
    done = await asyncio.gather(
        *(store.save(talk(f"text {number}")) for number in range(6)), return_exceptions=True
    )
    assert sorted(type(each).__name__ for each in done) == ["ConversationConflict"] * 5 + ["list"]
    assert len(await store._documents.within(("pydantic-ai", "conversation-entries"))) == 2


async def test_a_save_that_is_cancelled_is_there_as_a_whole_or_not_at_all(memory):
    store = BethinkConversationStore(memory, user="ana")
    for moment in range(8):
        name = f"c{moment}"
        task = asyncio.ensure_future(store.save(talk("one", "two", "three", name=name)))
        for _ in range(moment):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        found = await store.load(name)
        assert found is None or words(found.messages) == ["one", "two", "three"]


async def test_conversations_are_the_users_and_go_with_them(memory):
    ana, bob = (BethinkConversationStore(memory, user=user) for user in ("ana", "bob"))
    await ana.save(talk("Remember that I am vegetarian."))
    assert await bob.load("trip") is None
    assert await bob.list_conversations() == []
    assert (await memory.erase(user="ana")).remaining == 0
    assert await ana.load("trip") is None


async def test_whose_it_is_has_to_be_said(memory):
    with pytest.raises(TypeError, match="user"):
        BethinkConversationStore(memory)
    for needs_user_of in (BethinkMemory, BethinkToolset):
        with pytest.raises(TypeError, match="user_of"):
            needs_user_of(memory)
    with pytest.raises(InvalidError):
        BethinkConversationStore(memory, user="")


# ---- memories -------------------------------------------------------------------------------------------------------


@dataclass
class Deps:
    user_id: str | None


class Scripted:
    """A model that keeps what it was asked, and repeats its instructions."""

    def __init__(self):
        self.instructions = []

    def __call__(self, messages, info):
        self.instructions.append(info.instructions or "")
        return ModelResponse(parts=[TextPart("Noted.")])


def agent(memory, model, idle=timedelta(0)):
    remembers = BethinkMemory(memory, user_of=lambda ctx: ctx.deps.user_id, idle=idle)
    return Agent(
        FunctionModel(model), deps_type=Deps, capabilities=[remembers], instructions="You are a guide."
    )


async def test_what_is_injected_is_neither_kept_nor_learned_again(memory):
    model = Scripted()
    made = agent(memory, model)
    await made.run("Remember that I am vegetarian.", deps=Deps("ana"))
    await made.run("Find a restaurant.", deps=Deps("ana"))
    await made.run("Find a restaurant.", deps=Deps("bob"))
    assert ["vegetarian" in told for told in model.instructions] == [False, True, False]
    assert all("You are a guide." in told for told in model.instructions)
    scope = memory.scope(agent="pydantic-ai", user="ana")
    kept = [str(await scope.session(info.id).get_items()) for info in await scope.sessions()]
    assert sum("vegetarian" in each for each in kept) == 1
    assert len([note for note in await scope.notes() if "vegetarian" in note.text]) == 1


async def test_prompts_of_shapes_that_nobody_reads_stop_nothing(memory):
    model = Scripted()
    made = agent(memory, model)
    picture = BinaryContent(b"\x00\x01", media_type="image/png")
    await made.run([picture], deps=Deps("ana"))
    await made.run([picture, "Remember that I am vegetarian."], deps=Deps("ana"))
    await made.run("Find a restaurant.", deps=Deps("ana"))
    assert "vegetarian" in model.instructions[2]


async def test_a_run_that_is_cancelled_while_the_model_thinks_leaves_the_next_one_whole(memory):
    thinking = asyncio.Event()

    async def slow(messages, info):
        thinking.set()
        await asyncio.Event().wait()

    run = asyncio.ensure_future(agent(memory, slow).run("Remember that I hate jazz.", deps=Deps("ana")))
    await thinking.wait()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    scope = memory.scope(agent="pydantic-ai", user="ana")
    assert (await scope.sessions()).total == 0
    model = Scripted()
    made = agent(memory, model)
    await made.run("Remember that I am vegetarian.", deps=Deps("ana"))
    await made.run("Find a restaurant.", deps=Deps("ana"))
    assert "vegetarian" in model.instructions[1]


async def test_a_run_of_nobody_is_refused_before_the_model_is_asked(memory):
    model = Scripted()
    with pytest.raises(InvalidError, match="whose memory"):
        await agent(memory, model).run("Hi", deps=Deps(None))
    assert model.instructions == []


async def test_a_store_that_does_not_answer_leaves_the_request_without_memories(memory, monkeypatch):
    from bethink.memory.scope import AsyncScope

    async def fails(self, **options):
        raise StorageError("the disk is gone", outcome="none")

    model = Scripted()
    monkeypatch.setattr(AsyncScope, "context", fails)
    await agent(memory, model).run("Hi", deps=Deps("ana"))
    assert model.instructions == ["You are a guide."]


# ---- tools ----------------------------------------------------------------------------------------------------------


class Calls:
    """A model that calls one tool, and then says what the tool answered."""

    def __init__(self, tool, **arguments):
        self.tool = tool
        self.arguments = arguments
        self.offered = []

    def __call__(self, messages, info):
        self.offered = [each.name for each in info.function_tools]
        last = messages[-1].parts[-1]
        if last.part_kind == "tool-return":
            return ModelResponse(parts=[TextPart(last.content)])
        return ModelResponse(parts=[ToolCallPart(tool_name=self.tool, args=self.arguments)])


def user_of(ctx):
    return ctx.deps.user_id


@pytest.mark.parametrize("door", ["toolset", "capability"])
async def test_a_tool_reaches_the_memory_of_the_user_of_its_run_alone(memory, door):
    async def ask(model, user):
        if door == "toolset":
            given = {"toolsets": [BethinkToolset(memory, user_of=user_of)]}
        else:
            given = {"capabilities": [BethinkMemory(memory, user_of=user_of, families=("private",))]}
        return (await Agent(FunctionModel(model), deps_type=Deps, **given).run("Hi", deps=Deps(user))).output

    keeps = Calls("remember", key="seat", content="Prefers aisle seats.")
    await ask(keeps, "ana")
    assert {"remember", "recall", "search_memory", "forget", "list_memories"} <= set(keeps.offered)
    assert "aisle" in await ask(Calls("recall", key="seat"), "ana")
    assert "aisle" not in await ask(Calls("recall", key="seat"), "bob")
    assert (await memory.scope(agent="pydantic-ai", user="ana").get("seat")).source in {"tool", "agent"}
    assert "Not done" in await ask(Calls("recall"), "ana")


async def test_a_call_of_nobody_is_refused(memory):
    agent = Agent(
        FunctionModel(Calls("list_memories")),
        deps_type=Deps,
        toolsets=[BethinkToolset(memory, user_of=user_of)],
    )
    with pytest.raises(InvalidError, match="whose memory"):
        await agent.run("Hi", deps=Deps(None))


async def test_a_note_is_staged_in_the_session_of_the_conversation(memory):
    toolset = BethinkToolset(memory, user_of=user_of, families=("notes",), id="memory")
    assert toolset.id == "memory"
    agent = Agent(
        FunctionModel(Calls("save_memory_note", text="Wants a window seat.", keywords=["seat"])),
        deps_type=Deps,
        toolsets=[toolset],
    )
    await agent.run("Hi", deps=Deps("ana"), conversation_id="trip")
    notes = await memory.scope(agent="pydantic-ai", user="ana").notes(session="trip", status=None)
    assert [note.text for note in notes] == ["Wants a window seat."]


async def test_tools_that_need_more_than_a_scope_are_not_promised(memory):
    for family in ("pools", "team", "workspace"):
        with pytest.raises(InvalidError, match="MCP"):
            BethinkToolset(memory, user_of=None, families=(family,))


def test_an_agent_that_is_waited_for_remembers_as_well(tmp_path):
    model = Scripted()
    with Memory(tmp_path / "memory.db") as memory:
        made = agent(memory, model)
        made.run_sync("Remember that I am vegetarian.", deps=Deps("ana"))
        made.run_sync("Find a restaurant.", deps=Deps("ana"))
    assert "vegetarian" in model.instructions[1]


def test_another_version_is_refused_with_the_range():
    code = (
        "import importlib.metadata as m; v = m.version\n"
        "import bethink.integrations.versions as w\n"
        "w.version = lambda n: '1.9.0' if n == 'pydantic-ai-slim' else v(n)\n"
        "import bethink.integrations.pydantic_ai"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pydantic-ai-slim 1.9.0 is installed, but 2.68 or later and before 3 is required" in done.stderr


def test_an_agent_goes_on_and_knows_its_user_in_the_next_conversation(tmp_path):
    command = [sys.executable, ROOT / "examples" / "pydantic_ai_memory.py", str(tmp_path / "memory.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "ana, monday: I know nothing of you yet. (2 messages)",
        "ana, monday: You are vegetarian. (4 messages)",
        "ana, friday: You are vegetarian. (2 messages)",
        "bob, friday: I know nothing of you yet. (2 messages)",
        "left after erasing: 0",
    ]
