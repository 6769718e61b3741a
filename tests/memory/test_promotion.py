"""A steady preference becomes a field of the profile, where the application has a field for it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Literal

import pytest
from pydantic import BaseModel

from bethink import ConflictError, InvalidError, Memory


class Traveller(BaseModel):
    seat_preference: Literal["aisle", "window"] | None = None
    home_city: str | None = None
    passport: str | None = None


class Weeks:
    """A clock that the test turns."""

    def __init__(self):
        self.at = datetime(2026, 1, 5, 9, tzinfo=UTC)

    def __call__(self):
        return self.at


@pytest.fixture
def clock():
    return Weeks()


@pytest.fixture
def scope(clock):
    with Memory(":memory:", clock=clock) as memory:
        memory.profile_schema(Traveller, hidden={"passport"})
        yield memory.scope(agent="concierge", user="alice")


def say(scope, clock, *sentences):
    """Say one sentence a session, two weeks apart, and consolidate after each."""
    plan = None
    for number, sentence in enumerate(sentences):
        name = f"trip-{clock.at:%j}-{number}"
        scope.session(name).append([{"role": "user", "content": sentence}])
        plan = scope.consolidate(session=name)
        clock.at += timedelta(days=14)
    return plan


def test_what_is_said_again_and_again_moves_into_the_profile(scope, clock):
    say(scope, clock, "I prefer aisle seats.", "I always prefer an aisle seat.")
    assert scope.profile.get().fields == {}
    plan = say(scope, clock, "As ever, I prefer aisle seats.")
    profile = scope.profile.get()
    assert profile.fields == {"seat_preference": "aisle"}
    assert profile.provenance["seat_preference"].by == "consolidation"
    assert "profile: seat_preference" in str(plan)


def test_what_was_said_once_stays_a_note(scope, clock):
    say(scope, clock, "I prefer aisle seats.")
    assert scope.profile.get().fields == {}


def test_undo_takes_the_field_back_exactly(scope, clock):
    say(scope, clock, "I prefer aisle seats.", "I always prefer an aisle seat.")
    scope.session("last").append([{"role": "user", "content": "As ever, I prefer aisle seats."}])
    before = json.dumps(scope.export(), sort_keys=True)
    plan = scope.consolidate(session="last")
    assert plan.fields
    scope.undo(plan.id)
    assert json.dumps(scope.export(), sort_keys=True) == before


def test_a_profile_that_was_changed_since_is_not_overwritten_by_undo(scope, clock):
    plan = say(
        scope,
        clock,
        "I prefer aisle seats.",
        "I always prefer an aisle seat.",
        "As ever, I prefer aisle seats.",
    )
    scope.profile.update({"home_city": "Porto"})
    with pytest.raises(ConflictError):
        scope.undo(plan.id)
    assert scope.profile.get().fields == {"seat_preference": "aisle", "home_city": "Porto"}


def test_a_field_that_does_not_fit_the_schema_is_refused(scope):
    with pytest.raises(InvalidError) as refused:
        scope.profile.update({"seat_preference": "wing"})
    assert "seat_preference" in refused.value.fields


def test_a_hidden_field_is_kept_and_never_shown(scope):
    scope.profile.update({"passport": "on file since 2019"})
    assert scope.profile.get().fields["passport"] == "on file since 2019"
    assert "2019" not in scope.context().text
