from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.recall.tokenizer import query_terms, terms, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't the O'Neills' bikes", ["do", "not", "the", "neills", "bikes"]),
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


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("What can't she eat?", "What cannot she eat?"),
        ("What can’t she eat?", "What can not she eat?"),
        ("What cant she eat?", "What can not she eat?"),
        ("we shan't", "we shall not"),
        ("they won't", "they will not"),
        ("I'm", "I am"),
        ("they couldn't've known", "they could not have known"),
        ("y'all", "you all"),
        ("C'est l'eau d'aujourd'hui, jusqu'à midi", "est eau aujourdhui à midi"),
        ("Wie geht's auf'm Hof, so'n Tag", "Wie geht auf Hof, so Tag"),
        ("dell'acqua, un'amica", "acqua amica"),
        ("my e-mail over Wi-Fi at the check-in", "my email mail over wifi at the checkin check"),
    ],
)
def test_contractions_and_elisions_are_read_as_what_they_say(short, long):
    assert terms(short) == terms(long)


@pytest.mark.parametrize(
    ("compound", "sought"),
    [
        ("Nussallergie", "Allergie"),
        ("Nussallergie", "Nuss"),
        ("Krankenversicherungskarte", "Versicherung"),
        ("Zahnarzttermin", "Zahnarzt"),
        ("e-mail", "email"),
        ("e-mail", "mail"),
    ],
)
def test_a_compound_is_found_by_its_parts(compound, sought):
    assert set(terms(sought)) <= set(terms(compound))


@pytest.mark.parametrize("word", ["vergessen", "applied", "Hochzeit", "second", "journaliste", "Sekunde"])
def test_what_only_ends_like_a_compound_is_one_word(word):
    assert len(terms(word)) == 1


def test_a_text_with_one_foreign_sign_is_cut_like_one_without():
    plain = "The ferry's 2,000 seats, at 7.30 on 2024-05-08, can't be co-owned"
    assert terms(plain + " 猫")[:-1] == terms(plain) == terms(plain + " …")


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
    script = "from bethink.recall.tokenizer import terms; print(terms('stable ferry 猫'))"
    other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == str(terms("stable ferry 猫"))


@settings(deadline=None)
@given(st.text())
def test_any_text_can_be_cut_into_words(text):
    found = list(words(text))
    assert all(found)
    assert len(terms(text)) == len(found)
