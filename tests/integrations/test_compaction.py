"""A session read compacted, and its log that stays whole."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta

import pytest
from agents import Agent, Runner, function_tool
from agents.memory import (
    OpenAIResponsesCompactionSession,
    SessionSettings,
    SQLiteSession,
    is_openai_responses_compaction_aware_session,
)

from bethink import AsyncMemory
from bethink.errors import InvalidError, ModelError
from bethink.integrations.openai_agents import (
    BethinkSession,
    ChatCompactor,
    CompactionSession,
    MemorySession,
    ResponsesCompactor,
    RulesCompactor,
    remote_session,
    run,
)
from bethink.models.chat import Completion
from bethink.sessions.compaction.rules import HEADING, lines_of, summarise
from bethink.testing.models import Script, calls, says

pytestmark = pytest.mark.anyio


def user(text):
    return {"role": "user", "content": text}


def assistant(text):
    return {"role": "assistant", "content": text}


def call(number):
    return {"type": "function_call", "call_id": f"call_{number}", "name": "look_up", "arguments": "{}"}


def result(number):
    return {"type": "function_call_output", "call_id": f"call_{number}", "output": "done"}


def turns(count, start=0):
    return [
        item
        for number in range(start, start + count)
        for item in (user(f"question {number}"), call(number), result(number), assistant(f"answer {number}"))
    ]


class Server:
    """Stands where OpenAI's client does, and remembers what it was asked."""

    def __init__(self, output=None, error=None):
        self.asked = []
        self.output = [{"type": "compaction", "encrypted_content": "…"}] if output is None else output
        self.error = error
        self.responses = self

    async def compact(self, **given):
        self.asked.append(given)
        if self.error:
            raise self.error
        usage = type("Usage", (), {"input_tokens": 30, "output_tokens": 4})()
        return type("Answer", (), {"output": self.output, "usage": usage})()


class Chat:
    """A chat model that answers as it is told."""

    identity = "scripted"

    def __init__(self, parsed):
        self.parsed = parsed
        self.asked = []

    def complete(self, messages, *, schema, max_tokens):
        self.asked.append(messages)
        return Completion(text="", parsed=self.parsed, tokens_in=20, tokens_out=3, model="scripted")


@pytest.fixture
def inner(tmp_path):
    session = BethinkSession("trip", tmp_path / "compact.db")
    yield session
    session.close()


# ---- the view and the log -----------------------------------------------------------------------------------------


async def test_a_summary_stands_for_the_older_turns_and_the_log_keeps_all(inner):
    log = turns(6)
    await inner.add_items(log)
    session = CompactionSession(inner)
    assert await session.get_items() == log
    await session.run_compaction()
    items = await session.get_items()
    assert items[0]["content"].startswith(HEADING)
    assert "question 0" in items[0]["content"]
    assert items[1:] == log[16:]
    assert await inner.get_items() == log
    assert [item.body for item in await session.items()] == log
    (summary,) = await session.summaries()
    assert (summary.first, summary.last, summary.engine) == (1, 16, "rules")


async def test_a_limit_counts_the_items_as_they_are_read(inner):
    await inner.add_items(turns(6))
    session = CompactionSession(inner)
    await session.run_compaction()
    assert await session.get_items(3) == turns(6)[-3:]
    assert len(await session.get_items(9)) == 9
    assert len(await session.get_items(99)) == 9
    assert await session.get_items(0) == []


async def test_a_second_summary_stands_for_the_first_one_too(inner, tmp_path):
    session = CompactionSession(inner)
    await session.add_items(turns(6))
    await session.run_compaction()
    await session.add_items(turns(6, 6))
    await session.run_compaction()
    items = await session.get_items()
    assert len(items) == 9
    assert "question 0" in items[0]["content"]
    assert "question 9" in items[0]["content"]
    assert [(each.first, each.last) for each in await session.summaries()] == [(1, 16), (1, 40)]
    later = CompactionSession(BethinkSession("trip", tmp_path / "compact.db"))
    assert await later.get_items() == items


async def test_undoing_into_what_was_summarised_shows_it_again(inner):
    session = CompactionSession(inner)
    await session.add_items(turns(6))
    await session.run_compaction()
    await session.undo(3)
    assert await session.get_items() == turns(3)
    assert await session.summaries() == []


