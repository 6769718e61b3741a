"""Vercel AI SDK messages: UI messages and model messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.sessions.readers.parts import (
    VOICES,
    instant,
    join_texts,
    message,
    object_of,
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

_MODEL = {"tool-call", "tool-result", "tool-approval-request", "tool-approval-response"}


def read(body: Mapping[str, Any]) -> Reading | None:
    """Read a message of an interface by its parts, or one for a model by its hyphenated blocks."""
    role = body.get("role")
    if not isinstance(role, str) or role not in VOICES:
        return None
    parts, content = body.get("parts"), body.get("content")
    if isinstance(parts, list):
        blocks = list(objects(parts))  # pyright: ignore[reportUnknownArgumentType]
        return _shown(role, body, blocks) if all(sort_of(block) for block in blocks) else None
    if isinstance(content, list):
        blocks = list(objects(content))  # pyright: ignore[reportUnknownArgumentType]
        return _model_message(role, blocks) if any(sort_of(block) in _MODEL for block in blocks) else None
    return None


def _shown(role: str, body: Mapping[str, Any], parts: list[dict[str, Any]]) -> Reading:
    """Read a message of an interface: a call and its result are one part of it."""
    calls: list[Call] = []
    results: list[Result] = []
    for part in parts:
        kind = sort_of(part)
        call = object_of(part, "toolInvocation") or part
        id_ = text_of(call, "toolCallId")
        if not id_ or not (kind.startswith("tool-") or kind == "dynamic-tool"):
            continue
        name = text_of(call, "toolName") or kind.removeprefix("tool-")
        output = call.get("output", call.get("result", call.get("errorText")))
        done = output is not None or text_of(call, "state") in {
            "output-available",
            "output-error",
            "output-denied",
            "result",
        }
        calls.append(Call("toolCall", id_, name, call.get("input", call.get("args")), waits=not done))
        if done:
            results.append(Result("toolCall", id_, result_text(output), name, within=True))
    at = body.get("createdAt", object_of(body, "metadata").get("createdAt"))
    return message(
        VOICES[role],
        join_texts(plain_text(part.get("text")) for part in parts if sort_of(part) == "text"),
        calls=calls,
        results=results,
        thought=join_texts(
            plain_text(part.get("text") or part.get("reasoning"))
            for part in parts
            if sort_of(part) == "reasoning"
        ),
        at=instant(at),
        id=text_of(body, "id"),
    )


def _model_message(role: str, blocks: list[dict[str, Any]]) -> Reading:
    """Read a message for a model: results come in a message of their own, or in the call's where a provider ran it."""
    called = [block for block in blocks if sort_of(block) == "tool-call"]
    came = [block for block in blocks if sort_of(block) == "tool-result"]
    ids = {text_of(block, "toolCallId") for block in came}
    calls = [
        Call(
            "toolCall",
            text_of(block, "toolCallId"),
            text_of(block, "toolName"),
            block.get("input", block.get("args")),
            waits=text_of(block, "toolCallId") not in ids,
        )
        for block in called
    ]
    within = role == "assistant"
    results = [
        Result(
            "toolCall",
            text_of(block, "toolCallId"),
            result_text(block.get("output", block.get("result"))),
            text_of(block, "toolName"),
            within,
        )
        for block in came
    ]
    text = join_texts(plain_text(block.get("text")) for block in blocks if sort_of(block) == "text")
    thought = join_texts(plain_text(block.get("text")) for block in blocks if sort_of(block) == "reasoning")
    return message(VOICES[role], text, calls=calls, results=results, thought=thought)
