"""Prompt injection: obfuscated orders, such as spaced letters, leetspeak and ROT13."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bethink.lifecycle.guard.patterns import FoundSpan

if TYPE_CHECKING:
    from collections.abc import Iterator

_LETTERS: Final = re.compile(r"(?<![a-z0-9])(?:[a-z0-9@$][ \t.\-_*|]{1,3}){7,200}[a-z0-9@$](?![a-z0-9])")
_DIGITS: Final = str.maketrans("013457@$", "oieastas")
_MIXED: Final = re.compile(r"[a-z][013457@$]+[a-z]|(?<![a-z0-9])[013457@$][a-z]{3}")
_WORD: Final = re.compile(r"(?<![a-z013457@$])[a-z]{0,40}+[013457@$][a-z013457@$]{0,40}")
_SHORTEST: Final = 3
#: what an order says once its gaps are closed
_CLOSED: Final = re.compile(
    r"(?:ignore|disregard|forget|override|bypass).{0,24}(?:rules?|instructions?|prompts?|guidelines?|orders|limits)"
    r"|systemprompt|developermode|jailbreak|youarenow|norestrictions"
)
#: "ignore", "instruction", "system prompt", "disregard", turned by thirteen places
_TURNED: Final = re.compile(r"\b(?:vtaber|vafgehpgvba\w?|qvfertneq)\b|flfgrz cebzcg")


def undisguised(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a text of the same length, with letters for the digits that stand for them inside words, and where."""
    if not _MIXED.search(text):
        return text, []
    words = [
        (match.span(), letters)
        for match in _WORD.finditer(text)
        if len(match[0]) >= _SHORTEST and (letters := _spelled(match[0])) != match[0]
    ]
    parts: list[str] = []
    place = 0
    for (start, end), letters in words:
        parts += [text[place:start], letters]
        place = end
    return "".join([*parts, text[place:]]), [span for span, _ in words]


def _spelled(word: str) -> str:
    return word.translate(_DIGITS) if sum(letter.isalpha() for letter in word) * 2 >= len(word) else word


def spelled_out(text: str) -> Iterator[FoundSpan]:
    """Find orders whose letters stand apart, and turned ones."""
    for match in _LETTERS.finditer(text):
        closed = re.sub(r"[^a-z0-9@$]", "", match[0]).translate(_DIGITS)
        if _CLOSED.search(closed):
            yield FoundSpan("instruction", *match.span())
    for match in _TURNED.finditer(text):
        yield FoundSpan("instruction", *match.span())
