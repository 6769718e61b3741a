"""Normalise a text (NFKC, accents, invisible characters) for detectors, and map findings back to the original."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from bethink.lifecycle.guard.anchors import asked_for
from bethink.lifecycle.guard.masking import PLACEHOLDERS

if TYPE_CHECKING:
    from collections.abc import Sequence

NOTHING: Final = "\ufffc"  #: stands where a mask was: no finder reads across it
_DASHES: Final = dict.fromkeys("‐‑‒–—―−﹘﹣－", "-")
_QUOTES: Final = {"‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'}
_LINES: Final = dict.fromkeys("\u2028\u2029\x85", "\n")
_OTHERS: Final = re.compile("[^\x00-\x7f]++")
_DIGITS: Final = re.compile("[0-9]++")
_LAST_ACCENTED: Final = "\u0250"  #: Latin letters lose their accents; other scripts keep their marks


class Folded:
    """A text as finders read it: compatible forms unified, accents and invisible characters gone.

    What few texts need is found out when it is asked for.
    """

    __slots__ = ("_anchors", "_digits", "_numbers", "_starts", "lower", "original", "plain")

    def __init__(self, original: str) -> None:
        plain = original if original.isascii() else _OTHERS.sub(_unified, original)
        if "removed]" in plain:
            plain = re.sub("|".join(map(re.escape, sorted(PLACEHOLDERS))), _blank, plain)
        lower = plain.lower()
        if len(lower) != len(plain):
            lower = "".join(low if len(low := letter.lower()) == 1 else letter for letter in plain)
        self.original = original
        self.plain = plain  #: case kept
        self.lower = lower  #: as long as `plain`
        self._anchors: frozenset[str] | None = None
        self._digits = -1
        self._numbers: Sequence[tuple[int, int]] | None = None
        self._starts: Sequence[int] | None = None

    @property
    def anchors(self) -> frozenset[str]:
        """Return the pieces of the anchors of patterns that are in `lower`."""
        if self._anchors is None:
            self._anchors = asked_for(self.lower)
        return self._anchors

    @property
    def numbers(self) -> Sequence[tuple[int, int]]:
        """Return where digits stand together."""
        if self._numbers is None:
            self._numbers = [match.span() for match in _DIGITS.finditer(self.lower)]
        return self._numbers

    @property
    def digits(self) -> int:
        """Return how many digits there are."""
        if self._digits < 0:
            self._digits = sum(map(len, _DIGITS.findall(self.lower)))
        return self._digits

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where a span of `plain` stands in the original."""
        if self.original.isascii():
            return start, end
        if self._starts is None:
            self._starts = _starts(self.original)
        return self._starts[start], self._starts[end - 1] + 1


def _blank(match: re.Match[str]) -> str:
    return NOTHING * len(match[0])


def _unified(match: re.Match[str]) -> str:
    return "".join(map(_form, match[0]))


def _starts(text: str) -> Sequence[int]:
    """Return where each character of a folded text stands in the original."""
    starts: list[int] = []
    place = 0
    for match in _OTHERS.finditer(text):
        starts.extend(range(place, match.start()))
        for at, letter in enumerate(match[0], match.start()):
            starts.extend([at] * len(_form(letter)))
        place = match.end()
    starts.extend(range(place, len(text)))
    return starts


@lru_cache(4_096)
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
