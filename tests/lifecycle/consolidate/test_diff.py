"""A proposal as a readable diff."""

from __future__ import annotations

import json

from bethink.lifecycle.consolidate.diff import NOTHING, lines, text, to_json
from bethink.lifecycle.consolidate.plan import Plan
from bethink.lifecycle.consolidate.rules import RulesConsolidator
from bethink.lifecycle.values import Proposal

from .samples import CONCIERGE, NOW, TRIP, staged

SAID = [*TRIP, staged("s3", "prefers aisle seats"), staged("s4", "Prefers low floors.", "2020-01-01")]
NOTES = (*SAID, *CONCIERGE)
PROPOSAL = RulesConsolidator().propose(SAID, CONCIERGE, now=NOW)


def test_each_change_is_one_line_with_its_sign():
    assert [line.sign for line in lines(PROPOSAL, NOTES)] == ["+", "~", "-", "-", "-", "="]
    shown = text(PROPOSAL, NOTES).split("\n")
    assert shown[0] == (
        "+ Prefers vegetarian meal options when traveling.  "
        '(from session note "Vegetarian (prefers vegetarian meal options when traveling).")'
    )
    assert shown[1] == '~ Prefers aisle seats.  (was "User usually prefers aisle seats.": said again)'
    assert shown[2] == (
        "- This trip only: prefers a window seat to sleep.  (ephemeral: said for this session only)"
    )
    assert shown[4].endswith('(superseded by "User prefers high floors")')


def test_a_diff_of_nothing_says_so():
    assert text(Proposal(), ()) == NOTHING


def test_a_plan_prints_as_its_diff_and_counts_its_outcomes():
    plan = Plan(proposal=PROPOSAL, notes=NOTES)
    assert str(plan) == text(PROPOSAL, NOTES)
    assert plan
    assert not Plan(proposal=Proposal())
    assert plan.outcomes == {"promoted": 1, "ephemeral": 1, "merged": 1, "superseded": 1}


def test_the_json_form_is_plain():
    plain = to_json(PROPOSAL, NOTES)
    assert json.loads(json.dumps(plain)) == plain
    assert [each["kind"] for each in plain["changes"]].count("retire") == 4
    assert json.loads(json.dumps(Plan(id="p1", proposal=PROPOSAL, at=NOW).to_json()))["id"] == "p1"
