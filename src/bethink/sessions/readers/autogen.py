"""AutoGen messages: model messages and chat events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bethink.json_kinds import is_list
from bethink.sessions.readers.parts import (
    instant,
    join_texts,
    message,
    objects,
    plain_text,
    result_text,
    text_of,
)
from bethink.sessions.readers.values import UNHEARD, Call, Reading, Result

if TYPE_CHECKING:
    from collections.abc import Mapping

_MESSAGES: Final = frozenset(
    {
        "UserMessage",
        "AssistantMessage",
        "ToolCallRequestEvent",
        "TextMessage",
        "MultiModalMessage",
        "HandoffMessage",
        "StopMessage",
        "ToolCallSummaryMessage",
        "StructuredMessage",
    }
)
_UNHEARD: Final = frozenset(
    {"UserInputRequestedEvent", "ModelClientStreamingChunkEvent", "MemoryQueryEvent", "CodeGenerationEvent",
     "CodeExecutionEvent", "SelectSpeakerEvent", "SelectorEvent"}
)  # fmt: skip
_PEOPLE: Final = frozenset(
    {"user", "user_proxy", "human"}
)  #: how AutoGen names the user where nobody renamed it


def read(body: Mapping[str, Any]) -> Reading | None:
    """Read a message or an event by its `type`, which is the name of a class."""
    type_, content = body.get("type"), body.get("content")
    if not isinstance(type_, str) or not type_[:1].isupper():
        return None
    source = text_of(body, "source")
    beside: dict[str, Any] = {
        "at": instant(body.get("created_at")),
        "author": None if source in _PEOPLE else source,
        "id": text_of(body, "id"),
    }
    if type_ == "SystemMessage" and isinstance(content, str):
        return message("system", content)
    if type_ == "ThoughtEvent":
        return Reading("reasoning", thought=plain_text(content))
    if type_ in {"FunctionExecutionResultMessage", "ToolCallExecutionEvent"}:
        return message("tool", "", results=_results(content), **beside)
    if type_ in _MESSAGES and "source" in body:
        user = type_ == "UserMessage" or (type_ != "AssistantMessage" and source in _PEOPLE)
        calls = () if user else _calls(content)
        thought = plain_text(body.get("thought"))
        return message(
            "user" if user else "assistant", _text(content), calls=calls, thought=thought, **beside
        )
    return UNHEARD if type_ in _UNHEARD else None


def _text(content: object) -> str:
    if is_list(content):
        return join_texts(plain_text(each) for each in content)  # pyright: ignore[reportUnknownVariableType]
    return plain_text(content)


def _calls(content: object) -> tuple[Call, ...]:
    return tuple(
        Call("autogen", text_of(each, "id"), text_of(each, "name"), each.get("arguments"))
        for each in objects(content)
        if "arguments" in each
    )


def _results(content: object) -> tuple[Result, ...]:
    return tuple(
        Result("autogen", text_of(each, "call_id"), result_text(each.get("content")), text_of(each, "name"))
        for each in objects(content)
    )
