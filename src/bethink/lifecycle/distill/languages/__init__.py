"""The languages in which statements are found."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bethink.lifecycle.distill.languages.furniture import Phrasebook

MODULES = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "ja": "japanese",
    "zh": "chinese",
}


@cache
def phrasebook(code: str) -> Phrasebook:
    """Return the furniture of a language, loaded when it is first met."""
    book: Phrasebook = import_module(f"{__name__}.{MODULES[code]}").BOOK
    return book


@cache
def pattern(expression: str) -> re.Pattern[str]:
    """Return a compiled expression of a phrasebook; an empty one matches nothing."""
    return re.compile(expression or r"(?!)", re.IGNORECASE)


@cache
def common(code: str) -> frozenset[str]:
    """Return the function words of a language."""
    return frozenset(phrasebook(code).common.split())
