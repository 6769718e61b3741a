"""Fold a text into the plain letters that finders read, and map what they find back to the original."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bethink.lifecycle.guard.anchors import asked_for
from bethink.lifecycle.guard.placeholders import PLACEHOLDERS

if TYPE_CHECKING:
    from collections.abc import Sequence

NOTHING: Final = "\ufffc"  #: stands where a mask was: no finder reads across it
_DASHES: Final = dict.fromkeys("‐‑‒–—―−﹘﹣－", "-")
_QUOTES: Final = {"‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'}
_LINES: Final = dict.fromkeys("\u2028\u2029\x85", "\n")
_OTHERS: Final = re.compile("[^\x00-\x7f]++")
_DIGITS: Final = re.compile("[0-9]++")
_LAST_ACCENTED: Final = "\u0250"  #: Latin letters lose their accents; other scripts keep their marks


@dataclass(frozen=True, slots=True)
class Folded:
    """A text as finders read it: compatible forms unified, accents and invisible characters gone."""

    plain: str  #: case kept
    lower: str  #: as long as `plain`
    starts: (
        Sequence[int] | None
    )  #: where each character of `plain` stands in the original; none: at its own place
    anchors: frozenset[str]  #: pieces of the anchors of patterns that are in `lower`
    numbers: Sequence[tuple[int, int]]  #: where digits stand together

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where a span of `plain` stands in the original."""
        if self.starts is None:
            return start, end
        return self.starts[start], self.starts[end - 1] + 1


def fold(text: str) -> Folded:
    """Return what finders read of a text."""
    if text.isascii():
        plain, starts = text, None
    else:
        plain, starts = _unified(text)
    if "removed]" in plain:
        plain = re.sub("|".join(map(re.escape, sorted(PLACEHOLDERS))), _blank, plain)
    lower = plain.lower()
    if len(lower) != len(plain):
        lower = "".join(low if len(low := letter.lower()) == 1 else letter for letter in plain)
    numbers = [match.span() for match in _DIGITS.finditer(lower)]
    return Folded(plain, lower, starts, asked_for(lower), numbers)


def _blank(match: re.Match[str]) -> str:
    return NOTHING * len(match[0])


def _unified(text: str) -> tuple[str, Sequence[int]]:
    letters: list[str] = []
    starts: list[int] = []
    known: dict[str, str] = {}
    place = 0
    for match in _OTHERS.finditer(text):
        letters.append(text[place : match.start()])
        starts.extend(range(place, match.start()))
        for at, letter in enumerate(match[0], match.start()):
            form = known.get(letter)
            if form is None:
                form = known[letter] = _form(letter)
            letters.append(form)
            starts.extend([at] * len(form))
        place = match.end()
    letters.append(text[place:])
    starts.extend(range(place, len(text)))
    return "".join(letters), starts


def _form(letter: str) -> str:
    known = _DASHES.get(letter) or _QUOTES.get(letter) or _LINES.get(letter)
    if known:
        return known
    category = unicodedata.category(letter)
    if category == "Cf" or (category == "Mn" and (letter < "\u0370" or letter >= "\ufe00")):
        return ""
    if category == "Zs":
        return " "
    if category == "Nd":
        return str(unicodedata.decimal(letter))
    return "".join(map(_bare, unicodedata.normalize("NFKC", letter)))


def _bare(letter: str) -> str:
    if letter < "\x80" or letter >= _LAST_ACCENTED:
        return letter
    if letter == "ß":
        return "ss"
    return unicodedata.normalize("NFD", letter)[0]