async def test_popping_removes_from_the_log_and_clearing_removes_the_summary(inner):
    session = CompactionSession(inner)
    await session.add_items(turns(6))
    await session.run_compaction()
    assert await session.pop_item() == assistant("answer 5")
    await session.clear_session()
    assert await session.get_items() == []
    assert await session.summaries() == []


async def test_a_branch_has_the_summaries_of_what_it_copied(inner):
    session = CompactionSession(inner)
    await session.add_items(turns(6))
    await session.run_compaction()
    branch = CompactionSession(await inner.fork(None, "branch"))
    assert await branch.get_items() == await session.get_items()
    early = CompactionSession(await inner.fork(8, "early"))
    assert await early.get_items() == turns(2)


async def test_erasing_and_deleting_take_the_summary_too(inner):
    session = CompactionSession(inner)
    await session.add_items([user("the marmalade is hidden"), *turns(6)])
    await session.run_compaction()
    receipt = await inner.scope.erase(session="trip")
    assert receipt.remaining == 0
    assert await session.summaries() == []
    await session.add_items(turns(6))
    await session.run_compaction()
    assert (await inner.scope.erase()).erased["summaries"] == 1


async def test_a_summary_goes_with_the_overdue_items_that_it_speaks_of(inner):
    session = CompactionSession(inner)
    old = datetime.now(UTC) - timedelta(days=2)
    await inner.append([user("the marmalade is hidden"), *turns(6)], at=old)
    await session.run_compaction()
    await session.add_items(turns(1))
    assert len(await session.summaries()) == 1
    await session.expire(timedelta(days=1))
    assert await session.get_items() == turns(1)
    assert await session.summaries() == []


async def test_what_is_summarised_is_still_found(inner):
    session = CompactionSession(inner)
    await session.add_items([user("Where is the marmalade?"), assistant("In the cellar."), *turns(6)])
    await session.run_compaction()
    hits = await session.search("marmalade")
    assert hits[0].item.body == user("Where is the marmalade?")


# ---- when ---------------------------------------------------------------------------------------------------------


async def test_it_waits_for_ten_items_that_are_not_the_users(inner, caplog):
    session = CompactionSession(inner)
    await session.add_items(turns(5))
    with caplog.at_level(logging.DEBUG, "bethink.openai_agents.compaction"):
        await session.run_compaction()
        assert await session.summaries() == []
        await session.add_items(turns(1, 5))
        await session.run_compaction()
    assert len(await session.summaries()) == 1
    assert "declined, 9 candidates of 20 items" in caplog.text
    assert "items 1 to 16 stand as 1 (rules, input)" in caplog.text
    assert "question" not in caplog.text


async def test_force_passes_over_the_hook_and_too_little_is_left_alone(inner):
    session = CompactionSession(inner, should_compact=lambda context: False)
    await session.add_items(turns(2))
    await session.run_compaction({"force": True})
    assert await session.summaries() == []
    await session.add_items(turns(1, 2))
    await session.run_compaction({"force": True})
    assert [(each.first, each.last) for each in await session.summaries()] == [(1, 4)]


async def test_a_hook_may_be_awaited_and_is_told_everything(inner):
    seen = []

    async def decide(context):
        seen.append(context)
        return len(context.session_items) > 4

    session = CompactionSession(
        inner, should_compact=decide, compactor=ResponsesCompactor(Server()), mode="input"
    )
    await session.add_items(turns(1))
    await session.run_compaction({"response_id": "resp_1"})
    await session.add_items(turns(1, 1))
    await session.run_compaction()
    assert [context.response_id for context in seen] == ["resp_1", "resp_1"]
    assert [context.compaction_mode for context in seen] == ["input", "input"]
    assert len(seen[0].compaction_candidate_items) == 3
    assert len(await session.summaries()) == 1


async def test_a_call_that_waits_for_its_result_is_not_summarised_away(inner):
    server = Server()
    session = CompactionSession(inner, compactor=ResponsesCompactor(server), should_compact=lambda _: True)
    await session.add_items([*turns(3), user("book"), call(9)])
    await session.run_compaction()
    assert server.asked == []
    await session.add_items([result(9)])
    await session.run_compaction()
    assert len(server.asked) == 1


async def test_what_was_removed_meanwhile_is_not_summarised(inner):
    async def undo(context):
        await inner.undo(5)
        return True

    session = CompactionSession(inner, should_compact=undo)
    await session.add_items(turns(6))
    await session.run_compaction()
    assert await session.summaries() == []
    assert await session.get_items() == turns(1)


