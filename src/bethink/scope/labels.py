"""Validate one label of a namespace, as a value or percent-encoded."""

from __future__ import annotations

import re
import unicodedata

from bethink.errors import InvalidError
from bethink.expressions import Expression

LABEL_BYTES = 128
MARKERS = frozenset({"o", "u", "s"})  #: owner, user, session: what they announce is the next label

_REFUSED = frozenset({"Cc", "Cs", "Zl", "Zp"})  #: control, surrogate, line and paragraph separators
_SPECIAL = re.compile(r"[:%{}/]")
_ESCAPES = Expression(r"(?:%[0-9A-Fa-f]{2})+")


def label(value: str, *, argument: str) -> str:
    """Return the label in its one normal form (NFC), or say what is wrong with it."""
    if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        name = "; pass its session_id" if hasattr(value, "session_id") else ""
        raise InvalidError(f"{argument} must be a str, got {type(value).__name__}{name}", argument=argument)
    if not value.isascii():
        value = unicodedata.normalize("NFC", value)
    if not value.strip():
        raise InvalidError(f"{argument} must not be empty", argument=argument)
    if value in {".", ".."}:
        raise InvalidError(
            f"{argument} must not be {value!r}, which is a directory; choose another name",
            argument=argument,
        )
    if not value.isprintable() and any(unicodedata.category(each) in _REFUSED for each in value):
        raise InvalidError(
            f"{argument} contains a control character, a line break or an unpaired surrogate; remove it",
            argument=argument,
        )
    size = len(value.encode())
    if size > LABEL_BYTES:
        raise InvalidError(
            f"{argument} has {size} bytes, but at most {LABEL_BYTES} are allowed; shorten or hash it",
            argument=argument,
            limit=LABEL_BYTES,
            actual=size,
        )
    return value


def encode(value: str) -> str:
    """Return a label as text that holds no separator and is no marker."""
    if value in MARKERS:
        return f"%{ord(value):02X}"
    return _SPECIAL.sub(lambda found: f"%{ord(found[0]):02X}", value)


def decode(text: str, *, argument: str) -> str:
    """Return the label that a piece of rendered text stands for."""
    if "%" not in text:
        return label(text, argument=argument)
    if "%" in _ESCAPES.compiled.sub("", text):
        raise InvalidError(
            f"{argument} contains a % that is not followed by two hexadecimal digits; write %25 for a "
            "literal %",
            argument=argument,
        )
    try:
        plain = _ESCAPES.compiled.sub(lambda found: bytes.fromhex(found[0].replace("%", "")).decode(), text)
    except UnicodeDecodeError:
        raise InvalidError(
            f"{argument} contains percent escapes that are not valid UTF-8; encode the text as UTF-8 first",
            argument=argument,
        ) from None
    return label(plain, argument=argument)
