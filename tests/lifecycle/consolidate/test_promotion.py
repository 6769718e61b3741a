"""When a steady preference may become a field of the profile."""

from __future__ import annotations

import pytest

from bethink.lifecycle.consolidate.promotion import Field, signals, statements, suggest

from .samples import at, note

SEAT = Field(name="seat_preference", choices=("aisle", "window"))
DAYS = ("2025-01-01", "2025-03-01", "2025-06-01", "2025-09-01", "2025-12-01")


def told(*texts, **fields):
    return statements(note(f"n{place}", text, DAYS[place], **fields) for place, text in enumerate(texts))


def test_a_steady_preference_is_suggested_with_where_it_comes_from():
    history = told("Prefers aisle seats.", "Likes an aisle seat", "Prefers aisle seats.")
    (found,) = suggest([SEAT], history)
    assert (found.field, found.value, found.sources) == ("seat_preference", "aisle", ("n0", "n1", "n2"))
    assert (found.provenance.source, found.provenance.at) == ("user", at("2025-06-01"))
    assert found.signals.stability == 1.0


@pytest.mark.parametrize(
    "texts",
    [
        ("Prefers aisle seats.", "Prefers aisle seats."),
        ("Prefers aisle seats.", "Prefers window seats.", "Prefers aisle seats.", "Prefers window seats."),
        ("Prefers aisle seats.",) * 3 + ("Prefers window seats on long flights.",),
        ("Prefers aisle seats.",) * 3 + ("Prefers window seats.",),
        ("Does not like aisle seats.",) * 3,
        ("Wife prefers aisle seats.",) * 3,
    ],
)
def test_what_is_rare_changing_or_conditional_stays_a_note(texts):
    assert suggest([SEAT], told(*texts)) == ()


def test_what_was_said_on_one_day_only_is_not_steady():
    history = statements(note(f"n{place}", "Prefers aisle seats.") for place in range(5))
    assert suggest([SEAT], history) == ()


def test_a_field_that_has_the_value_is_left_alone():
    history = told(*["Prefers aisle seats."] * 3)
    assert suggest([SEAT], history, profile={"seat_preference": "aisle"}) == ()
    assert suggest([SEAT], history, profile={"seat_preference": "window"})


def test_a_denial_of_another_value_does_not_shake_a_preference():
    history = told(
        "Prefers aisle seats.", "Does not like window seats.", "Prefers aisle seats.", "Prefers aisle seats."
    )
    assert signals(history)["seat"].stability == 1.0


def test_names_are_suggested_as_they_were_written():
    history = told("Lives in New York.", "Lives in New York.", "Lives in New York.")
    (found,) = suggest([Field(name="home_city")], history)
    assert found.value == "New York"
    (rome,) = suggest([Field(name="town", aliases=("home",))], told(*["Lives in Rome."] * 3))
    assert rome.value == "Rome"


def test_drift_tells_how_far_a_number_moved():
    history = told("Budget is 1000.", "Budget is 1200.", "Budget is 1500.")
    shown = signals(history)["budget"]
    assert shown.drift == pytest.approx(0.5)
    assert shown.stability == pytest.approx(1 / 3)
    assert suggest([Field(name="budget", type="integer")], history) == ()
    (found,) = suggest([Field(name="budget", type="integer")], told(*["Budget is $2,000."] * 3))
    assert found.value == 2000


def test_variance_counts_the_conditions_that_ask_for_something_else():
    history = told(
        "Prefers aisle seats.", "Prefers window seats on long flights.", "Prefers aisle seats on trains."
    )
    assert signals(history)["seat"].variance == 1


def test_a_value_that_does_not_fit_the_field_is_not_suggested():
    history = told(*["Prefers middle seats."] * 3)
    assert suggest([SEAT], history) == ()
    assert suggest([Field(name="seat", type="integer")], history) == ()
