"""Amazon Bedrock and Strands messages: blocks named by their key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bethink.sessions.readers.parts import (
    VOICES,
    instant,
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

_OWN: Final = frozenset(
    {"toolUse", "toolResult", "reasoningContent", "cachePoint", "guardContent", "citationsContent"}
)


def read(body: Mapping[str, Any]) -> Reading | None:
    """Read a message, or one that Strands keeps in a session with its number and time around it."""
    inner = body.get("message")
    if isinstance(inner, dict) and "message_id" in body and "role" not in body:
        found = read(inner) or _plain(inner)  # pyright: ignore[reportUnknownArgumentType]
        return None if found is None else found._replace(at=instant(body.get("created_at")))
    role, content = body.get("role"), body.get("content")
    if role not in ("user", "assistant") or not isinstance(content, list):
        return None
    blocks = list(objects(content))  # pyright: ignore[reportUnknownArgumentType]
    if not any(not _OWN.isdisjoint(block) for block in blocks):
        return None
    return _message(role, blocks)


def _plain(body: Mapping[str, Any]) -> Reading | None:
    """Read a message that has texts alone: others write it the same way."""
    role = body.get("role")
    if role not in ("user", "assistant"):
        return None
    return _message(role, list(objects(body.get("content"))))


def _message(role: str, blocks: list[dict[str, Any]]) -> Reading:
    calls: list[Call] = []
    results: list[Result] = []
    for block in blocks:
        if use := object_of(block, "toolUse"):
            calls.append(Call("toolUse", text_of(use, "toolUseId"), text_of(use, "name"), use.get("input")))
        if came := object_of(block, "toolResult"):
            parts = [each.get("text", each.get("json")) for each in objects(came.get("content"))]
            results.append(Result("toolUse", text_of(came, "toolUseId"), join_texts(map(result_text, parts))))
    thoughts = (
        text_of(object_of(object_of(block, "reasoningContent"), "reasoningText"), "text") for block in blocks
    )
    return message(
        VOICES[role],
        join_texts(plain_text(block.get("text")) for block in blocks),
        calls=calls,
        results=results,
        thought=join_texts(thoughts),
    )
