"""Recognise what a user asks of the memory itself: not to keep something, or to forget what was kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bethink.languages.loading import Language
    from bethink.lifecycle.distill.clauses import Clause


def forbids(clause: Clause, book: Language) -> bool:
    """Tell whether a clause says that something is not to be remembered."""
    return not clause.question and book.phrases("memory", "forbidden").within(clause.words)


def forgets(clause: Clause, book: Language) -> str | None:
    """Return what a clause asks to be forgotten, as a direct imperative of its author; None where it asks nothing.

    "Forget that I'm allergic to peanuts" gives "I'm allergic to peanuts". A question, a quotation, "don't let me
    forget" and what the author themself forgets ask nothing.
    """
    words = clause.words
    if clause.question or clause.quoting or book.phrases("memory", "forget_not").within(words):
        return None
    start = book.phrases("openings", "polite").at(words, 0)
    length = book.phrases("memory", "forget").at(words, start)
    if length:
        marks = book.phrases("memory", "forget_marks")
        rest = words[start + length :]
        sure = marks.within(words) or book.phrases("memory", "forget").at(words, 0) > 1
        return _tail(clause, book, len(rest)) if rest and sure else None
    for name in book.phrases("memory", "forget_after"):
        place = len(words) - len(name)
        if place > 0 and words[place:] == name:
            return _head(clause, book, place)
    return None


def _tail(clause: Clause, book: Language, count: int) -> str:
    tokens = book.tokens(clause.text)
    return clause.text[tokens[-count].start :]


def _head(clause: Clause, book: Language, count: int) -> str:
    tokens = book.tokens(clause.text)
    return clause.text[: tokens[count - 1].end]