async def test_what_is_added_meanwhile_follows_the_summary(inner):
    async def add(context):
        await inner.add_items([user("meanwhile")])
        return True

    session = CompactionSession(inner, should_compact=add)
    await session.add_items(turns(6))
    await session.run_compaction()
    assert (await session.get_items())[1:] == [*turns(6)[16:], user("meanwhile")]


# ---- how ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "args", "sent"),
    [
        ("auto", {"response_id": "resp_1"}, "resp_1"),
        ("auto", {"response_id": "resp_1", "store": False}, None),
        ("auto", {}, None),
        ("input", {"response_id": "resp_1"}, None),
        ("previous_response_id", {"response_id": "resp_1", "store": False}, "resp_1"),
        ("input", {"response_id": "resp_1", "compaction_mode": "previous_response_id"}, "resp_1"),
    ],
)
async def test_the_endpoint_is_given_the_items_or_the_response(inner, mode, args, sent):
    server = Server()
    session = CompactionSession(inner, compactor=ResponsesCompactor(server, model="gpt-5.4"), mode=mode)
    await session.add_items(turns(4))
    await session.run_compaction({**args, "force": True})
    (asked,) = server.asked
    assert asked.pop("model") == "gpt-5.4"
    assert asked == ({"previous_response_id": sent} if sent else {"input": turns(4)})
    assert await session.get_items() == server.output


async def test_a_response_that_was_not_stored_is_remembered(inner):
    server = Server()
    session = CompactionSession(inner, compactor=ResponsesCompactor(server), should_compact=lambda _: False)
    await session.add_items(turns(4))
    await session.run_compaction({"response_id": "resp_1", "store": False})
    await session.run_compaction({"force": True})
    assert "input" in server.asked[0]


async def test_modes_that_cannot_be_are_refused(inner):
    with pytest.raises(InvalidError):
        CompactionSession(inner, mode="previous_response_id")
    with pytest.raises(InvalidError):
        CompactionSession(inner, mode="sometimes")
    session = CompactionSession(inner, compactor=ResponsesCompactor(Server()), mode="previous_response_id")
    with pytest.raises(InvalidError):
        await session.run_compaction()


async def test_an_endpoint_that_fails_changes_nothing(inner):
    from openai import OpenAIError

    for server in (Server(error=OpenAIError("down")), Server(output=[])):
        session = CompactionSession(inner, compactor=ResponsesCompactor(server))
        await session.clear_session()
        await session.add_items(turns(4))
        with pytest.raises(ModelError):
            await session.run_compaction({"force": True})
        assert await session.get_items() == turns(4)


async def test_a_chat_model_may_write_the_summary(inner):
    chat = Chat({"summary": "They asked six questions."})
    session = CompactionSession(inner, compactor=ChatCompactor(chat=chat))
    await session.add_items(turns(6))
    await session.run_compaction()
    assert (await session.get_items())[0] == assistant(f"{HEADING}\nThey asked six questions.")
    assert "question 0" in chat.asked[0][1].content
    mute = CompactionSession(inner, compactor=ChatCompactor(chat=Chat(None)))
    await mute.add_items(turns(6))
    with pytest.raises(ModelError):
        await mute.run_compaction({"force": True})


def test_conversations_of_a_server_are_refused_and_so_is_what_is_no_session(inner):
    with pytest.raises(InvalidError):
        CompactionSession(remote_session("conv_1", api_key="none", base_url="http://127.0.0.1:9"))
    with pytest.raises(ValueError, match="Bethink"):
        CompactionSession(object())
    with pytest.raises(InvalidError):
        CompactionSession(CompactionSession(SQLiteSession("trip")))
    with pytest.raises(InvalidError):
        CompactionSession(inner, keep_in=inner.scope)
    with pytest.raises(InvalidError):
        CompactionSession(CompactionSession(inner))


# ---- sessions of another make --------------------------------------------------------------------------------------


@pytest.fixture(params=["held", "kept"])
async def theirs(request, tmp_path):
    """A session of the SDK's own, with a function that opens it compacted anew."""
    session = SQLiteSession("trip", tmp_path / "theirs.db")
    if request.param == "held":
        opened = CompactionSession(session)
        yield session, lambda: opened
    else:
        async with AsyncMemory(tmp_path / "summaries.db") as memory:
            yield session, lambda: CompactionSession(session, keep_in=memory.scope(user="ana"))
    session.close()


