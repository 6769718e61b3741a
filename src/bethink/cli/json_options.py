"""Parse the JSON that people type as an option."""

from __future__ import annotations

import json
from typing import Any, cast

from bethink.errors import InvalidError


def json_object(text: str | None, argument: str) -> dict[str, Any] | None:
    """Return the object of a JSON text.

    Raises:
        InvalidError: it is not one.
    """
    if text is None:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise InvalidError(
            f'{argument} must be a JSON object, such as \'{{"city": "Paris"}}\'', argument=argument
        )
    return cast("dict[str, Any]", value)


def json_or_text(text: str) -> Any:
    """Return the value of a JSON text, or the text itself where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
