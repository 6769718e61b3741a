"""Background runs begin with nothing, leave nothing in a session, and hear nothing of conversations."""

import pytest

from bethink import AsyncMemory
from bethink.server.agents import Agents
from bethink.server.chat.runtime import ChatRuntime
from bethink.server.options import Options
from bethink.server.specs import AgentSpec
from bethink.testing.model_server import Calls, Says

pytestmark = pytest.mark.anyio


@pytest.fixture
async def desk(model, anyio_backend):
    """A runtime in this process, with a memory, its agents and one of them."""
    runtime = ChatRuntime(Options(db=":memory:", model="scripted-1", model_url=model.url))
    async with AsyncMemory(":memory:", embedder=None) as memory:
        agents = Agents(memory)
        yield runtime, agents, await agents.put("watcher", AgentSpec())
        await runtime.close()


async def test_a_background_run_begins_with_nothing_and_leaves_nothing(desk, model):
    runtime, agents, agent = desk
    model.then(Says("Hello."), Says("All is well."), Says("All is well again."))
    await runtime.turn(agents, agent, "dashboard", "Watch the oven.")
    for _ in range(2):
        answer = await runtime.background(agents, agent, "Is all well?")
    assert (answer.text, answer.session, answer.revision) == ("All is well again.", None, None)
    asked = [[each["content"] for each in request.body["messages"][1:]] for request in model.requests[1:]]
    assert asked == [["Is all well?"]] * 2
    page = await agents.scope(agent).sessions()
    assert [(each.id, each.count) for each in page] == [("dashboard", 2)]


async def test_a_background_run_sees_no_note_of_a_conversation(desk, model):
    runtime, agents, agent = desk
    scope = agents.scope(agent)
    await scope.remember("The oven is blue.", key="oven")
    for number in range(8):
        await scope.stage("dashboard", f"The oven talk, part {number}.", key=f"talk-{number}")
    await scope.session("dashboard").remember("The oven is hot this time.")
    model.then(
        Calls(
            (
                ("search_memory", {"query": "the oven", "top_k": 2}),
                ("list_memories", {"limit": 2}),
                ("recall", {"key": "talk-3"}),
                ("remember", {"key": "seen", "content": "The oven was looked at."}),
            )
        ),
        Says("Blue."),
    )
    answer = await runtime.background(agents, agent, "How is the oven?")
    found, listed, recalled, kept = (each.output for each in answer.tools)
    assert "The oven is blue." in found
    assert "talk" not in found
    assert "hot" not in found
    assert listed == "- oven: The oven is blue."
    assert recalled == "No memory found for key 'talk-3'."
    assert kept == "Stored memory 'seen'."
    assert "The oven is blue." in model.requests[0].system
    assert "talk" not in model.requests[0].system
    assert (await scope.get("seen")).text == "The oven was looked at."


async def test_a_background_run_waits_for_no_conversation(desk, model, gate):
    import asyncio

    runtime, agents, agent = desk
    model.then(gate, Says("At once."))
    first = asyncio.create_task(runtime.turn(agents, agent, "dashboard", "Hi."))
    await asyncio.to_thread(gate.reached.wait, 10)
    assert (await runtime.background(agents, agent, "Is all well?")).text == "At once."
    assert (await runtime.state(agents, agent, "dashboard")).state == "running"
    gate.opened.set()
    await first
