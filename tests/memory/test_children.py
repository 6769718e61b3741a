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
