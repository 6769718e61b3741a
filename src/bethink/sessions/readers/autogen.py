"""AutoGen messages: model messages and chat events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bethink.json_kinds import is_list
from bethink.sessions.readers.parts import instant, joined, message, objects, plain, text_of, written
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
        return Reading("reasoning", thought=plain(content))
    if type_ in {"FunctionExecutionResultMessage", "ToolCallExecutionEvent"}:
        return message("tool", "", results=_results(content), **beside)
    if type_ in _MESSAGES and "source" in body:
        user = type_ == "UserMessage" or (type_ != "AssistantMessage" and source in _PEOPLE)
        calls = () if user else _calls(content)
        thought = plain(body.get("thought"))
        return message(
            "user" if user else "assistant", _text(content), calls=calls, thought=thought, **beside
        )
    return UNHEARD if type_ in _UNHEARD else None


def _text(content: object) -> str:
    if is_list(content):
        return joined(plain(each) for each in content)  # pyright: ignore[reportUnknownVariableType]
    return plain(content)


def _calls(content: object) -> tuple[Call, ...]:
    return tuple(
        Call("autogen", text_of(each, "id"), text_of(each, "name"), each.get("arguments"))
        for each in objects(content)
        if "arguments" in each
    )


def _results(content: object) -> tuple[Result, ...]:
    return tuple(
        Result("autogen", text_of(each, "call_id"), written(each.get("content")), text_of(each, "name"))
        for each in objects(content)
    )
