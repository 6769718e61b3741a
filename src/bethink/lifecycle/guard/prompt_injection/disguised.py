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
_AROUND: Final = 400  #: characters around a word in disguise, in which the order stands that it belongs to
#: what an order says once its gaps are closed
_CLOSED: Final = re.compile(
    r"(?:ignore|disregard|forget|override|bypass).{0,24}(?:rules?|instructions?|prompts?|guidelines?|orders|limits)"
    r"|systemprompt|developermode|jailbreak|youarenow|norestrictions"
)
#: "ignore", "instruction", "system prompt", "disregard", turned by thirteen places
_TURNED: Final = re.compile(r"\b(?:vtaber|vafgehpgvba\w?|qvfertneq)\b|flfgrz cebzcg")


def undisguised(text: str) -> list[tuple[int, str]]:
    """Return what stands around words with digits for letters, with those letters, and where it begins."""
    if not _MIXED.search(text):
        return []
    plain = _WORD.sub(_spelled, text)  # as long as the text
    parts: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        if plain[start:end] == match[0]:
            continue
        begin = max(0, start - _AROUND)
        if parts and begin <= parts[-1][1]:
            begin = parts.pop()[0]
        parts.append((begin, end + _AROUND))
    return [(begin, plain[begin:end]) for begin, end in parts]


def _spelled(match: re.Match[str]) -> str:
    word = match[0]
    lettered = len(word) >= _SHORTEST and sum(letter.isalpha() for letter in word) * 2 >= len(word)
    return word.translate(_DIGITS) if lettered else word


def spelled_out(text: str) -> Iterator[FoundSpan]:
    """Find orders whose letters stand apart, and turned ones."""
    for match in _LETTERS.finditer(text):
        closed = re.sub(r"[^a-z0-9@$]", "", match[0]).translate(_DIGITS)
        if _CLOSED.search(closed):
            yield FoundSpan("instruction", *match.span())
    for match in _TURNED.finditer(text):
        yield FoundSpan("instruction", *match.span())
