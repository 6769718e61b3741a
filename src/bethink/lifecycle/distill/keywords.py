"""Label a statement with one to three words for its topic, never with personal data."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from bethink.lifecycle.distill.languages import pattern

if TYPE_CHECKING:
    from bethink.lifecycle.distill.languages.furniture import Phrasebook
    from bethink.lifecycle.values import NoteKind

MOST = 3
QUALIFYING = (
    "ly",
    "ing",
    "ed",
    "ous",
    "ful",
    "ive",
    "able",
    "est",
    "less",
)  #: endings of words that name no topic
PLAIN = (
    "always never usually really only long short early late bigger better best good great small large "
    "many much more most less being having going doing making getting using taking things thing "
    "something anything anyone everyone people their them they there here when where which while "
    "because since until after before between about during without within over under prefers prefer "
    "likes like loves love hates hate needs need wants want uses does doesn avoids avoid enjoys enjoy "
    "rather would could should must might will cannot stand have been with from into that this these "
    "those what your each every other than also just even very still both time trip today tonight "
    "please year years month months week weeks goes takes keeps last next huge down through some else"
)


@cache
def _plain() -> frozenset[str]:
    return frozenset(PLAIN.split())


@cache
def _noun() -> re.Pattern[str]:
    return re.compile(r"(?<![\w@./'-])[a-z]{4,14}(?![\w@/'-]|\.\w)")


def keywords(text: str, spoken: str, kind: NoteKind, book: Phrasebook) -> tuple[str, ...]:
    """Return the topics of a note, else a plain content word of an English one, else its kind."""
    topics = [label for label, expression in book.topics.items() if pattern(expression).search(spoken)]
    if topics:
        return tuple(topics[:MOST])
    if book.code == "en":
        for word in _noun().findall(text):
            if word not in _plain() and not word.endswith(QUALIFYING):
                return (word,)
    return (kind,)
