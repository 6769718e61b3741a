"""Whom a note is about, by its first words; the notes were written by somebody who saw no rule and no list of names."""

from pathlib import Path

import pytest

from bethink.lifecycle.consolidate.claims import USER
from bethink.lifecycle.consolidate.subjects import name_score, subject
from bethink.lifecycle.consolidate.words import stem

NOTES = [
    line.split("\t") for line in (Path(__file__).parent / "first_words.tsv").read_text("utf-8").splitlines()
]
NAMED = [(name, text) for _, name, text in NOTES if name != "none"]


@pytest.mark.parametrize("text", [text for _, name, text in NOTES if name == "none"])
def test_what_only_stands_where_a_name_could_is_nobody(text):
    assert subject(text) == USER


def test_most_people_and_animals_are_known_by_their_names():
    found = [text for name, text in NAMED if subject(text) in {name, stem(name)}]
    assert len(found) >= 0.6 * len(NAMED)


@pytest.mark.parametrize(
    "text", ["Anna: allergic to nuts", "Tom has no car", "priya works nights", "Mia's flat is in Leith"]
)
def test_a_name_is_known_before_a_colon_a_verb_and_what_is_owned(text):
    assert subject(text) != USER


@pytest.mark.parametrize(
    "text", ["A Leonor mora em Braga.", "Die Annika wohnt in Kiel.", "Il Tommaso lavora di notte."]
)
def test_an_article_before_a_name_hides_nobody(text):
    assert subject(text) in {"leonor", "annika", "tommaso"}


@pytest.mark.parametrize("text", ["Dinner's at 8", "My car is red", "Nobody smokes here", ""])
def test_a_note_without_a_name_is_about_its_author(text):
    assert subject(text) == USER


def test_accents_and_case_do_not_matter():
    assert name_score("JÜRGEN") == name_score("jürgen") == name_score("jurgen")
