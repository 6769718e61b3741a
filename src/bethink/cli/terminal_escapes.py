"""Escape control characters in printed memory text, so that it cannot drive the terminal."""

from __future__ import annotations

import re

# Everything but line ends and tabs that a terminal obeys rather than shows, marks that turn the direction of
# text, and halves of surrogate pairs, which no encoding of a terminal can carry.
_COMMANDING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    """Return a text with characters that command a terminal spelled out as their escapes."""
    return _COMMANDING.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
