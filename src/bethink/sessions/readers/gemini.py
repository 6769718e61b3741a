"""Gemini API contents, and the events of Google's ADK around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.sessions.readers.parts import (
    VOICES,
    instant,
    join_texts,
    message,
    numbered,
    object_of,
    objects,
    plain_text,
    result_text,
    sort_of,
    text_of,
)
from bethink.sessions.readers.values import UNHEARD, Call, Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.sessions.readers.values import Reading, Voice


def read(body: Mapping[str, Any]) -> Reading | None:
    """Read a content (a role with parts), or an event (an author with a content)."""
    author = body.get("author")
    if isinstance(author, str) and ("content" in body or "actions" in body) and "role" not in body:
        return _event(author, body)
    role, parts = body.get("role"), body.get("parts")
    if not isinstance(parts, list) or role not in ("user", "model", "function", "system", None):
        return None
    if role is None and body.keys() - {"parts", "role"}:
        return None
    blocks = list(objects(parts))  # pyright: ignore[reportUnknownArgumentType]
    if any(sort_of(block) or "part_kind" in block or "kind" in block for block in blocks):
        return None
    return content(VOICES[role] if role else "user", blocks)


def content(voice: Voice, blocks: list[dict[str, Any]]) -> Reading:
    """Read parts: texts, thoughts, calls of functions, and what came of them; without an id they pair by name."""
    called = [found for block in blocks if (found := _either(block, "functionCall", "function_call"))]
    came = [found for block in blocks if (found := _either(block, "functionResponse", "function_response"))]
    calls = [
        Call("functionCall", text_of(each, "id") or name, text_of(each, "name"), each.get("args"))
        for each, name in zip(called, numbered(text_of(each, "name") for each in called), strict=True)
    ]
    results = [
        Result(
            "functionCall",
            text_of(each, "id") or name,
            result_text(each.get("response")),
            text_of(each, "name"),
        )
        for each, name in zip(came, numbered(text_of(each, "name") for each in came), strict=True)
    ]
    if voice == "tool" or (results and voice != "user"):
        voice = "tool"
    text = join_texts(plain_text(block.get("text")) for block in blocks if not block.get("thought"))
    thought = join_texts(plain_text(block.get("text")) for block in blocks if block.get("thought"))
    return message(voice, text, calls=calls, results=results, thought=thought)


def _event(author: str, body: Mapping[str, Any]) -> Reading | None:
    inner = body.get("content")
    if inner is not None and not (isinstance(inner, dict) and isinstance(inner.get("parts", []), list)):  # pyright: ignore[reportUnknownMemberType]
        return None
    blocks = list(objects(object_of(body, "content").get("parts")))
    if body.get("partial") or not blocks:
        return UNHEARD
    found = content("user" if author == "user" else "assistant", blocks)
    return found._replace(
        at=instant(body.get("timestamp")),
        author=None if author == "user" else author,
        id=text_of(body, "id") or None,
    )


def _either(block: Mapping[str, Any], camel: str, snake: str) -> dict[str, Any]:
    return object_of(block, camel) or object_of(block, snake)
