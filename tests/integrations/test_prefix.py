"""Under the SDK a prompt begins as it began the turn before; what a turn asked of memory comes behind the history."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from agents import Agent, RunConfig, Runner
from agents.run import ModelInputData

from bethink import AsyncMemory, Settings
from bethink.integrations.openai_agents import (
    memory_input,
    memory_instructions,
    memory_tools,
    run,
    windowed,
)
from bethink.testing.models import Script, calls, says

pytestmark = pytest.mark.anyio


@pytest.fixture
async def alice(anyio_backend):
    async with AsyncMemory(":memory:") as memory:
        scope = memory.scope(agent="concierge", user="alice")
        await scope.profile.update({"name": "Alice"})
        for number in range(8):
            await scope.remember(f"Keeps bee hive {number} behind the barn.")
        yield scope


def guide(model, scope, session=None, **options):
    return Agent(
        name="guide",
        model=model,
        instructions=memory_instructions("Be brief.", scope, session=session, **options),
        tools=memory_tools(scope, session=session),
    )


def words(input_):
    return [item.get("content") for item in input_ if item.get("role")]


async def test_what_the_query_picked_stands_right_before_the_message_and_is_not_stored(alice):
    await alice.remember("Is allergic to walnuts.")
    for number in range(8):
        await alice.remember(f"Painted shed {number} in green.")
    session = alice.session("trip")
    with Script(says("Hello."), says("No walnuts.")) as model:
        agent = guide(model, alice, session)
        await run(agent, "Hi there.", session=session)
        await run(agent, "Is a walnuts cake fine, allergic as I am?", session=session)
    assert model.prompts[0] == model.prompts[1]
    assert "walnuts" not in model.prompts[1]
    (*history, behind, message) = model.inputs[1]
    assert len(history) == 2
    assert message["content"] == "Is a walnuts cake fine, allergic as I am?"
    assert "Is allergic to walnuts." in behind["content"]
    assert behind["content"].startswith("<memories>")
    assert "walnuts." not in json.dumps(
        [body for body in await session.get_items() if body["role"] == "user"]
    )


async def test_it_stays_where_it_is_while_tools_are_called(alice):
    await alice.remember("Is allergic to walnuts.")
    for number in range(8):
        await alice.remember(f"Painted shed {number} in green.")
    with Script(calls("list_memories"), says("No.")) as model:
        await run(guide(model, alice), "Is a walnuts cake fine, allergic?", session=alice.session("trip"))
    first, second = model.inputs
    assert second[: len(first)] == first
    assert "Is allergic to walnuts." in first[0]["content"]


async def test_a_runner_of_ones_own_does_the_same_with_a_filter_and_another_one_behind_it(alice):
    await alice.remember("Is allergic to walnuts.")
    for number in range(8):
        await alice.remember(f"Painted shed {number} in green.")

    def last(data):
        return ModelInputData(
            input=data.model_data.input[-2:], instructions=f"{data.model_data.instructions}!"
        )

    with Script(says("No."), says("No.")) as model:
        agent = guide(model, alice)
        question = "Is a walnuts cake fine, allergic?"
        await Runner.run(agent, question, run_config=RunConfig(call_model_input_filter=memory_input()))
        await Runner.run(agent, question, run_config=RunConfig(call_model_input_filter=memory_input(last)))
    for input_ in model.inputs:
        assert ["Is allergic to walnuts." in text for text in words(input_)] == [True, False]
    assert model.prompts[1] == f"{model.prompts[0]}!"


async def test_without_the_filter_all_of_it_is_in_the_instructions(alice):
    await alice.remember("Is allergic to walnuts.")
    for number in range(8):
        await alice.remember(f"Painted shed {number} in green.")
    with Script(says("No.")) as model:
        await Runner.run(guide(model, alice), "Is a walnuts cake fine, allergic?")
    assert "Is allergic to walnuts." in model.prompts[0]
    assert len(model.inputs[0]) == 1


async def test_an_agent_without_memory_is_left_as_it_is(alice):
    with Script(says("No.")) as model:
        agent = Agent(name="plain", model=model, instructions="Be brief.")
        await run(agent, "Hello.", session=alice.session("trip"))
    assert (model.prompts, words(model.inputs[0])) == (["Be brief."], ["Hello."])


async def test_over_a_long_conversation_the_beginning_is_the_same_in_nearly_every_turn(alice):
    session = alice.session("trip")
    turns = 80
    steps = [step for turn in range(turns) for step in _steps(turn)]
    sent = []
    with Script(*steps) as model:
        agent = guide(model, alice, session)
        config = RunConfig(session_input_callback=windowed())
        for turn in range(turns):
            before = len(model.calls)
            await run(
                agent, f"What about hive {turn % 8}, and shed {turn}?", session=session, run_config=config
            )
            sent.append((model.prompts[before], _history(model.inputs[before])))
    assert max(len(history) for _, history in sent) <= 50
    same = [one == two and after[: len(before)] == before for (one, before), (two, after) in pairwise(sent)]
    assert sum(same) >= 0.93 * len(same)  # a session of 180 messages; the short ones lose nothing
    assert all(same[:22])


def _steps(turn):
    """Keep a note in every eighth turn: what is written meanwhile does not change how the prompt begins."""
    kept = [calls("remember", key=f"shed-{turn}", content=f"Painted shed {turn} in green.")]
    return [*(kept if turn % 8 == 1 else []), says(f"Fine, {turn}.")]


def _history(input_):
    users = [place for place, item in enumerate(input_) if item.get("role") == "user"]
    end = users[-1]
    if len(users) > 1 and str(input_[end - 1].get("content")).startswith("<memories>"):
        end -= 1
    return input_[:end]


async def test_a_note_that_is_forgotten_leaves_the_prefix_at_once(alice):
    session = alice.session("trip")
    await alice.remember("Lives in Lisbon.", key="home")
    with Script(says("Hello."), says("Hello again.")) as model:
        agent = guide(model, alice, session)
        await run(agent, "Hi there.", session=session)
        await alice.forget("home")
        await run(agent, "Hi again.", session=session)
    assert ["Lisbon" in prompt for prompt in model.prompts] == [True, False]
    assert "Lisbon" not in json.dumps(model.inputs[1])


async def test_the_size_of_a_block_is_a_setting(anyio_backend):
    settings = Settings(window_messages=10, window_block=4)
    async with AsyncMemory(":memory:", settings=settings) as memory:
        session = memory.scope().session("trip")
        starts = []
        for turn in range(20):
            await session.append(
                [{"role": "user", "content": f"q{turn}"}, {"role": "assistant", "content": "a"}]
            )
            starts.append((await session.window())[0]["content"])
        assert len(await session.window(messages=10)) == 10
    assert len(set(starts)) <= 9
    assert all(int(start[1:]) % 2 == 0 for start in starts)
