"""Time conversion: aware datetimes outside, microseconds since 1970 in the store."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bethink.errors import InvalidError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_FIRST = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
_LAST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND


def now() -> datetime:
    """Return the present instant, in UTC. This is the default clock of a memory."""
    return datetime.now(UTC)


def to_micros(at: datetime, argument: str = "at") -> int:
    """Return an instant as the store keeps it.

    Raises:
        InvalidError: the datetime is naive (the same text would mean another instant on another machine), or out
            of the range of years in UTC.
    """
    if not isinstance(at, datetime):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError(f"{argument} must be a datetime, got {type(at).__name__}", argument=argument)
    if at.tzinfo is None or at.utcoffset() is None:
        raise InvalidError(
            f"{argument} must have a time zone; pass an aware datetime, such as datetime.now(UTC)",
            argument=argument,
        )
    micros = (at - _EPOCH) // _MICROSECOND
    if not _FIRST <= micros <= _LAST:
        raise InvalidError(f"{argument} is outside the years 1 to 9999 in UTC", argument=argument)
    return micros


def to_datetime(micros: int) -> datetime:
    """Return an instant of the store as a datetime, in UTC."""
    return _EPOCH + timedelta(microseconds=micros)


def optional_micros(at: datetime | None, argument: str = "at") -> int | None:
    """Return an instant as the store keeps it, or None."""
    return None if at is None else to_micros(at, argument)


def optional_datetime(micros: int | None) -> datetime | None:
    """Return an instant of the store as a datetime, or None."""
    return None if micros is None else to_datetime(micros)
