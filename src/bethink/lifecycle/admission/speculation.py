"""Tell whether a note states something or hedges (speculation)."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from bethink.languages.detection import UNKNOWN, detect
from bethink.languages.loading import language
from bethink.languages.phrases import Phrases

if TYPE_CHECKING:
    from collections.abc import Iterable

_GUESSING: Final = re.compile(
    r"\b(?:may|might|could|must)\s+(?:well\s+|also\s+|possibly\s+)?(?:be|have|like|prefer|want|need|live|work|own|use|enjoy)\b"
    r"|\b(?:seem(?:s|ingly)?|appears?\s+to|apparently|presumably|probably|possibly|perhaps|maybe|likely|supposedly|suspect(?:s|ed)?|"
    r"guess(?:es|ing)?|i\s+(?:think|assume|believe|suppose|infer)|(?:is|was)\s+assumed|inferred|sounds\s+like|no\s+idea|not\s+sure|unclear)\b",
    re.IGNORECASE,
)

_HOPING: Final = frozenset(
    {"i hope", "would be nice", "would be great", "would be cool", "it would be", "someday"}
)


def speculative_words(text: str, sentences: Iterable[str] = ()) -> str | None:
    """Return the words by which a text guesses, unless the user said them too; None where it states."""
    found = _GUESSING.search(text)
    code = detect(text)
    hedge = found.group() if found else _hedge(text, "en" if code == UNKNOWN else code)
    if hedge is None:
        return None
    known_words = " ".join(sentences).casefold()
    return None if all(word in known_words for word in hedge.casefold().split()) else hedge


def _hedge(text: str, code: str) -> str | None:
    words = language(code).words(text)
    span = _hedges(code).find(words)
    return " ".join(words[span[0] : span[1]]) if span else None


@cache
def _hedges(code: str) -> Phrases:
    """Return the phrases of a language that guess, without those that hope."""
    language_data = language(code)
    return Phrases(
        each
        for each in language_data.phrases("vetoes", "hedge")
        if " ".join(each) not in _HOPING and each[-1:] != ("day",)
    )
