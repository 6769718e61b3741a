from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.recall.timeline_duplicates import fold_duplicates, is_on_subject
from bethink.recall.values import Why


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I bought a kayak.", "I bought a kayak!"),
        ("We moved to Porto in spring.", "In spring we moved to Porto, yes."),
        ("Ich wohne jetzt in Köln.", "Jetzt wohne ich in Köln."),
    ],
)
def test_what_says_the_same_again_is_folded(one, other):
    assert fold_duplicates([one, "Something else entirely.", other]) == [0, 1, 0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The rent is 900.", "The rent is 950."),
        ("I eat meat.", "I do not eat meat."),
        ("I can eat nuts.", "I can't eat nuts."),
        ("We moved to Porto.", "We moved to Ghent."),
    ],
)
def test_what_differs_in_a_number_or_in_yes_and_no_is_not(one, other):
    assert fold_duplicates([one, other]) == [0, 1]


@given(st.lists(st.text(alphabet="ab 1.", max_size=8), max_size=12))
def test_an_entry_is_folded_into_one_that_stands_for_itself(texts):
    firsts = fold_duplicates(texts)
    assert all(first <= place and firsts[first] == first for place, first in enumerate(firsts))


def test_the_nearest_of_what_is_not_about_a_matter_is_left_out():
    assert is_on_subject(Why(lexical=1.0), 5.0, 9.0)
    assert is_on_subject(Why(dense=1.0), 5.0, 9.0)
    assert not is_on_subject(Why(dense=0.2), 5.0, 9.0)
    assert not is_on_subject(Why(lexical=1.0), 1.0, 9.0)
