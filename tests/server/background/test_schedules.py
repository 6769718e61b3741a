"""When something is due next."""

from datetime import UTC, datetime

import pytest

from bethink.errors import InvalidError
from bethink.server.background.schedules import NEVER, check, first_due, next_due, retry_due
from bethink.server.background.values import Cron, Every, On
from bethink.times import to_datetime, to_micros

SECOND = 1_000_000


def at(*parts):
    return to_micros(datetime(*parts, tzinfo=UTC))


def test_a_heartbeat_keeps_its_rhythm():
    beat, due = Every(seconds=60), at(2026, 3, 1, 12)
    assert first_due(beat, due) == due + 60 * SECOND
    assert next_due(beat, due, due + SECOND) == due + 60 * SECOND
    assert next_due(beat, due, due + 59 * SECOND) == due + 60 * SECOND


def test_what_was_missed_is_not_made_up_for():
    beat, due = Every(seconds=60), at(2026, 3, 1, 12)
    late = due + (3_600 + 7) * SECOND
    assert next_due(beat, due, late) == due + (3_600 + 60) * SECOND
    daily = Cron(expression="30 9 * * *")
    assert next_due(daily, at(2026, 3, 1, 9, 30), at(2026, 3, 5, 10)) == at(2026, 3, 6, 9, 30)


def test_cron_goes_by_the_clock_on_the_wall():
    paris = Cron(expression="0 8 * * 1-5", timezone="Europe/Paris")
    friday_evening = at(2026, 3, 27, 20)
    monday = next_due(paris, friday_evening, friday_evening)
    assert to_datetime(monday) == datetime(2026, 3, 30, 6, tzinfo=UTC), "summer time began on Sunday"
    assert first_due(paris, at(2026, 3, 26, 20)) == at(2026, 3, 27, 7)


def test_events_are_waited_for():
    assert first_due(On(events=("note.added",)), 0) == NEVER
    assert next_due(On(events=("note.added",)), 0, 5) == NEVER


def test_what_failed_is_tried_later_and_later_but_not_after_its_turn():
    now = at(2026, 3, 1)
    waits = [(retry_due(failures, now, NEVER) - now) // SECOND for failures in (1, 2, 3, 4, 30)]
    assert waits == [30, 60, 120, 240, 3_600]
    assert retry_due(5, now, now + SECOND) == now + SECOND


@pytest.mark.parametrize("expression", ["", "* * * *", "61 * * * *", "0 0 31 2 *", "@daily!", "a b c d e"])
def test_an_expression_that_never_comes_true_is_refused(expression):
    with pytest.raises(InvalidError):
        check(Cron(expression=expression))


def test_a_time_zone_that_nobody_knows_is_refused():
    for name in ("Europe/Atlantis", "../etc/passwd", "", "x" * 300):
        with pytest.raises(InvalidError):
            check(Cron(expression="0 8 * * *", timezone=name))
