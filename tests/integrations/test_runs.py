"""One run at a time, whole turns, usage."""

import asyncio
import logging
import threading

import pytest
from agents import Agent, RunConfig, function_tool

from bethink.errors import ConflictError, InvalidError, LimitError
from bethink.integrations.openai_agents import BethinkSession, MemorySession, exclusive, note_usage, run
from bethink.testing.models import Script, answers, calls, fails, says

pytestmark = pytest.mark.anyio


@function_tool(needs_approval=True)
def book(city: str) -> str:
    """Book a flight."""
    return f"Booked {city}."


@pytest.fixture
def session(tmp_path):
    session = BethinkSession("trip", tmp_path / "runs.db")
    yield session
    session.close()


def agent(model, **options):
    return Agent(name="guide", model=model, **options)


def said(items):
    return [
        item["content"] if isinstance(item["content"], str) else item["content"][0]["text"] for item in items
    ]


async def test_runs_at_once_come_one_after_another(session):
    def echo(call):
        return says("to " + call.input[-1]["content"])

    with Script(*[answers(echo)] * 6) as model:
        await asyncio.gather(*(run(agent(model), f"q{number}", session=session) for number in range(6)))
    texts = said(await session.get_items())
    assert texts[1::2] == ["to " + text for text in texts[::2]]
    assert sorted(len(given) for given in model.inputs) == [1, 3, 5, 7, 9, 11]


async def test_two_handles_of_one_session_wait_for_each_other(session, tmp_path):
    other = BethinkSession("trip", tmp_path / "runs.db")
    order = []
    async with exclusive(session):
        waiting = asyncio.create_task(enter(other, order, "second"))
        await asyncio.sleep(0)
        order.append("first")
    await waiting
    assert order == ["first", "second"]


async def enter(session, order, name, **options):
    async with exclusive(session, **options):
        order.append(name)


