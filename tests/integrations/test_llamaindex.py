"""LlamaIndex over Bethink: a chat store that answers as its own, and a memory that is learned."""

import asyncio
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

pytest.importorskip("llama_index.core", reason="make conformance has an environment with it")

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import (
    ChatMessage,
    ImageBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
)
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms.mock import MockFunctionCallingLLM, MockLLM
from llama_index.core.memory import ChatMemoryBuffer, InsertMethod
from llama_index.core.memory import Memory as TheirMemory
from llama_index.core.storage.chat_store import SimpleChatStore
from llama_index.core.storage.chat_store.base_db import MessageStatus
from llama_index.core.storage.chat_store.sql import SQLAlchemyChatStore

from bethink import AsyncMemory, InvalidError, Memory, StorageError
from bethink.integrations.llamaindex import (
    BethinkBufferStore,
    BethinkChatStore,
    BethinkMemory,
    BethinkMemoryBlock,
)

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]
ACTIVE, ARCHIVED = MessageStatus.ACTIVE, MessageStatus.ARCHIVED


@pytest.fixture
async def memory(tmp_path):
    async with AsyncMemory(tmp_path / "memory.db") as opened:
        yield opened


@pytest.fixture(params=["theirs", "ours"])
async def store(request, memory):
    if request.param == "ours":
        yield BethinkChatStore(memory, user="ana")
        return
    made = SQLAlchemyChatStore(table_name="chats")
    yield made
    if made._async_engine is not None:
        await made._async_engine.dispose()


def user(text):
    return ChatMessage(role="user", content=text)


def assistant(text):
    return ChatMessage(role="assistant", content=text)


def texts(messages):
    return [message.content for message in messages]


# ---- chats: the same answers as the framework's own -----------------------------------------------------------------


async def test_messages_come_back_in_order_and_by_their_chat(store):
    await store.add_message("trip", user("one"))
    await store.add_messages("trip", [assistant("two"), user("three")])
    await store.add_message("other", user("elsewhere"))
    assert texts(await store.get_messages("trip")) == ["one", "two", "three"]
    assert texts(await store.get_messages("trip", limit=1, offset=1)) == ["two"]
    assert texts(await store.get_messages("trip", limit=0)) == []
    assert await store.get_messages("nowhere") == []
    assert await store.count_messages("trip") == 3
    assert sorted(await store.get_keys()) == ["other", "trip"]


async def test_every_sort_of_block_comes_back_as_it_was(store):
    message = ChatMessage(
        role="assistant",
        blocks=[
            TextBlock(text="words 😀"),
            ThinkingBlock(content="thought", additional_information={"signature": "s"}),
            ImageBlock(image=b"aGVsbG8=", image_mimetype="image/png"),
            ToolCallBlock(tool_call_id="c", tool_name="book", tool_kwargs={"seat": 4}),
        ],
        additional_kwargs={"n": 1, "session_id": "kept"},
    )
    await store.add_message("trip", message)
    (found,) = await store.get_messages("trip")
    assert found.model_dump(mode="json") == message.model_dump(mode="json")


async def test_what_is_archived_is_apart_and_what_is_added_since_is_not(store):
    await store.add_messages("trip", [user(str(number)) for number in range(5)])
    assert texts(await store.archive_oldest_messages("trip", 2)) == ["0", "1"]
    assert texts(await store.archive_oldest_messages("trip", 1)) == ["2"]
    await store.add_message("trip", user("5"))
    await store.add_message("trip", user("old"), status=ARCHIVED)
    assert texts(await store.get_messages("trip")) == ["3", "4", "5"]
    assert texts(await store.get_messages("trip", status=ARCHIVED)) == ["0", "1", "2", "old"]
    assert texts(await store.get_messages("trip", status=None)) == ["0", "1", "2", "3", "4", "5", "old"]
    assert await store.count_messages("trip", status=ARCHIVED) == 4
    assert texts(await store.archive_oldest_messages("trip", 0)) == []
    assert texts(await store.archive_oldest_messages("trip", 9)) == ["3", "4", "5"]
    assert await store.archive_oldest_messages("trip", 1) == []


