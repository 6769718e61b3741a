"""A daily note is shown where the question is about it, and expires unless it is said again or used."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bethink import Memory
from bethink.lifecycle.engines import RulesEngines
from bethink.lifecycle.values import Candidate, Distilled


class Daily:
    """Keeps every message of the user as worth a while."""

    def distill(self, items, *, known=(), injected=(), today=None):
        kept = [
            Candidate(
                text=item.body["content"], kind="fact", keywords=("fact",), durable=True, salience="daily",
                language="en", source="user", sources=(item.id,), confidence=0.5,
            )
            for item in items
            if item.body["role"] == "user"
        ]  # fmt: skip
        return Distilled(kept=tuple(kept))


class Engines(RulesEngines):
    distiller = Daily()

    def within(self, budget):
        return self


@pytest.fixture
def clock():
    class Clock:
        at = datetime(2026, 3, 2, 9, tzinfo=UTC)

        def __call__(self):
            return self.at

        def later(self, days):
            self.at += timedelta(days=days)

    return Clock()


@pytest.fixture
def scope(clock):
    with Memory(":memory:", clock=clock, engines=Engines(None)) as memory:
        yield memory.scope(agent="concierge", user="alice")


def say(scope, text, session, answer="Fine."):
    scope.session(session).append(
        [{"role": "user", "content": text}, {"role": "assistant", "content": answer}]
    )
    return scope.consolidate()


READING = "I'm reading Middlemarch by George Eliot."


def test_it_is_shown_only_where_the_question_is_about_it(scope):
    say(scope, READING, "one")
    assert scope.notes()[0].category == "daily"
    assert "Middlemarch" not in scope.context().text
    assert "Middlemarch" in scope.context(query="reading Middlemarch by George Eliot").text
    assert any(each.reason == "not asked for" for each in scope.context().dropped)


def test_it_expires(scope, clock):
    say(scope, READING, "one")
    clock.later(60)
    scope.consolidate()
    assert not list(scope.notes())


def test_an_answer_that_carries_it_renews_it(scope, clock):
    say(scope, READING, "one")
    clock.later(30)
    scope.session("two").append([
        {"role": "user", "content": "Any news?"},
        {"role": "assistant", "content": "You could go on reading Middlemarch by George Eliot tonight."},
    ])  # fmt: skip
    plan = scope.consolidate()
    assert "used in an answer" in str(plan) or any(
        change.reason == "used in an answer" for change in plan.changes
    )
    clock.later(20)
    scope.consolidate()
    assert any("Middlemarch" in note.text for note in scope.notes())


def test_what_is_said_again_on_another_day_is_core(scope, clock):
    say(scope, READING, "one")
    clock.later(3)
    say(scope, READING, "two")
    assert [note.category for note in scope.notes() if "Middlemarch" in note.text] == ["core"]
