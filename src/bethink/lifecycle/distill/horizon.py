"""Tell until when a statement holds, where it says so."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

from bethink.lifecycle.distill.languages import pattern

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from bethink.lifecycle.distill.languages.furniture import Phrasebook

FARTHEST = 3660  #: days; what holds longer is not said to expire
DECEMBER = 12


def _number(word: str | None, book: Phrasebook) -> int | None:
    if not word:
        return None
    low = word.casefold()
    if low.isdecimal():
        return int(low) if len(low) <= 4 else None  # noqa: PLR2004
    return book.numbers.get(low)


def _month_end(year: int, month: int) -> date:
    return date(year + month // DECEMBER, month % DECEMBER + 1, 1) - timedelta(days=1)


def _edge(days: int, today: date) -> date:
    """Return the last day of today's week, month or year."""
    if days <= 1:
        return today
    if days <= 7:  # noqa: PLR2004
        return today + timedelta(days=6 - today.weekday())
    return _month_end(today.year, today.month if days < 365 else DECEMBER)  # noqa: PLR2004


def _of_month(groups: Mapping[str, str], today: date, book: Phrasebook) -> date | None:
    month = book.months.get(groups["month"].casefold()) or _number(groups["month"], book)
    if month is None or not 1 <= month <= DECEMBER:
        return None
    day = _number(groups.get("day"), book)
    for year in (today.year, today.year + 1):
        last = _month_end(year, month)
        end = last if day is None else last.replace(day=min(max(day, 1), last.day))
        if end >= today:
            return end
    return None


def _span(groups: Mapping[str, str], today: date, book: Phrasebook) -> date | None:
    """Return the last day of "the next two weeks" or of "this month"."""
    days = book.units.get(groups.get("unit", groups.get("edge", "")).casefold())
    if days is None:
        return None
    if "count" not in groups:
        return _edge(days, today) if "next" not in groups else today + timedelta(days=days)
    count = _number(groups["count"], book)
    return None if count is None or not 0 < count * days <= FARTHEST else today + timedelta(days=count * days)


def _last_day(found: re.Match[str], today: date, book: Phrasebook) -> date | None:
    groups = {name.removesuffix("_two"): value for name, value in found.groupdict().items() if value}
    if "weekday" in groups:
        return today + timedelta(days=(book.weekdays[groups["weekday"].casefold()] - today.weekday()) % 7)
    if "month" in groups:
        return _of_month(groups, today, book)
    if "near" in groups or "today" in groups:
        return today + timedelta(days=1 if "near" in groups else 0)
    return _span(groups, today, book)


def limited(text: str, book: Phrasebook) -> bool:
    """Return whether a statement says until when it holds."""
    return any(pattern(expression).search(text) for expression in book.until)


def expires_at(text: str, book: Phrasebook, today: date | None) -> datetime | None:
    """Return the instant after the last day on which a statement holds, or None where it names none."""
    if today is None:
        return None
    for expression in book.until:
        found = pattern(expression).search(text)
        if found is None:
            continue
        try:
            day = _last_day(found, today, book)
            if day is not None:
                return datetime.combine(day + timedelta(days=1), time(), tzinfo=UTC)
        except (OverflowError, ValueError):  # the calendar ends in the year 9999
            return None
    return None
