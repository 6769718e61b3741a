"""Validate a note: text, key, category, keywords, metadata, confidence."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from bethink.errors import InvalidError, LimitError
from bethink.expressions import Expression

MAX_TEXT = 8_000  #: characters of a note
MAX_KEY = 512  #: bytes of a key
MAX_KEYWORDS = 16
MAX_KEYWORD = 64  #: characters of a keyword
MAX_METADATA = 16_384  #: characters of the metadata as JSON

NUL = Expression(r"(?<!\\)(?:\\\\)*\\u0000")  #: as JSON escapes it
_CATEGORY = Expression(r"[a-z][a-z0-9_-]{0,63}")


def check_text(text: str, argument: str = "text", most: int = MAX_TEXT) -> str:
    """Return a text without white space around it.

    Raises:
        InvalidError: it is empty, or holds a NUL or half of a surrogate pair, which stores cannot keep.
        LimitError: it is too long.
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        hint = "; pass its id" if hasattr(text, "id") else ""
        raise InvalidError(f"{argument} must be a str, got {type(text).__name__}{hint}", argument=argument)
    plain = text.strip()
    if not plain:
        raise InvalidError(f"{argument} must not be empty", argument=argument)
    if len(plain) > most:
        raise LimitError(
            f"{argument} has {len(plain)} characters, but at most {most} are allowed; shorten or split it",
            argument=argument,
            limit=most,
            actual=len(plain),
            unit="characters",
        )
    check_characters(plain, argument)
    return plain


def check_characters(text: str, argument: str) -> None:
    """Make sure that every store can keep a text.

    Raises:
        InvalidError: it holds a NUL or half of a surrogate pair.
    """
    if "\x00" in text:
        raise InvalidError(f"{argument} contains a NUL character; remove it", argument=argument)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidError(
            f"{argument} contains an unpaired surrogate: the text was cut inside a character",
            argument=argument,
        ) from None


def check_key(key: str) -> str:
    """Return a key in its normal form (NFC). An id has it already: so a note is looked up by either.

    Raises:
        InvalidError: it is empty, too long, or holds control characters.
    """
    check_text(key, "key", MAX_KEY)
    if any(unicodedata.category(letter) == "Cc" for letter in key):
        raise InvalidError("key contains a control character; remove it", argument="key")
    plain = unicodedata.normalize("NFC", key)
    if len(plain.encode()) > MAX_KEY:
        raise LimitError(
            f"key has more than {MAX_KEY} bytes; shorten it", argument="key", limit=MAX_KEY, unit="bytes"
        )
    return plain


def parse_category(word: str, argument: str = "category") -> str:
    """Return a category as it is stored: in lower case, whatever case it was written in.

    Raises:
        InvalidError: it is not a word of letters, digits, `_` and `-`.
    """
    plain = word.strip().lower() if isinstance(word, str) else ""  # pyright: ignore[reportUnnecessaryIsInstance]
    if not _CATEGORY.compiled.fullmatch(plain):
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


def check_keywords(keywords: Iterable[str]) -> tuple[str, ...]:
    """Return keywords in lower case, each once.

    Raises:
        InvalidError: one of them is not a short text.
        LimitError: there are too many.
    """
    if isinstance(keywords, str) or not isinstance(keywords, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError(
            f"keywords must be a list of str, got {type(keywords).__name__}", argument="keywords"
        )
    plain = tuple(
        dict.fromkeys(check_text(word, "keywords", MAX_KEYWORD).lower() for word in keywords if word != "")
    )
    if len(plain) > MAX_KEYWORDS:
        raise LimitError(
            f"keywords has {len(plain)} entries, but at most {MAX_KEYWORDS} are allowed",
            argument="keywords",
            limit=MAX_KEYWORDS,
            actual=len(plain),
            unit="keywords",
        )
    return plain


def check_metadata(metadata: Mapping[str, Any], argument: str = "metadata") -> dict[str, Any]:
    """Return metadata, or another JSON object of that size, as plain JSON.

    Raises:
        InvalidError: it is not a JSON object, or holds a NUL or half of a surrogate pair.
        LimitError: it is too large.
    """
    if not metadata:
        return {}
    if not isinstance(metadata, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError(f"{argument} must be a dict, got {type(metadata).__name__}", argument=argument)
    try:
        text = json.dumps(dict(metadata), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidError(f"{argument} must be JSON: {error}", argument=argument) from None
    # An escape that follows an even number of backslashes is a NUL; after an odd number it is these six letters.
    check_characters(NUL.compiled.sub("\x00", text), argument)
    if len(text) > MAX_METADATA:
        raise LimitError(
            f"{argument} has {len(text)} characters as JSON, but at most {MAX_METADATA} are allowed",
            argument=argument,
            limit=MAX_METADATA,
            actual=len(text),
            unit="characters",
        )
    return json.loads(text)


def check_confidence(confidence: float) -> float:
    """Return a confidence between 0 and 1.

    Raises:
        InvalidError: it is not.
    """
    number = isinstance(confidence, int | float) and not isinstance(confidence, bool)  # pyright: ignore[reportUnnecessaryIsInstance]
    if not number or not 0 <= confidence <= 1:
        raise InvalidError(
            "confidence must be a number between 0 and 1", argument="confidence", actual=confidence
        )
    return float(confidence)
