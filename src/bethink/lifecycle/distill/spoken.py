"""Read who speaks in an item, and what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.sessions.readers.registry import read
from bethink.sessions.readers.values import Voice

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Voice", "voice", "words"]


def voice(body: Mapping[str, Any]) -> Voice:
    """Return whose words an item holds."""
    reading = read(body)
    return "none" if reading is None else reading.voice


def words(body: Mapping[str, Any]) -> str:
    """Return the text of a message; parts that are not text (images, tool results) say nothing."""
    reading = read(body)
    return "" if reading is None else reading.text
