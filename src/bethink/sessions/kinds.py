"""Tell what an item of a conversation is, whichever framework wrote it.

Understood are items of OpenAI's Responses API, messages of chat completions and messages of Anthropic's
content blocks. Anything else is `other`: it is kept and never guessed at. No JSON value raises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.sessions.values import Kind

Ref: TypeAlias = "tuple[str, str]"  #: a family of calls, and the id by which call and result know each other

#: Calls that the caller's side answers by an item of its own, which names the call's `call_id`.
ANSWERED_CALLS = frozenset(
    {
        "function_call",
        "custom_tool_call",
        "computer_call",
        "local_shell_call",
        "shell_call",
        "apply_patch_call",
    }
)
#: Calls that the provider ran itself: what came of them is in the item.
LONE_CALLS = frozenset(
    {
        "web_search_call",
        "file_search_call",
        "image_generation_call",
        "code_interpreter_call",
        "mcp_call",
    }
)

_ROLES: dict[str, Kind] = {
    "user": "user",
    "assistant": "assistant",
    "model": "assistant",
    "system": "system",
    "developer": "system",
}


class Shape(NamedTuple):
    """What pairing needs to know of an item."""

    kind: Kind
    opens: tuple[Ref, ...] = ()  #: the calls in it that want a result; an empty id can never get one
    answers: tuple[Ref, ...] = ()  #: the calls it is a result of


_OTHER = Shape("other")
_PLAIN: dict[str, Shape] = {role: Shape(kind) for role, kind in _ROLES.items()}
_FIXED: dict[str, Shape] = {"reasoning": Shape("reasoning"), **dict.fromkeys(LONE_CALLS, Shape("call"))}
_LOST_RESULT = Shape("result")


def classify(body: object) -> Shape:
    """Return what an item is, the calls it opens and the results it brings."""
    if not isinstance(body, dict):
        return _OTHER
    type_ = body.get("type")
    if isinstance(type_, str) and type_ != "message":
        shape = _typed(type_, body)
        if shape is not None:
            return shape
    role = body.get("role")
    return _message(role, body) if isinstance(role, str) else _OTHER


def call_ids(body: object) -> tuple[str, ...]:
    """Return the ids of the calls that an item opens."""
    return tuple(id_ for _, id_ in classify(body).opens if id_)


def result_ids(body: object) -> tuple[str, ...]:
    """Return the ids of the calls that an item answers."""
    return tuple(id_ for _, id_ in classify(body).answers)


def _typed(type_: str, body: dict[Any, Any]) -> Shape | None:
    """Classify an item of the Responses API by its type; None for a type that says nothing."""
    if type_ in _FIXED:
        return _FIXED[type_]
    if type_ == "mcp_approval_request":
        return Shape("call", opens=(("mcp_approval", _id(body, "id")),))
    if type_.endswith("_call"):
        id_ = _id(body, "call_id")
        opens = ((type_.removesuffix("_call"), id_),) if id_ or type_ in ANSWERED_CALLS else ()
        return Shape("call", opens=opens)
    return _typed_result(type_, body)


def _typed_result(type_: str, body: dict[Any, Any]) -> Shape | None:
    if type_ == "mcp_approval_response":
        return _result("mcp_approval", _id(body, "approval_request_id"))
    if type_ == "tool_search_output":  # without an id the provider searched by itself, and noted it here
        id_ = _id(body, "call_id")
        return _result("tool_search", id_) if id_ else _OTHER
    if type_.endswith("_call_output"):
        return _result(type_.removesuffix("_call_output"), _id(body, "call_id") or _id(body, "id"))
    return None


def _message(role: str, body: dict[Any, Any]) -> Shape:
    """Classify a message by its role, and by the calls or results it carries."""
    if role == "assistant":
        opens = tuple(_opened(body))
        return Shape("call", opens=opens) if opens else _PLAIN[role]
    if role == "user":
        answers = tuple(("tool_use", _id(block, "tool_use_id")) for block in _blocks(body, "tool_result"))
        if answers:
            return Shape("result", answers=answers) if all(id_ for _, id_ in answers) else _LOST_RESULT
    if role == "tool":
        return _result("tool_calls", _id(body, "tool_call_id"))
    if role == "function":
        return _result("named", _id(body, "name"))
    return _PLAIN.get(role, _OTHER)


def _opened(body: dict[Any, Any]) -> Iterable[Ref]:
    calls = body.get("tool_calls")
    if isinstance(calls, list):
        for call in calls:
            yield "tool_calls", _id(call, "id")
    named = body.get("function_call")
    if isinstance(named, dict):
        yield "named", _id(named, "name")
    for block in _blocks(body, "tool_use"):
        yield "tool_use", _id(block, "id")


def _blocks(body: dict[Any, Any], type_: str) -> Iterable[dict[Any, Any]]:
    content = body.get("content")
    if isinstance(content, list):
        for block in content:
            if isinstance(block, dict) and block.get("type") == type_:
                yield block


def _result(family: str, id_: str) -> Shape:
    return Shape("result", answers=((family, id_),)) if id_ else _LOST_RESULT


def _id(body: object, name: str) -> str:
    value = body.get(name) if isinstance(body, dict) else None
    return value if isinstance(value, str) else ""