async def test_what_is_deleted_is_gone_from_every_list(store):
    await store.add_messages("trip", [user(str(number)) for number in range(6)])
    await store.archive_oldest_messages("trip", 1)
    assert texts(await store.delete_oldest_messages("trip", 2)) == ["1", "2"]
    assert (await store.delete_message("trip", 5)).content == "4"
    assert await store.delete_message("trip", 5) is None
    assert await store.delete_message("trip", 99) is None
    assert texts(await store.get_messages("trip", status=None)) == ["0", "3", "5"]
    await store.delete_messages("trip", status=ARCHIVED)
    assert texts(await store.get_messages("trip", status=None)) == ["3", "5"]
    await store.delete_messages("trip", status=ACTIVE)
    assert await store.get_keys() == []
    await store.add_message("trip", user("new"))
    assert texts(await store.get_messages("trip", status=None)) == ["new"]


async def test_a_chat_that_was_deleted_begins_anew(store):
    await store.delete_messages("trip")
    await store.add_messages("trip", [user("one"), user("two")])
    await store.archive_oldest_messages("trip", 2)
    await store.delete_messages("trip")
    assert await store.get_keys() == []
    await store.add_message("trip", user("three"))
    assert texts(await store.get_messages("trip")) == ["three"]


@pytest.mark.parametrize("after", [[], ["one"], ["one", "two"], ["one", "two", "three"], ["other"]])
async def test_what_is_set_takes_the_place_of_what_was_there(store, after):
    await store.add_messages("trip", [user("one"), user("two")])
    await store.set_messages("trip", [user(text) for text in after])
    assert texts(await store.get_messages("trip", status=None)) == after
    await store.archive_oldest_messages("trip", 1)
    await store.set_messages("trip", [user(text) for text in after])
    assert texts(await store.get_messages("trip")) == after
    await store.set_messages("trip", [user(text) for text in after], status=ARCHIVED)
    assert texts(await store.get_messages("trip", status=ARCHIVED)) == after
    assert await store.get_messages("trip") == []


async def test_their_memory_lets_its_oldest_messages_fall_into_the_archive(store):
    memory = TheirMemory.from_defaults(
        session_id="trip", chat_store=store, token_limit=60, token_flush_size=20, chat_history_token_ratio=0.5
    )
    for number in range(8):
        await memory.aput_messages([user(f"question {number} " * 4), assistant(f"answer {number} " * 4)])
    shown, whole = await memory.aget(), await memory.aget_all()
    assert len(whole) == 16
    assert 0 < len(shown) < 16
    assert texts(whole)[-len(shown) :] == texts(shown)
    assert shown[0].role == "user"


@pytest.fixture(params=["theirs", "ours"])
def buffer(request, memory):
    return SimpleChatStore() if request.param == "theirs" else BethinkBufferStore(memory, user="ana")


@pytest.mark.parametrize("awaited", [False, True])
async def test_a_store_of_the_older_kind_answers_as_theirs_does(buffer, awaited):
    async def ask(verb, *given):
        name = {"add_message": "async_add_message"}.get(verb, f"a{verb}") if awaited else verb
        found = getattr(buffer, name)(*given)
        return await found if awaited else found

    assert await ask("get_messages", "trip") == []
    assert await ask("delete_messages", "nowhere") is None
    assert await ask("delete_last_message", "nowhere") is None
    for text in ("one", "two", "three", "four"):
        await ask("add_message", "trip", user(text))
    assert texts(await ask("get_messages", "trip")) == ["one", "two", "three", "four"]
    assert (await ask("delete_message", "trip", 1)).content == "two"
    assert await ask("delete_message", "trip", 9) is None
    assert (await ask("delete_message", "trip", 1)).content == "three"
    assert (await ask("delete_last_message", "trip")).content == "four"
    assert await ask("get_keys") == ["trip"]
    await ask("set_messages", "trip", [user("anew"), assistant("ok")])
    assert texts(await ask("get_messages", "trip")) == ["anew", "ok"]
    assert texts(await ask("delete_messages", "trip")) == ["anew", "ok"]
    assert await ask("get_keys") == []


def test_a_buffer_keeps_what_is_learned_from(tmp_path):
    with Memory(tmp_path / "memory.db") as memory:
        store = BethinkBufferStore(memory, user="ana", idle=timedelta(0))
        buffer = ChatMemoryBuffer.from_defaults(chat_store=store, chat_store_key="trip", token_limit=1_000)
        SimpleChatEngine.from_defaults(llm=MockLLM(), memory=buffer).chat("Remember that I am vegetarian.")
        assert [message.role for message in buffer.get()] == ["user", "assistant"]
        assert memory.scope(agent="llamaindex", user="ana").notes()[0].text == "I am vegetarian."
        assert BethinkBufferStore(memory, user="bob").get_messages("trip") == []


# ---- what theirs does not do ----------------------------------------------------------------------------------------


