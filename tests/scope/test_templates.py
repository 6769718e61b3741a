"""What a spec's templates come to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.errors import InvalidError
from bethink.scope.namespace import Namespace, actor_text
from bethink.scope.templates import check_template, resolve_pool, resolve_private, resolve_team
from bethink.scope.values import NOOP, SYSTEM, Principal

ALICE = Principal("alice")
LABELS = (
    st.lists(
        st.sampled_from(["a", "b", ":", "u", "%", "{agent_name}", "/", "é", "o"]), min_size=1, max_size=4
    )
    .map("".join)
    .filter(str.strip)
)


def private(template, **options):
    return resolve_private(template, **{"agent": "bot", "principal": ALICE, **options})


@pytest.mark.parametrize(
    ("template", "text"),
    [
        (None, "agent:bot:u:alice"),
        ("", "agent:bot:u:alice"),
        ("agent:{agent_name}", "agent:bot:u:alice"),
        ("agent:{agent_owner}:{agent_name}", "agent:bot:u:alice"),
        ("agent:{agent_name}:{session_id}", "agent:bot:u:alice"),
        ("{session_id}:{agent_name}", "agent:bot:u:alice"),
        ("agent:{session_id}", "agent:bot:u:alice"),
        ("agent:{agent_name}:s:{session_id}", "agent:bot:u:alice"),
        ("agent:{agent_name}:u:{user_id}", "agent:bot:u:alice"),
        ("agent:{agent_name}:u:{principal_id}", "agent:bot:u:alice"),
        ("agent:{user_id}:{agent_name}", "agent:bot:u:alice"),
        ("{agent_name}-{session_id}", "agent:bot-:u:alice"),
        ("{session_id}", "agent:bot:u:alice"),
        ("{user_id}", "agent:bot:u:alice"),
        ("agent:shared", "agent:shared:u:alice"),
        ("a:{session_id}:{agent_name}", "agent:%3Aa%3Abot:u:alice"),
    ],
)
def test_a_private_template_always_ends_in_its_user_and_never_names_a_session(template, text):
    check_template(template)
    assert str(private(template)) == text


def test_agents_that_name_only_the_session_do_not_share_a_memory():
    assert private("{session_id}", agent="bot") != private("{session_id}", agent="other")


def test_a_session_store_is_had_by_asking_for_it_alone():
    store = private("agent:{agent_name}:{session_id}", session="trip", session_store=True)
    assert str(store) == "agent:bot:u:alice:s:trip"
    assert private("agent:{agent_name}:{session_id}", session="trip").session is None
    with pytest.raises(InvalidError):
        private(None, session_store=True)


def test_a_spec_cannot_write_itself_into_the_agent_of_another_owner():
    target = private("agent:{agent_name}", agent="concierge")
    for template in (
        "agent:concierge",
        "agent:system:concierge",
        "concierge",
        "agent:{agent_owner}:concierge",
    ):
        forged = private(template, agent="evil", owner="mallory")
        assert forged != target
        assert forged.owner == "mallory"


def test_without_a_user_the_memory_is_the_agents():
    assert str(private("agent:{agent_name}:u:{user_id}", principal=None)) == "agent:bot"
    assert str(private(None, principal=NOOP)) == "agent:bot:u:noop"


@pytest.mark.parametrize(
    "template",
    [
        "org:{team_name}",
        "agent:{agent}",
        "agent:{}",
        "agent:{agent_name",
        "agent:agent_name}",
        "agent:{{agent_name}}",
        "agent::{agent_name}",
        "agent:{agent_name}:",
        "agent:{agent_name}:u:bob",
        "agent:{agent_name}:u",
        "u:{agent_name}",
        "agent:o:bob:{agent_name}",
        "agent:{agent_name}:s:trip",
        "agent:{session_id}u",
        "agent:50%",
        "agent:..",
        "agent:{agent_name!r}",
        "agent:{ agent_name }",
        "agent:a\x00",
    ],
)
def test_a_template_that_cannot_be_resolved_is_refused_when_the_spec_is_saved(template):
    with pytest.raises(InvalidError) as caught:
        check_template(template)
    assert caught.value.argument in {"template", "agent"}


def test_an_unknown_placeholder_is_named_with_those_that_exist():
    with pytest.raises(InvalidError, match="agent_owner") as caught:
        check_template("agent:{tenant}")
    assert caught.value.actual == "tenant"


def test_a_name_that_looks_like_a_placeholder_is_not_expanded_again():
    namespace = private("agent:{agent_owner}-{agent_name}", agent="{agent_owner}", owner="{agent_name}")
    assert namespace.name == "{agent_name}-{agent_owner}"
    assert namespace.owner == "{agent_name}"


@given(LABELS, LABELS, LABELS, LABELS)
def test_neither_agents_nor_users_share_a_memory_whatever_they_are_called(
    agent, user, other_agent, other_user
):
    one = resolve_private("agent:{agent_name}", agent=agent, principal=Principal(user))
    other = resolve_private("agent:{agent_name}", agent=other_agent, principal=Principal(other_user))
    assert (str(one) == str(other)) == ((one.name, one.user) == (other.name, other.user))
    assert (one == other) == (str(one) == str(other))


def test_templates_of_several_labels_are_one_to_one():
    assert private("x:{agent_name}", agent="bot") != private("{agent_name}", agent="x:bot")
    assert private("x:{agent_name}", agent="y:z") != private("x:y:{agent_name}", agent="z")
    for template in ("{agent_name}", "{session_id}"):
        assert private(template, agent=":x:bot") != private("x:{agent_name}", agent="bot")
    assert private("{agent_name}:x", agent="agent") != private("x")


def test_a_pool_template_gives_the_registered_name():
    assert str(resolve_pool("org:engineering-docs", agent="researcher")) == "org:engineering-docs"
    assert str(resolve_pool("project:{agent_name}-shared", agent="researcher")) == "project:researcher-shared"
    assert str(resolve_pool("project:{agent_name}:{session_id}", agent="bot")) == "project:bot"
    assert str(resolve_pool("project:{agent_name}", agent="a:b")) == "project:a%3Ab"


@pytest.mark.parametrize(
    "template", ["agent:bot:u:alice", "agent:{agent_name}", "team:x", "x:{user_id}", "", "x:u:y"]
)
def test_a_pool_template_reaches_no_private_memory(template):
    with pytest.raises(InvalidError):
        check_template(template, kind="pool")


@pytest.mark.parametrize("agent", ["agent", "agent:x", "u", "team"])
def test_an_agents_name_cannot_turn_its_pool_into_another_kind(agent):
    try:
        namespace = resolve_pool("{agent_name}:u-{agent_name}:alice", agent=agent)
    except InvalidError:
        return
    assert Namespace.parse(str(namespace)).kind == "pool"


def test_a_team_template_gives_the_teams_memory():
    check_template("team:{team_name}", kind="team")
    assert str(resolve_team("team:{team_name}", team="research-team")) == "team:research-team"
    assert str(resolve_team(None, team="a:b")) == "team:a%3Ab"
    for template in ("org:docs", "team:{agent_name}", "team:a:b", "team", "team:u"):
        with pytest.raises(InvalidError):
            check_template(template, kind="team")


def test_an_actor_is_the_agent_and_its_user():
    assert actor_text(SYSTEM, "research-assistant", "alice") == "research-assistant:u:alice"
    assert actor_text(SYSTEM, "research-assistant", "noop") == "research-assistant:u:noop"
    assert actor_text(SYSTEM, "research-assistant", None) == "research-assistant"
    assert actor_text("bob", "bot", "alice") == "o:bob:bot:u:alice"


@given(*[LABELS] * 4, st.none() | LABELS, st.none() | LABELS)
def test_two_actors_never_share_an_id(owner, agent, other_owner, other_agent, user, other_user):
    one, other = (
        Namespace(owner=owner, name=agent, user=user),
        Namespace(owner=other_owner, name=other_agent, user=other_user),
    )
    same = actor_text(owner, agent, user) == actor_text(other_owner, other_agent, other_user)
    assert same == (one == other)
