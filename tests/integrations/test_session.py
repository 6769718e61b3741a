"""Our session under the SDK's Runner."""

import asyncio
import gc
import threading
from pathlib import Path

import pytest
from agents import (
    Agent,
    GuardrailFunctionOutput,
    InputGuardrail,
    InputGuardrailTripwireTriggered,
    MaxTurnsExceeded,
    ModelRetrySettings,
    ModelSettings,
    OutputGuardrail,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    Runner,
    RunState,
    function_tool,
)
from agents.memory import Session, SessionSettings

from bethink import AsyncMemory
from bethink.errors import ClosedError, ConflictError, InvalidError, StorageError
from bethink.integrations import shared_memory as sharing
from bethink.integrations.openai_agents import BethinkSession, MemorySession
from bethink.storage.sqlite import READERS
from bethink.testing.models import Script, calls, fails, says

pytestmark = pytest.mark.anyio


@function_tool
def weather(city: str) -> str:
    """Tell the weather of a city."""
    return f"Sunny in {city}."


@function_tool(needs_approval=True)
def book(city: str) -> str:
    """Book a flight."""
    return f"Booked {city}."


@pytest.fixture
def path(tmp_path):
    return tmp_path / "sessions.db"


@pytest.fixture(params=["file", "memory"])
def session(request, path):
    session = BethinkSession("trip", path if request.param == "file" else ":memory:")
    yield session
    session.close()


def agent(model, **options):
    return Agent(name="guide", model=model, **options)


def open_files():
    return len(list(Path("/proc/self/fd").iterdir()))


async def in_turn(session, guide, given, *, streamed=False, **options):
    async with session.turn() as turn:
        if not streamed:
            return await Runner.run(guide, given, session=turn, **options)
        result = Runner.run_streamed(guide, given, session=turn, **options)
        async for _ in result.stream_events():
            pass
        return result


def kinds(items):
    return [item.get("type", item.get("role")) for item in items]


def roles(items):
    return [item.get("role") or item["type"] for item in items]


# ---- the drop-in ------------------------------------------------------------------------------------------------


async def test_it_is_a_session_of_the_sdk(session):
    assert isinstance(session, Session)
    assert session.session_id == "trip"
    assert session.session_settings == SessionSettings()


async def test_a_conversation_goes_on_over_two_runs(session):
    with Script(says("In San Francisco."), says("California.")) as model:
        await Runner.run(agent(model), "Where is the bridge?", session=session)
        result = await Runner.run(agent(model), "Which state?", session=session)
    assert result.final_output == "California."
    assert [item["role"] for item in model.inputs[1]] == ["user", "assistant", "user"]
    assert len(await session.get_items()) == 4


def test_a_run_without_a_loop_of_its_own_works(path):
    session = BethinkSession("trip", path)
    with Script(says("one"), says("two")) as model:
        for text in ("a", "b"):
            loop = asyncio.new_event_loop()
            asyncio.set_event_loop(loop)
            try:
                Runner.run_sync(agent(model), text, session=session)
            finally:
                asyncio.set_event_loop(None)
                loop.close()
    assert len(model.inputs[1]) == 3
    session.close()


async def test_a_streamed_run_is_stored(session):
    with Script(calls("weather", city="Paris"), says("Sunny.")) as model:
        result = Runner.run_streamed(agent(model, tools=[weather]), "Weather?", session=session)
        async for _ in result.stream_events():
            pass
    assert roles(await session.get_items()) == ["user", "function_call", "function_call_output", "assistant"]


async def test_parallel_calls_and_handoffs_are_stored_whole(session):
    other = Agent(name="other", model=Script(says("From the other.")))
    with Script(
        calls("weather", ("weather", {"city": "Rome"}), city="Paris"),
        calls("transfer_to_other"),
    ) as model:
        await Runner.run(agent(model, tools=[weather], handoffs=[other]), "Weather?", session=session)
    items = await session.get_items()
    assert kinds(items)[1:5] == ["function_call"] * 2 + ["function_call_output"] * 2
    opened = [item["call_id"] for item in items if item.get("type") == "function_call"]
    answered = [item["call_id"] for item in items if item.get("type") == "function_call_output"]
    assert opened == answered
    assert len(opened) == 3


