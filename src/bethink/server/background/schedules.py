"""Schedules (cron, interval): when something is due next; missed runs are collapsed into one."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final, assert_never
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bethink.errors import InvalidError
from bethink.server.background.values import Cron, Every, On
from bethink.times import to_datetime, to_micros

if TYPE_CHECKING:
    from cronsim import CronSim

    from bethink.server.background.values import Schedule

SECOND: Final = 1_000_000
NEVER: Final = (1 << 62) - 1  #: until something happens
FIRST_PAUSE: Final = 30 * SECOND  #: backoff after the first failure; it doubles with each one
LONGEST_PAUSE: Final = 3_600 * SECOND


def first_due(schedule: Schedule, now: int) -> int:
    """Return when a task that was registered now is due first."""
    match schedule:
        case Every():
            return now + schedule.seconds * SECOND
        case Cron():
            return next_due(schedule, now, now)
        case On():
            return NEVER
        case _:
            assert_never(schedule)


def next_due(schedule: Schedule, due: int, now: int) -> int:
    """Return when a task that was due at an instant, and has run, is due next: in the future, in its rhythm."""
    match schedule:
        case Every():
            step = schedule.seconds * SECOND
            return due + step * max(1, (now - due) // step + 1)
        case Cron():
            zone = ZoneInfo(schedule.timezone)
            return to_micros(next(_cron(schedule.expression, to_datetime(now).astimezone(zone))))
        case On():
            return NEVER
        case _:
            assert_never(schedule)


def retry_due(attempts: int, now: int, regular: int) -> int:
    """Return when a run that failed is tried again: later each time, and never after its regular turn."""
    return min(regular, now + min(LONGEST_PAUSE, FIRST_PAUSE << min(attempts - 1, 10)))


def check(schedule: Schedule) -> Schedule:
    """Return a schedule that can be kept.

    Raises:
        InvalidError: the expression never comes true, or the time zone is not known.
        ImportError: the server's parts are not installed.
    """
    if isinstance(schedule, Cron):
        try:
            zone = ZoneInfo(schedule.timezone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise InvalidError(
                f"unknown time zone {schedule.timezone!r}; use a name such as Europe/Paris",
                argument="timezone",
            ) from None
        from cronsim import CronSimError

        try:
            next(_cron(schedule.expression, datetime.fromtimestamp(0, zone)))
        except (CronSimError, StopIteration):
            raise InvalidError(
                "cron must have five fields (minute, hour, day, month, weekday) and match some date",
                argument="cron",
            ) from None
    return schedule


def _cron(expression: str, moment: datetime) -> CronSim:
    from cronsim import CronSim

    return CronSim(expression, moment)
