"""LangChain messages: flat, under `data`, or in its serialised form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bethink.json_kinds import is_list, is_object
from bethink.sessions.readers.openai_chat import calls_beside
from bethink.sessions.readers.parts import (
    join_texts,
    message,
    object_of,
    objects,
    plain_text,
    result_text,
    sort_of,
    text_of,
)
from bethink.sessions.readers.values import UNHEARD, Call, Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bethink.sessions.readers.values import Reading, Voice

_VOICES: Final[Mapping[str, Voice]] = {
    "human": "user",
    "ai": "assistant",
    "system": "system",
    "tool": "tool",
    "function": "tool",
    "chat": "none",
    "HumanMessage": "user",
    "AIMessage": "assistant",
    "SystemMessage": "system",
    "ToolMessage": "tool",
    "FunctionMessage": "tool",
    "ChatMessage": "none",
}
_CHAT: Final[Mapping[str, Voice]] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
}
_TEXTS: Final = frozenset({"text", "input_text", "output_text", "text-plain"})


def read(body: Mapping[str, Any]) -> Reading | None:
    """Read a message by what its `type` says of the speaker."""
    if body.get("lc") == 1 and body.get("type") == "constructor":
        path = body.get("id")
        name = path[-1] if is_list(path) and path else None  # pyright: ignore[reportUnknownVariableType]
        return _message(name, object_of(body, "kwargs")) if isinstance(name, str) else None
    type_ = body.get("type")
    if not isinstance(type_, str):
        return None
    data = body.get("data")
    if is_object(data) and "content" in data:
        return _message(type_, data)  # pyright: ignore[reportUnknownArgumentType]
    if "content" not in body or "source" in body or (type_ == "SystemMessage" and "id" not in body):
        return None
    return _message(type_, body)


def _message(type_: str, data: Mapping[str, Any]) -> Reading | None:
    voice: Voice | None = _VOICES.get(
        type_.removesuffix("Chunk").removesuffix("Message")
        if type_.islower()
        else type_.removesuffix("Chunk")
    )
    if voice is None:
        return UNHEARD if type_ == "remove" else None
    if voice == "none":
        voice = _CHAT.get(text_of(data, "role").casefold(), voice)
    content = data.get("content")
    author, id_ = text_of(data, "name"), text_of(data, "id")
    if voice == "tool":
        call = text_of(data, "tool_call_id") or author
        return message("tool", "", results=(Result("langchain", call, result_text(content), author),), id=id_)
    text = plain_text(content) if isinstance(content, str) else join_texts(_texts(content))
    thought = join_texts(
        plain_text(block.get("thinking") or block.get("reasoning")) for block in objects(content)
    )
    calls = _calls(data) if voice == "assistant" else ()
    return message(voice, text, calls=calls, thought=thought, author=author, id=id_)


def _texts(content: object) -> Iterator[str]:
    if is_list(content):
        for part in content:  # pyright: ignore[reportUnknownVariableType]
            if isinstance(part, str):
                yield plain_text(part)
            elif is_object(part) and sort_of(part) in _TEXTS:  # pyright: ignore[reportUnknownArgumentType]
                yield plain_text(part.get("text"))  # pyright: ignore[reportUnknownMemberType]


def _calls(data: Mapping[str, Any]) -> Iterator[Call]:
    """Yield the calls: the framework's own, else those of the provider that it keeps beside them."""
    own = [*objects(data.get("tool_calls")), *objects(data.get("invalid_tool_calls"))]
    for call in own:
        arguments = call.get("args", object_of(call, "function").get("arguments"))
        name = text_of(call, "name") or text_of(call.get("function"), "name")
        yield Call("langchain", text_of(call, "id"), name, arguments)
    if not own:
        for call in calls_beside(object_of(data, "additional_kwargs")):
            yield call._replace(family="langchain")
