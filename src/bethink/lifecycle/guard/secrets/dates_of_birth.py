"""Detect full dates of birth; a year or a day alone does not count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bethink.lifecycle.guard.patterns import FREE, Clue, Clues, Finder, FoundSpan, Pattern, clue, find_clues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.lifecycle.guard.folding import Folded

_YEAR: Final = r"(?:19|20)[0-9]{2}"
_MONTH: Final = (
    r"(?:jan|feb|fev|mar|apr|avr|abr|may|mai|mag|jun|jui|giu|jul|lug|aug|aou|ago|sep|set|oct|okt|ott|out|nov|dec|dez"
    r"|dic|ene|gen)[a-z]{0,7}\.?"
)
_DATE: Final = (
    rf"(?:[0-9]{{1,2}}[./\-][0-9]{{1,2}}[./\-](?:{_YEAR}|[0-9]{{2}})(?![0-9])"
    rf"|{_YEAR}[./\-][0-9]{{1,2}}[./\-][0-9]{{1,2}}(?![0-9])"
    rf"|{_YEAR}年[0-9]{{1,2}}月[0-9]{{1,2}}日"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th|er|\.)?[\s]{{1,2}}(?:of |de )?{_MONTH}(?:,| de| of)?\s{{1,2}}{_YEAR}"
    rf"|{_MONTH}\s{{1,2}}[0-9]{{1,2}}(?:st|nd|rd|th)?,?\s{{1,2}}{_YEAR})"
)
_CLUES: Final = Clues(
    clue("birth_date", "birthday|geburtstag|anniversaire|cumpleanos|compleanno|誕生日|生日", _DATE, digits=4),
    Clue(
        category="birth_date",
        pattern=Pattern(rf"(?<![a-z])born(?! to\b)(?![a-z]){FREE}(?P<value>{_DATE})", "born", digits=4),
    ),
    clue(
        "birth_date",
        "date of birth|birth date|birthdate|dob|d.o.b|d.o.b.|geboren|geb.|geburtsdatum|"
        "ne le|nee le|date de naissance|nacido|nacida|naci|nato|nata|fecha de nacimiento|"
        "data di nascita|data de nascimento|geboortedatum|生年月日|出生日期|생년월일",
        _DATE,
        gap=FREE,
        digits=4,
    ),
)


def find_birthdays(folded: Folded) -> Iterator[FoundSpan]:
    """Find dates of birth."""
    yield from find_clues(folded, _CLUES)


BIRTHDAYS: Final = Finder(find_birthdays, _CLUES.patterns)
