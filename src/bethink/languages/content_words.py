"""Tell content words from function words."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from bethink.languages.detection import UNKNOWN, detect, function_words
from bethink.languages.loading import CODES, language

if TYPE_CHECKING:
    from collections.abc import Sequence

_HIRAGANA = re.compile("[\u3041-\u309f]")  #: signs that build words more than they name things


def code_of(text: str, declared: object = None) -> str:
    """Return the code of a text's language: what was told, where it is one of ours, else what the text shows."""
    code = declared if isinstance(declared, str) and declared in CODES else detect(text)
    return "en" if code == UNKNOWN else code


def content_words(words: Sequence[str], code: str) -> frozenset[str]:
    """Return the words that carry something; in a script without spaces, pairs of signs."""
    hollow = function_words(code)
    found = [word for word in words if word not in hollow and any(map(str.isalnum, word))]
    if language(code).spaced:
        return frozenset(found)
    pairs = [one + other for one, other in pairwise(found) if not _HIRAGANA.search(one + other)]
    return frozenset(pairs) or frozenset(found)
