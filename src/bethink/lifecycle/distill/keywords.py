"""Label a clause with one to three words for its topic, never with personal data."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.languages.loading import Language
    from bethink.lifecycle.values import NoteKind

MAX_KEYWORDS = 3


def keywords(words: Sequence[str], kind: NoteKind, book: Language) -> tuple[str, ...]:
    """Return the topics of a clause, else its kind: a word of the clause itself could be a name."""
    topics = [name for name in book.section("topics") if book.phrases("topics", name).within(words)]
    return tuple(topics[:MAX_KEYWORDS]) or (kind,)