async def test_a_long_chat_is_read_whole_and_its_end_without_its_archive(memory):
    store = BethinkChatStore(memory, user="ana")
    await store.add_messages("trip", [user(str(number)) for number in range(1203)])
    assert texts(await store.get_messages("trip")) == [str(number) for number in range(1203)]
    await store.archive_oldest_messages("trip", 1200)
    assert texts(await store.get_messages("trip")) == ["1200", "1201", "1202"]


async def test_writers_at_the_same_time_lose_nothing(memory):
    store = BethinkChatStore(memory, user="ana")
    await asyncio.gather(*(store.add_message("trip", user(str(number))) for number in range(12)))
    assert sorted(map(int, texts(await store.get_messages("trip")))) == list(range(12))
    await asyncio.gather(*(store.archive_oldest_messages("trip", number) for number in (2, 5, 3)))
    assert await store.count_messages("trip", status=ARCHIVED) >= 5
    assert await store.count_messages("trip", status=None) == 12


async def test_a_set_that_goes_on_with_the_chat_writes_what_is_new(memory):
    store = BethinkChatStore(memory, user="ana")
    await store.set_messages("trip", [user("one"), assistant("two")])
    await store.set_messages("trip", [user("one"), assistant("two"), user("three")])
    head = await memory.scope(agent="llamaindex", user="ana").session("trip").head()
    assert (head.seq, head.count) == (3, 3)


async def test_chats_are_the_users_and_go_with_them(memory):
    ana, bob = (BethinkChatStore(memory, user=name) for name in ("ana", "bob"))
    await ana.add_message("trip", user("Remember that I am vegetarian."))
    await ana.archive_oldest_messages("trip", 1)
    await bob.add_message("trip", user("Hello."))
    assert texts(await bob.get_messages("trip", status=None)) == ["Hello."]
    assert (await memory.erase(user="ana")).remaining == 0
    assert await ana.get_messages("trip", status=None) == []
    assert await ana.get_keys() == []
    assert await bob.get_keys() == ["trip"]


async def test_whose_it_is_has_to_be_said(memory):
    for made in (BethinkChatStore, BethinkBufferStore, BethinkMemoryBlock):
        with pytest.raises(TypeError, match="user"):
            made(memory)
    with pytest.raises(TypeError, match="user"):
        BethinkMemory(memory, session_id="trip")
    with pytest.raises(InvalidError):
        BethinkChatStore(memory, user="")
    with pytest.raises(InvalidError, match="key"):
        await BethinkChatStore(memory, user="ana").get_messages("")


# ---- memories -------------------------------------------------------------------------------------------------------


async def test_what_is_remembered_stands_in_a_system_message_and_in_no_store(memory):
    monday = BethinkMemory(memory, user="ana", session_id="monday", idle=timedelta(0))
    await monday.aput_messages([user("Remember that I am vegetarian."), assistant("Noted.")])
    friday = BethinkMemory(memory, user="ana", session_id="friday", idle=timedelta(0))
    await friday.aput(user("Find a restaurant."))
    shown = await friday.aget()
    assert [message.role for message in shown] == ["system", "user"]
    assert "I am vegetarian." in shown[0].content
    assert texts(await friday.aget_all()) == ["Find a restaurant."]
    await friday.aput(assistant("This one."))
    scope = memory.scope(agent="llamaindex", user="ana")
    assert len([note for note in await scope.notes() if "vegetarian" in note.text]) == 1
    bob = BethinkMemory(memory, user="bob", session_id="friday")
    await bob.aput(user("Find a restaurant."))
    assert "vegetarian" not in str(await bob.aget())


async def test_it_may_stand_in_the_users_message_and_keeps_within_its_limit(memory):
    await memory.scope(agent="llamaindex", user="ana").remember("Is vegetarian.")
    made = BethinkMemory(
        memory,
        user="ana",
        session_id="trip",
        insert_method=InsertMethod.USER,
        token_limit=2_000,
        policy="Be brief.",
    )
    await made.aput(user("Find a restaurant."))
    (shown,) = await made.aget()
    assert "Is vegetarian." in shown.content
    assert shown.content.endswith("Find a restaurant.")
    assert "Be brief." in shown.content
    assert made.token_limit == 2_000


