"""Literal anchors of the guard's patterns: a text without an anchor skips its pattern.

An anchor is a piece of text that is in every match of a pattern. What a word has of all anchors is found once and
remembered, so that a text costs hardly more than its words being looked up.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_SIZE: Final = 3
_LONGEST: Final = 32  #: characters; a longer word is data, and hardly met again
_MOST: Final = 1 << 15  #: words that are remembered before the memory starts afresh
_PLAIN: Final = frozenset(("number", "code", "card", "back"))  #: words that tell little of an anchor
_LINKING: Final = frozenset(("the", "of", "on", "de", "la", "di", "to"))  #: words that tell nothing of it
_WORD: Final = re.compile(r"\S+")
_LETTER_AND_DIGIT: Final = re.compile("[a-z][0-9]")
MIXED: Final = "\0mixed"  #: stands for a digit directly behind a letter
LONG: Final = "\0long"  #: stands for a word of 32 characters or more


class Piece(NamedTuple):
    """A part of an anchor that is within one word, which texts are asked for."""

    text: str
    starts: bool = False  #: no letter stands before it in its word
    ends: bool = False  #: no letter stands behind it
    least: int = 0  #: characters of its word

    @property
    def name(self) -> str:
        """Return a text of its own, by which it is looked up."""
        plain = not (self.starts or self.ends or self.least)
        return self.text if plain else f"{self.text}\0{self.starts:d}{self.ends:d}{self.least}"

    def is_in(self, word: str) -> bool:
        """Tell whether it is in a word that has a space at either end."""
        at = word.find(self.text) if len(word) > self.least + 1 else -1
        while at >= 0 and not self._fits(word, at):
            at = word.find(self.text, at + 1)
        return at >= 0

    def _fits(self, word: str, at: int) -> bool:
        end = at + len(self.text)
        return not (
            (self.starts and at > 0 and word[at - 1].isascii() and word[at - 1].isalpha())
            or (self.ends and end < len(word) and word[end].isascii() and word[end].isalpha())
        )


_asked: dict[str, dict[str, Piece]] = {}  #: by the first letters of the text
_unlettered: dict[str, Piece] = {}  #: those of signs alone
_signs: set[str] = set()  #: their first signs


def ask_for(anchor: str, *, starts: bool = False, ends: bool = False, least: int = 0) -> str:
    """Return the name of the piece of an anchor that tells most, which texts are asked for from now on."""
    texts = _pieces(anchor.lower())
    longest = texts[0] if len(texts) == 1 else max(texts, key=_telling)
    piece = Piece(longest, starts and longest is texts[0], ends and longest is texts[-1], least)
    name = piece.name
    beside = _asked.setdefault(longest[:_SIZE], {})
    if name not in beside:
        beside[name] = piece
        if longest.isascii() and longest.upper() == longest:
            _unlettered[name] = piece
            _signs.add(longest.strip()[:1] or " ")
        _known.clear()
    return name


def asked_for(text: str) -> frozenset[str]:
    """Return the names of the pieces that are in a text, or would be with a space before and behind it."""
    return _NONE.union(*map(_known.__getitem__, set(text.split())))


def _telling(text: str) -> tuple[bool, bool, int]:
    plain = text.strip()
    return plain not in _LINKING, plain not in _PLAIN, len(plain)


class _Words(dict[str, frozenset[str]]):
    """The names of the pieces that are in a word, with a space before and behind it."""

    def __missing__(self, word: str) -> frozenset[str]:
        spaced = f" {word} "
        long = frozenset([LONG]) if len(word) >= _LONGEST else _NONE
        if word.isascii() and word.upper() == word:  # a number, or signs: most words that are met once alone
            if not _signs.isdisjoint(spaced):
                long |= {name for name, piece in _unlettered.items() if piece.is_in(spaced)}
            return long
        starts = {spaced[at : at + size] for size in range(1, _SIZE + 1) for at in range(len(spaced))}
        found = long.union(
            name
            for start in _asked.keys() & starts
            for name, piece in _asked[start].items()
            if piece.text in spaced and piece.is_in(spaced)
        )
        if _LETTER_AND_DIGIT.search(word):
            found |= {MIXED}
        if len(word) <= _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[word] = found or _NONE
        return found


_known = _Words()
_NONE: Final[frozenset[str]] = frozenset()


def _pieces(anchor: str) -> list[str]:
    """Return the words of an anchor, each with the spaces beside it."""
    if " " not in anchor:
        return [anchor]
    spaced = (
        (found.start() - (anchor[found.start() - 1 : found.start()] == " "), found.end() + 1)
        for found in _WORD.finditer(anchor)
    )
    return [anchor[start:end] for start, end in spaced]
