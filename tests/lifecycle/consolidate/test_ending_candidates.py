"""What a note is compared with is found by an index and weighed in one go, with the outcome of looking at each."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bethink.languages.loading import CODES
from bethink.lifecycle.consolidate.clause_score import scored
from bethink.lifecycle.consolidate.contrasts import forms
from bethink.lifecycle.consolidate.endings import ends, gist
from bethink.lifecycle.consolidate.pair_score import Clauses, signs
from bethink.lifecycle.consolidate.rules import RulesConsolidator

from .samples import NOW, applied, note, staged

HERE = Path(__file__).parent
PAIRS = [
    json.loads(line) for line in (HERE / "pairs_development.jsonl").read_text("utf-8").splitlines() if line
]
#: of what `signs` says of a pair, the first of the forms of `contrasts`
FORMS = 49


def gists(code, which, **marks):
    return [gist(pair[which], code)._replace(**marks) for pair in PAIRS if pair["language"] == code]


@pytest.mark.parametrize("marks", [{}, {"corrects": True}], ids=["said", "corrects"])
def test_what_ends_an_older_note_shares_a_label_with_it(marks):
    linked = [
        (new, old)
        for code in CODES
        for new in gists(code, "new", **marks)
        for old in gists(code, "old")
        if ends(new, old)
    ]
    assert len(linked) > 20
    assert [(new.text, old.text) for new, old in linked if not (new.mends or new.labels & old.labels)] == []


def test_a_correction_finds_the_misspelled_word_of_a_note_that_shares_nothing_else():
    known = [note("n1", "My surname is Hoffman."), note("n2", "I keep bees.")]
    session = [staged("s1", "Sorry, I meant Hofmann.")]
    notes = applied(RulesConsolidator().propose(session, known, now=NOW), session, known)
    standing = {each.text for each in notes if each.session is None and each.status == "active"}
    assert "My surname is Hoffman." not in standing
    assert "I keep bees." in standing


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("mends", [False, True])
def test_a_clause_is_weighed_the_same_alone_and_among_others(code, mends):
    common = {"work", "friend", "家"}
    olds = [(old, scored(old.text, code)) for old in gists(code, "old")]
    for new in gists(code, "new", mends=mends):
        mine = scored(new.text, code)
        together = signs(new, olds, mine, common)
        alone = np.concatenate([signs(new, [each], mine, common) for each in olds])
        assert np.allclose(together, alone, atol=1e-6)
        for row, (old, _) in zip(together, olds, strict=True):
            assert tuple(row[FORMS : FORMS + 5] > 0) == forms(new.contrast, old.contrast, mends=mends)


def test_clauses_that_come_one_after_the_other_are_weighed_as_if_they_had_come_at_once():
    new, olds = gist("I quit padel, it's only squash now.", "en"), gists("en", "old")
    mine, clauses = scored(new.text, "en"), Clauses(olds[:5])
    clauses.signs(new, mine)
    for old in olds[5:]:
        clauses.add(old)
    assert np.allclose(clauses.signs(new, mine), Clauses(olds).signs(new, mine))
