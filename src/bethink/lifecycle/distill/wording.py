"""Word a clause as a note: in its author's own words, with what they point to beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.lifecycle.distill.dates import relative_day

if TYPE_CHECKING:
    from datetime import date

    from bethink.languages.loading import Language
    from bethink.lifecycle.distill.clauses import Clause

MAX_CONTEXT = 200  #: characters of what open words point to
SHORT_ANSWER = 8  #: words of an answer that is kept with its question
_STOPS = " \t.,;:!…。、，；：！-–—~～?？¿¡"


def worded(clause: Clause, book: Language) -> str:
    """Return the text of a note: the clause as it was said, as a sentence."""
    text = clause.said.strip(_STOPS)
    if not book.spaced:
        return f"{text}。"
    text = text[:1].upper() + text[1:]
    return text if text[-1:] in '"”»)' and not text.endswith(")") else f"{text}."


def is_fragment(clause: Clause, book: Language) -> bool:
    """Tell whether a clause says nothing by itself: it has neither a subject nor a verb."""
    words = clause.words
    if clause.carried or len(words) > (SHORT_ANSWER if book.spaced else 2 * SHORT_ANSWER):
        return False
    tables = (("people", "subjects"), ("people", "owning"), ("clauses", "verbs"), ("clauses", "finite"))
    return not any(book.phrases(*name).within(words) for name in tables)


def context(
    clause: Clause, before: Clause | None, asked: str, book: Language, *, today: date | None
) -> str | None:
    """Return what the open words of a clause point to, or None where nothing is open.

    The question that a fragment answers; what was said before "that" or "she"; the day that "last Friday" was.
    """
    found: list[str] = []
    pointing = book.phrases("people", "pointing").within(clause.words)
    if asked and (is_fragment(clause, book) or (pointing and before is None)):
        found.append(_short(asked))
    elif before is not None and (pointing or is_fragment(clause, book)):
        found.append(_short(before.said))
    named = relative_day(clause.words, book, today)
    if named is not None:
        (start, end), day = named
        tokens = book.tokens(clause.text)
        said = clause.text[tokens[start].start : tokens[end - 1].end] if end <= len(tokens) else ""
        found.append(f"{said} = {day.isoformat()}" if said else day.isoformat())
    return "; ".join(found) or None


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= MAX_CONTEXT else f"{plain[: MAX_CONTEXT - 1]}…"
