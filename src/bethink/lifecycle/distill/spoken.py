"""Read who speaks in an item, and what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

Voice: TypeAlias = Literal["user", "assistant", "system", "tool", "none"]

TOOL_TYPES = (
    "function_call",
    "function_call_output",
    "tool_call",
    "tool_result",
    "mcp_call",
    "computer_call_output",
)
TEXT_TYPES = ("text", "input_text", "output_text")


def voice(body: Mapping[str, Any]) -> Voice:
    """Return whose words an item holds."""
    role = body.get("role")
    if role in ("system", "developer"):
        return "system"
    if role in ("user", "human"):
        return "user"
    if role in ("tool", "function") or body.get("type") in TOOL_TYPES:
        return "tool"
    if role in ("assistant", "ai", "model"):
        return "assistant"
    return "none"


def words(body: Mapping[str, Any]) -> str:
    """Return the text of a message; parts that are not text (images, tool results) say nothing."""
    content = body.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts: list[str] = []
    for part in cast("list[Any]", content):
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            piece = cast("dict[str, Any]", part)
            text = piece.get("text")
            if piece.get("type", "text") in TEXT_TYPES and isinstance(text, str):
                texts.append(text)
    return "\n".join(texts)
