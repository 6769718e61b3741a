"""Which older memories may stand in for an empty namespace."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from bethink.scope.children import is_child, merge_children
from bethink.scope.namespace import Namespace

WORDS = st.sampled_from(["bot", "bot-2", "alice", "alice:x", "u", "s", "o", "bob", "system"])
AGENTS = st.builds(Namespace, owner=WORDS, name=WORDS, user=st.none() | WORDS, session=st.none() | WORDS)


def child(parent: str, candidate: str) -> bool:
    return is_child(Namespace.parse(parent), Namespace.parse(candidate))


def test_a_session_scoped_memory_is_a_child_of_its_agent():
    assert child("agent:research-assistant", "agent:research-assistant:abc123")
    assert child("agent:research-assistant:u:alice", "agent:research-assistant:u:alice:s:abc123")


def test_a_longer_name_is_no_child():
    assert not child("agent:bot", "agent:bot-2")
    assert not child("agent:bot", "agent:bot-2:abc")


def test_no_user_is_below_an_agent_nor_below_another_user():
    assert not child("agent:research-assistant", "agent:research-assistant:u:bob")
    assert not child("agent:research-assistant", "agent:research-assistant:u:bob:s:abc")
    alice = Namespace(name="bot", user="alice")
    assert not is_child(alice, Namespace(name="bot", user="alice:x"))
    assert not is_child(alice, Namespace(name="bot", user="alice:x", session="abc"))


def test_an_agent_of_another_owner_is_no_child():
    assert not is_child(Namespace(name="bob"), Namespace(owner="bob", name="bot", session="abc"))
    assert not is_child(Namespace(name="o"), Namespace(owner="o", name="bot"))


def test_another_tenants_memory_is_no_child():
    assert not is_child(Namespace(tenant="a", name="bot"), Namespace(tenant="b", name="bot", session="abc"))


def test_pools_and_teams_have_no_children():
    assert not child("org", "org:docs")
    assert not child("team:a", "agent:a:abc")


@given(AGENTS, AGENTS)
def test_a_child_in_columns_is_a_child_in_text_with_no_user_between(parent, candidate):
    rest = str(candidate).removeprefix(str(parent) + ":")
    below = rest != str(candidate) and "u" not in rest.split(":")
    assert is_child(parent, candidate) == below


@dataclass
class Fact:
    key: str | None
    at: int


def test_of_each_key_the_newest_is_kept_newest_first():
    merged = merge_children(
        [[Fact("a", 1), Fact("b", 5)], [Fact("a", 9), Fact(None, 3)], [Fact(None, 4)]],
        key=lambda fact: fact.key,
        newness=lambda fact: fact.at,
    )
    assert [(each.key, each.at) for each in merged] == [("a", 9), ("b", 5), (None, 4), (None, 3)]
