"""LlamaIndex messages: a role and blocks with `block_type`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.sessions.readers.openai_chat import calls_beside
from bethink.sessions.readers.parts import (
    VOICES,
    join_texts,
    message,
    object_of,
    objects,
    plain_text,
    text_of,
)
from bethink.sessions.readers.values import Call, Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.sessions.readers.values import Reading

_ROLES = {**VOICES, "chatbot": "assistant"}


def read(body: Mapping[str, Any]) -> Reading | None:
    """Read a message by its blocks."""
    role, blocks = body.get("role"), body.get("blocks")
    if not isinstance(role, str) or not isinstance(blocks, list):
        return None
    parts = list(objects(blocks))  # pyright: ignore[reportUnknownArgumentType]
    voice = _ROLES.get(role)
    if voice is None or (parts and not any("block_type" in part for part in parts)):
        return None
    beside = object_of(body, "additional_kwargs")
    text = join_texts(plain_text(part.get("text")) for part in parts if part.get("block_type") == "text")
    if voice == "tool":
        id_ = text_of(beside, "tool_call_id") or text_of(beside, "name")
        return message("tool", "", results=(Result("llamaindex", id_, text, text_of(beside, "name")),))
    calls = [
        Call(
            "llamaindex",
            text_of(part, "tool_call_id") or text_of(part, "tool_name"),
            text_of(part, "tool_name"),
            part.get("tool_kwargs"),
        )
        for part in parts
        if part.get("block_type") == "tool_call"
    ]
    calls = calls or [call._replace(family="llamaindex") for call in calls_beside(beside)]
    thought = join_texts(
        plain_text(part.get("content")) for part in parts if part.get("block_type") == "thinking"
    )
    return message(voice, text, calls=calls, thought=thought)  # pyright: ignore[reportArgumentType]
