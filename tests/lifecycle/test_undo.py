"""What a person undid or forgot stays so: nothing that runs by itself brings it back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bethink import Memory

AT_ONCE = timedelta(0)


@pytest.fixture
def memory():
    with Memory(":memory:") as memory:
        yield memory


@pytest.fixture
def alice(memory):
    return memory.scope(agent="concierge", user="alice")


def say(alice, text, session="talk"):
    alice.session(session).append([{"role": "user", "content": text}])


def texts(alice):
    return {note.text for note in alice.notes()}


def test_a_nightly_run_leaves_an_undone_plan_undone(memory, alice):
    say(alice, "I live in Oslo.")
    (plan,) = memory.consolidate_idle(AT_ONCE)
    alice.undo(plan.id)
    assert memory.consolidate_idle(AT_ONCE) == []
    assert texts(alice) == set()


def test_what_is_said_after_the_undo_is_learned_and_said_again_counts(memory, alice):
    say(alice, "I live in Oslo.")
    (plan,) = memory.consolidate_idle(AT_ONCE)
    alice.undo(plan.id)
    say(alice, "I'm allergic to peanuts.")
    memory.consolidate_idle(AT_ONCE)
    assert texts(alice) == {"I'm allergic to peanuts."}
    say(alice, "I live in Oslo.")
    memory.consolidate_idle(AT_ONCE)
    assert texts(alice) == {"I'm allergic to peanuts.", "I live in Oslo."}


def test_whoever_asks_for_a_consolidation_gets_it_again(memory, alice):
    say(alice, "I live in Oslo.")
    alice.undo(alice.consolidate().id)
    alice.consolidate()
    assert texts(alice) == {"I live in Oslo."}


def test_notes_of_a_session_that_an_undo_opened_again_are_not_promoted_by_themselves(memory, alice):
    say(alice, "I live in Oslo.")
    alice.distill("talk")
    (plan,) = memory.consolidate_idle(AT_ONCE)
    alice.undo(plan.id)
    memory.consolidate_idle(AT_ONCE)
    assert [(note.session, note.outcome) for note in alice.notes(session="talk")] == [("talk", None)]


def test_a_merge_that_was_undone_is_not_made_again_and_a_correction_still_is(memory, alice):
    alice.remember("I live in Oslo.")
    alice.remember("I live in Oslo now.")
    before = texts(alice)
    say(alice, "I'm allergic to peanuts.")
    (plan,) = memory.consolidate_idle(AT_ONCE)
    assert texts(alice) != before | {"I'm allergic to peanuts."}, "the two are one"
    alice.undo(plan.id)
    say(alice, "I'm a nurse.", session="other")
    memory.consolidate_idle(AT_ONCE)
    assert before < texts(alice)
    say(alice, "I moved to Bergen.", session="third")
    memory.consolidate_idle(AT_ONCE)
    assert not before & texts(alice)
    assert "I moved to Bergen." in texts(alice)


def test_what_was_forgotten_is_not_learned_again_from_what_was_said_before(alice):
    say(alice, "I like aisle seats.")
    alice.forget(alice.remember("Prefers aisle seats.").id)
    plan = alice.consolidate()
    assert texts(alice) == set()
    assert plan.dropped == {"forgotten since it was said": 1}


def test_what_is_said_after_it_was_forgotten_is_learned(alice):
    alice.forget(alice.remember("Prefers aisle seats.").id)
    say(alice, "I like aisle seats.")
    alice.consolidate()
    assert texts(alice) == {"I like aisle seats."}
