"""Who may do what, and above all who may not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.errors import DeniedError, InvalidError
from bethink.scope.access import has_right, require_right, rights_on
from bethink.scope.namespace import Namespace
from bethink.scope.templates import resolve_pool
from bethink.scope.values import (
    ALL_RIGHTS,
    NO_RIGHTS,
    NOOP,
    OWN_RIGHTS,
    Grant,
    Principal,
    Rights,
    validate_grantee,
    validate_principal,
)

ALICE, BOB = Principal("alice"), Principal("bob", groups=("staff",))
HERS = Namespace(name="bot", user="alice")
POOL = Namespace(kind="pool", name="org:docs")


def rights(principal, namespace, **options):
    return rights_on(principal, namespace, tenant="default", **options)


def test_the_application_and_an_admin_may_do_everything_in_their_tenant_alone():
    elsewhere = Namespace(tenant="other", name="bot", user="alice")
    for principal in (None, Principal("root", admin=True)):
        assert rights(principal, HERS) == ALL_RIGHTS
        assert rights(principal, POOL) == ALL_RIGHTS
        assert rights(principal, elsewhere) == NO_RIGHTS


def test_a_group_called_admin_makes_no_admin():
    assert rights(Principal("mallory", groups=("admin",)), HERS) == NO_RIGHTS


def test_a_user_may_read_write_and_delete_what_is_private_to_that_user():
    assert rights(ALICE, HERS) == OWN_RIGHTS
    assert rights(ALICE, Namespace(owner="bob", name="bot", user="alice", session="s1")) == OWN_RIGHTS
    assert rights(NOOP, Namespace(name="bot", user="noop")) == OWN_RIGHTS


def test_an_agents_owner_and_those_it_is_shared_with_never_see_its_users_memory():
    assert rights(BOB, Namespace(owner="bob", name="bot", user="alice")) == NO_RIGHTS
    assert rights(BOB, HERS, owner="bob", grants=[Grant("*", ALL_RIGHTS)]) == NO_RIGHTS


def test_declaring_somebodys_private_memory_as_a_pool_is_refused():
    with pytest.raises(InvalidError):
        resolve_pool("agent:bot:u:alice", agent="evil", owner="bob")


def test_declaring_a_pool_in_an_agent_gives_no_right_to_it():
    declared = resolve_pool("org:docs", agent="evil", owner="mallory")
    assert declared == POOL
    assert rights(Principal("mallory"), declared, owner="alice") == NO_RIGHTS
    assert rights(Principal("mallory"), declared) == NO_RIGHTS


def test_a_colon_in_an_id_opens_no_other_users_memory():
    assert rights(ALICE, Namespace(name="bot", user="alice:x")) == NO_RIGHTS
    assert rights(Principal("alice:x"), HERS) == NO_RIGHTS


def test_a_user_sees_no_namespace_of_one_whose_id_only_begins_alike():
    everything = [Namespace(name="bot", user=each) for each in ("ali", "alice", "malice", "ali:ce")]
    seen = [each.user for each in everything if has_right(Principal("ali"), "read", each, tenant="default")]
    assert seen == ["ali"]


@pytest.mark.parametrize("right", ["read", "write", "delete", "admin"])
def test_what_belongs_to_an_agent_but_to_no_user_is_not_for_everybody(right):
    for namespace in (
        Namespace(name="bot"),
        Namespace(owner="alice", name="bot"),
        Namespace(name="bot", session="s"),
    ):
        assert not has_right(ALICE, right, namespace, tenant="default")


def test_names_chosen_to_collide_stay_apart():
    mallory = Principal("mallory")
    for name in ("a:u:mallory", "{agent_owner}", "/", "bot:u:mallory"):
        assert rights(mallory, Namespace(name=name, user="alice")) == NO_RIGHTS
        assert rights(mallory, Namespace(name=name)) == NO_RIGHTS
    assert Namespace(owner="a", name="b:c") != Namespace(owner="a:b", name="c")
    for name in ("", "..", "x" * 300):
        with pytest.raises(InvalidError):
            Namespace(name=name)


def test_a_pools_owner_may_do_everything_and_others_what_they_were_granted():
    reader, writer = Rights(read=True), Rights(read=True, write=True)
    grants = [Grant("alice", reader), Grant("group:staff", writer)]
    assert rights(Principal("carol"), POOL, owner="carol", grants=grants) == ALL_RIGHTS
    assert rights(ALICE, POOL, owner="carol", grants=grants) == reader
    assert rights(BOB, POOL, owner="carol", grants=grants) == writer
    assert rights(Principal("dave"), POOL, owner="carol", grants=grants) == NO_RIGHTS
    assert rights(Principal("dave"), POOL, owner="carol", grants=[*grants, Grant("*", reader)]) == reader


def test_grants_add_up():
    grants = [
        Grant("*", Rights(read=True)),
        Grant("group:staff", Rights(write=True)),
        Grant("bob", Rights(delete=True)),
    ]
    assert rights(BOB, POOL, owner="carol", grants=grants) == OWN_RIGHTS


def test_an_id_that_looks_like_a_group_or_like_everyone_gets_nothing_meant_for_them():
    grants = [Grant("group:staff", ALL_RIGHTS)]
    assert rights(Principal("group:staff"), POOL, owner="carol", grants=grants) == NO_RIGHTS
    assert rights(Principal("staff"), POOL, owner="carol", grants=grants) == NO_RIGHTS
    assert rights(Principal("x", groups=("group:staff",)), POOL, owner="carol", grants=grants) == NO_RIGHTS
    for name in ("group:staff", "*"):
        with pytest.raises(InvalidError):
            validate_principal(name)


@pytest.mark.parametrize("name", ["", "anonymous", "system"])
def test_nobody_has_no_rights_not_even_those_of_everyone(name):
    nobody = Principal(name, admin=True)
    assert rights(nobody, POOL, owner=name, grants=[Grant("*", ALL_RIGHTS)]) == NO_RIGHTS
    assert rights(nobody, Namespace(name="bot", user="anonymous")) == NO_RIGHTS


@pytest.mark.parametrize("name", ["noop", "anonymous", "system", "", " ", "a\x00", "x" * 129])
def test_an_id_from_outside_is_never_one_of_ours(name):
    with pytest.raises(InvalidError) as caught:
        validate_principal(name)
    assert caught.value.argument == "principal"


def test_grants_are_addressed_to_a_principal_a_group_or_everyone():
    assert [validate_grantee(each) for each in ("alice", "group:staff", "*")] == ["alice", "group:staff", "*"]
    for to in ("", "group:", "system", "anonymous"):
        with pytest.raises(InvalidError):
            validate_grantee(to)


def test_a_denial_says_who_lacked_what_where():
    with pytest.raises(DeniedError) as caught:
        require_right(BOB, "read", HERS, tenant="default")
    assert (caught.value.principal, caught.value.right, caught.value.namespace) == ("bob", "read", str(HERS))
    require_right(ALICE, "read", HERS, tenant="default")


def test_rights_are_written_and_read_back():
    given_rights = Rights.of("write", "read")
    assert str(given_rights) == "read,write"
    assert Rights.parse(str(given_rights)) == given_rights
    assert Rights.parse("") == NO_RIGHTS
    assert "read" in given_rights
    assert "__or__" not in given_rights
    with pytest.raises(InvalidError):
        Rights.of("own")


IDS = st.sampled_from(["alice", "alice:x", "ali", "bob", "noop", "system", "group:staff", "u"])


@given(IDS, IDS, st.none() | st.just("s"))
def test_nobody_but_the_user_is_ever_let_into_private_memory(asker, user, session):
    granted = [Grant("*", ALL_RIGHTS), Grant("group:staff", ALL_RIGHTS), Grant(asker, ALL_RIGHTS)]
    namespace = Namespace(owner=asker, name="bot", user=user, session=session)
    found = rights(Principal(asker, groups=("staff",)), namespace, owner=asker, grants=granted)
    assert found == (OWN_RIGHTS if asker == user != "system" else NO_RIGHTS)
