"""Changes as a readable diff."""

from __future__ import annotations

import json

from bethink.lifecycle.consolidate.diff import NOTHING, lines
from bethink.lifecycle.consolidate.rules import RulesConsolidator
from bethink.lifecycle.plans import Plan, change_from_json, texts_of

from .samples import CONCIERGE, NOW, TRIP, staged

SAID = [*TRIP, staged("s3", "prefers aisle seats"), staged("s4", "Prefers low floors.", "2020-01-01")]
PROPOSAL = RulesConsolidator().propose(SAID, CONCIERGE, now=NOW)
TEXTS = texts_of(PROPOSAL.changes, {note.id: note for note in (*SAID, *CONCIERGE)})
PLAN = Plan(id="p1", state="proposed", engine="rules", changes=PROPOSAL.changes, texts=TEXTS)


def test_each_change_is_one_line_with_its_sign():
    shown = lines(PROPOSAL.changes, TEXTS)
    assert [line.sign for line in shown] == ["+", "~", "-", "-", "-", "="]
    assert str(shown[0]) == (
        "+ Prefers vegetarian meal options when traveling.  "
        '(from session note "Vegetarian (prefers vegetarian meal options when traveling).")'
    )
    assert (
        str(shown[1])
        == '~ Prefers aisle seats.  (was "User usually prefers aisle seats.": said again, 2 times in all)'
    )
    assert str(shown[2]) == (
        "- This trip only: prefers a window seat to sleep.  (ephemeral: said for this session only)"
    )
    assert str(shown[4]).endswith('(superseded by "User prefers high floors")')


def test_a_plan_prints_as_its_diff():
    assert str(PLAN).splitlines()[1:] == [f"  {line}" for line in lines(PROPOSAL.changes, TEXTS)]


def test_a_plan_of_nothing_says_so():
    assert NOTHING in str(Plan(id="p1", state="applied", engine="rules"))


def test_the_json_form_is_plain_and_reads_back():
    plain = PLAN.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert tuple(change_from_json(change) for change in plain["changes"]) == PROPOSAL.changes
