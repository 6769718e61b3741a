"""What may stand in a label."""

from __future__ import annotations

import unicodedata

import pytest

from bethink.errors import InvalidError
from bethink.scope.labels import decode, encode, label


@pytest.mark.parametrize(
    "value",
    ["", " ", "\t", ".", "..", "a\x00b", "a\nb", "a\x85b", "a\u2028b", "\ud800", "a" * 129, "é" * 65],
)
def test_a_label_that_could_be_misread_is_refused_with_its_argument_named(value):
    with pytest.raises(InvalidError) as caught:
        label(value, argument="user")
    assert caught.value.argument == "user"


def test_what_is_not_text_is_refused():
    with pytest.raises(InvalidError) as caught:
        label(7, argument="user")  # type: ignore[arg-type]
    assert caught.value.argument == "user"


@pytest.mark.parametrize(
    "value", ["a", "..a", "../etc", "a/b", "alice@example.com", "日本", "a b", "{x}", "%", "x" * 128]
)
def test_ordinary_and_odd_content_is_accepted(value):
    assert label(value, argument="user") == value


def test_two_spellings_of_one_letter_are_one_label():
    composed, apart = "Zoé", unicodedata.normalize("NFD", "Zoé")
    assert composed != apart
    assert label(apart, argument="user") == composed


def test_a_marker_is_escaped_only_where_it_is_the_whole_label():
    assert [encode(each) for each in ("u", "s", "o", "us", "U")] == ["%75", "%73", "%6F", "us", "U"]


@pytest.mark.parametrize("text", ["100%", "%4", "%zz", "%FF", "%00", "%", "%2e%2E"])
def test_broken_or_smuggling_escapes_are_refused(text):
    with pytest.raises(InvalidError):
        decode(text, argument="namespace")
