"""A language is one file of data: words and short templates, the same tables in each."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from bethink.languages.detection import detect
from bethink.languages.loading import CODES, language

OPTIONAL = {
    "elisions",
    "letters",
    "signs",
    "ends",
    "remember_after",
    "forget_after",
    "carry",
    "polite",
    "spaced",
    "asking",
    "ordering",
    "over",
    "over_before",
    "source",
    "target",
    "switching",
    "not_but",
    "any_more",
}
#: of grammar that not every language has, and of consolidation, which reads them from all files together
PARTIAL = {
    "infinitive",
    "relative",
    "contrasts",
    "money",
    "of_somebody",
    "single",
    "single_number",
    "soft",
    "begins",
    "before_names",
    "behind_names",
    "beside",
    "carrying",
    "copulas",
    "joining",
    "tails",
    "unnamed",
    "towards",
    "when",
    "when_said",
}


@pytest.mark.parametrize("code", CODES)
def test_a_file_holds_words_and_no_regular_expressions(code):
    text = (files("bethink.languages") / f"{code}.toml").read_text("utf-8")
    assert not re.search(r"\\[bwsdW]|\(\?|\[\^|\.\*|\.\+", text)


@pytest.mark.parametrize("code", CODES)
def test_every_file_has_the_tables_of_the_others(code):
    for section, tables in language("en").tables.items():
        if not isinstance(tables, dict) or section in {
            "contractions",
            "topics",
            "matters",
            "values",
            "kinds",
            "manner",  # spelling is a question of English
            "spoken_of",  # some hold names, which are the same everywhere
        }:
            continue
        if section in {"days", "weekdays", "months", "counts", "units"}:
            assert language(code).section(section), section
            continue
        missing = tables.keys() - language(code).section(section).keys() - OPTIONAL - PARTIAL
        assert not missing, section


@pytest.mark.parametrize("code", CODES)
def test_a_language_is_told_by_its_own_examples(code):
    told = [detect(text) for text, _ in language(code).section("examples")["clauses"]]
    assert told.count(code) >= 0.8 * len(told), told


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("No tolero la lactosa.", "es"),
        ("Trabajo como enfermera en turno de noche.", "es"),
        ("Deixamos de usar o Jira.", "pt"),
        ("Lavoro in uno studio notarile.", "it"),
        ("Bin umgezogen.", "de"),
        ("On vit à Clermont.", "fr"),
    ],
)
def test_a_language_is_known_by_its_everyday_words_where_function_words_do_not_say(text, code):
    assert detect(text) == code
