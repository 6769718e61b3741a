"""Which anchors of patterns a text has, found by its words, so that a pattern sees at a glance that it cannot match.

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
_WORD: Final = re.compile(r"\S+")


class Piece(NamedTuple):
    """A part of an anchor that is within one word, which texts are asked for."""

    text: str
    starts: bool = False  #: nothing but signs stands before it in its word
    least: int = 0  #: characters of its word

    @property
    def name(self) -> str:
        """Return a text of its own, by which it is looked up."""
        return f"{self.text}\0{self.starts}{self.least}" if self.starts or self.least else self.text

    def is_in(self, word: str) -> bool:
        """Tell whether it is in a word that has a space at either end."""
        at = word.find(self.text) if len(word) > self.least + 1 else -1
        while self.starts and at > 0 and word[at - 1].isascii() and word[at - 1].isalnum():
            at = word.find(self.text, at + 1)
        return at >= 0


_asked: dict[str, dict[str, Piece]] = {}  #: by the first letters of the text
_unlettered: dict[str, Piece] = {}  #: those of signs alone


def ask_for(anchor: str, *, starts: bool = False, least: int = 0) -> str:
    """Return the name of the longest piece of an anchor, which texts are asked for from now on."""
    texts = _pieces(anchor.lower())
    longest = max(texts, key=lambda text: (text.strip() not in _PLAIN, len(text.strip())))
    piece = Piece(longest, starts and longest is texts[0], least)
    beside = _asked.setdefault(longest[:_SIZE], {})
    if piece.name not in beside:
        beside[piece.name] = piece
        if longest.isascii() and longest.upper() == longest:
            _unlettered[piece.name] = piece
        _known.clear()
    return piece.name


def asked_for(text: str) -> frozenset[str]:
    """Return the names of the pieces that are in a text, or would be with a space before and behind it."""
    return _NONE.union(*map(_known.__getitem__, set(text.split())))


class _Words(dict[str, frozenset[str]]):
    """The names of the pieces that are in a word, with a space before and behind it."""

    def __missing__(self, word: str) -> frozenset[str]:
        spaced = f" {word} "
        if word.isascii() and word.upper() == word:  # a number, or signs: most words that are met once alone
            return frozenset(name for name, piece in _unlettered.items() if piece.is_in(spaced))
        starts = {spaced[at : at + size] for size in range(1, _SIZE + 1) for at in range(len(spaced))}
        found = frozenset(
            name
            for start in _asked.keys() & starts
            for name, piece in _asked[start].items()
            if piece.is_in(spaced)
        )
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
