"""A profile as YAML front matter."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.lifecycle.inject.front_matter import entry, front_matter

from . import front_matter_reader

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
)


def written(profile):
    return front_matter({name: entry(name, value) for name, value in profile.items()})


@given(st.dictionaries(st.text(min_size=1, max_size=8), VALUES, max_size=4))
def test_what_is_written_reads_back_as_the_profile(profile):
    assert front_matter_reader.read(written(profile)) == profile


@given(st.dictionaries(st.text(min_size=1, max_size=8), VALUES, max_size=4))
def test_no_value_brings_an_angle_bracket_or_a_line_of_its_own(profile):
    text = written(profile)
    assert not set("<>＜＞") & set(text)
    assert text.split("\n")[1:-1].count("---") == 0
    assert all(line.isprintable() for line in text.split("\n"))


@pytest.mark.parametrize(
    "text",
    ["no", "Yes", "NULL", "~", "on", "2029-06-12", "12:30", "0o7", "1_000", "1e3", "- x", "a: b", "a #b", "", " a",
     "a ", "!x", "&x", "*x", "---", "...", "?", "|", "%", "@", "`", "'", '"', "=", "<<", "a\nb", ".inf"],
)  # fmt: skip
def test_a_string_that_yaml_reads_as_something_else_is_quoted(text):
    line = entry("field", text)
    assert line.startswith('field: "')
    assert line.endswith('"')


def test_a_plain_word_stays_bare():
    assert entry("home_city", "San Francisco") == "home_city: San Francisco"


def test_numbers_are_written_so_that_every_reader_takes_them_for_numbers():
    assert entry("f", 1e16) == "f: 1.0e+16"
    assert entry("f", math.inf) == "f: .inf"
    assert entry("f", -0.5) == "f: -0.5"
    assert entry("f", True) == "f: true"


def test_what_cannot_be_seen_is_written_as_an_escape():
    assert entry("f", "a\u202eb\U000e0041") == 'f: "a\\u202eb\\U000e0041"'


def test_lists_and_mappings_stand_in_blocks_as_long_as_they_are_not_deep():
    assert entry("visas", ["Schengen", "US"]) == "visas:\n  - Schengen\n  - US"
    assert entry("ids", {"hilton": "H1"}) == "ids:\n  hilton: H1"
    deep: object = 1
    for _ in range(12):
        deep = [deep]
    assert entry("deep", deep).count("\n") == 6


def test_an_empty_profile_is_an_empty_mapping():
    assert front_matter_reader.read(front_matter({})) == {}
