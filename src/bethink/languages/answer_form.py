"""Read how a clause wants answers to be: in which language, how long, with bullets, emoji or comments in code.

The file of a language lists the values of each kind (`manner`), and what answers are called (`manner_words`).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from bethink.languages.phrases import Phrases, phrase_list

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bethink.languages.loading import Language

_NEAR: Final = 8  #: words from the start of a clause among which a verb of answering commands


def wished_forms(words: Sequence[str], book: Language) -> Iterator[tuple[str, str, bool]]:
    """Yield how a part of a clause names that answers should be: the kind, the value, and whether it is denied."""
    if not _wordings(book).within(words):
        return
    denied = book.phrases("compare", "negative").find(words)
    for kind, table in book.section("manner").items():
        for wording, value in _values(table, book).items():
            length = len(wording)
            for place in range(len(words) - length + 1 if length else 0):
                if tuple(words[place : place + length]) == wording:
                    yield kind, value, denied is not None and denied[0] < place


def is_about_answers(words: Sequence[str], book: Language) -> bool:
    """Tell whether a clause says how to be answered: it commands so, or it names the answers.

    "Speaks Arabic." and "I use emoji a lot." say nothing of answers, though their verbs may be commands.
    """
    if names_answers(words, book):
        return True
    near = words[:_NEAR] if book.spaced else words
    wished = any(book.phrases("wishes", name).within(words) for name in ("lasting", "standing"))
    if not wished and not tells(words, book):
        wished = any(kind not in {"language", "code"} for kind, _, _ in wished_forms(words, book))
    return wished and book.phrases("wishes", "answering").within(near)


def tells(words: Sequence[str], book: Language) -> bool:
    """Tell whether a clause begins with somebody of whom it tells."""
    tellers = ("subjects", "owning", "following", "others")
    return any(book.phrases("people", name).at(words, 0) for name in tellers)


def names_answers(words: Sequence[str], book: Language) -> bool:
    """Tell whether a clause names the assistant's answers."""
    return book.phrases("manner_words", "all").within(words)


@cache
def words_of_wishes(book: Language) -> frozenset[str]:
    """Return the words by which a wish says how to be answered."""
    tables = [book.phrases("wishes", name) for name in ("answering", "lasting", "standing", "naming")]
    phrases = [
        *(phrase for table in tables for phrase in table),
        *_wordings(book),
        *book.phrases("manner_words", "all"),
    ]
    return frozenset(word for phrase in phrases for word in phrase)


@cache
def _wordings(book: Language) -> Phrases:
    """Return all that a form of answers is called."""
    return Phrases(wording for table in book.section("manner").values() for wording in _values(table, book))


@cache
def _values(table: str, book: Language) -> Mapping[tuple[str, ...], str]:
    """Return the values of a kind by their wordings: values are parted by semicolons, wordings by commas."""
    found: dict[tuple[str, ...], str] = {}
    for group in table.split(";"):
        wordings = [tuple(book.words(each)) for each in phrase_list(group)]
        found.update((each, " ".join(wordings[0])) for each in wordings)
    return found
