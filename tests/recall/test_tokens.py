from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.recall.tokens import query_terms, terms, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't the O'Neills' bikes", ["do", "the", "neills", "bikes"]),
        ("2,000 euros on 2024-05-08", ["2000", "euros", "on", "2024", "5", "8"]),
        ("pi is 3.14.", ["pi", "is", "3.14"]),
        ("L’été à Zürich", ["ete", "a", "zurich"]),
        ("snake_case and kebab-case", ["snake", "case", "and", "kebab", "case"]),
        ("", []),
        ("?!…\ud800", []),
    ],
)
def test_words_come_out_in_one_form(text, expected):
    assert list(words(text)) == expected


def test_scripts_without_spaces_are_cut_into_characters_and_pairs():
    assert list(words("猫が好き ok")) == ["猫", "猫が", "が", "が好", "好", "好き", "き", "ok"]


def test_inflections_share_a_term():
    assert terms("painting") == terms("painted") == terms("Paints")


def test_irregular_forms_share_a_term_too():
    assert terms("bought") == terms("buying")
    assert terms("children") == terms("child")


def test_accents_and_case_make_no_difference():
    assert terms("CAFÉ") == terms("cafe")


def test_a_question_is_searched_by_what_it_is_about():
    assert [term.word for term in query_terms("Where does she like to sit?")] == ["like", "sit"]


def test_a_question_made_only_of_stop_words_is_searched_by_all_of_them():
    assert [term.word for term in query_terms("to be or not to be")] == ["to", "be", "or", "not"]


def test_may_the_month_is_not_taken_for_may_the_verb():
    assert [term.word for term in query_terms("in May")] == ["may"]


def test_terms_are_the_same_in_another_process():
    script = "from bethink.recall.tokens import terms; print(terms('stable ferry 猫'))"
    other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == str(terms("stable ferry 猫"))


@settings(deadline=None)
@given(st.text())
def test_any_text_can_be_cut_into_words(text):
    found = list(words(text))
    assert all(found)
    assert len(terms(text)) == len(found)
