"""Of somebody who says much of themselves, only what is sure is kept; what stands alone is kept for a while."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bethink import Memory
from bethink.lifecycle.distill import RulesDistiller
from bethink.sessions.values import Item

SURE = "I'm allergic to peanuts."
PERHAPS = "I have a spare key."
AS_WELL = "I own a ladder."
TORCH = "I have a torch."
REASON = "less sure than what was kept nearby"
ASIDE = " What time is it?"  #: with it a message is more than one clause
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAY = timedelta(days=1)


def distill(*said):
    """Distill messages of the user; one may be said at a time of its own."""
    pairs = [each if isinstance(each, tuple) else (each, None) for each in said]
    return RulesDistiller().distill([
        Item(id=f"i1.{seq}", session="s", seq=seq, body={"role": "user", "content": text}, at=at)
        for seq, (text, at) in enumerate(pairs, 1)
    ])  # fmt: skip


def kept(outcome):
    return [(each.text, each.salience) for each in outcome.kept]


def left(outcome):
    return [each.text for each in outcome.dropped if each.reason == REASON]


class Clock:
    at = START

    def __call__(self):
        return self.at


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def memory(clock):
    with Memory(":memory:", clock=clock) as memory:
        yield memory


@pytest.fixture
def scope(memory):
    return memory.scope(agent="concierge", user="alice")


def say(scope, text, session="s"):
    scope.session(session).append([
        {"role": "user", "content": text},
        {"role": "assistant", "content": "Fine."},
    ])  # fmt: skip


def texts(found):
    return {note.text for note in found}


def test_what_stands_alone_is_kept_for_a_while():
    assert kept(distill(PERHAPS)) == [(PERHAPS, "daily")]


def test_beside_something_surer_it_is_not_kept_and_the_reason_is_told():
    found = distill(SURE, "What time is it?", PERHAPS + ASIDE)
    assert kept(found) == [(SURE, "core")]
    assert left(found) == [PERHAPS]


def test_a_message_of_one_clause_is_kept_beside_anything():
    assert texts(distill(SURE, PERHAPS, AS_WELL, TORCH).kept) == {SURE, PERHAPS, AS_WELL, TORCH}


def test_of_several_the_first_that_stands_alone_is_kept():
    found = distill(PERHAPS, AS_WELL + ASIDE)
    assert kept(found) == [(PERHAPS, "daily")]
    assert left(found) == [AS_WELL]


def test_the_more_is_kept_of_a_message_the_surer_the_rest_of_it_has_to_be():
    assert (TORCH, "daily") in kept(distill(f"I live in Graz. {TORCH}"))
    much = (
        "I live in Graz. I'm allergic to peanuts. I work for a bank. I no longer eat meat. I moved to Rome."
    )
    found = distill(f"{much} {TORCH}")
    assert TORCH not in texts(found.kept)
    assert left(found) == [TORCH]


def test_eight_messages_later_it_stands_alone_again():
    small = ["What time is it?"] * 8
    assert (PERHAPS, "daily") not in kept(distill(SURE, *small[:-1], PERHAPS + ASIDE))
    assert (PERHAPS, "daily") in kept(distill(SURE, *small, PERHAPS + ASIDE))


def test_in_a_session_of_months_nothing_of_another_day_is_near():
    assert len(distill((SURE, START), (PERHAPS + ASIDE, START + DAY / 2)).kept) == 1
    found = distill((SURE, START), (PERHAPS + ASIDE, START + 30 * DAY), (AS_WELL + ASIDE, START + 60 * DAY))
    assert texts(found.kept) == {SURE, PERHAPS, AS_WELL}


@pytest.mark.parametrize(
    "said",
    [
        "Remember that I collect stamps.",  # it was asked for
        "Always answer in German, please.",  # a wish
        "We stopped using Jira.",  # a change of what was
    ],
)
def test_what_is_asked_for_wished_or_changed_is_kept_beside_anything(said):
    assert {each.text for each in distill(SURE, said).kept} > {SURE}


def test_an_answer_is_kept_beside_anything():
    talk = [("user", SURE), ("assistant", "How do you get to work?"), ("user", "By bike.")]
    items = [
        Item(id=f"i1.{seq}", session="s", seq=seq, body={"role": role, "content": text}, at=None)
        for seq, (role, text) in enumerate(talk, 1)
    ]
    assert texts(RulesDistiller().distill(items).kept) == {SURE, "By bike."}


@pytest.mark.parametrize("after_each", ["distill", "consolidate"])
def test_it_is_the_same_message_by_message_and_at_once(memory, scope, after_each):
    said = [SURE, PERHAPS + ASIDE, "What time is it?", *["Thanks!"] * 3, AS_WELL + ASIDE, TORCH + ASIDE]
    for text in said:
        say(scope, text, "slowly")
        getattr(scope, after_each)("slowly")
    if after_each == "distill":
        scope.consolidate("slowly")
    slowly = texts(scope.notes())
    assert slowly == {SURE, AS_WELL}

    bob = memory.scope(agent="concierge", user="bob")
    for text in said:
        say(bob, text, "at once")
    bob.consolidate("at once")
    assert texts(bob.notes()) == slowly


def test_a_session_that_lives_for_months_goes_on_learning(scope, clock):
    for text in (SURE, PERHAPS, AS_WELL):
        say(scope, text + ASIDE)
        scope.consolidate("s")
        assert text in texts(scope.notes())
        clock.at += 20 * DAY


def test_what_was_kept_of_another_session_is_not_near(scope):
    say(scope, SURE, "monday")
    scope.consolidate("monday")
    say(scope, PERHAPS, "tuesday")
    scope.consolidate("tuesday")
    assert texts(scope.notes()) == {SURE, PERHAPS}


def test_what_is_said_again_is_confirmed_beside_anything(scope, clock):
    say(scope, PERHAPS, "monday")
    scope.consolidate("monday")
    clock.at += DAY
    say(scope, f"{SURE} {SURE}", "tuesday")
    say(scope, PERHAPS, "tuesday")
    plan = scope.consolidate("tuesday")
    assert REASON not in plan.dropped