async def test_a_session_of_another_make_keeps_its_log_and_is_read_compacted(theirs):
    inner, opened = theirs
    await opened().add_items(turns(6))
    await opened().run_compaction()
    items = await opened().get_items()
    assert items[0]["content"].startswith(HEADING)
    assert items[1:] == turns(6)[16:]
    assert await opened().get_items(2) == turns(6)[-2:]
    assert await inner.get_items() == turns(6)
    await opened().add_items(turns(6, 6))
    await opened().run_compaction()
    assert "question 0" in (await opened().get_items())[0]["content"]
    assert [(each.first, each.last, each.engine) for each in await opened().summaries()] == [(1, 40, "rules")]


async def test_a_summary_of_items_that_went_stands_for_nothing(theirs):
    inner, opened = theirs
    await opened().add_items(turns(6))
    await opened().run_compaction()
    for _ in range(12):
        await inner.pop_item()
    assert await opened().get_items() == turns(3)
    assert await opened().summaries() == []
    await opened().add_items(turns(9, 3))
    await opened().run_compaction()
    assert len(await opened().summaries()) == 1
    await opened().clear_session()
    assert await opened().get_items() == []
    await inner.add_items(turns(1))
    assert await opened().get_items() == turns(1)


async def test_the_limit_of_the_settings_counts_what_is_read(tmp_path):
    session = SQLiteSession("trip", tmp_path / "t.db", session_settings=SessionSettings(limit=3))
    short = CompactionSession(session)
    await short.add_items(turns(6))
    await short.run_compaction()
    assert await short.get_items() == turns(6)[-3:]
    assert len(await short.get_items(99)) == 9
    session.close()


async def test_the_runner_compacts_a_session_of_another_make(tmp_path):
    session = SQLiteSession("trip", tmp_path / "t.db")
    short = CompactionSession(session, should_compact=lambda context: len(context.session_items) > 4)
    assert is_openai_responses_compaction_aware_session(short)
    with Script(*(says(f"answer {number}") for number in range(5))) as model:
        for number in range(5):
            await Runner.run(Agent(name="guide", model=model), f"question {number}", session=short)
    assert HEADING in str(model.inputs[-1][0])
    assert len(await session.get_items()) == 10
    session.close()


async def test_erasing_the_scope_takes_the_summaries_of_another_makes_session(tmp_path):
    session = SQLiteSession("trip", tmp_path / "t.db")
    async with AsyncMemory(tmp_path / "summaries.db") as memory:
        short = CompactionSession(session, keep_in=memory.scope(user="ana"))
        await short.add_items(turns(6))
        await short.run_compaction()
        assert (await memory.erase(user="ana")).remaining == 0
        assert await short.get_items() == turns(6)
    session.close()


# ---- under the Runner -----------------------------------------------------------------------------------------------


@function_tool
def look_up(word: str) -> str:
    """Look up a word."""
    return word.upper()


@pytest.mark.parametrize("streamed", [False, True])
async def test_the_runner_compacts_after_a_turn_and_counts_what_it_took(inner, streamed):
    server = Server()
    session = CompactionSession(inner, compactor=ResponsesCompactor(server))
    assert is_openai_responses_compaction_aware_session(session)
    await session.add_items(turns(4))
    with Script(says("Fine."), says("Good.")) as model:
        guide = Agent(name="guide", model=model)
        if streamed:
            done = Runner.run_streamed(guide, "How are you?", session=session)
            async for _ in done.stream_events():
                pass
        else:
            done = await Runner.run(guide, "How are you?", session=session)
        await Runner.run(guide, "And now?", session=session)
    assert len(server.asked) == 1
    assert done.context_wrapper.usage.requests == 2
    assert done.context_wrapper.usage.input_tokens == 40
    assert model.inputs[1] == [*server.output, user("And now?")]
    assert len(await inner.get_items()) == 20


async def test_a_compactor_that_fails_under_the_runner_fails_no_run(inner, caplog):
    from openai import OpenAIError

    session = CompactionSession(inner, compactor=ResponsesCompactor(Server(error=OpenAIError("down"))))
    await session.add_items(turns(4))
    with Script(says("Fine.")) as model:
        await Runner.run(Agent(name="guide", model=model), "How are you?", session=session)
    assert "did not answer (OpenAIError)" in caplog.text


