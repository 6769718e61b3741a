"""Categories: core, daily, conversation, or a word of the application's own.

Core notes are permanent facts. Daily notes are kept for a while. Conversation notes go with their session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.errors import InvalidError
from bethink.expressions import Expression

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORD = Expression(r"[a-z][a-z0-9_-]{0,63}")


def parse_category(word: str, argument: str = "category") -> str:
    """Return a category as it is stored: in lower case, whatever case it was written in.

    Raises:
        InvalidError: it is not a word of letters, digits, `_` and `-`.
    """
    plain = word.strip().lower() if isinstance(word, str) else ""  # pyright: ignore[reportUnnecessaryIsInstance]
    if not _WORD.compiled.fullmatch(plain):
        known = "core, daily, conversation or " if argument == "category" else ""
        raise InvalidError(
            f"{argument} must be {known}a word of your own: a letter, then letters, digits, _ and -, at most 64 "
            "characters",
            argument=argument,
        )
    return plain


def parse_categories(given: str | Iterable[str] | None) -> frozenset[str] | None:
    """Return the categories to look at; None for all of them."""
    if given is None:
        return None
    return frozenset(parse_category(word) for word in ([given] if isinstance(given, str) else given))


def conversation_only() -> InvalidError:
    """Return why a note of category conversation is not kept where there is no session."""
    return InvalidError(
        "a note of category conversation belongs to a session; pass session, or use core or daily",
        argument="category",
    )