async def test_equal_items_are_kept_twice(session):
    item = {"role": "user", "content": "again"}
    await session.add_items([item])
    await session.add_items([item])
    assert await session.get_items() == [item, item]


async def test_a_limit_is_the_newest_items_and_none_is_all(session):
    await session.add_items([{"role": "user", "content": str(number)} for number in range(5)])
    assert [item["content"] for item in await session.get_items(2)] == ["3", "4"]
    assert await session.get_items(0) == []
    assert await session.get_items(-1) == []
    assert len(await session.get_items()) == 5


@pytest.mark.parametrize("settings", [SessionSettings(limit=2), {"limit": 2}])
async def test_the_settings_bound_what_is_read(settings):
    session = BethinkSession("trip", session_settings=settings)
    await session.add_items([{"role": "user", "content": str(number)} for number in range(5)])
    assert len(await session.get_items()) == 2
    assert len(await session.get_items(4)) == 4
    with Script(says("Hi.")) as model:
        config = RunConfig(session_settings=SessionSettings(limit=3))
        await Runner.run(agent(model), "Hello", session=session, run_config=config)
    assert len(model.inputs[0]) == 4
    session.close()


def test_unknown_settings_are_refused():
    with pytest.raises(TypeError, match="limitt"):
        BethinkSession("trip", session_settings={"limitt": 1})


async def test_an_error_of_the_store_fails_the_run(session, monkeypatch):
    def broken(job):
        raise StorageError("no room", reason="full", outcome="none")

    monkeypatch.setattr(session._runtime.store.driver, "start", broken)
    with pytest.raises(StorageError):
        await Runner.run(agent(Script(says("Hi."))), "Hello", session=session)


async def test_items_come_back_as_they_went_in_and_as_copies(session):
    item = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "\ud83e\x00é"}
    await session.add_items([item])
    (read,) = await session.get_items()
    assert read == item
    read["summary"].append("changed")
    assert (await session.get_items()) == [item]


async def test_popping_and_clearing_behave_as_in_the_sdk(session):
    await session.add_items([{"role": "user", "content": text} for text in "abc"])
    assert (await session.pop_item())["content"] == "c"
    await session.clear_session()
    assert await session.get_items() == []
    assert await session.pop_item() is None


# ---- one database, many sessions --------------------------------------------------------------------------------


async def test_sessions_of_one_file_share_one_memory(path):
    first = BethinkSession("one", path)
    second = BethinkSession("two", path.parent / "." / path.name)
    assert first.memory is second.memory
    await first.add_items([{"role": "user", "content": "hers"}])
    assert await second.get_items() == []
    assert await BethinkSession("one", str(path)).get_items() == [{"role": "user", "content": "hers"}]


async def test_what_is_in_memory_is_private_to_its_object():
    first, second = BethinkSession("one"), BethinkSession("one")
    await first.add_items([{"role": "user", "content": "hers"}])
    assert await second.get_items() == []


async def test_users_agents_and_tables_keep_their_sessions_apart(path):
    handles = [
        BethinkSession("one", path),
        BethinkSession("one", path, user="alice"),
        BethinkSession("one", path, user="bob"),
        BethinkSession("one", path, agent="concierge"),
        BethinkSession("one", path, "other_sessions", "other_messages"),
    ]
    for number, session in enumerate(handles):
        await session.add_items([{"role": "user", "content": str(number)}])
    for number, session in enumerate(handles):
        assert [item["content"] for item in await session.get_items()] == [str(number)]


