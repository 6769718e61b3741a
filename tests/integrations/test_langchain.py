"""LangChain's agents over Bethink, with a scripted model."""

import asyncio
import subprocess
import sys
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain.tools import tool
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, ChatMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableLambda

from bethink import AsyncMemory, InvalidError, Memory, StorageError
from bethink.integrations.langchain import BethinkMiddleware, BethinkRetriever, memory_tools
from bethink.integrations.langgraph import BethinkSaver

pytestmark = pytest.mark.anyio
NOW = timedelta(0)


class Scripted(BaseChatModel):
    """Answers as it is told, and keeps what it was asked."""

    answers: list[Any]
    asked: list[Any]

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        self.asked.append(messages)
        answer = self.answers.pop(0)
        message = AIMessage(answer) if isinstance(answer, str) else answer
        return ChatResult(generations=[ChatGeneration(message=message)])

    def bind_tools(self, tools, **kwargs):
        return self

    @property
    def _llm_type(self):
        return "scripted"


def scripted(*answers):
    return Scripted(answers=list(answers), asked=[])


def says(text):
    return {"messages": [HumanMessage(text)]}


def thread(name, **configurable):
    return {"configurable": {"thread_id": name, **configurable}}


@dataclass
class Context:
    user_id: str | None = None


@pytest.fixture
def memory(tmp_path):
    with Memory(tmp_path / "m.db") as memory:
        yield memory


def agent(model, *middleware, **options):
    return create_agent(model, middleware=middleware, context_schema=Context, **options)


def system(messages):
    return messages[0].text if isinstance(messages[0], SystemMessage) else ""


def test_what_is_said_in_one_thread_is_known_in_the_next(memory):
    model = scripted("Noted.", "Something without meat.")
    made = agent(model, BethinkMiddleware(memory, idle=NOW), system_prompt="You are a guide.")
    made.invoke(says("Remember that I am vegetarian."), thread("first"), context=Context("ana"))
    made.invoke(says("Where should I eat?"), thread("second"), context=Context("ana"))
    assert system(model.asked[1]).startswith("You are a guide.\n\n<")
    assert "vegetarian" in system(model.asked[1])
    assert "vegetarian" not in system(model.asked[0])


async def test_what_is_said_is_known_where_it_is_awaited(tmp_path):
    async with AsyncMemory(tmp_path / "m.db") as memory:
        model = scripted("Noted.", "Something without meat.")
        made = agent(model, BethinkMiddleware(memory, idle=NOW))
        await made.ainvoke(says("Remember that I am vegetarian."), thread("first"), context=Context("ana"))
        await made.ainvoke(says("Where should I eat?"), thread("second"), context=Context("ana"))
        assert "vegetarian" in system(model.asked[1])


async def test_an_agent_without_await_in_a_running_loop_answers(tmp_path):
    async with AsyncMemory(tmp_path / "m.db") as memory:
        made = agent(scripted("Noted."), BethinkMiddleware(memory))
        assert made.invoke(says("Hi"), thread("t"), context=Context("ana"))["messages"][-1].text == "Noted."


def test_nobody_is_told_what_another_user_said(memory):
    model = scripted("Noted.", "Anything.")
    made = agent(model, BethinkMiddleware(memory, idle=NOW))
    made.invoke(says("Remember that I am vegetarian."), thread("t"), context=Context("ana"))
    made.invoke(says("Where should I eat?"), thread("t"), context=Context("bob"))
    assert "vegetarian" not in system(model.asked[1])
    assert memory.erase(user="ana").remaining == 0
    assert [str(scope.namespace) for scope in memory.scopes()] == ["agent:langchain:u:bob"]


@pytest.mark.parametrize("context", [None, Context(), Context("")])
def test_a_run_without_a_user_is_refused_before_the_model_is_asked(memory, context):
    model = scripted("Noted.")
    with pytest.raises(InvalidError, match="whose memory"):
        agent(model, BethinkMiddleware(memory)).invoke(says("Hi"), thread("t"), context=context)
    assert model.asked == []
    assert memory.scopes() == []


def test_the_user_may_be_named_in_configurable_or_once_for_all(memory):
    agent(scripted("A."), BethinkMiddleware(memory)).invoke(says("Hi"), thread("t", user_id="ana"))
    agent(scripted("B."), BethinkMiddleware(memory, user="bob")).invoke(says("Hi"), thread("t"))
    agent(scripted("C."), BethinkMiddleware(memory, user_key=None)).invoke(says("Hi"), thread("t"))
    assert sorted(str(scope.namespace) for scope in memory.scopes()) == [
        "agent:langchain",
        "agent:langchain:u:ana",
        "agent:langchain:u:bob",
    ]


