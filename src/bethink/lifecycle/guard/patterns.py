"""Regular expressions that are compiled when first needed, and tried only where a word of theirs stands.

Every repetition is bounded or possessive, so that no text makes a finder slow.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bethink.lifecycle.guard.folding import Folded


class Found(NamedTuple):
    """What a finder found, and where in the folded text."""

    category: str
    start: int
    end: int


class Pattern:
    """A regular expression with the substrings, one of which every match contains."""

    __slots__ = ("_anchors", "_compiled", "_expression")

    def __init__(self, expression: str, *anchors: str) -> None:
        self._expression = expression
        self._anchors = anchors
        self._compiled: re.Pattern[str] | None = None

    def finditer(self, text: str) -> Iterable[re.Match[str]]:
        """Return the matches in a text."""
        anchors = self._anchors
        if anchors:
            for anchor in anchors:
                if anchor in text:
                    break
            else:
                return ()
        return self.compiled.finditer(text)

    @property
    def compiled(self) -> re.Pattern[str]:
        """The expression itself, for a match at a place."""
        if self._compiled is None:
            self._compiled = re.compile(self._expression)
        return self._compiled


def says(expression: str, *anchors: str) -> Pattern:
    """Return a pattern in which a space stands for any white space."""
    return Pattern(expression.replace(" ", r"\s{1,4}"), *anchors)


def each(table: str) -> list[str]:
    """Return the words of a table that is parted by bars."""
    return table.split("|")


#: Between a word and its value: signs, or words that only link.
LINK: Final = (
    r"[\s:=#.,'\"(\-はがを是为為]{0,4}"
    r"(?:(?:is|are|was|ist|lautet|sind|est|es|son|e|number|numbers|no|nr|num|numero|nummer|numer|n°|id|card|code"
    r"|the|my|your|der|die|das|le|la|el|il|hat|has|with|of|de|del|du)[\s:=#.,'\"(\-]{1,3}){0,5}"
)
#: Between a word and a value that is recognised by its own shape: anything short, in one sentence.
FREE: Final = r"[^\n0-9;!?]{0,30}?(?<![a-z0-9])"
_NUMBER: Final = r"(?:[-\s]?(?:numbers?|nummer|nr|no|num|id|card|code|karte)(?![a-z]))?"


def _always(_value: str) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Clue:
    """A value that is told by the words before it."""

    category: str
    pattern: Pattern  #: with a group `value`
    check: Callable[[str], bool] = _always


def clue(
    category: str,
    words: str,
    value: str,
    *,
    gap: str = LINK,
    check: Callable[[str], bool] = _always,
) -> Clue:
    """Return the clue of a value behind one of some words: "visa|amex", in lower case and without accents."""
    known = sorted(words.split("|"), key=len, reverse=True)
    either = "|".join(map(re.escape, known))
    expression = rf"(?<![a-z0-9])(?:{either}){_NUMBER}(?![a-z0-9]){gap}(?P<value>{value})"
    return Clue(category=category, pattern=Pattern(expression, *known), check=check)


def find_clues(folded: Folded, clues: Iterable[Clue]) -> Iterator[Found]:
    """Find the values of clues."""
    for each in clues:
        for match in each.pattern.finditer(folded.lower):
            if each.check(match["value"]):
                yield Found(each.category, *match.span("value"))


def digits_of(value: str) -> str:
    """Return the digits of a value."""
    return "".join(letter for letter in value if "0" <= letter <= "9")


def luhn(digits: str) -> bool:
    """Say whether the last of some digits is the check digit of the others (ISO/IEC 7812-1)."""
    total = sum(map(int, digits[-1::-2]))
    total += sum((0, 2, 4, 6, 8, 1, 3, 5, 7, 9)[int(digit)] for digit in digits[-2::-2])
    return total % 10 == 0
