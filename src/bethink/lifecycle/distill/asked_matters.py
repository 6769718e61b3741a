"""Tell which matters a request names, and which a note shows: salary, home, a mother, an e-mail address.

Each language's file lists by which words people call a matter, and by which further words they speak of it: "my
salary" is "I earn 3,400 a month". A few matters show in any language by how they are written.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from bethink.languages.loading import language
from bethink.languages.phrases import Phrases, phrase_list
from bethink.lifecycle.text_caches import remembers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bethink.languages.loading import Language

#: matters that are somebody, whose own matters are not those of the user
PEOPLE: Final = frozenset([
    "partner", "ex", "child", "son", "daughter", "mother", "father", "parents", "sibling", "sister", "brother",
    "grandparent", "inlaw", "relative", "boss", "colleague", "friend", "neighbour", "doctor", "pet", "dog", "cat",
    "client",
])  # fmt: skip
_WRITTEN: Final = {
    "email": re.compile(r"[^\s@]@[^\s@]"),
    "phone": re.compile(r"(?:\d[\s./()-]{0,2}){7,}"),
    "identity": re.compile(r"(?:\d[\s./-]{0,2}){7,}|\b[A-Z]{1,4}[- ]?\d{3,}"),
    "hosting": re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b"),
}


class _Matter(NamedTuple):
    """By which words a language speaks of one matter."""

    calls: tuple[Phrases, ...]  #: what it is called: any of its kind, then different ones of it
    called: Phrases  #: all of them
    shows: Phrases  #: further words by which a note shows it


@cache
def _tables(code: str) -> Mapping[str, _Matter]:
    book = language(code)
    found: dict[str, _Matter] = {}
    for name, table in book.section("asked").items():
        called, _, further = str(table).partition("/")
        groups = tuple(_phrases(group, book) for group in called.split(";"))
        found[name] = _Matter(groups, _phrases(called.replace(";", ","), book), _phrases(further, book))
    return found


def _phrases(table: str, book: Language) -> Phrases:
    return Phrases(tuple(book.words(each)) for each in phrase_list(table))


@remembers(1 << 10)
def named(text: str, code: str) -> frozenset[str]:
    """Return the matters that a request names; where two phrases begin at one place, the longer one counts."""
    return frozenset(name for name, _, _ in _asked(text, code))


@remembers(1 << 13)
def shown(text: str, code: str) -> frozenset[str]:
    """Return the matters that a note shows."""
    words = language(code).words(text)
    found = {
        name
        for name, matter in _tables(code).items()
        if matter.called.within(words) or matter.shows.within(words)
    }
    return frozenset(found | {name for name, form in _WRITTEN.items() if form.search(text)})


def differ(matter: str, asked: str, note: str, code: str) -> bool:
    """Tell whether a request and a note name different ones of a kind: a brother and a sister."""
    groups = _tables(code)[matter].calls
    mine, its = (
        {at for at, each in enumerate(groups) if each.within(language(code).words(text))}
        for text in (asked, note)
    )
    return 0 not in mine and 0 not in its and bool(its) and not mine & its


def of_somebody(text: str, code: str) -> frozenset[str]:
    """Return who a text begins with, where that is not its author: "my wife has …"."""
    book = language(code)
    words = book.words(text)
    head = words[: 3 if book.spaced else 4]
    if book.phrases("people", "subjects").at(words, 0):
        return frozenset()
    return frozenset(name for name, _, _ in _called(head, code)) & PEOPLE


def people(words: Sequence[str], code: str) -> list[tuple[int, int]]:
    """Return the spans of words that call somebody."""
    return [(start, end) for name, start, end in _called(words, code) if name in PEOPLE]


def matter_words(text: str, code: str) -> frozenset[str]:
    """Return the words of a request by which it names matters."""
    words = language(code).words(text)
    return frozenset(word for _, start, end in _asked(text, code) for word in words[start:end])


def matter_spans(text: str, code: str) -> list[tuple[int, int]]:
    """Return the spans of tokens by which a request names matters."""
    return [(start, end) for _, start, end in _asked(text, code)]


def _asked(text: str, code: str) -> Iterator[tuple[str, int, int]]:
    """Yield the matters that a request names; "your notes" name the memory and no marks of a school."""
    book = language(code)
    words = book.words(text)
    memory = [
        (place, place + length)
        for place in range(len(words))
        for name in ("forget_marks", "forget_named")
        if (length := book.phrases("memory", name).at(words, place))
    ]
    for name, start, end in _called(words, code):
        if not any(left <= start and end <= right for left, right in memory):
            yield name, start, end


def _called(words: Sequence[str], code: str) -> Iterator[tuple[str, int, int]]:
    """Yield the matters that words call by name, each with its span."""
    place = 0
    while place < len(words):
        lengths = {name: matter.called.at(words, place) for name, matter in _tables(code).items()}
        longest = max(lengths.values(), default=0)
        yield from (
            (name, place, place + length) for name, length in lengths.items() if length and length == longest
        )
        place += max(longest, 1)
