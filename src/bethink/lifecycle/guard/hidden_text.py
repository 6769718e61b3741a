"""Detect hidden text: zero-width characters, bidirectional overrides, encoded sentences."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from bethink.lifecycle.guard.patterns import Finder, FoundSpan, Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.lifecycle.guard.folding import Folded

_BLOB: Final = Pattern(r"(?<![A-Za-z0-9+/_\-=])[A-Za-z0-9+/_\-]{32,}+={0,2}", long=True)
_MAX_DECODED: Final = 8192
_READABLE: Final = 0.95


@cache
def _invisible() -> re.Pattern[str]:
    """Return the pattern of characters that hide something.

    Tag characters outside a flag; a direction that is overridden; a run of variation selectors; characters without
    width between two Latin letters or digits, where no script needs them.
    """
    return re.compile(
        "(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0000-\U000e007f]{1,4096}"
        "|[\u202a-\u202e]"
        "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,4096}"
        "|(?<=[0-9A-Za-z])[\u200b-\u200d\u2060-\u2064\u180e\ufeff]{1,4096}(?=[0-9A-Za-z])"
        "|[\u200b\u2060-\u2064]{3,4096}"
    )


@cache
def _unseen() -> re.Pattern[str]:
    """Return the pattern of a single character that may hide something: most texts have none."""
    return re.compile(
        "[\u180e\u200b-\u200d\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]"
    )


def find_hidden(text: str) -> Iterator[tuple[int, int]]:
    """Find invisible text; the spans are of the original."""
    if _unseen().search(text):
        for match in _invisible().finditer(text):
            yield match.span()


def find_encoded(folded: Folded) -> Iterator[FoundSpan]:
    """Find sentences in base64."""
    for match in _BLOB.finditer(folded, cased=True):
        if _is_sentence(match[0][:_MAX_DECODED]):
            yield FoundSpan("encoded_text", *match.span())


def _is_sentence(blob: str) -> bool:
    import base64
    import binascii

    letters = blob.rstrip("=").replace("-", "+").replace("_", "/")
    letters = letters[: len(letters) // 4 * 4]
    try:
        text = base64.b64decode(letters, validate=True).decode("utf-8", "ignore")
    except binascii.Error:
        return False
    if len(text) < len(letters) // 2 or text.strip().count(" ") < 2:  # noqa: PLR2004
        return False
    return sum(letter.isprintable() or letter in "\n\t" for letter in text) >= _READABLE * len(text)


ENCODED: Final = Finder(find_encoded, (_BLOB,), category="encoded_text")
