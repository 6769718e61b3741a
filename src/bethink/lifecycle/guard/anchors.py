"""Which anchors of patterns a text has, found by its words, so that a pattern sees at a glance that it cannot match.

An anchor is a piece of text that is in every match of a pattern. What a word has of all anchors is found once and
remembered, so that a text costs hardly more than its words being looked up.
"""

from __future__ import annotations

import re
from typing import Final

_SIZE: Final = 3
_LONGEST: Final = 32  #: characters; a longer word is data, and hardly met again
_MOST: Final = 1 << 15  #: words that are remembered before the memory starts afresh
_WORD: Final = re.compile(r"\S+")
_NONE: Final[frozenset[str]] = frozenset()

_asked: dict[str, set[str]] = {}  #: what texts are asked for, by its first letters


def ask_for(anchor: str) -> str:
    """Return the longest piece of an anchor that is within one word, which texts are asked for from now on."""
    piece = max(_pieces(anchor.lower()), key=len)
    beside = _asked.setdefault(piece[:_SIZE], set())
    if piece not in beside:
        beside.add(piece)
        _known.clear()
    return piece


def asked_for(text: str) -> frozenset[str]:
    """Return the pieces that are asked for and are in a text, or would be with a space before and behind it."""
    return _NONE.union(*map(_known.__getitem__, set(text.split())))


class _Words(dict[str, frozenset[str]]):
    """The pieces that are asked for and are in a word, with a space before and behind it."""

    def __missing__(self, word: str) -> frozenset[str]:
        spaced = f" {word} "
        starts = {spaced[at : at + size] for size in range(1, _SIZE + 1) for at in range(len(spaced))}
        found = frozenset(
            piece for start in _asked.keys() & starts for piece in _asked[start] if piece in spaced
        )
        if len(word) <= _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[word] = found or _NONE
        return found


_known = _Words()


def _pieces(anchor: str) -> list[str]:
    """Return the words of an anchor, each with the spaces beside it."""
    spaced = (
        (found.start() - (anchor[found.start() - 1 : found.start()] == " "), found.end() + 1)
        for found in _WORD.finditer(anchor)
    )
    return [anchor[start:end] for start, end in spaced]
