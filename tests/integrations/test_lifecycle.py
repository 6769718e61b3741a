"""Instructions, hooks and tools: the whole life of a memory under the Runner."""

import importlib.util
import json
from datetime import timedelta
from pathlib import Path

import pytest
from agents import Agent, RunConfig, Runner

from bethink import AsyncMemory
from bethink.errors import InvalidError
from bethink.integrations.openai_agents import (
    MemoryHooks,
    conversation,
    memory_instructions,
    memory_tools,
    run,
    windowed,
)
from bethink.integrations.openai_agents.instructions import latest_words
from bethink.testing.faces import Clock, HashingEmbedder
from bethink.testing.models import Script, calls, says

pytestmark = pytest.mark.anyio

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
async def memory(anyio_backend, clock):
    async with AsyncMemory(":memory:", embedder=HashingEmbedder(), clock=clock) as memory:
        yield memory


@pytest.fixture
def alice(memory):
    return memory.scope(agent="concierge", user="alice")


async def test_instructions_end_in_what_is_remembered(alice):
    await alice.profile.update({"home_city": "Oslo"})
    await alice.remember("Prefers aisle seats.", keywords=["seat"])
    with Script(says("Hi.")) as model:
        guide = Agent(name="guide", model=model, instructions=memory_instructions("Be brief.", alice))
        await Runner.run(guide, "Which seat?")
    (prompt,) = model.prompts
    assert prompt.startswith("Be brief.\n\n")
    assert prompt.index("home_city: Oslo") < prompt.index("Prefers aisle seats.")
    assert "<memory_policy>" in prompt


async def test_the_prompt_stays_the_same_within_a_run_and_is_fresh_in_the_next(alice):
    with Script(
        calls("save_memory_note", text="Is vegetarian.", keywords=["diet"]),
        calls("remember", key="seat", content="Prefers aisle seats."),
        says("Noted."),
        says("Hello again."),
    ) as model:
        guide = Agent(
            name="guide",
            model=model,
            instructions=memory_instructions("Be brief.", alice, session="trip"),
            tools=memory_tools(alice, session="trip"),
        )
        await Runner.run(guide, "I am vegetarian.")
        await Runner.run(guide, "Hello.")
    first, second, third, fourth = model.prompts
    assert first == second == third
    assert "Prefers aisle seats." not in first
    assert "Prefers aisle seats." in fourth
    (note,) = await alice.notes(session="trip")
    assert note.text == "Is vegetarian."
    outputs = [item["output"] for item in model.inputs[1] if item.get("type") == "function_call_output"]
    assert outputs == ['{"ok": true}']


async def test_the_runs_context_chooses_whose_memory_it_is(memory):
    await memory.scope(user="alice").remember("Prefers aisle seats.")
    await memory.scope(user="bob").remember("Prefers window seats.")

    def scope_of(context):
        return memory.scope(user=context.context)

    with Script(says("A."), calls("recall", key="x"), says("B.")) as model:
        guide = Agent(
            name="guide",
            model=model,
            instructions=memory_instructions(lambda context, agent: f"For {context.context}.", scope_of),
            tools=memory_tools(scope_of),
        )
        await Runner.run(guide, "Seat?", context="alice")
        await Runner.run(guide, "Seat?", context="bob")
    assert "aisle" in model.prompts[0]
    assert "For alice." in model.prompts[0]
    assert "window" in model.prompts[1]
    assert "aisle" not in model.prompts[1]


async def test_a_scope_that_is_none_is_refused():
    guide = Agent(name="guide", model=Script(), instructions=memory_instructions("x", lambda context: None))
    with pytest.raises(InvalidError):
        await Runner.run(guide, "Hi.")


