"""The practical metrics, counted by production code through a scripted week."""

from datetime import UTC, datetime, timedelta

import pytest

from bethink import Memory, RefusedError

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
CARD = "4111 1111 1111 1111"


class Clock:
    def __init__(self):
        self.at = MONDAY

    def __call__(self):
        return self.at


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def memory(clock):
    with Memory(":memory:", clock=clock) as opened:
        yield opened


def talk(scope, name, *said):
    scope.session(name).append(
        [
            item
            for text in said
            for item in ({"role": "user", "content": text}, {"role": "assistant", "content": "All right."})
        ]
    )


def week(memory, clock):
    """Ten turns over a week: three notes distilled, one secret blocked, one preference overridden."""
    scope = memory.scope(agent="concierge", user="ines")
    talk(scope, "mon", "What is the weather?", "Thanks!")
    scope.consolidate("mon")
    clock.at += timedelta(days=1)
    talk(scope, "tue", "I prefer aisle seats.", "Is it far?", "I live in Porto.")
    scope.consolidate("tue")
    clock.at += timedelta(days=1)
    talk(scope, "wed", f"Remember that my card is {CARD}.", "Show me the map.")
    scope.consolidate("wed")
    clock.at += timedelta(days=2)
    talk(scope, "fri", "I prefer window seats.", "Which is cheaper?", "Okay.")
    scope.consolidate("fri")
    return scope


def test_a_scripted_week_gives_exactly_these_figures(memory, clock):
    scope = week(memory, clock)
    found = memory.stats().metrics
    assert [note.text for note in scope.notes()] == ["I prefer window seats.", "I live in Porto."]
    assert found.memory_write_rate == 30.0  # three notes in ten turns
    assert found.blocked_write_rate == 0.25  # one of four attempts
    assert found.memory_conflict_rate == pytest.approx(1 / 3, abs=1e-4)  # one of three notes consolidated
    assert found.time_to_personalization == 5  # two turns on Monday, three on Tuesday
    assert found.consolidated == 0.75  # three notes in four plans


def test_the_days_say_when_it_was_counted(memory, clock):
    week(memory, clock)
    days = memory.stats().days
    assert {day: counts.get("turns") for day, counts in days.items()} == {
        "2026-03-02": 2,
        "2026-03-03": 3,
        "2026-03-04": 2,
        "2026-03-06": 3,
    }
    assert days["2026-03-04"]["blocked"] == 1
    assert days["2026-03-06"]["conflicts"] == 1
    assert days["2026-03-03"]["personalized"] == 1


def test_undo_takes_every_count_of_its_plan_back(memory, clock):
    scope = week(memory, clock)
    before = memory.stats()
    talk(scope, "sat", "I live in Braga now.", "Thanks.")
    plan = scope.consolidate("sat")
    assert memory.stats().metrics != before.metrics
    scope.undo(plan.id)
    after = memory.stats()
    assert after.metrics == before.metrics
    assert _counted(after.days) == _counted(before.days)
    again = scope.consolidate("sat")  # what was undone can be done again, and counts once
    assert again.conflicts == 1
    assert memory.stats().metrics.memory_write_rate == pytest.approx(100 * 4 / 12, abs=1e-3)


def test_undoing_everything_leaves_no_rate(memory, clock):
    scope = week(memory, clock)
    for plan in scope.plans():
        scope.undo(plan.id)
    found = memory.stats().metrics
    assert found.to_dict() == dict.fromkeys(found.to_dict())
    assert list(scope.notes()) == []


def test_what_remember_keeps_and_what_it_refuses_are_both_attempts(memory):
    scope = memory.scope(user="ines")
    for text in ("Likes figs.", "Likes dates.", "Likes plums."):
        scope.remember(text)
    with pytest.raises(RefusedError):
        scope.remember(f"Pays with {CARD}")
    with pytest.raises(RefusedError):
        scope.session("talk").remember(f"Card {CARD}")
    scope.session("talk").remember("Likes pears.")
    found = memory.stats().metrics
    assert found.blocked_write_rate == pytest.approx(2 / 6, abs=1e-4)
    assert found.memory_write_rate is None  # nobody has said anything yet: it is a rate of distillation


def test_distilling_alone_counts_what_was_blocked(memory):
    scope = memory.scope(user="ines")
    talk(scope, "mon", f"Remember that my card is {CARD}.", "I prefer aisle seats.")
    scope.distill("mon")
    found = memory.stats().metrics
    assert (found.memory_write_rate, found.blocked_write_rate) == (50.0, 0.5)


def test_personalization_is_averaged_over_the_scopes_that_have_it(memory):
    first, second, silent = (memory.scope(user=name) for name in ("ines", "rui", "eva"))
    talk(first, "mon", "I prefer aisle seats.")
    talk(second, "mon", "Hello.", "How far is it?", "I live in Porto.")
    talk(silent, "mon", "Hello.")
    for scope in (first, second, silent):
        scope.consolidate("mon")
    assert memory.stats().metrics.time_to_personalization == 2


def test_a_dry_run_counts_nothing(memory):
    scope = memory.scope(user="ines")
    talk(scope, "mon", "I prefer aisle seats.")
    scope.consolidate("mon", dry_run=True)
    found = memory.stats().metrics
    assert found.to_dict() == dict.fromkeys(found.to_dict())


def test_repeating_the_context_back_is_counted_and_not_learned(memory):
    scope = memory.scope(user="ines")
    talk(scope, "mon", "I prefer aisle seats.")
    scope.consolidate("mon")
    scope.session("tue").append([{"role": "user", "content": scope.context().text}])
    scope.consolidate("tue")
    assert [note.text for note in scope.notes()] == ["I prefer aisle seats."]


def _counted(days):
    return {day: {name: value for name, value in counts.items() if value} for day, counts in days.items()}
