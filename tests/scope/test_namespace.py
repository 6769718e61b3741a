"""One place, one text, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.errors import InvalidError
from bethink.scope.labels import label
from bethink.scope.namespace import Namespace


def acceptable(value: str) -> bool:
    try:
        label(value, argument="any")
    except InvalidError:
        return False
    return True


PIECES = [
    "a",
    "b",
    "u",
    "s",
    "o",
    ":",
    "%",
    "/",
    "{",
    "}",
    "%3A",
    "%75",
    ":u:",
    "agent",
    "team",
    "system",
    ".",
    "é",
    "\u0338",
]
LABELS = (
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join) | st.text(max_size=8)
).filter(acceptable)
AGENTS = st.builds(
    Namespace,
    owner=LABELS | st.just("system"),
    name=LABELS,
    user=st.none() | LABELS,
    session=st.none() | LABELS,
)
TEAMS = st.builds(Namespace, kind=st.just("team"), name=LABELS)


@st.composite
def pools(draw):
    try:
        return Namespace(kind="pool", name=":".join(draw(st.lists(LABELS, min_size=1, max_size=3))))
    except InvalidError:
        return Namespace(kind="pool", name="org:docs")


ANY = AGENTS | TEAMS | pools()


@given(ANY)
def test_what_is_rendered_reads_back_as_the_same_place(namespace):
    assert Namespace.parse(str(namespace), tenant=namespace.tenant) == namespace


@given(ANY, ANY)
def test_two_places_never_share_a_text(one, other):
    assert (str(one) == str(other)) == (one == other)


@given(LABELS, LABELS, LABELS, LABELS)
def test_an_owner_and_a_name_cannot_trade_characters(a, b, c, d):
    one, other = Namespace(owner=a, name=b, user="x"), Namespace(owner=c, name=d, user="x")
    assert (str(one) == str(other)) == (one == other)


@given(st.text(max_size=30) | st.lists(st.sampled_from([*PIECES, ":"]), max_size=8).map("".join))
def test_any_text_is_read_or_refused_and_what_is_read_is_stable(text):
    try:
        namespace = Namespace.parse(text)
    except InvalidError:
        return
    assert Namespace.parse(str(namespace)) == namespace


@pytest.mark.parametrize(
    ("namespace", "text"),
    [
        (Namespace(name="concierge", user="alice"), "agent:concierge:u:alice"),
        (Namespace(name="research-assistant", user="noop"), "agent:research-assistant:u:noop"),
        (Namespace(name="research-assistant"), "agent:research-assistant"),
        (Namespace(name="bot", owner="bob", user="alice"), "agent:o:bob:bot:u:alice"),
        (Namespace(name="bot", user="alice", session="trip"), "agent:bot:u:alice:s:trip"),
        (Namespace(name="b:c", owner="a"), "agent:o:a:b%3Ac"),
        (Namespace(name="u", user="u"), "agent:%75:u:%75"),
        (Namespace(name="a:u:bob", user="alice"), "agent:a%3Au%3Abob:u:alice"),
        (Namespace(kind="pool", name="org:engineering-docs"), "org:engineering-docs"),
        (Namespace(kind="pool", name="org/docs"), "org%2Fdocs"),
        (Namespace(kind="team", name="research-team"), "team:research-team"),
    ],
)
def test_the_rendering_is_as_documented(namespace, text):
    assert str(namespace) == text


def test_the_session_scoped_names_of_old_are_understood():
    assert Namespace.parse("agent:research-assistant:abc123") == Namespace(
        name="research-assistant", session="abc123"
    )
    assert Namespace.parse("agent:bot:u:alice:abc") == Namespace(name="bot", user="alice", session="abc")


def test_the_owner_qualified_names_of_old_are_understood():
    assert Namespace.parse("agent:system:bot:u:alice") == Namespace(name="bot", user="alice")
    assert Namespace.parse("agent:bob:bot:u:alice") == Namespace(owner="bob", name="bot", user="alice")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "agent",
        "team",
        "agent:",
        "agent:u:alice",
        "agent:bot:u:",
        "agent:bot:u:u",
        "agent:bot:x:y:z",
        "team:a:b",
        "team:u:a",
        "Agent:bot",
        "%61gent:bot",
        "org::docs",
        "agent:bot:u:a:s:",
        "agent:o:bob",
        "x:u:alice",
        "x:%75:alice",
    ],
)
def test_a_text_that_names_nothing_is_refused(text):
    with pytest.raises(InvalidError):
        Namespace.parse(text)


@pytest.mark.parametrize(
    "name",
    [
        "agent:bot:u:alice",
        "agent:bot",
        "AGENT:bot",
        "team:research",
        "Team",
        "org:u:alice",
        "org:%55",
        "%75",
        "org:",
    ],
)
def test_a_pool_never_takes_the_name_of_another_kind(name):
    with pytest.raises(InvalidError):
        Namespace(kind="pool", name=name)


@pytest.mark.parametrize("text", [":".join(["a" * 120] * 5), ":".join(["é" * 60] * 5)])
def test_the_name_of_a_pool_fits_an_index(text):
    with pytest.raises(InvalidError) as caught:
        Namespace(kind="pool", name=text)
    assert caught.value.limit == 512
    assert len(Namespace(kind="pool", name=":".join(["a" * 120] * 4)).name) == 483


@pytest.mark.parametrize("columns", [{"user": "alice"}, {"session": "s1"}, {"owner": "bob"}])
@pytest.mark.parametrize("kind", ["pool", "team"])
def test_what_is_shared_has_no_user_no_session_and_one_registered_name(kind, columns):
    with pytest.raises(InvalidError):
        Namespace(kind=kind, name="docs", **columns)


def test_an_unknown_kind_is_refused():
    with pytest.raises(InvalidError):
        Namespace(kind="knowledge", name="docs")  # type: ignore[arg-type]


def test_a_tenant_is_a_column_and_not_a_part_of_the_text():
    one, other = Namespace(tenant="a", name="bot"), Namespace(tenant="b", name="bot")
    assert str(one) == str(other)
    assert one != other
    assert Namespace.parse(str(one), tenant="a") == one
