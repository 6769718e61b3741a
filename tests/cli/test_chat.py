"""Talking to an agent from the command line."""

import json

import pytest

from bethink import AsyncMemory
from bethink.testing.model_server import Calls, ModelServer, Says, Status

pytest.importorskip("agents")

SAYS_SO = "(Offline responder: no model is set.)"


def test_one_message_is_answered_from_memory(bethink):
    bethink("remember", "Prefers aisle seats.", "--agent", "concierge", "--user", "alice", status=0)
    said = bethink("chat", "concierge", "-m", "Which seat?", "--user", "alice", status=0)
    assert said.out == f"From memory: Prefers aisle seats. {SAYS_SO}\n"
    assert said.err == '· search_memory {"query": "Which seat?"}\n'
    assert "nothing" in bethink("chat", "concierge", "-m", "Which seat?", "--user", "bob", status=0).out


def test_lines_are_a_conversation(process, bethink):
    talk = process("chat", "concierge", "--session", "trip", stdin=-1)
    out, err = talk.communicate("I am vegetarian.\n\nWhat do I eat?\n", timeout=60)
    assert talk.returncode == 0, err
    assert out.splitlines() == [
        f"Noted: I am vegetarian. {SAYS_SO}",
        f"From memory: I am vegetarian. {SAYS_SO}",
    ]
    page = bethink("sessions", "show", "trip", "--agent", "concierge", "--json").json
    said = [each["body"]["content"] for each in page["entries"] if each["body"].get("role") == "user"]
    assert said == ["I am vegetarian.", "What do I eat?"]


def test_in_json_each_event_is_a_line(bethink):
    said = bethink("chat", "concierge", "-m", "Which seat?", "--json", status=0)
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert (lines[0]["event"], lines[0]["offline"]) == ("turn", True)
    assert (lines[-1]["event"], lines[-1]["text"]) == ("done", f"I remember nothing about that. {SAYS_SO}")


def test_a_model_answers_and_its_words_command_no_terminal(bethink):
    with ModelServer() as server:
        server.then(Calls((("list_memories", {}),)), Says("Hello \x1b[2J."), Status(401))
        model = ["--model", "scripted-1", "--model-url", server.url]
        assert bethink("chat", "concierge", "-m", "Hi.", *model, status=0).out == "Hello \\x1b[2J.\n"
        failed = bethink("chat", "concierge", "-m", "Hi.", *model, status=1)
    assert failed.err.startswith("bethink: chat:scripted-1: the endpoint rejected the key")


async def register(path):
    from bethink.server.agents import Agents
    from bethink.server.specs import AgentSpec

    async with AsyncMemory(str(path), embedder=None) as memory:
        spec = AgentSpec(system_prompt="You are a PIRATE.", shared_with=["alice"])
        await Agents(memory).put("concierge", spec)


def test_an_agent_that_is_registered_is_as_its_spec_says(bethink, folder):
    import asyncio

    asyncio.run(register(folder / "memory.db"))
    with ModelServer() as server:
        server.then(Says("Ahoy."))
        model = ["--model", "scripted-1", "--model-url", server.url]
        bethink("chat", "concierge", "-m", "Hi.", "--user", "alice", *model, status=0)
    assert "PIRATE" in server.requests[0].system
    refused = bethink("chat", "concierge", "-m", "Hi.", "--user", "bob", status=1)
    assert "not shared with you" in refused.err