async def test_a_thousand_sessions_hold_one_writer_and_no_file_each(path):
    first = BethinkSession("s0", path)
    await asyncio.gather(*(first.get_items() for _ in range(8)))
    await first.add_items([{"role": "user", "content": "x"}])
    files, threads = open_files(), threading.active_count()
    sessions = [BethinkSession(f"s{number}", path) for number in range(1, 1001)]
    await asyncio.gather(*(each.add_items([{"role": "user", "content": "x"}]) for each in sessions))
    await asyncio.gather(*(each.get_items() for each in sessions))
    assert (
        open_files() - files <= 3 * READERS
    )  # readers that were not needed before: file, log, index of the log
    assert threading.active_count() - threads <= READERS


async def test_a_file_is_closed_when_nobody_uses_it(path):
    first, second = BethinkSession("one", path), BethinkSession("two", path)
    memory = first.memory
    first.close()
    first.close()
    sharing.close_idle()
    assert await second.get_items() == []
    del second
    gc.collect()
    sharing.close_idle()
    with pytest.raises(ClosedError):
        await memory.scope().session("one").get_items()
    assert await BethinkSession("one", path).get_items() == []


async def test_idle_files_stay_open_and_only_few_of_them(tmp_path):
    for number in range(10):
        BethinkSession("one", tmp_path / f"{number}.db").close()
    assert sum(not opened.users for opened in sharing._opened.values()) == sharing.IDLE


async def test_a_file_that_was_deleted_and_made_anew_is_another_one(path):
    session = BethinkSession("one", path)
    await session.add_items([{"role": "user", "content": "x"}])
    session.close()
    for file in path.parent.iterdir():
        file.unlink()
    assert await BethinkSession("one", path).get_items() == []


async def test_a_closed_session_says_so(path):
    session = BethinkSession("one", path)
    session.close()
    for verb in (session.get_items(), session.add_items([]), session.pop_item(), session.append([])):
        with pytest.raises(ClosedError):
            await verb
    with pytest.raises(RuntimeError):
        await session.clear_session()


async def test_an_open_memory_can_be_used_and_stays_open(path):
    async with AsyncMemory(str(path)) as memory:
        session = BethinkSession("one", memory=memory, user="alice")
        await session.add_items([{"role": "user", "content": "x"}])
        session.close()
        assert len(await memory.scope(user="alice").session("one").get_items()) == 1
        with pytest.raises(InvalidError):
            BethinkSession("one", "other.db", memory=memory)


async def test_all_verbs_of_a_session_are_there(path):
    session = BethinkSession("one", path)
    await session.append([{"role": "user", "content": "Where is the marmalade?"}], operation="op-1")
    again = await session.append([{"role": "user", "content": "Where is the marmalade?"}], operation="op-1")
    assert again.repeated
    await session.annotate(title="Kitchen", metadata={"room": 1})
    branch = await session.fork(None, "two")
    await branch.add_items([{"role": "user", "content": "else"}])
    session.close()
    later = BethinkSession("one", path)
    assert [info.id for info in await later.scope.sessions()] == ["two", "one"]
    assert (await later.info()).title == "Kitchen"
    assert [hit.item.session for hit in await later.search("marmalade")] == ["one"]
    assert len(await BethinkSession("two", path).get_items()) == 2


# ---- the run's context chooses ----------------------------------------------------------------------------------


async def test_the_runs_context_chooses_the_scope(path):
    session = BethinkSession("chat", path, scope_of=lambda wrapper: wrapper.context["user"])
    with Script(says("Hello Alice."), says("Hello Bob."), says("Alice again.")) as model:
        for user in ("alice", "bob", "alice"):
            await Runner.run(agent(model), f"I am {user}", session=session, context={"user": user})
    assert [len(given) for given in model.inputs] == [1, 1, 3]
    assert len(await BethinkSession("chat", path, user="alice").get_items()) == 4
    assert len(await BethinkSession("chat", path, user="bob").get_items()) == 2
    with pytest.raises(InvalidError):
        await session.get_items()


