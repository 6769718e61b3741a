"""Pick the words of a text that tell what it is about, and compare words that are likely forms of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bethink.languages.content_words import content_words
from bethink.languages.detection import function_words
from bethink.languages.loading import CODES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.languages.loading import Language

ROOT: Final = 5  #: letters that two forms of one word share at least
_LONGER: Final = 4  #: letters by which one form may be longer


def telling(words: Sequence[str], book: Language) -> frozenset[str]:
    """Return the words that carry something, without those that say that it changed."""
    tables = (
        ("turning", "ended"), ("turning", "now"), ("turning", "fresh"), ("turning", "also"),
        ("people", "self"), ("compare", "light"),
        ("compare", "carrying"), ("compare", "soft"), ("compare", "passing"), ("compare", "number_words"),
        ("clauses", "verbs"),
        ("clauses", "finite"),
    )  # fmt: skip
    taken = [False] * len(words)
    for place in range(len(words)):
        for at in range(place, place + max(book.phrases(*name).at(words, place) for name in tables)):
            taken[at] = True
    left = [word for word, gone in zip(words, taken, strict=True) if not gone]
    common = frozenset(book.numbers("units")).union(*map(function_words, CODES))
    return frozenset(word for word in content_words(left, book.code) if len(word) > 1 + book.spaced) - common


def has_verb(words: Sequence[str], book: Language) -> bool:
    """Tell whether a verb is among words, as far as the language lists them."""
    return any(book.phrases(*name).within(words) for name in (("clauses", "verbs"), ("clauses", "finite")))


def one_word(one: str, other: str) -> bool:
    """Tell whether two words are likely forms of one."""
    if one == other:
        return True
    return len(one) >= ROOT and one[:ROOT] == other[:ROOT] and abs(len(one) - len(other)) <= _LONGER
