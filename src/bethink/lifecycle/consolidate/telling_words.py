"""Pick the words of a text that tell what it is about, and compare words that are likely forms of one."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from bethink.languages.content_words import content_words
from bethink.languages.detection import function_words
from bethink.languages.loading import CODES
from bethink.languages.phrases import Phrases, phrase_list

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.languages.loading import Language

ROOT: Final = 5  #: letters that two forms of one word share at least
_LONGER: Final = 4  #: letters by which one form may be longer


#: what carries nothing, or says that something changed
_HOLLOW: Final = (
    ("turning", "ended"), ("turning", "now"), ("turning", "fresh"), ("turning", "also"), ("people", "self"),
    ("compare", "light"), ("compare", "carrying"), ("compare", "soft"), ("compare", "passing"),
    ("compare", "number_words"), ("clauses", "verbs"), ("clauses", "finite"),
)  # fmt: skip


def telling(words: Sequence[str], book: Language) -> frozenset[str]:
    """Return the words that carry something, without those that say that it changed."""
    hollow, left, end = _hollow(book), list[str](), 0
    for place, word in enumerate(words):
        end = max(end, place + hollow.at(words, place))
        if place >= end:
            left.append(word)
    found = content_words(left, book.code)
    return frozenset([word for word in found if len(word) > 1 + book.spaced]) - _common(book)


@cache
def _hollow(book: Language) -> Phrases:
    tables = (phrase_list(book.word(*name)) for name in _HOLLOW)
    return Phrases(tuple(book.words(phrase)) for table in tables for phrase in table)


@cache
def _common(book: Language) -> frozenset[str]:
    """Return units, and the function words of every language."""
    return frozenset(book.numbers("units")).union(*map(function_words, CODES))


def has_verb(words: Sequence[str], book: Language) -> bool:
    """Tell whether a verb is among words, as far as the language lists them."""
    return any(book.phrases(*name).within(words) for name in (("clauses", "verbs"), ("clauses", "finite")))


def one_word(one: str, other: str) -> bool:
    """Tell whether two words are likely forms of one."""
    if one == other:
        return True
    return len(one) >= ROOT and one[:ROOT] == other[:ROOT] and abs(len(one) - len(other)) <= _LONGER
