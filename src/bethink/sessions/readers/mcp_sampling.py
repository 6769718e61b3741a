"""MCP sampling messages: a role and one block or a list of blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.sessions.readers import anthropic
from bethink.sessions.readers.parts import VOICES, message, plain_text, sort_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.sessions.readers.values import Reading


def read(body: Mapping[str, Any]) -> Reading | None:
    """Read a message whose content is an object rather than a text or a list."""
    role, content = body.get("role"), body.get("content")
    if role not in ("user", "assistant") or not isinstance(content, dict) or not sort_of(content):  # pyright: ignore[reportUnknownArgumentType]
        return None
    if found := anthropic.read({**body, "content": [content]}):
        return found
    return message(VOICES[role], plain_text(content.get("text")))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