async def test_those_who_wait_come_in_their_order_and_only_so_many(session):
    order = []
    async with exclusive(session):
        tasks = [asyncio.create_task(enter(session, order, number, waiting=3)) for number in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(LimitError) as caught:
            await enter(session, order, "late", waiting=3)
    await asyncio.gather(*tasks)
    assert (order, caught.value.unit, caught.value.limit) == ([0, 1, 2], "runs", 3)


async def test_one_who_waited_too_long_is_told_and_keeps_nobody_up(session):
    order = []
    async with exclusive(session):
        with pytest.raises(LimitError) as caught:
            await enter(session, order, "late", timeout=0)
    assert caught.value.unit == "seconds"
    await enter(session, order, "next")
    assert order == ["next"]


async def test_one_who_is_cancelled_leaves_the_line(session):
    order = []
    async with exclusive(session):
        tasks = [asyncio.create_task(enter(session, order, number)) for number in range(3)]
        await asyncio.sleep(0)
        tasks[0].cancel()
    tasks[1].cancel()  # perhaps it was called already
    await asyncio.wait(tasks)
    assert order == [2]
    await enter(session, order, "next")


async def test_a_run_in_another_thread_and_loop_waits_too(session, tmp_path):
    order = []
    other = BethinkSession("trip", tmp_path / "runs.db")
    async with exclusive(session):
        thread = threading.Thread(target=lambda: asyncio.run(enter(other, order, "second")))
        thread.start()
        while not waiting_on(session):  # noqa: ASYNC110 - the other one is in a thread of its own
            await asyncio.sleep(0.001)
        order.append("first")
    await asyncio.to_thread(thread.join)
    assert order == ["first", "second"]


def waiting_on(session):
    from bethink.integrations.openai_agents.run_queue import _key, _lines

    return len(_lines[_key(session)].waiting)


async def test_other_sessions_do_not_wait(session, tmp_path):
    order = []
    async with exclusive(session):
        await enter(BethinkSession("other", tmp_path / "runs.db"), order, "other", timeout=0)
        await enter(BethinkSession("trip", tmp_path / "runs.db", user="bob"), order, "bob", timeout=0)
    assert order == ["other", "bob"]


async def test_a_wrong_bound_is_refused(session):
    with pytest.raises(InvalidError):
        await enter(session, [], "x", waiting=-1)


async def test_a_run_that_fails_stores_nothing_but_an_attempt_and_its_usage(session):
    with Script(says("Hello."), fails(TimeoutError("slow")), says("Better.")) as model:
        await run(agent(model), "one", session=session)
        with pytest.raises(TimeoutError):
            await run(agent(model), "two", session=session)
        await run(agent(model), "three", session=session)
    assert said(await session.get_items()) == ["one", "Hello.", "three", "Better."]
    assert [attempt.error for attempt in await session.attempts()] == ["TimeoutError"]


async def test_usage_is_kept_turn_by_turn_over_a_restart(session, tmp_path):
    with Script(
        says("Hello.", tokens=(10, 5)), calls("book", city="Rome"), says("Done.", tokens=(7, 3))
    ) as model:
        guide = agent(model, tools=[book])
        await run(guide, "one", session=session)
        waiting = await run(guide, "Book Rome.", session=session)
        state = waiting.to_state()
        state.approve(waiting.interruptions[0])
        await run(guide, state, session=session)
    session.close()
    later = BethinkSession("trip", tmp_path / "runs.db")
    usage = await later.usage()
    assert [(each.first, each.last) for each in usage] == [(0, 2), (2, 4), (4, 6)]
    assert [(each.requests, each.tokens_in, each.tokens_out) for each in usage] == [
        (1, 10, 5), (1, 10, 5), (1, 7, 3),
    ]  # fmt: skip


async def test_usage_of_a_run_elsewhere_can_be_noted(session):
    from agents import Runner

    with Script(says("Hello.")) as model:
        result = await Runner.run(agent(model), "one", session=session)
    noted = await note_usage(session, result)
    assert await session.usage() == [noted]
    assert (noted.tokens_in, noted.tokens_out, noted.last) == (10, 5, 2)
    await session.delete()
    assert await session.usage() == []


async def test_another_process_that_comes_between_is_noticed(session, tmp_path):
    from bethink import AsyncMemory

    async def meanwhile(text):
        async with AsyncMemory(str(tmp_path / "runs.db")) as memory:
            await memory.scope().session("trip").append([{"role": "user", "content": text}])

    @function_tool
    async def interrupt() -> str:
        """Do something elsewhere."""
        await meanwhile("from elsewhere")
        return "ok"

    with Script(calls("interrupt"), says("Done.")) as model, pytest.raises(ConflictError):
        await run(agent(model, tools=[interrupt]), "one", session=session)
    assert said(await session.get_items()) == ["from elsewhere"]


async def test_a_server_that_has_the_history_is_sent_what_is_new(session):
    with Script(says("Hello."), says("Again.")) as model:
        await run(agent(model), "one", session=session, previous_response_id="resp_0")
        await run(agent(model), "two", session=session, previous_response_id="resp_1")
    assert [len(given) for given in model.inputs] == [1, 1]
    assert said(await session.get_items()) == ["one", "Hello.", "two", "Again."]


async def test_a_callback_that_drops_all_that_is_new_is_overruled_with_a_warning(session, caplog):
    config = RunConfig(session_input_callback=lambda history, new: history)
    with Script(says("Hello.")) as model, caplog.at_level(logging.WARNING, "bethink.openai_agents"):
        await run(
            agent(model), "secret words", session=session, run_config=config, previous_response_id="resp_0"
        )
    assert model.inputs[0] == [{"role": "user", "content": "secret words"}]
    assert "dropped all 1 new items" in caplog.text
    assert "secret" not in caplog.text


async def test_a_memory_session_runs_in_turns_too():
    session = MemorySession()
    with Script(says("Hello.")) as model:
        await run(agent(model), "one", session=session)
    assert said(await session.get_items()) == ["one", "Hello."]
