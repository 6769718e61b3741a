"""Redact erased words from texts and items, keeping their structure."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

ERASED: Final = "[erased]"  #: what stands where words were taken out
SHORTEST: Final = 8  #: characters; what is shorter stands in any text by chance
#: keys of items whose texts say what an entry is, and nothing of what somebody said
_SHAPE: Final = frozenset(
    {
        "type",
        "role",
        "id",
        "call_id",
        "name",
        "status",
        "tool_call_id",
        "tool_use_id",
        "tool_name",
        "toolUseId",
        "phase",
        "media_type",
        "mime_type",
        "finish_reason",
        "stop_reason",
        "model",
    }
)
_ENDS: Final = " .!?;:,。！？"
_LABEL: Final = re.compile(r"^\W{0,4}[\w \-]{1,32}\**:(?=\W*\[erased\])")
_LETTER: Final = re.compile(r"\w")
_BULLET: Final = re.compile(r"^[ \t]*(?:[-*+]|\d{1,4}[.)])[ \t]+")


def worth_seeking(texts: Iterable[str | None]) -> tuple[str, ...]:
    """Return the texts that are long enough to be recognised, with and without the signs at their ends."""
    found: set[str] = set()
    for text in texts:
        found.update(filter(_is_known, ((text or "").strip(), (text or "").strip().rstrip(_ENDS))))
    return tuple(sorted(found, key=len, reverse=True))


def _is_known(text: str) -> bool:
    return len(text) >= SHORTEST


def stored_forms(wordings: Iterable[str]) -> tuple[str, ...]:
    """Return how texts stand in stored JSON, and in JSON that is a text in JSON itself, the longest first."""
    found: set[str] = set()
    for text in wordings:
        for inner in (text, *_escaped(text)):
            found.update((inner, *_escaped(inner)))
    return tuple(sorted(found, key=len, reverse=True))


def _escaped(text: str) -> tuple[str, str]:
    return json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]


def without_words(text: str, sought: Iterable[str]) -> str:
    """Return a text with a mark in the place of each wording."""
    for each in sought:
        text = text.replace(each, ERASED)
    return text


def without_lines(text: str, wordings: Iterable[str]) -> str:
    """Return a text without the lines that say nothing else, and with a mark for the words in others."""
    sought = tuple(sorted(set(wordings), key=len, reverse=True))
    if not any(each in text for each in sought):
        return text
    lines = [line for line in text.splitlines(keepends=True) if not _is_all(line, sought)]
    return without_words("".join(lines), sought)


def _is_all(line: str, sought: Iterable[str]) -> bool:
    """Say whether a line says some words, and nothing else but how they are called: "- learnings: …"."""
    rest = without_words(line, sought)
    return rest != line and not _LETTER.search(_LABEL.sub("", _BULLET.sub("", rest)).replace(ERASED, ""))


def without_content(body: Any) -> Any:
    """Return an item that has the shape of another one, and nothing of what it says."""
    if isinstance(body, dict):
        members = cast("dict[str, Any]", body)
        return {key: _emptied(key, value) for key, value in members.items()}
    if isinstance(body, list):
        return [without_content(each) for each in cast("list[Any]", body)]
    return ERASED if isinstance(body, str) and body else body


def _emptied(key: str, value: Any) -> Any:
    if key in _SHAPE:
        return value
    if key == "arguments" and isinstance(value, str):
        return "{}"
    return without_content(value)


def without_note(value: Any, numbers: Iterable[str], wordings: Iterable[str]) -> Any:
    """Return what a notebook remembers without some notes: neither by their ids nor by their words."""
    gone, known = frozenset(numbers), tuple(wordings)
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return {key: without_note(each, gone, known) for key, each in members.items() if key not in gone}
    if isinstance(value, list):
        return [without_note(each, gone, known) for each in cast("list[Any]", value) if each not in gone]
    return without_lines(value, known) if isinstance(value, str) else value
