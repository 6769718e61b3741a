"""A proposal is verified before anything is written, whoever made it."""

from __future__ import annotations

import pytest

from bethink.lifecycle.consolidate.check import accepted, check
from bethink.lifecycle.values import Add, Keep, Proposal, Retire, Revise

from .samples import CONCIERGE, TRIP, note, staged

NOTES = [
    *CONCIERGE,
    *TRIP,
    staged("s3", "Prefers window seats on long flights."),
    staged("s4", "Has 2 cats."),
    staged("s5", "Does not like cilantro."),
    staged("s6", "Caroline likes jazz."),
    staged("s7", "Might move to Oslo."),
    staged("s8", "Prefers window seats."),
    note("d1", "Had soup.", category="daily"),
]


def refused(*changes):
    return {refusal.index: refusal.reason for refusal in check(Proposal(changes=changes), NOTES)}


def add(text, *sources, **fields):
    return Add(text=text, sources=sources, reason="said", **fields)


def retire(name, outcome, successor=None):
    return Retire(note=name, successor=successor, outcome=outcome, reason="said")


@pytest.mark.parametrize(
    "change",
    [
        add("Prefers vegetarian meal options when traveling.", "s1"),
        add("Has 2 cats and does not like cilantro.", "s4", "s5"),
        add("Dislikes cilantro.", "s5"),
        add("Caroline likes jazz.", "s6"),
        Revise(note="n2", text="Prefers aisle seats.", sources=("n2",), reason="shorter"),
        Keep(note="n1", reason="still true"),
        retire("s2", "ephemeral"),
        retire("d1", "expired"),
    ],
)
def test_what_its_sources_say_is_let_through(change):
    assert refused(change) == {}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (add("Has 3 cats.", "s4"), "number"),
        (add("Has 2 black cats.", "s4"), "word"),
        (add("Likes cilantro.", "s5"), "denies"),
        (add("Likes jazz.", "s6"), "somebody else"),
        (add("Caroline likes cilantro.", "s5", "s6"), "word"),
        (add("Prefers window seats.", "s3"), "condition"),
        (add("Will move to Oslo", "s4"), "word"),
        (add("Moved to Oslo.", "s7"), "leaves open"),
        (add("Prefers window seats to sleep.", "s2"), "for once"),
        (add("Has 2 cats."), "no source"),
        (add("Has 2 cats.", "gone"), "does not exist"),
        (add("  ", "s4"), "empty"),
        (add("Has 2 cats.", "s4", confidence=7.0), "between 0 and 1"),
        (Revise(note="s4", text="Has 2 cats.", sources=("s4",), reason="x"), "session note"),
        (Revise(note="gone", text="Has 2 cats.", sources=("s4",), reason="x"), "no such note"),
        (Keep(note="gone", reason="x"), "no such note"),
        (retire("gone", "expired"), "no such note"),
        (retire("n2", "ephemeral"), "only a session note"),
        (retire("n2", "expired"), "does not expire"),
        (retire("n2", "superseded"), "takes its place"),
        (retire("n2", "merged", "gone"), "does not exist"),
        (retire("n2", "merged", 0), "does not exist"),
        (retire("n2", "merged", "n5"), "something else"),
        (retire("n2", "superseded", "n4"), "something else"),
    ],
)
def test_what_is_invented_or_lost_is_refused_with_the_reason(change, reason):
    assert reason in refused(change)[0]


def test_opposites_are_superseded_and_never_merged():
    window = add("Prefers window seats.", "s8")
    assert refused(window, retire("n2", "superseded", 0), retire("s8", "promoted", 0)) == {}
    assert "otherwise" in refused(window, retire("n2", "merged", 0))[1]


def test_what_builds_on_a_refused_change_falls_with_it():
    reasons = refused(
        add("Prefers middle seats.", "s8"), retire("n2", "superseded", 0), retire("s8", "promoted", 0)
    )
    assert set(reasons) == {0, 1, 2}


def test_a_note_is_changed_once():
    twice = Revise(note="n2", text="Prefers aisle seats.", sources=("n2",), reason="x")
    assert set(refused(twice, twice)) == {0, 1}


def test_two_notes_cannot_take_each_others_place():
    assert set(refused(retire("n2", "merged", "n5"), retire("n5", "merged", "n2"))) == {0, 1}


def test_what_is_accepted_keeps_its_successors_and_tells_what_was_left_out():
    proposal = Proposal(
        changes=(add("Has 9 dogs.", "s4"), add("Prefers window seats.", "s8"), retire("n2", "superseded", 1))
    )
    passed = accepted(proposal, NOTES)
    assert [each.kind for each in passed.changes] == ["add", "retire"]
    assert passed.changes[1].successor == 0
    assert len(passed.remarks) == 1
    assert accepted(passed, NOTES) is passed