async def test_session_notes_come_back_when_the_window_has_lost_something(alice):
    session = alice.session("trip")
    with Script(
        calls("save_memory_note", text="This trip only: wants a window seat.", keywords=["seat"]),
        says("Noted."),
        says("Two."),
        says("Three."),
        says("Four."),
    ) as model:
        guide = Agent(
            name="guide",
            model=model,
            instructions=memory_instructions("Be brief.", alice, session=session, search=False, turns=2),
            tools=memory_tools(alice, session=session),
        )
        config = RunConfig(session_input_callback=windowed(turns=1))
        for text in ("A window this time.", "And two?", "And three?", "And four?"):
            await run(guide, text, session=session, run_config=config)
    assert "wants a window seat" not in model.prompts[2]
    assert "wants a window seat" in model.prompts[4]


async def test_a_conversation_is_consolidated_at_its_end(alice):
    with Script(
        calls("save_memory_note", text="Is vegetarian.", keywords=["diet"]),
        says("Noted."),
    ) as model:
        guide = Agent(name="guide", model=model, tools=memory_tools(alice, session="trip"))
        async with conversation(alice, "trip") as session:
            await Runner.run(guide, "Remember that I am vegetarian.", session=session)
            assert [note.text for note in await alice.notes()] == []
    assert "vegetarian" in " ".join(note.text for note in await alice.notes())
    assert len(await alice.plans()) == 1


async def test_a_conversation_in_which_nothing_was_said_ends_without_an_error(alice):
    async with conversation(alice, "silent"):
        pass
    assert list(await alice.notes()) == []


async def test_a_conversation_that_broke_off_is_consolidated_before_the_next_begins(alice, clock):
    session = alice.session("trip")
    await session.append([{"role": "user", "content": "I am vegetarian."}])
    await session.remember("Is vegetarian.", keywords=["diet"])
    hooks = MemoryHooks(alice, idle=timedelta(minutes=30))
    with Script(says("One."), says("Two."), says("Three.")) as model:
        guide = Agent(
            name="guide", model=model, hooks=hooks, instructions=memory_instructions("Be brief.", alice)
        )
        await Runner.run(guide, "Hello.")
        assert list(await alice.notes()) == []
        clock.advance(minutes=31)
        await Runner.run(guide, "Hello.")
        await Runner.run(guide, "Hello.")
    assert "vegetarian" in model.prompts[1].lower()
    assert len(await alice.plans()) == 1


async def test_a_conversation_that_was_taken_back_leaves_nothing_to_consolidate(alice, clock):
    session = alice.session("trip")
    await session.append([{"role": "user", "content": "I am vegetarian."}])
    await session.clear()
    clock.advance(minutes=31)
    with Script(says("One.")) as model:
        guide = Agent(name="guide", model=model, hooks=MemoryHooks(alice, idle=timedelta(minutes=30)))
        await Runner.run(guide, "Hello.")
    assert list(await alice.plans()) == []
    assert list(await alice.notes()) == []


def test_optional_arguments_are_not_strict_and_the_others_are(alice):
    strict = {tool.name: tool.strict_json_schema for tool in memory_tools(alice)}
    assert strict["save_memory_note"]
    assert not strict["search_memory"]
    assert json.dumps([tool.params_json_schema for tool in memory_tools(alice)])


def test_shared_tools_want_a_memory(alice):
    with pytest.raises(InvalidError):
        memory_tools(alice, families=("pools",))


def test_the_latest_words_are_the_users_last_text():
    image = {"type": "input_image", "image_url": "x"}
    assert latest_words([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]) == "a"
    assert latest_words([{"role": "user", "content": [image, {"type": "input_text", "text": "c"}]}]) == "c"
    assert latest_words([{"role": "user", "content": [image]}]) is None
    assert latest_words([{"role": "user", "content": "\ud800\x00"}]) == "?"
    assert latest_words([]) is None


@pytest.mark.parametrize("name", ["openai_agents_concierge"])
async def test_the_examples_run_offline(name, capsys, tmp_path):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    await example.main(str(tmp_path / "concierge.db"))
    printed = capsys.readouterr().out
    assert "window seat" in printed
    assert "vegetarian" in printed.lower()
