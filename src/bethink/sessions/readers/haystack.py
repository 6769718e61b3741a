"""Haystack messages: blocks named by their key, in snake case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bethink.sessions.readers.parts import (
    VOICES,
    join_texts,
    message,
    object_of,
    objects,
    plain_text,
    result_text,
    text_of,
)
from bethink.sessions.readers.values import Call, Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.sessions.readers.values import Reading

_OWN: Final = frozenset({"tool_call", "tool_call_result"})


def read(body: Mapping[str, Any]) -> Reading | None:
    """Read a message; older versions wrote its fields with a line before their names."""
    role, content = body.get("_role", body.get("role")), body.get("_content", body.get("content"))
    if not isinstance(role, str) or role not in VOICES or not isinstance(content, list):
        return None
    blocks = list(objects(content))  # pyright: ignore[reportUnknownArgumentType]
    old = "_role" in body or ("meta" in body and all("type" not in block for block in blocks))
    if not old and not any(not _OWN.isdisjoint(block) and "type" not in block for block in blocks):
        return None
    calls = [
        Call(
            "haystack",
            text_of(call, "id") or text_of(call, "tool_name"),
            text_of(call, "tool_name"),
            call.get("arguments"),
        )
        for block in blocks
        if (call := object_of(block, "tool_call"))
    ]
    results = [
        Result(
            "haystack",
            text_of(origin := object_of(came, "origin"), "id") or text_of(origin, "tool_name"),
            result_text(came.get("result")),
            text_of(origin, "tool_name"),
        )
        for block in blocks
        if (came := object_of(block, "tool_call_result"))
    ]
    return message(
        VOICES[role],
        join_texts(plain_text(block.get("text")) for block in blocks),
        calls=calls,
        results=results,
        thought=join_texts(text_of(object_of(block, "reasoning"), "reasoning_text") for block in blocks),
        author=text_of(body, "_name") or text_of(body, "name"),
    )
