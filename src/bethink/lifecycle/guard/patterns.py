"""Lazily compiled regular expressions, tried only where one of their anchor words occurs.

Every repetition is bounded or possessive, so that no text makes a finder slow.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final, NamedTuple

from bethink.lifecycle.guard.anchors import LONG, MIXED, ask_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bethink.lifecycle.guard.folding import Folded


class FoundSpan(NamedTuple):
    """What a finder found, and where in the folded text."""

    category: str
    start: int
    end: int


REACH: Final = 112  #: characters on either side of a word of a pattern, in which its matches lie
AHEAD: Final = 32  #: characters behind a match, at which an expression may look
_SHORT: Final = 320  #: characters of a text that is searched at once


class Pattern:
    """A regular expression with the substrings, one of which every match contains.

    A long text is searched only around those: what is far from them costs nothing. The reach is as long as the
    longest match; `None` is for a match of any length. `number` says that every match holds a digit, too, and `digits`
    in addition how many a text has at least in which a match counts; `mixed`, that a digit stands directly behind a
    letter; `long`, that it is in a word of 32 characters or more; `starts`, that no letter stands before an anchor;
    `ends`, that none stands behind it; and `least`, how long the word is at least that it is in.
    """

    __slots__ = ("_compiled", "_expression", "anchors", "digits", "number", "pieces", "reach")

    def __init__(
        self,
        expression: str,
        *anchors: str,
        reach: int | None = REACH,
        number: bool = False,
        digits: int = 0,
        mixed: bool = False,
        long: bool = False,
        starts: bool = False,
        ends: bool = False,
        least: int = 0,
    ) -> None:
        self.reach = reach
        self.number = number or digits > 0
        self.digits = max(digits, self.number)
        self._expression = expression
        self.anchors = tuple(
            (anchor, ask_for(anchor, starts=starts, ends=ends, least=least)) for anchor in anchors
        )
        #: one of which every text with a match has
        marks = [mark for mark, wanted in ((MIXED, mixed), (LONG, long)) if wanted]
        self.pieces = frozenset([piece for _, piece in self.anchors] or marks)
        self._compiled: re.Pattern[str] | None = None

    @property
    def compiled(self) -> re.Pattern[str]:
        """The expression itself, for a match at a place."""
        if self._compiled is None:
            self._compiled = re.compile(self._expression)
        return self._compiled

    def finditer(self, folded: Folded, *, cased: bool = False) -> Iterable[re.Match[str]]:
        """Return the matches in the lower case of a text, or in the text with its case."""
        text = folded.plain if cased else folded.lower
        if self.number and not folded.numbers:
            return ()
        if self.pieces and self.pieces.isdisjoint(folded.anchors):
            return ()
        if self.anchors:
            places = self._places(text, folded.anchors)
            if self.number and self.reach and len(text) > _SHORT:
                places = _beside(places, folded.numbers, self.reach)
        elif self.number:
            places = folded.numbers
        else:
            return self.compiled.finditer(text)
        if not places:
            return ()
        if self.reach is None or len(text) <= _SHORT:
            return self.compiled.finditer(text)
        return self._near(text, places, self.reach)

    def _places(self, text: str, found: frozenset[str]) -> Sequence[tuple[int, int]]:
        """Return where the substrings stand; the first is enough of a text that is searched at once."""
        enough = self.reach is None or len(text) <= _SHORT
        places: list[tuple[int, int]] = []
        for anchor, piece in self.anchors:
            if piece not in found:
                continue
            start = text.find(anchor)
            while start >= 0:
                places.append((start, start + len(anchor)))
                if enough:
                    return places
                start = text.find(anchor, start + 1)
        places.sort()
        return places

    def _near(self, text: str, places: Sequence[tuple[int, int]], reach: int) -> Iterator[re.Match[str]]:
        """Return the matches around some places, which are the matches in the whole text."""
        finditer = self.compiled.finditer
        begin, end = max(0, places[0][0] - reach), 0
        for start, stop in places:
            if start - reach > end > 0:
                yield from finditer(text, begin, end)
                begin = start - reach
            end = stop + reach + AHEAD
        yield from finditer(text, begin, end)


def _beside(
    places: Sequence[tuple[int, int]], numbers: Sequence[tuple[int, int]], reach: int
) -> Sequence[tuple[int, int]]:
    """Return the places that have a number in their reach."""
    near: list[tuple[int, int]] = []
    for start, stop in places:
        first = bisect_left(numbers, (start - reach, 0))
        first -= first > 0 and numbers[first - 1][1] > start - reach
        if first < len(numbers) and numbers[first][0] < stop + reach:
            near.append((start, stop))
    return near


def phrase(expression: str, *anchors: str, reach: int | None = REACH) -> Pattern:
    """Return a pattern in which a space stands for any white space."""
    return Pattern(expression.replace(" ", r"\s{1,4}"), *anchors, reach=reach)


def word_set(words: str) -> frozenset[str]:
    """Return the words of a list."""
    return frozenset(words.split())


def split_words(table: str) -> list[str]:
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


class Clue(NamedTuple):
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
    reach: int | None = REACH,
    digits: int = 1,
) -> Clue:
    """Return the clue of a value behind one of some words: "visa|amex", in lower case and without accents.

    It holds a digit, where nothing else is said.
    """
    known = sorted(words.split("|"), key=len, reverse=True)
    either = "|".join(map(re.escape, known))
    expression = rf"(?<![a-z0-9])(?:{either}){_NUMBER}(?![a-z0-9]){gap}(?P<value>{value})"
    return Clue(
        category=category,
        pattern=Pattern(expression, *known, reach=reach, digits=digits, starts=True),
        check=check,
    )


class Clues:
    """Clues of one finder."""

    __slots__ = ("all", "digits", "pieces")

    def __init__(self, *clues: Clue) -> None:
        self.all = clues
        self.pieces = frozenset[str]().union(*(each.pattern.pieces for each in clues))
        self.digits = min(each.pattern.digits for each in clues)

    @property
    def patterns(self) -> list[Pattern]:
        """Return the patterns of the clues."""
        return [each.pattern for each in self.all]


def find_clues(folded: Folded, clues: Clues) -> Iterator[FoundSpan]:
    """Find the values of clues."""
    if clues.pieces.isdisjoint(folded.anchors) or (clues.digits and clues.digits > folded.digits):
        return
    for each in clues.all:
        if each.pattern.digits > 1 and each.pattern.digits > folded.digits:
            continue
        for match in each.pattern.finditer(folded):
            if each.check(match["value"]):
                yield FoundSpan(each.category, *match.span("value"))


class Finder(NamedTuple):
    """What finds something in a text, and the patterns one of which matches wherever it does."""

    find: Callable[[Folded], Iterable[FoundSpan]]
    patterns: Sequence[Pattern]
    category: str | None = None  #: the only one it finds


def digits_of(value: str) -> str:
    """Return the digits of a value."""
    return "".join(letter for letter in value if "0" <= letter <= "9")


def luhn(digits: str) -> bool:
    """Say whether the last of some digits is the check digit of the numbers (ISO/IEC 7812-1)."""
    total = sum(map(int, digits[-1::-2]))
    total += sum((0, 2, 4, 6, 8, 1, 3, 5, 7, 9)[int(digit)] for digit in digits[-2::-2])
    return total % 10 == 0
