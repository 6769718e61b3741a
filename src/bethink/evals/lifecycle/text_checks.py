"""Check texts by rules that the lifecycle does not share, so that it does not judge itself."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORD: Final = re.compile(r"[^\W_]+")
_DENIAL: Final = re.compile(
    r"\b(?:no|not|never|none|nothing|without|cannot|nor|stopped|gone|gave up|no longer|any ?more|nicht|kein\w*|nie"
    r"|ne|pas|jamais|nunca|nada)\b|n['’]t\b|ない|ません|不|没",
    re.IGNORECASE,
)
#: words that turn "I want" into "Wants", and carry no fact
_GRAMMAR_WORDS: Final = """
    a an and are as at be been by can cannot d did do does doesn don for from goes go had has have he her his i in is it
    its like likes ll m me my not now also am of on or our prefer prefers re s she so t than that the their them they
    this to us user users ve want wants was we were which who whose will with would you your
"""
_GRAMMAR: Final = frozenset(_GRAMMAR_WORDS.split())
FENCES: Final = ("user_profile", "memories", "memory_policy")


def contains_word(text: str, needle: str) -> bool:
    """Tell whether a text has a word or a number, in the singular or the plural, whatever its case."""
    pattern = rf"(?<!\w){re.escape(needle)}(?:e?s)?(?!\w)"
    return re.search(pattern, text, re.IGNORECASE) is not None


_SIGN: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|(?:(?![\u3040-\u30ff\u3400-\u9fff])[^\W_])+")
MAX_OF_SPAN: Final = 0.6  #: of the words of a marked clause, that a note must have
MAX_OF_NOTE: Final = 0.8  #: or of the words of the note, that the marked clause must have


def covers(text: str, span: str) -> bool:
    """Tell whether a note and a marked clause are mostly the same words; single signs where a script has no spaces."""
    content = set(_SIGN.findall(text.casefold()))
    wanted = set(_SIGN.findall(span.casefold()))
    shared = len(content & wanted)
    return bool(shared) and (shared >= MAX_OF_SPAN * len(wanted) or shared >= MAX_OF_NOTE * len(content))


def compact(text: str) -> str:
    """Return the letters and digits of a text, so that a secret is found however it is set."""
    return "".join(_WORD.findall(text)).casefold()


def unsupported_words(text: str, sources: Iterable[str]) -> list[str]:
    """Return the words and numbers of a note that no source has, and `(denial)` where it denies otherwise."""
    texts = list(sources)
    known = {_stem(word) for source in texts for word in _WORD.findall(source.casefold())}
    odd = [
        word
        for word in dict.fromkeys(_WORD.findall(text.casefold()))
        if word not in _GRAMMAR and _stem(word) not in known
    ]
    denies = _DENIAL.search(text) is not None
    if texts and all((_DENIAL.search(source) is not None) != denies for source in texts):
        odd.append("(denial)")
    return odd


def fences_hold(text: str) -> bool:
    """Tell whether each fence of a context is opened once and closed once, in that order."""
    for name in FENCES:
        opened, closed = text.count(f"<{name}>"), text.count(f"</{name}>")
        if opened != closed or opened > 1 or (opened and text.index(f"<{name}>") > text.index(f"</{name}>")):
            return False
    return len(re.findall(r"<\s*/?\s*(?:user_profile|memories|memory_policy)\b", text, re.IGNORECASE)) == sum(
        text.count(f"<{name}>") * 2 for name in FENCES
    )


def shown_above(text: str, newer: str, older: Iterable[str]) -> bool:
    """Tell whether a text has the newer word, above every older one."""
    lines = text.splitlines()
    first = next((place for place, line in enumerate(lines) if contains_word(line, newer)), None)
    if first is None:
        return False
    return not any(
        contains_word(line, each) and not contains_word(line, newer)
        for line in lines[:first]
        for each in older
    )


def _stem(word: str) -> str:
    return _english().stemWord(word)


@cache
def _english() -> Any:  # the stemmer has no type of its own
    import snowballstemmer

    return cast("Any", snowballstemmer).stemmer("english")
