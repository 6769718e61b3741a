"""Microsoft Agent Framework messages (Python and .NET): a role and a list of `contents`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.sessions.readers.parts import (
    VOICES,
    instant,
    join_texts,
    message,
    objects,
    plain_text,
    result_text,
    text_of,
)
from bethink.sessions.readers.values import Call, Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.sessions.readers.values import Reading


def read(body: Mapping[str, Any]) -> Reading | None:
    """Read a message by its contents."""
    contents, role = body.get("contents"), body.get("role")
    if not isinstance(contents, list):
        return None
    named = role if isinstance(role, str) else text_of(role, "value")
    voice = VOICES.get(named)
    if voice is None:
        return None
    blocks = list(objects(contents))  # pyright: ignore[reportUnknownArgumentType]
    calls = [
        Call("function_content", _id(block), text_of(block, "name"), block.get("arguments"))
        for block in blocks
        if _sort(block) in {"function_call", "functionCall"}
    ]
    results = [
        Result("function_content", _id(block), result_text(block.get("result", block.get("items"))))
        for block in blocks
        if _sort(block) in {"function_result", "functionResult"}
    ]
    return message(
        voice,
        join_texts(plain_text(block.get("text")) for block in blocks if _sort(block) == "text"),
        calls=calls,
        results=results,
        thought=join_texts(
            plain_text(block.get("text"))
            for block in blocks
            if _sort(block) in {"text_reasoning", "reasoning"}
        ),
        at=instant(body.get("created_at", body.get("createdAt"))),
        author=text_of(body, "author_name") or text_of(body, "authorName"),
        id=text_of(body, "message_id") or text_of(body, "messageId"),
    )


def _sort(block: Mapping[str, Any]) -> str:
    return text_of(block, "type") or text_of(block, "$type")


def _id(block: Mapping[str, Any]) -> str:
    return text_of(block, "call_id") or text_of(block, "callId")
