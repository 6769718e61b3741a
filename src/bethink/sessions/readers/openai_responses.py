"""Items of OpenAI's Responses API and Agents SDK."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bethink.json_kinds import is_list, is_object
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
from bethink.sessions.readers.values import UNHEARD, Call, Reading, Result

if TYPE_CHECKING:
    from collections.abc import Mapping

#: calls that the caller's side answers by an item of its own, which names the call's `call_id`
ANSWERED_CALLS: Final = frozenset(
    {
        "function_call",
        "custom_tool_call",
        "computer_call",
        "local_shell_call",
        "shell_call",
        "apply_patch_call",
    }
)
#: calls that the provider ran itself: what came of them is in the item
LONE_CALLS: Final = frozenset(
    {
        "web_search_call",
        "file_search_call",
        "image_generation_call",
        "code_interpreter_call",
        "mcp_call",
    }
)
_KNOWN: Final = frozenset({"compaction", "item_reference", "mcp_list_tools", "additional_tools"})
_TEXTS: Final = frozenset({"text", "input_text", "output_text"})


def read(body: Mapping[str, Any]) -> Reading | None:
    """Read an item by its `type`."""
    type_ = body.get("type")
    if not isinstance(type_, str) or type_ == "":
        return None
    if type_ == "message" and isinstance(body.get("role"), str) and "content" in body:
        return _message(body)
    if type_ == "reasoning" and "role" not in body:
        summary = join_texts(text_of(each, "text") for each in objects(body.get("summary")))
        return Reading(
            "reasoning",
            thought=summary or join_texts(text_of(each, "text") for each in objects(body.get("content"))),
        )
    if type_ in _KNOWN:
        return UNHEARD
    return _call(type_, body) or _result(type_, body)


def _message(body: Mapping[str, Any]) -> Reading | None:
    voice = VOICES.get(body["role"])
    content = body["content"]
    if voice not in {"user", "assistant", "system"} or not (isinstance(content, str) or is_list(content)):
        return None
    if is_list(content) and any(sort_of(block) not in _PARTS for block in objects(content)):
        return None
    return message(voice, content_text(content), author=text_of(body, "name"), id=text_of(body, "id"))


_PARTS: Final = _TEXTS | {
    "refusal", "input_image", "image_url", "image", "input_file", "file", "input_audio", "audio", "summary_text",
}  # fmt: skip


def content_text(content: object) -> str:
    """Return the words of a message's content."""
    if not is_list(content):
        return plain_text(content)
    texts: list[str] = []
    for part in content:  # pyright: ignore[reportUnknownVariableType]
        if isinstance(part, str):
            texts.append(plain_text(part))
        elif is_object(part):
            texts.append(_part(part))  # pyright: ignore[reportUnknownArgumentType]
    return join_texts(texts)


def _part(block: Mapping[str, Any]) -> str:
    """Return the words of one part: its text, what was heard or refused in it, what is said of its picture."""
    kind = sort_of(block) if "type" in block else "text"
    transcripts = [plain_text(block.get(name)) for name in ("transcript", "refusal")]
    return join_texts([plain_text(block.get("text")) if kind in _PARTS else "", *transcripts, caption(block)])


def _call(type_: str, body: Mapping[str, Any]) -> Reading | None:
    name = text_of(body, "name") or type_
    arguments = body.get("arguments", body.get("input", body.get("action")))
    if type_ in LONE_CALLS:
        output = body.get("output")
        results = (Result(type_, text_of(body, "id"), result_text(output), within=True),) if output else ()
        call = Call(type_.removesuffix("_call"), text_of(body, "id"), name, arguments, waits=False)
        return Reading("call", "tool", calls=(call,), results=results, id=text_of(body, "id") or None)
    if type_ == "mcp_approval_request":
        return Reading("call", "tool", calls=(Call("mcp_approval", text_of(body, "id"), name, arguments),))
    if not type_.endswith("_call"):
        return None
    id_ = text_of(body, "call_id")
    waits = bool(id_) or type_ in ANSWERED_CALLS
    call = Call(type_.removesuffix("_call"), id_, name, arguments, waits=waits)
    return Reading("call", "tool", calls=(call,), id=text_of(body, "id") or None)


def _result(type_: str, body: Mapping[str, Any]) -> Reading | None:
    if type_ == "mcp_approval_response":
        return _answer("mcp_approval", text_of(body, "approval_request_id"), body)
    if type_ == "tool_search_output":  # without an id the provider searched by itself, and noted it here
        id_ = text_of(body, "call_id")
        return _answer("tool_search", id_, body) if id_ else UNHEARD
    if type_.endswith("_call_output"):
        id_ = text_of(body, "call_id") or text_of(body, "id")
        return _answer(type_.removesuffix("_call_output"), id_, body)
    return None


def _answer(family: str, id_: str, body: Mapping[str, Any]) -> Reading:
    output = body.get("output", body.get("content"))
    return Reading("result", "tool", results=(Result(family, id_, result_text(output)),))