async def test_a_context_may_choose_a_scope_itself_and_nothing_else(path):
    session = BethinkSession("chat", path, scope_of=lambda wrapper: wrapper.context)
    with Script(says("Hello.")) as model:
        await Runner.run(agent(model), "Hi", session=session, context=session.memory.scope(user="carol"))
    assert len(await BethinkSession("chat", path, user="carol").get_items()) == 2
    with pytest.raises(InvalidError):
        await Runner.run(agent(Script()), "Hi", session=session, context=7)


# ---- a turn -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("streamed", [False, True])
async def test_a_model_call_that_is_tried_again_stores_nothing_twice(session, streamed):
    retry = ModelRetrySettings(max_retries=2, backoff={"initial_delay": 0}, policy=lambda _: True)
    with Script(fails(ConnectionError("gone")), says("Hello.")) as model:
        guide = agent(model, model_settings=ModelSettings(retry=retry))
        if streamed:
            result = Runner.run_streamed(guide, "Hi.", session=session)
            async for _ in result.stream_events():
                pass
        else:
            await Runner.run(guide, "Hi.", session=session)
    assert [item["role"] for item in await session.get_items()] == ["user", "assistant"]


async def test_what_a_runner_takes_back_is_put_back_whole(session):
    """The rewind of the SDK: look at the tail, pop it, look again, add it once more."""
    items = [{"role": "user", "content": "one"}, {"role": "user", "content": "two", "id": "msg_1"}]
    await session.add_items(items)
    tail = await session.get_items(limit=2)
    popped = [await session.pop_item() for _ in tail]
    assert await session.get_items(limit=4) == []
    await session.add_items(popped[::-1])
    assert await session.get_items(limit=4) == items


async def test_a_turn_is_stored_in_one_commit_when_it_has_succeeded(session):
    with Script(calls("weather", city="Paris"), says("Sunny.")) as model:
        async with session.turn() as turn:
            await Runner.run(agent(model, tools=[weather]), "Weather?", session=turn)
            assert await session.get_items() == []
            assert len(await turn.get_items()) == 4
    assert len(await session.get_items()) == 4
    assert (await session.head()).revision == turn.head.revision


@pytest.mark.parametrize("streamed", [False, True])
async def test_a_model_that_fails_leaves_no_trace_but_an_attempt(session, streamed):
    with Script(calls("weather", city="Paris"), fails(TimeoutError("slow"))) as model:
        guide = agent(model, tools=[weather])
        with pytest.raises(TimeoutError):
            await in_turn(session, guide, "Weather?", streamed=streamed)
    assert await session.get_items() == []
    (attempt,) = await session.attempts()
    assert (attempt.error, attempt.calls) == ("TimeoutError", ("weather",))


async def trips(context, guide, given):
    return GuardrailFunctionOutput(output_info=None, tripwire_triggered=True)


async def test_a_guardrail_that_trips_leaves_no_trace_but_an_attempt(session):
    with Script(says("Something.")) as model:
        guarded = agent(model, output_guardrails=[OutputGuardrail(guardrail_function=trips)])
        with pytest.raises(OutputGuardrailTripwireTriggered):
            await in_turn(session, guarded, "Hi")
        first = InputGuardrail(guardrail_function=trips, run_in_parallel=False)
        with pytest.raises(InputGuardrailTripwireTriggered):
            await in_turn(session, agent(model, input_guardrails=[first]), "Hi")
    assert await session.get_items() == []
    assert len(await session.attempts()) == 2


async def test_a_turn_that_is_cancelled_while_a_tool_works_leaves_no_trace_but_an_attempt(session):
    working = asyncio.Event()

    @function_tool
    async def wait_for_ever() -> str:
        """Wait."""
        working.set()
        await asyncio.Event().wait()
        return "never"

    with Script(calls("wait_for_ever"), says("Hello.")) as model:
        guide = agent(model, tools=[wait_for_ever])
        run = asyncio.ensure_future(in_turn(session, guide, "Hi"))
        await working.wait()
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        assert await session.get_items() == []
        (attempt,) = await session.attempts()
        assert attempt.error == "CancelledError"
        await in_turn(session, guide, "Hi again")
    assert roles(await session.get_items()) == ["user", "assistant"]


