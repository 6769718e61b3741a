"""Pydantic AI messages: requests and responses with `part_kind` parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.json_kinds import is_list, is_object
from bethink.sessions.readers.parts import (
    instant,
    join_texts,
    message,
    objects,
    plain_text,
    result_text,
    text_of,
)
from bethink.sessions.readers.values import UNHEARD, Call, Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bethink.sessions.readers.values import Reading

_RETURNS = {"tool-return", "retry-prompt"}


def read(body: Mapping[str, Any]) -> Reading | None:
    """Read a message, or an entry of a conversation store around it."""
    inner = body.get("message")
    if is_object(inner) and "parent_id" in body and body.get("kind") == "message":
        return read(inner)  # pyright: ignore[reportUnknownArgumentType]
    kind, parts = body.get("kind"), body.get("parts")
    if kind not in ("request", "response") or not is_list(parts):
        return None
    pieces = list(objects(parts))  # pyright: ignore[reportUnknownArgumentType]
    return _request(body, pieces) if kind == "request" else _response(body, pieces)


def _request(body: Mapping[str, Any], parts: list[dict[str, Any]]) -> Reading:
    prompts = [part for part in parts if part.get("part_kind") == "user-prompt"]
    results = [
        Result(
            "tool-call",
            text_of(part, "tool_call_id"),
            result_text(part.get("content")),
            text_of(part, "tool_name"),
        )
        for part in parts
        if text_of(part, "part_kind") in _RETURNS and part.get("tool_name")
    ]
    text = join_texts(each for part in prompts for each in _texts(part.get("content")))
    at = next((found for part in parts if (found := instant(part.get("timestamp")))), None)
    at = at or instant(body.get("timestamp"))
    if not prompts and not results:  # a system prompt, or a word of the framework to the model
        return UNHEARD._replace(kind="system", voice="system", at=at)
    return message("user" if prompts else "tool", text, results=results, at=at)


def _texts(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield plain_text(content)
    elif is_list(content):
        for piece in content:  # pyright: ignore[reportUnknownVariableType]
            if isinstance(piece, str):
                yield plain_text(piece)
            elif text_of(piece, "kind") in {"text", "text-content"}:
                yield plain_text(text_of(piece, "content") or text_of(piece, "text"))


def _response(body: Mapping[str, Any], parts: list[dict[str, Any]]) -> Reading:
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[Call] = []
    results: list[Result] = []
    for part in parts:
        kind, id_, name = part.get("part_kind"), text_of(part, "tool_call_id"), text_of(part, "tool_name")
        if kind == "text":
            texts.append(plain_text(part.get("content")))
        elif kind == "thinking":
            thoughts.append(plain_text(part.get("content")))
        elif kind == "tool-call":
            calls.append(Call("tool-call", id_, name, part.get("args")))
        elif kind == "builtin-tool-call":
            calls.append(Call("builtin", id_, name, part.get("args"), waits=False))
        elif kind == "builtin-tool-return":
            results.append(Result("builtin", id_, result_text(part.get("content")), name, within=True))
    return message(
        "assistant",
        join_texts(texts),
        calls=calls,
        results=results,
        thought=join_texts(thoughts),
        at=instant(body.get("timestamp")),
    )
