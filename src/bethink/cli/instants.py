"""Parse the dates and times that people type."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from bethink.errors import InvalidError

_SPELL: Final = re.compile(r"(\d{1,9})\s*([smhdw])")
_UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def spell(text: str, argument: str = "after") -> timedelta:
    """Return how long a text such as `30d` or `12h` says.

    Raises:
        InvalidError: it does not.
    """
    found = _SPELL.fullmatch(text.strip().lower())
    if found is None:
        raise InvalidError(f"{text} is not a duration; write it as 30d, 12h, 90m or 45s", argument=argument)
    try:
        return timedelta(**{_UNITS[found[2]]: int(found[1])})
    except OverflowError:
        raise InvalidError(f"the duration {text} is too long", argument=argument) from None


def minutes_or_spell(text: str, argument: str) -> timedelta:
    """Return how long a text such as `30m` says; a number alone counts minutes.

    Raises:
        InvalidError: it says none, or one below zero.
    """
    if text.strip().isascii() and text.strip().isdecimal():
        return spell(f"{text.strip()}m", argument)
    return spell(text, argument)


def instant(text: str | None, argument: str) -> datetime | None:
    """Return an instant of its ISO 8601 text; without a zone it is UTC.

    Raises:
        InvalidError: it is not one.
    """
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidError(
            f"{argument} must be a date such as 2025-04-05 or 2025-04-05T10:00:00Z", argument=argument
        ) from None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
