"""Count the days that a clause names: until when it holds, and which day "last Friday" was."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bethink.languages.loading import Language
    from bethink.languages.phrases import Match

MAX_DAYS = 3660  #: what holds longer is not said to expire
DECEMBER = 12
WEEK, MONTH, YEAR = 7, 30, 365


class _Gaps:
    """The words in the gaps of a template, as numbers of the language's tables."""

    def __init__(self, match: Match, words: Sequence[str], book: Language) -> None:
        self._said = {name: " ".join(words[start:end]) for name, (start, end) in match.gaps.items()}
        self._book = book

    def __contains__(self, name: str) -> bool:
        return name in self._said

    def number(self, name: str, section: str) -> int | None:
        """Return the number that a gap holds: by its table, or as digits."""
        word = self._said.get(name)
        if word is None:
            return None
        digits = "".join(char for char in word if char.isdigit())
        return self._book.numbers(section).get(word, int(digits) if digits else None)


def limited(words: Sequence[str], book: Language) -> bool:
    """Tell whether a clause says until when it holds."""
    return any(template.find(words) for template in book.templates("time", "until"))


def expires_at(words: Sequence[str], book: Language, today: date | None) -> datetime | None:
    """Return the instant after the last day on which a clause holds, or None where it names none."""
    if today is None:
        return None
    for template in book.templates("time", "until"):
        match = template.find(words)
        if match is not None and not (match.start and words[match.start - 1] in book.numbers("weekdays")):
            return _after(_last_day(_Gaps(match, words, book), today))
    span = _named_day(words, book)
    return _after(today + timedelta(days=span[1])) if span is not None and span[1] >= 0 else None


def _after(day: date | None) -> datetime | None:
    try:
        return datetime.combine(day + timedelta(days=1), time(), tzinfo=UTC) if day is not None else None
    except OverflowError:  # the calendar ends in the year 9999
        return None


def _last_day(gaps: _Gaps, today: date) -> date | None:
    weekday = gaps.number("weekday", "weekdays")
    if weekday is not None:
        return today + timedelta(days=(weekday - today.weekday()) % WEEK)
    if "month" in gaps:
        return _of_month(gaps, today)
    near = gaps.number("near", "days")
    if near is not None:
        return today + timedelta(days=near)
    edge = gaps.number("edge", "units")
    if edge is not None:
        return _edge(edge, today)
    unit = gaps.number("unit", "units")
    count = gaps.number("count", "counts") if "count" in gaps else 1
    if unit is None or count is None or not 0 < count * unit <= MAX_DAYS:
        return None
    return today + timedelta(days=count * unit)


def _of_month(gaps: _Gaps, today: date) -> date | None:
    month, day = gaps.number("month", "months"), gaps.number("day", "counts")
    if month is None or not 1 <= month <= DECEMBER:
        return None
    for year in (today.year, today.year + 1):
        last = _month_end(year, month)
        end = last if day is None else last.replace(day=min(max(day, 1), last.day))
        if end >= today:
            return end
    return None


def _month_end(year: int, month: int) -> date:
    return date(year + month // DECEMBER, month % DECEMBER + 1, 1) - timedelta(days=1)


def _edge(days: int, today: date) -> date:
    """Return the last day of today's week, month or year."""
    if days <= 1:
        return today
    if days <= WEEK:
        return today + timedelta(days=6 - today.weekday())
    return _month_end(today.year, today.month if days < YEAR else DECEMBER)


def _named_day(words: Sequence[str], book: Language) -> tuple[tuple[int, int], int] | None:
    """Return where a clause names a day by its distance, and the distance in days."""
    table: Mapping[str, int] = book.numbers("days")
    for phrase in sorted(table, key=len, reverse=True):
        parts = tuple(phrase.split(" "))
        for at in range(len(words) - len(parts) + 1):
            if tuple(words[at : at + len(parts)]) == parts:
                named = table[phrase]
                return ((at, at + len(parts)), named) if abs(named) <= MAX_DAYS else None
    return None


def relative_day(
    words: Sequence[str], book: Language, today: date | None
) -> tuple[tuple[int, int], date] | None:
    """Return the span of words that name a day relative to today, and that day: "last Friday", "yesterday"."""
    if today is None:
        return None
    for name, sign in (("past", -1), ("future", 1)):
        for template in book.templates("time", name):
            match = template.find(words)
            if match is None:
                continue
            days = _distance(_Gaps(match, words, book), today, sign)
            if days is not None:
                return (match.start, match.end), today + timedelta(days=days)
    named = _named_day(words, book)
    return None if named is None or named[1] == 0 else (named[0], today + timedelta(days=named[1]))


def _distance(gaps: _Gaps, today: date, sign: int) -> int | None:
    weekday = gaps.number("weekday", "weekdays")
    if weekday is not None:
        ahead = (weekday - today.weekday()) % WEEK
        return (ahead or WEEK) if sign > 0 else ahead - WEEK
    unit = gaps.number("unit", "units")
    count = gaps.number("count", "counts") if "count" in gaps else 1
    if unit is None or count is None or unit >= MONTH or count * unit > MAX_DAYS:
        return None  # "two years ago" names no day
    return sign * count * unit
