"""OpenAI chat-completions messages: a role, content and tool calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.json_kinds import is_list, is_object
from bethink.sessions.readers.openai_responses import content_text
from bethink.sessions.readers.parts import (
    VOICES,
    caption,
    join_texts,
    message,
    plain_text,
    result_text,
    text_of,
)
from bethink.sessions.readers.values import Call, Reading, Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def read(body: Mapping[str, Any]) -> Reading | None:
    """Read a message by its role, and by the calls or results it carries."""
    role = body.get("role")
    voice = VOICES.get(role) if isinstance(role, str) else None
    if voice is None:
        return None
    content = body.get("content")
    name = text_of(body, "name")
    if voice == "tool":
        named = role == "function"
        id_ = name if named else text_of(body, "tool_call_id")
        result = Result("named" if named else "tool_calls", id_, result_text(content), name)
        return message("tool", "", results=(result,))
    text = join_texts(
        [content_text(content), plain_text(body.get("text")), plain_text(body.get("refusal")), caption(body)]
    )
    calls = calls_beside(body) if voice == "assistant" else ()
    thought = plain_text(body.get("reasoning_content") or body.get("reasoning"))
    return message(voice, text, calls=calls, thought=thought, author=name, id=text_of(body, "id"))


def calls_beside(body: Mapping[str, Any]) -> Iterator[Call]:
    """Yield the calls that stand beside a content; one that is not readable has no id."""
    calls = body.get("tool_calls")
    for call in calls if is_list(calls) else ():  # pyright: ignore[reportUnknownVariableType]
        function = call.get("function") if is_object(call) else None  # pyright: ignore[reportUnknownVariableType]
        described: Any = function if is_object(function) else call
        arguments = described.get("arguments", described.get("input")) if is_object(described) else None  # pyright: ignore[reportUnknownVariableType]
        yield Call("tool_calls", text_of(call, "id"), text_of(described, "name"), arguments)
    named = body.get("function_call")
    if is_object(named):
        name = text_of(named, "name")
        yield Call("named", name, name, named.get("arguments"))  # pyright: ignore[reportUnknownArgumentType]