async def test_items_of_shapes_that_nobody_reads_come_back_and_stop_nothing(session):
    strange = [
        {"type": "of_the_future", "x": [1, None]},
        {"role": "critic", "content": {"deep": 1}},
        {"no": "type"},
    ]
    await session.add_items(strange)
    assert await session.get_items() == strange
    with Script(says("Hello.")) as model:
        await in_turn(session, agent(model), "Hi")
    assert roles((await session.get_items())[3:]) == ["user", "assistant"]


async def test_too_many_turns_leave_no_trace_but_an_attempt(session):
    with Script(calls("weather", city="Paris")) as model, pytest.raises(MaxTurnsExceeded):
        await in_turn(session, agent(model, tools=[weather]), "Weather?", max_turns=1)
    assert await session.get_items() == []


@pytest.mark.parametrize("serialised", [False, True])
@pytest.mark.parametrize("in_turns", [False, True])
async def test_a_run_that_waits_for_approval_is_stored_and_goes_on(session, serialised, in_turns):
    with Script(calls("book", city="Paris"), says("Booked.")) as model:
        guide = agent(model, tools=[book])
        result = await within(session, in_turns, guide, "Book Paris.")
        assert len(result.interruptions) == 1
        assert roles(await session.get_items()) == ["user", "function_call"]
        state = result.to_state()
        if serialised:
            state = await RunState.from_string(guide, state.to_string())
        for interruption in state.get_interruptions():
            state.approve(interruption)
        result = await within(session, in_turns, guide, state)
    assert result.final_output == "Booked."
    assert roles(await session.get_items()) == ["user", "function_call", "function_call_output", "assistant"]
    assert (await session.window())[-1]["role"] == "assistant"


async def within(session, in_turns, guide, given):
    if in_turns:
        return await in_turn(session, guide, given)
    return await Runner.run(guide, given, session=session)


async def test_a_message_in_place_of_an_approval_leaves_the_call_out_of_the_window(session):
    with Script(calls("book", city="Paris"), says("Fine.")) as model:
        guide = agent(model, tools=[book])
        await Runner.run(guide, "Book Paris.", session=session)
        await Runner.run(guide, "Never mind.", session=session)
    assert "function_call" in kinds(await session.get_items())
    assert "function_call" not in kinds(await session.window())


async def test_a_turn_that_another_writer_came_before_stores_nothing(session):
    async with session.turn() as turn:
        await Runner.run(agent(Script(says("Hi."))), "Hello", session=turn)
        await session.add_items([{"role": "user", "content": "meanwhile"}])
        with pytest.raises(ConflictError):
            await turn.__aexit__(None, None, None)
        turn._pending.clear()
    assert [item["content"] for item in await session.get_items()] == ["meanwhile"]


# ---- a session in memory ----------------------------------------------------------------------------------------


async def test_a_memory_session_begins_with_its_items_and_copies_at_every_boundary():
    items = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]
    session = MemorySession("demo", items)
    items[0]["content"] = "changed"
    first = await session.get_items()
    first[1]["content"] = "changed too"
    assert [item["content"] for item in await session.get_items()] == ["Hi.", "Hello."]
    popped = await session.pop_item()
    popped["content"] = "and this"
    assert len(await session.get_items()) == 1


async def test_a_memory_session_has_an_id_of_its_own_and_runs():
    session = MemorySession()
    assert session.session_id != MemorySession().session_id
    with Script(says("Hi.")) as model:
        await Runner.run(agent(model), "Hello", session=session)
    assert len(await session.get_items()) == 2


async def test_an_item_that_is_no_json_is_refused_and_nothing_is_stored(session):
    with pytest.raises(InvalidError):
        await session.add_items([{"role": "user", "content": "x"}, {"role": "user", "content": object()}])
    assert await session.get_items() == []
