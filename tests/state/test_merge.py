"""Merging what is newly known into a profile."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.errors import InvalidError, LimitError
from bethink.state.merge import diff, json_equal, merge, update
from bethink.state.values import Profile, Provenance

DAY = datetime(2026, 1, 1, tzinfo=UTC)


def told(day=0, source="user", by="alice"):
    return Provenance(source=source, at=DAY + timedelta(days=day), by=by)


def after(*updates, profile=None):
    profile = profile or Profile()
    for changes, provenance in updates:
        profile = merge(profile, changes, provenance).profile
    return profile


def test_each_field_says_where_it_came_from():
    profile = after(({"home_city": "Rome"}, told(0)), ({"tone": "brief"}, told(1, "import", "crm")))
    assert profile.fields == {"home_city": "Rome", "tone": "brief"}
    assert profile.provenance["home_city"] == told(0)
    assert profile.provenance["tone"].by == "crm"


def test_none_removes_a_field():
    profile = after(({"a": 1, "b": {"c": 2, "d": 3}}, told(0)), ({"a": None, "b": {"c": None}}, told(1)))
    assert profile.fields == {"b": {"d": 3}}


def test_a_mapping_left_empty_by_a_removal_is_removed():
    assert after(({"b": {"c": {"d": 3}}}, told(0)), ({"b": {"c": {"d": None}}}, told(1))).fields == {}


def test_nested_fields_are_merged_by_name():
    profile = after(({"ids": {"hilton": "1", "hyatt": "2"}}, told(0)), ({"ids": {"hyatt": "3"}}, told(1)))
    assert profile.fields == {"ids": {"hilton": "1", "hyatt": "3"}}
    assert profile.provenance["ids/hilton"] == told(0)
    assert profile.provenance["ids/hyatt"] == told(1)


def test_what_holds_since_later_wins_whichever_came_first():
    newer, older = ({"city": "Rome"}, told(5)), ({"city": "Oslo"}, told(2))
    assert after(newer, older).fields == after(older, newer).fields == {"city": "Rome"}


def test_on_the_same_instant_the_new_value_wins():
    assert after(({"city": "Oslo"}, told(2)), ({"city": "Rome"}, told(2))).fields == {"city": "Rome"}


def test_a_guess_of_the_agent_never_replaces_what_the_user_said():
    said = after(({"seat": "aisle"}, told(0)))
    merged = merge(said, {"seat": "window"}, told(9, "agent"))
    assert merged.profile is said
    assert [(each.path, each.because) for each in merged.refused] == [("seat", "less trusted")]


def test_what_the_user_says_replaces_a_guess_even_a_later_one():
    profile = after(({"seat": "window"}, told(9, "agent")), ({"seat": "aisle"}, told(0)))
    assert profile.fields == {"seat": "aisle"}


def test_older_news_does_not_bring_a_removed_field_back():
    removed = after(({"city": "Rome"}, told(0)), ({"city": None}, told(5)))
    assert after(({"city": "Oslo"}, told(3)), profile=removed).fields == {}
    assert after(({"city": "Oslo"}, told(7)), profile=removed).fields == {"city": "Oslo"}


def test_older_news_does_not_bring_a_part_of_a_removed_mapping_back():
    removed = after(({"ids": {"hilton": "1"}}, told(0)), ({"ids": None}, told(5)))
    newer = after(({"ids": {"hyatt": "2"}}, told(7)), profile=removed)
    assert after(({"ids": {"accor": "3"}}, told(4)), profile=newer).fields == {"ids": {"hyatt": "2"}}


def test_removing_a_mapping_leaves_what_is_newer_than_the_removal():
    profile = after(
        ({"ids": {"hilton": "1"}}, told(0)), ({"ids": {"hyatt": "2"}}, told(6)), ({"ids": None}, told(5))
    )
    assert profile.fields == {"ids": {"hyatt": "2"}}


def test_a_value_takes_the_place_of_a_mapping_only_where_it_is_newer_than_all_of_it():
    profile = after(({"ids": {"hilton": "1"}}, told(0)), ({"ids": {"hyatt": "2"}}, told(6)))
    assert after(({"ids": "none"}, told(5)), profile=profile).fields == profile.fields
    assert after(({"ids": "none"}, told(7)), profile=profile).fields == {"ids": "none"}


def test_a_mapping_takes_the_place_of_a_value():
    profile = after(({"ids": "none"}, told(0)), ({"ids": {"hilton": "1"}}, told(1)))
    assert profile.fields == {"ids": {"hilton": "1"}}
    assert "ids" not in profile.provenance


def test_saying_the_same_again_later_confirms_it():
    first = after(({"city": "Rome"}, told(0)))
    merged = merge(first, {"city": "Rome"}, told(9))
    assert [change.kind for change in merged.changes] == ["confirmed"]
    assert merged.profile.provenance["city"].at == DAY + timedelta(days=9)


def test_true_is_not_one():
    assert not json_equal(True, 1)
    assert not json_equal([True], [1])
    changed = merge(after(({"ok": 1}, told(0))), {"ok": True}, told(1)).changes
    assert [change.kind for change in changed] == ["changed"]


def test_a_diff_names_what_is_set_changed_and_removed():
    before = after(({"a": 1, "b": {"c": 2}}, told(0)))
    later = after(({"a": 3, "b": {"c": None}, "d": 4}, told(1)), profile=before)
    assert {(each.path, each.kind) for each in diff(before, later)} == {
        ("a", "changed"),
        ("b/c", "removed"),
        ("d", "set"),
    }


def test_hidden_fields_are_not_visible():
    profile = Profile(fields={"name": "Ann", "passport": "X"}, hidden=frozenset({"passport"}))
    assert profile.visible == {"name": "Ann"}


def test_provenance_survives_json():
    for each in (told(3), Provenance(source="user", at=DAY, removed=True)):
        assert Provenance.from_dict(each.to_dict()) == each


def test_the_short_form_gives_the_profile_alone():
    assert update(Profile(), {"a": 1}, source="user", at=DAY, by="me").fields == {"a": 1}


NAMES = st.sampled_from(["a", "b", "c/d", "e~f"])
VALUES = (
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["x", "y"]) | st.lists(st.integers(0, 1))
)
FLAT = st.dictionaries(NAMES, VALUES, max_size=3)
NESTED = st.dictionaries(NAMES, VALUES | FLAT, max_size=3)
SOURCES = st.sampled_from(["user", "tool", "agent", "import", "system", "stranger"])


@given(st.lists(st.tuples(FLAT, SOURCES), min_size=2, max_size=4))
def test_updates_of_plain_fields_give_the_same_in_any_order(updates):
    dated = [(changes, told(day, source)) for day, (changes, source) in enumerate(updates)]
    results = [after(*order) for order in permutations(dated)]
    assert all(each.fields == results[0].fields for each in results)
    assert all(each.provenance == results[0].provenance for each in results)


@given(
    st.lists(st.tuples(NESTED, st.integers(0, 3), SOURCES), max_size=4), NESTED, st.integers(0, 3), SOURCES
)
def test_the_same_update_twice_changes_nothing(before, changes, day, source):
    profile = after(*((each, told(at, by)) for each, at, by in before))
    once = merge(profile, changes, told(day, source)).profile
    again = merge(once, changes, told(day, source))
    assert again.profile.fields == once.fields
    assert again.changes == ()


@given(st.lists(st.tuples(NESTED, st.integers(0, 3)), max_size=4), NESTED)
def test_an_update_never_changes_the_profile_it_was_given(before, changes):
    profile = after(*((each, told(at)) for each, at in before))
    fields, provenance = repr(profile.fields), dict(profile.provenance)
    merge(profile, changes, told(9))
    assert repr(profile.fields) == fields
    assert profile.provenance == provenance


@given(NESTED, NESTED)
def test_what_a_merge_reports_is_what_a_diff_finds(first, second):
    before = after((first, told(0)))
    merged = merge(before, second, told(1))
    reported = {each.path for each in merged.changes if each.kind in {"set", "changed", "removed"}}
    found = {each.path for each in diff(before, merged.profile) if each.kind != "confirmed"}
    tops = {path.split("/")[0] for path in reported}
    assert tops == {path.split("/")[0] for path in found}


def test_fields_nested_without_end_are_refused():
    deep: list = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(LimitError) as raised:
        merge(Profile(), {"a": deep}, told(0))
    assert raised.value.limit == 32


@pytest.mark.parametrize(("name", "error"), [("", InvalidError), (3, InvalidError), ("x" * 129, LimitError)])
def test_a_field_has_a_short_name(name, error):
    with pytest.raises(error):
        merge(Profile(), {"a": {name: 1}}, told(0))