def test_what_is_injected_is_in_no_checkpoint_and_no_session(memory):
    saver = BethinkSaver(memory)
    memory.scope(agent="langchain", user="ana").remember("Prefers aisle seats.")
    model = scripted("An aisle seat.")
    made = agent(model, BethinkMiddleware(memory, idle=NOW), checkpointer=saver)
    made.invoke(says("Which seat?"), thread("t"), context=Context("ana"))
    assert "aisle seats" in system(model.asked[0])
    state = saver.get_tuple(thread("t")).checkpoint["channel_values"]["messages"]
    assert [message.text for message in state] == ["Which seat?", "An aisle seat."]
    scope = memory.scope(agent="langchain", user="ana")
    assert [item.body["data"]["content"] for item in scope.session("t").items()] == [
        "Which seat?",
        "An aisle seat.",
    ]
    assert [note.text for note in scope.notes()] == ["Prefers aisle seats."]


def test_a_message_is_kept_once_however_often_the_thread_goes_on(memory):
    made = agent(
        scripted("One.", "Two.", "Three."), BethinkMiddleware(memory), checkpointer=BethinkSaver(memory)
    )
    for text in "abc":
        made.invoke(says(text), thread("t"), context=Context("ana"))
    items = memory.scope(agent="langchain", user="ana").session("t").items()
    assert [item.body["data"]["content"] for item in items] == ["a", "One.", "b", "Two.", "c", "Three."]


