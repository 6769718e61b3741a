"""Older memories of a session store stand in for a namespace that is still empty."""

from __future__ import annotations

import pytest

from bethink import Memory


@pytest.fixture
def memory():
    with Memory(":memory:") as memory:
        yield memory


def test_an_empty_namespace_shows_what_its_session_stores_hold(memory):
    memory.namespace("agent:bot:u:alice:s:old").remember("Prefers tea.", key="drink")
    memory.namespace("agent:bot:u:alice:s:new").remember("Prefers coffee.", key="drink")
    text = memory.scope(agent="bot", user="alice").context().text
    assert "Prefers coffee." in text
    assert "Prefers tea." not in text


def test_a_namespace_with_notes_of_its_own_shows_those_alone(memory):
    memory.namespace("agent:bot:u:alice:s:old").remember("Prefers tea.")
    scope = memory.scope(agent="bot", user="alice")
    scope.remember("Lives in Porto.")
    assert "Prefers tea." not in scope.context().text


def test_the_fallback_reaches_no_other_user_and_no_agent_of_a_similar_name(memory):
    for namespace in ("agent:bot:u:bob:s:old", "agent:bot-2:u:alice:s:old", "agent:bot:u:alice%3Ax:s:old"):
        memory.namespace(namespace).remember("Prefers tea.")
    assert "Prefers tea." not in memory.scope(agent="bot", user="alice").context().text
    assert "Prefers tea." not in memory.scope(agent="bot").context().text


def test_the_tools_of_an_empty_namespace_find_what_its_session_stores_hold(memory):
    memory.namespace("agent:bot:u:alice:s:old").remember("Prefers tea in the morning.", key="drink")
    memory.namespace("agent:bot:u:alice:s:new").remember("Prefers coffee in the morning.", key="drink")
    memory.namespace("agent:bot:u:alice:s:old").remember("Lives in Porto.", key="home")
    said = answers(memory.scope(agent="bot", user="alice"))
    assert said["recall"] == "Prefers coffee in the morning."
    for name in ("search_memory", "list_memories"):
        assert "Prefers coffee" in said[name]
        assert "Prefers tea" not in said[name]
    assert "Lives in Porto." in said["list_memories"]


def test_the_tools_of_a_namespace_with_notes_of_its_own_find_those_alone(memory):
    memory.namespace("agent:bot:u:alice:s:old").remember("Prefers tea.", key="drink")
    scope = memory.scope(agent="bot", user="alice")
    scope.remember("Lives in Porto.", key="home")
    assert not any("tea" in said for said in answers(scope).values())


def test_the_tools_reach_no_other_user_and_no_agent_of_a_similar_name(memory):
    for namespace in ("agent:bot:u:bob:s:old", "agent:bot-2:u:alice:s:old", "agent:bot:u:alice%3Ax:s:old"):
        memory.namespace(namespace).remember("Prefers tea.", key="drink")
    for scope in (memory.scope(agent="bot", user="alice"), memory.scope(agent="bot")):
        assert not any("tea" in said for said in answers(scope).values())


def answers(scope):
    """Return what the tools that read say of one question."""
    asked = {
        "recall": {"key": "drink"},
        "search_memory": {"query": "which drink in the morning"},
        "list_memories": {},
    }
    return {tool.name: tool.call(asked[tool.name]) for tool in scope.tools() if tool.name in asked}
