"""Canonical wording."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.lifecycle.consolidate.words import canonical, stems

from .sentences import SENTENCES


@pytest.mark.parametrize(
    ("text", "worded"),
    [
        ("User usually prefers aisle seats.", "Prefers aisle seats."),
        ("User generally likes to compare options side-by-side", "Prefers to compare options side-by-side."),
        ("User prefers high floors", "Prefers high floors."),
        (
            "Vegetarian (prefers vegetarian meal options when traveling).",
            "Prefers vegetarian meal options when traveling.",
        ),
        ("The user is vegetarian", "Is vegetarian."),
        ("User does not eat meat.", "Does not eat meat."),
    ],
)
def test_a_note_is_worded_as_notes_are(text, worded):
    assert canonical(text) == worded


@pytest.mark.parametrize(
    "text",
    [
        "For trips shorter than a week, user generally prefers not to check bags.",
        "Prefers aisle seats.",
        "vegetarian",
        "Users prefer dark mode",
        "User interface should be dark",
        "User's name is Ann",
        "Bevorzugt Gangplätze",
        "喜欢靠窗",
        "Seat (prefers aisle",
    ],
)
def test_what_has_another_form_stays_as_it_is(text):
    assert canonical(text) == text


@given(SENTENCES | st.text(max_size=40))
def test_wording_a_note_twice_changes_nothing(text):
    assert canonical(canonical(text)) == canonical(text)


@given(SENTENCES)
def test_wording_a_note_adds_no_word_but_prefers(text):
    assert set(stems(canonical(text))) <= {*stems(text), "prefer", "."}