def test_messages_of_shapes_that_nobody_reads_are_kept_and_stop_nothing(memory):
    model, knows = scripted("Noted.", "Something green."), BethinkMiddleware(memory, idle=NOW)
    picture = [{"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}]
    strange = [
        ChatMessage(role="critic", content="Terrible."),
        HumanMessage(picture),
        HumanMessage([{"future": 1}]),
    ]
    guide, ana = agent(model, knows), Context(user_id="ana")
    first = {"messages": [*strange, HumanMessage("Remember that I am vegetarian.")]}
    guide.invoke(first, thread("one"), context=ana)
    guide.invoke(says("What shall I eat?"), thread("two"), context=ana)
    assert "vegetarian" in system(model.asked[1])
    assert "Terrible" not in system(model.asked[1])
    scope = memory.scope(agent=knows.agent, user="ana")
    assert scope.session("one").info().count == 5


async def test_a_run_that_is_cancelled_while_the_model_thinks_leaves_the_next_one_whole(memory):
    thinking = asyncio.Event()

    class Thinking(Scripted):
        async def _agenerate(self, messages, stop=None, run_manager=None, **kwargs):
            if not thinking.is_set():
                thinking.set()
                await asyncio.Event().wait()
            return self._generate(messages)

    model = Thinking(answers=["Noted."], asked=[])
    knows = BethinkMiddleware(memory, idle=NOW)
    guide, ana = agent(model, knows), Context(user_id="ana")
    run = asyncio.ensure_future(guide.ainvoke(says("I like jazz."), thread("one"), context=ana))
    await thinking.wait()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    scope = memory.scope(agent=knows.agent, user="ana")
    assert scope.sessions().total == 0
    await guide.ainvoke(says("I like tea."), thread("one"), context=ana)
    assert [each["data"]["content"] for each in scope.session("one").window()] == ["I like tea.", "Noted."]


def test_another_version_is_refused_with_the_range():
    code = (
        "import importlib.metadata as m; v = m.version\n"
        "import bethink.integrations.versions as w\n"
        "w.version = lambda n: '2.0.0' if n == 'langchain' else v(n)\n"
        "import bethink.integrations.langchain"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "langchain 2.0.0 is installed, but 1.4 or later and before 2 is required" in done.stderr


def test_calls_of_tools_are_kept_with_their_results(memory):
    @tool
    def weather(city: str) -> str:
        """Say how the weather is."""
        return f"rain in {city}"

    call = AIMessage("", tool_calls=[{"name": "weather", "args": {"city": "Bergen"}, "id": "c1"}])
    made = agent(scripted(call, "It rains."), BethinkMiddleware(memory), tools=[weather])
    made.invoke(says("How is Bergen?"), thread("t"), context=Context("ana"))
    session = memory.scope(agent="langchain", user="ana").session("t")
    assert [item.body["type"] for item in session.items()] == ["human", "ai", "tool", "ai"]
    assert len(session.window(messages=50)) == 4


def test_a_summary_by_other_middleware_is_not_the_users_word(memory):
    model = scripted("Ok.", "They eat no meat, and remember that they own a boat.", "Ok again.")
    shortens = SummarizationMiddleware(model=model, trigger=("messages", 3), keep=("messages", 1))
    made = agent(model, BethinkMiddleware(memory, idle=NOW), shortens, checkpointer=BethinkSaver(memory))
    made.invoke(says("Good morning."), thread("t"), context=Context("ana"))
    made.invoke(says("Good evening."), thread("t"), context=Context("ana"))
    scope = memory.scope(agent="langchain", user="ana")
    assert "boat" in model.asked[2][1].text
    assert [item.body["data"]["content"] for item in scope.session("t").items()] == [
        "Good morning.", "Ok.", "Good evening.", "Ok again.",
    ]  # fmt: skip
    assert scope.notes().entries == ()


def test_sessions_that_were_left_are_consolidated_when_a_run_begins(tmp_path):
    from datetime import UTC, datetime

    at = [datetime(2026, 1, 1, tzinfo=UTC)]
    with Memory(tmp_path / "m.db", clock=lambda: at[0]) as memory:
        made = agent(scripted("Noted.", "Hi.", "Hi again."), BethinkMiddleware(memory))
        scope = memory.scope(agent="langchain", user="ana")
        made.invoke(says("Remember that I am vegetarian."), thread("a"), context=Context("ana"))
        assert [note.text for note in scope.notes(session="a")]
        made.invoke(says("Hello."), thread("b"), context=Context("ana"))
        assert scope.notes().entries == ()
        at[0] += timedelta(minutes=31)
        made.invoke(says("Hello."), thread("c"), context=Context("ana"))
        assert "vegetarian" in scope.notes().entries[0].text


def test_a_run_without_a_thread_is_a_session_of_its_own(memory):
    made = agent(scripted("One.", "Two."), BethinkMiddleware(memory))
    for _ in range(2):
        made.invoke(says("Hi"), context=Context("ana"))
    assert len(memory.scope(agent="langchain", user="ana").sessions()) == 2


def test_a_store_that_does_not_answer_leaves_the_request_without_memories(memory, monkeypatch):
    from bethink.memory.scope import AsyncScope

    async def fails(self, **options):
        raise StorageError("the disk is gone", outcome="none")

    model = scripted("Hi.")
    monkeypatch.setattr(AsyncScope, "context", fails)
    made = agent(model, BethinkMiddleware(memory), system_prompt="You are a guide.")
    made.invoke(says("Hi"), thread("t"), context=Context("ana"))
    assert system(model.asked[0]) == "You are a guide."


def test_a_system_message_of_blocks_keeps_its_blocks(memory):
    memory.scope(agent="langchain", user="ana").remember("Prefers aisle seats.")
    block = {"type": "text", "text": "You are a guide.", "cache_control": {"type": "ephemeral"}}
    model = scripted("Hi.")
    made = agent(model, BethinkMiddleware(memory), system_prompt=SystemMessage(content=[block]))
    made.invoke(says("Which seat?"), thread("t"), context=Context("ana"))
    assert model.asked[0][0].content[0] == block
    assert "aisle" in model.asked[0][0].content[1]["text"]


def test_an_agent_remembers_by_its_tools_for_the_user_of_the_run(memory):
    call = AIMessage(
        "",
        tool_calls=[
            {"name": "remember", "args": {"key": "dog", "content": "Has a dog named Rex."}, "id": "c1"}
        ],
    )
    made = agent(scripted(call, "Noted."), BethinkMiddleware(memory, families=("private",)))
    made.invoke(
        says("My dog is named Rex, he is a dog. Remember that I have a dog named Rex."),
        thread("t"),
        context=Context("ana"),
    )
    assert memory.scope(agent="langchain", user="ana").recall("Rex", kinds=("note",))
    assert not memory.scope(agent="langchain").recall("Rex")


async def test_tools_and_the_retriever_answer_with_and_without_await(tmp_path):
    async with AsyncMemory(tmp_path / "m.db") as memory:
        await memory.scope(agent="langchain", user="ana").remember("Prefers aisle seats.", keywords=["seat"])
        finding = next(each for each in memory_tools(memory, user="ana") if each.name == "search_memory")
        retriever = BethinkRetriever(memory, user="ana", k=1)
        assert "aisle" in await finding.ainvoke({"query": "seat"})
        assert "aisle" in await asyncio.to_thread(finding.invoke, {"query": "seat"})
        found = await retriever.ainvoke("seat")
        assert retriever.invoke("seat") == found
        assert [each.page_content for each in found] == ["Prefers aisle seats."]
        assert found[0].metadata["keywords"] == ["seat"]
        by_run = RunnableLambda(BethinkRetriever(memory).invoke)
        assert by_run.invoke("seat", {"configurable": {"user_id": "ana"}}) == found[:1]
        with pytest.raises(InvalidError, match="whose memory"):
            BethinkRetriever(memory).invoke("seat")


def test_pools_and_teams_are_not_promised(memory):
    with pytest.raises(InvalidError, match="pools and teams"):
        memory_tools(memory, families=("pools",))