async def test_a_stream_need_not_wait_when_one_compacts_between_turns(inner):
    session = CompactionSession(inner, should_compact=lambda context: False)
    await session.add_items(turns(4))
    with Script(says("Fine.")) as model:
        stream = Runner.run_streamed(Agent(name="guide", model=model), "How are you?", session=session)
        async for _ in stream.stream_events():
            pass
    assert await session.summaries() == []
    await session.run_compaction({"force": True})
    assert len(await session.summaries()) == 1


async def test_a_turn_reads_the_summary_and_compacts_when_it_is_stored(inner):
    session = CompactionSession(inner)
    await session.add_items(turns(6))
    with Script(calls("look_up", word="x"), says("Fine."), says("Good.")) as model:
        guide = Agent(name="guide", model=model, tools=[look_up])
        await run(guide, "How are you?", session=session)
        await run(guide, "And now?", session=session)
    assert len(await session.summaries()) >= 1
    assert model.inputs[2][0]["content"].startswith(HEADING)
    async with session.turn() as turn:
        popped = [await turn.pop_item() for _ in range(3)]
        assert popped[0]["content"][0]["text"] == "Good."
    assert len(await inner.get_items()) == 24 + 6 - 3


async def test_the_runs_context_chooses_the_scope_of_a_compacted_session(tmp_path):
    inner = BethinkSession("chat", tmp_path / "c.db", scope_of=lambda wrapper: wrapper.context)
    session = CompactionSession(inner, should_compact=lambda context: True)
    alice = BethinkSession("chat", tmp_path / "c.db", user="alice")
    await alice.add_items(turns(4))
    with Script(says("Hi."), says("Hi again.")) as model:
        guide = Agent(name="guide", model=model)
        await Runner.run(guide, "Hello.", session=session, context="bob")
        await Runner.run(guide, "Hello.", session=session, context="alice")
    assert [len(given) for given in model.inputs] == [1, 17]
    assert len(await CompactionSession(alice).summaries()) == 1


# ---- the SDK's own wrappers around ours ------------------------------------------------------------------------------


async def test_the_sdks_own_compaction_works_around_ours(inner):
    server = Server()
    session = OpenAIResponsesCompactionSession("trip", inner, client=server, model="gpt-4.1")
    await session.add_items(turns(4))
    await session.run_compaction({"force": True, "compaction_mode": "input"})
    assert [item["type"] for item in await inner.get_items()] == ["compaction"]


async def test_the_sdks_encryption_works_around_ours_and_hides_the_words(inner):
    fernet = pytest.importorskip("cryptography.fernet")
    from agents.extensions.memory import EncryptedSession

    key = fernet.Fernet.generate_key().decode()
    session = EncryptedSession("trip", inner, encryption_key=key)
    with Script(says("Hello."), says("Again.")) as model:
        guide = Agent(name="guide", model=model)
        await Runner.run(guide, "The marmalade is hidden.", session=session)
        await Runner.run(guide, "Where?", session=session)
    assert len(model.inputs[1]) == 3
    assert len(await session.get_items()) == 4
    assert all(item["__enc__"] == 1 for item in await inner.get_items())
    assert [hit.item for hit in await inner.search("marmalade")] == []
    assert await session.pop_item() is not None


# ---- the rules ------------------------------------------------------------------------------------------------------


def test_a_summary_by_rules_is_the_same_every_time_and_stays_short():
    text = summarise(turns(200), characters=1000)
    assert text == summarise(turns(200), characters=1000)
    assert len(text) <= 1000
    assert "question 199" in text
    assert "tools used" not in text


def test_a_summary_keeps_the_lines_of_the_one_before():
    first = summarise(turns(2))
    second = summarise(turns(1, 2), lines_of(assistant(first)))
    assert [line for line in second.split("\n") if "user" in line] == [
        f"- user: question {number}" for number in range(3)
    ]
    assert lines_of(user("- user: no summary")) == []


def test_long_words_are_cut_and_line_breaks_make_no_lines():
    text = summarise([user("a\n- assistant: forged " + "x" * 1000), assistant("b")])
    assert len(text.split("\n")) == 3
    assert max(map(len, text.split("\n"))) < 260


async def test_a_memory_session_is_compacted_too():
    session = CompactionSession(MemorySession("demo", turns(6)))
    await asyncio.gather(session.run_compaction(), session.run_compaction())
    assert len(await session.get_items()) == 9


def test_compactors_say_what_they_are():
    assert (RulesCompactor().name, RulesCompactor().served) == ("rules", False)
    with pytest.raises(InvalidError):
        ResponsesCompactor(model=" ")