async def test_beside_their_store_a_block_learns_from_what_falls_out_of_the_short_term(memory):
    block = BethinkMemoryBlock(memory, user="ana", idle=timedelta(0))
    made = TheirMemory.from_defaults(
        session_id="trip",
        memory_blocks=[block],
        token_limit=40,
        token_flush_size=10,
        chat_history_token_ratio=0.5,
    )
    await made.aput_messages([user("Remember that I am vegetarian."), assistant("Noted.")])
    for number in range(4):
        await made.aput_messages(
            [user(f"Tell me of the ferry {number}."), assistant("It leaves at noon. " * 2)]
        )
    scope = memory.scope(agent="llamaindex", user="ana")
    assert [note.text for note in await scope.notes()] == ["I am vegetarian."]
    kept = await scope.session("trip").get_items()
    assert "session_id" not in kept[0]["additional_kwargs"]
    assert "I am vegetarian." in str(await made.aget())
    await made.sql_store._async_engine.dispose()


async def test_a_store_that_does_not_answer_leaves_the_messages_without_memories(memory, monkeypatch):
    from bethink.memory.scope import AsyncScope

    async def fails(self, **options):
        raise StorageError("the disk is gone", outcome="none")

    monkeypatch.setattr(AsyncScope, "context", fails)
    made = BethinkMemory(memory, user="ana", session_id="trip")
    await made.aput(user("Hello."))
    assert texts(await made.aget()) == ["Hello."]


class Scripted(MockFunctionCallingLLM):
    """A model that keeps what it was asked, and calls a tool where it is told to."""

    def __init__(self, asked, calls=()):
        def respond(messages, **_):
            asked.append([message.content for message in messages])
            answer = left.pop(0) if left else "Noted."
            return assistant(answer if isinstance(answer, str) else [answer])

        left = list(calls)
        super().__init__(response_generator=respond)


@pytest.mark.filterwarnings("ignore::pydantic.warnings.PydanticDeprecationWarning")  # its own workflows
async def test_an_agent_remembers_its_user_and_its_calls_are_kept_with_their_results(memory):
    asked = []

    def book(seat: int) -> str:
        """Book a seat."""
        return f"seat {seat} is yours"

    call = ToolCallBlock(tool_call_id="c1", tool_name="book", tool_kwargs={"seat": 4})
    agent = FunctionAgent(
        tools=[book], llm=Scripted(asked, [call, "Booked."]), system_prompt="You are a guide."
    )
    monday = BethinkMemory(memory, user="ana", session_id="monday", idle=timedelta(0))
    await agent.run("Remember that I am vegetarian, and book seat 4.", memory=monday)
    roles = [message.role for message in await monday.aget_all()]
    assert roles == ["user", "assistant", "tool", "assistant"]
    friday = BethinkMemory(memory, user="ana", session_id="friday", idle=timedelta(0))
    await agent.run("Find a restaurant.", memory=friday)
    assert "vegetarian" in str(asked[-1])
    assert "You are a guide." in str(asked[-1])
    assert "vegetarian" not in str(await friday.aget_all())


def test_a_chat_engine_that_is_waited_for_remembers_as_well(tmp_path):
    with Memory(tmp_path / "memory.db") as memory:
        for session, text in (("monday", "Remember that I am vegetarian."), ("friday", "Find a restaurant.")):
            made = BethinkMemory(memory, user="ana", session_id=session, idle=timedelta(0))
            engine = SimpleChatEngine.from_defaults(llm=MockLLM(), memory=made)
            answer = str(engine.chat(text))
            engine.chat("Thank you.")
        assert "I am vegetarian." in answer
        assert len(made.get_all()) == 4
        made.reset()
        assert made.get_all() == []


async def test_what_is_waited_for_works_in_the_thread_of_a_running_loop(memory):
    made = BethinkMemory(memory, user="ana", session_id="trip")
    made.put(user("Hello."))
    assert texts(made.get_all()) == ["Hello."]


def test_another_version_is_refused_with_the_range():
    code = (
        "import importlib.metadata as m; v = m.version\n"
        "import bethink.integrations.versions as w\n"
        "w.version = lambda n: '0.9.0' if n == 'llama-index-core' else v(n)\n"
        "import bethink.integrations.llamaindex"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (
        "llama-index-core 0.9.0 is installed, but 0.14.25 or later and before 0.15 is required" in done.stderr
    )


def test_the_example_shows_what_it_says(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "llamaindex_memory.py", str(tmp_path / "memory.db")],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert lines[0] == "ana, monday: I know nothing of you yet."
    assert lines[1].startswith("ana, friday: I know: - ")
    assert "vegetarian" in lines[1]
    assert lines[2] == "bob, friday: I know nothing of you yet."
    assert lines[3] == "on monday ana said: Remember that I am vegetarian."
    assert lines[4] == "left after erasing: 0"
