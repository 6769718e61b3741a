"""What the model is shown of a history, and what it costs to cut it carelessly."""

import pytest
from agents import Agent, RunConfig, Runner
from hypothesis import given
from hypothesis import strategies as st

from bethink.errors import InvalidError
from bethink.integrations.openai_agents import MemorySession, pair_safe, windowed
from bethink.testing.models import Script, says

pytestmark = pytest.mark.anyio


def user(text):
    return {"role": "user", "content": text}


def assistant(text):
    return {"role": "assistant", "content": text}


def thought(number):
    return {"type": "reasoning", "id": f"rs_{number}", "summary": []}


def call(number):
    return {"type": "function_call", "call_id": f"call_{number}", "name": "look_up", "arguments": "{}"}


def result(number, output="done"):
    return {"type": "function_call_output", "call_id": f"call_{number}", "output": output}


HISTORY = [
    user("one"), thought(1), call(1), result(1), assistant("first"),
    user("two"), thought(2), call(2), call(3), result(2), result(3), assistant("second"),
]  # fmt: skip


async def merged(callback, history=HISTORY, new=None):
    return await pair_safe(callback)([dict(item) for item in history], new or [user("new")])


@pytest.mark.parametrize("size", range(1, len(HISTORY) + 1))
async def test_a_slice_never_parts_what_belongs_together(size):
    found = await merged(lambda history, new: history[-size:] + new)
    assert found[-1] == user("new")
    kept = {item.get("call_id") or item.get("id") for item in found}
    assert {"rs_1", "call_1"} <= kept or kept.isdisjoint({"rs_1", "call_1"})
    group = {"rs_2", "call_2", "call_3"}
    assert group <= kept or kept.isdisjoint(group)
    opened = [item["call_id"] for item in found if item.get("type") == "function_call"]
    answered = [item["call_id"] for item in found if item.get("type") == "function_call_output"]
    assert sorted(opened) == sorted(answered)


async def test_what_a_callback_leaves_whole_is_left_as_it_is():
    assert await merged(lambda history, new: history + new) == [*HISTORY, user("new")]
    assert await merged(lambda history, new: history[5:] + new) == [*HISTORY[5:], user("new")]


async def test_a_result_that_was_rewritten_is_still_the_result_of_its_call():
    def shorter(history, new):
        return [{**item, "output": "…"} if "output" in item else item for item in history] + new

    found = await merged(shorter)
    assert len(found) == len(HISTORY) + 1
    assert [item["output"] for item in found if "output" in item] == ["…"] * 3


async def test_a_new_result_gets_back_its_call_and_the_thought_before_it():
    history = [user("one"), thought(1), call(1)]
    found = await merged(lambda history, new: new, history, [result(1)])
    assert found == [thought(1), call(1), result(1)]
    found = await merged(lambda history, new: history[-1:] + new, history, [result(1)])
    assert found == [thought(1), call(1), result(1)]


async def test_what_was_added_stays_and_a_waiting_callback_is_awaited():
    async def noted(history, new):
        return [{"role": "developer", "content": "Be brief."}, *history[-3:], *new]

    found = await merged(noted)
    assert found[0]["role"] == "developer"
    assert found[1:] == [assistant("second"), user("new")]


@given(st.lists(st.booleans(), min_size=len(HISTORY), max_size=len(HISTORY)))
def test_whatever_is_left_out_no_call_is_without_its_result(chosen):
    import asyncio

    def some(history, new):
        return [item for item, take in zip(history, chosen, strict=True) if take] + new

    found = asyncio.run(merged(some))
    opened = {item["call_id"] for item in found if item.get("type") == "function_call"}
    answered = {item["call_id"] for item in found if item.get("type") == "function_call_output"}
    assert opened == answered


async def test_a_windowed_run_sees_whole_turns_and_the_log_keeps_all():
    session = MemorySession("talk", HISTORY)
    config = RunConfig(session_input_callback=windowed(turns=1))
    with Script(says("third")) as model:
        await Runner.run(Agent(name="guide", model=model), "three", session=session, run_config=config)
    assert model.inputs[0] == [*HISTORY[5:], user("three")]
    assert len(await session.get_items()) == len(HISTORY) + 2


async def test_a_careless_slice_is_made_safe_under_the_runner():
    session = MemorySession("talk", HISTORY)
    config = RunConfig(session_input_callback=pair_safe(lambda history, new: history[-2:] + new))
    with Script(says("third")) as model:
        await Runner.run(Agent(name="guide", model=model), "three", session=session, run_config=config)
    assert model.inputs[0] == [assistant("second"), user("three")]
    assert len(await session.get_items()) == len(HISTORY) + 2


async def test_a_windowed_callback_keeps_the_call_that_a_new_result_answers():
    assert windowed(messages=2)([user("one"), call(1)], [result(1)]) == [user("one"), call(1), result(1)]
    assert windowed(messages=2)([user("one"), call(1)], [user("two")]) == [user("one"), user("two")]


def test_a_wrong_limit_is_refused_at_once():
    with pytest.raises(InvalidError):
        windowed(messages=0)
