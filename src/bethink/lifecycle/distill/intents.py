"""Recognise what a user asks of the memory itself: not to keep something, or to forget what was kept."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bethink.languages.loading import Language
    from bethink.lifecycle.distill.clauses import Clause

_COMMAS = frozenset(",，、")
MAX_BEFORE = 12  #: words that may stand before the verb of a request to forget


def forbids(clause: Clause, book: Language) -> bool:
    """Tell whether a clause says that something is not to be remembered."""
    return not clause.question and book.phrases("memory", "forbidden").within(clause.words)


def forgets(clause: Clause, before: Clause | None, book: Language) -> str | None:
    """Return what a clause asks to be forgotten, as a direct imperative of its author; None where it asks nothing.

    "Forget that I'm allergic to peanuts" gives its own words; "my gym locker, wipe that from your memory" those of the
    clause before it too. A question, a quotation, "don't let me forget", what the author forgets themself, and
    "delete" where nothing says that the memory is meant, ask nothing.
    """
    words = clause.words
    if clause.quoting or (clause.question and not book.phrases("openings", "polite").at(words, 0)):
        return None
    told = book.spaced and book.phrases("people", "subjects").at(words, 0)  # "I forget …"
    if told or book.phrases("memory", "forget_not").within(words):
        return None
    place = next(_commands(words, before, book), None)
    if place is None:
        return None
    for part in (*_parts(clause.text, place, book), before.said if before is not None else ""):
        if subject_words(part, book):
            return part
    return None


def _parts(text: str, place: int, book: Language) -> Iterator[str]:
    """Yield the part between commas that holds the verb of a request, then the parts before it, the nearest first.

    Behind a verb that ends its part comes what it is about: "vergiss, dass ich …".
    """
    tokens = book.tokens(text)
    commas = [at for at, token in enumerate(tokens) if token.word in _COMMAS]
    edges = [-1, *commas, len(tokens)]
    spans = [(left + 1, right) for left, right in pairwise(edges) if left + 1 < right]
    words = [token.word for token in tokens]
    length = max(book.phrases("memory", name).at(words, place) for name in ("forget", "delete"))
    after = [span for span in spans if span[0] > place][:1] if place + length in commas else []
    for start, end in (*after, *reversed([span for span in spans if span[0] <= place])):
        yield text[tokens[start].start : tokens[end - 1].end]


def _commands(words: Sequence[str], before: Clause | None, book: Language) -> Iterator[int]:
    """Yield where a verb stands that asks to forget; "delete" only where the memory is named beside it."""
    around = (*(before.words if before is not None else ()), *words)
    marked = book.phrases("memory", "forget_marks").within(around)
    reach = MAX_BEFORE if book.spaced else len(words)
    for place in range(min(len(words), reach + 1)):
        forget = book.phrases("memory", "forget").at(words, place)
        delete = book.phrases("memory", "delete").at(words, place)
        if forget or (delete and marked):
            yield place


def subject_words(text: str, book: Language) -> tuple[str, ...]:
    """Return the words that say what a request is about: without the verb, the memory, and what carries nothing."""
    words = book.words(text)
    taken = [False] * len(words)
    tables = (
        ("memory", "forget"), ("memory", "delete"), ("memory", "forget_marks"), ("memory", "forget_hollow"),
        ("openings", "polite"), ("openings", "fillers"), ("openings", "tails"), ("people", "self"),
        ("people", "assistant"), ("people", "pointing"), ("clauses", "joints"),
    )  # fmt: skip
    for place in range(len(words)):
        length = max(book.phrases(*name).at(words, place) for name in tables)
        for at in range(place, min(len(words), place + length)):
            taken[at] = True
    return tuple(
        word for word, gone in zip(words, taken, strict=True) if not gone and any(map(str.isalnum, word))
    )
