"""Passages of ingested documents: searchable, and attributed to nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bethink.sessions.readers.parts import text_of
from bethink.sessions.readers.values import Reading

if TYPE_CHECKING:
    from collections.abc import Mapping

TYPE: Final = "bethink.passage"


def read(body: Mapping[str, Any]) -> Reading | None:
    """Read a passage by its type."""
    if body.get("type") != TYPE:
        return None
    place = text_of(body, "place")
    text = text_of(body, "text")
    return Reading("other", "none", f"{place}: {text}" if place else text)
