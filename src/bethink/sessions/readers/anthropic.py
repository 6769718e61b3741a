"""Anthropic messages: a role and a list of typed blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bethink.sessions.readers.parts import (
    VOICES,
    caption,
    join_texts,
    message,
    objects,
    plain_text,
    result_text,
    sort_of,
    text_of,
)
from bethink.sessions.readers.values import Call, Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.sessions.readers.values import Reading

_OWN: Final = frozenset(
    {
        "tool_use",
        "tool_result",
        "thinking",
        "redacted_thinking",
        "server_tool_use",
        "mcp_tool_use",
        "document",
        "image",
    }
)


def read(body: Mapping[str, Any]) -> Reading | None:
    """Read a message with at least one block that only this shape has."""
    role, content = body.get("role"), body.get("content")
    if role not in ("user", "assistant") or not isinstance(content, list):
        return None
    kinds = {sort_of(block) for block in objects(content)}  # pyright: ignore[reportUnknownArgumentType]
    if kinds.isdisjoint(_OWN) and not any(kind.endswith("_tool_result") for kind in kinds):
        return None
    if "tool_use" not in kinds and "tool_result" not in kinds and body.get("tool_calls"):
        return None
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[Call] = []
    results: list[Result] = []
    for block in content:  # pyright: ignore[reportUnknownVariableType]
        if isinstance(block, str):
            texts.append(plain_text(block))
        elif isinstance(block, dict):
            _add(block, texts, thoughts, calls, results)  # pyright: ignore[reportUnknownArgumentType]
    return message(
        VOICES[role],
        join_texts(texts),
        calls=calls,
        results=results,
        thought=join_texts(thoughts),
        author=text_of(body, "name"),
        id=text_of(body, "id"),
    )


def _add(
    block: Mapping[str, Any], texts: list[str], thoughts: list[str], calls: list[Call], results: list[Result]
) -> None:
    kind = sort_of(block)
    if kind == "tool_use":
        calls.append(Call("tool_use", text_of(block, "id"), text_of(block, "name"), block.get("input")))
    elif kind == "tool_result":
        id_ = text_of(block, "tool_use_id") or text_of(block, "toolUseId")
        results.append(Result("tool_use", id_, result_text(block.get("content"))))
    elif kind in {"server_tool_use", "mcp_tool_use"}:
        calls.append(
            Call("server", text_of(block, "id"), text_of(block, "name"), block.get("input"), waits=False)
        )
    elif kind.endswith("_tool_result"):
        results.append(
            Result("server", text_of(block, "tool_use_id"), result_text(block.get("content")), within=True)
        )
    elif kind == "thinking":
        thoughts.append(plain_text(block.get("thinking")))
    elif kind != "redacted_thinking":
        texts.append(join_texts([plain_text(block.get("text")), caption(block)]))
