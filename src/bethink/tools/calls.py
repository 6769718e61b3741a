"""Call a tool with a model's arguments: validate, run, and turn refusals into text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bethink.errors import DeniedError, InvalidError, LimitError, NotFoundError, RefusedError
from bethink.json_kinds import is_object
from bethink.tools.values import Answer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.tools.values import Reach, Tool

ANSWERED = (DeniedError, InvalidError, LimitError, NotFoundError, RefusedError)
"""What a model is told, so that it can do better; anything else fails the run."""

_KINDS: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
}


async def call(tool: Tool, reach: Reach, arguments: str | Mapping[str, Any]) -> Any:
    """Return what the tool answers, or why it did nothing."""
    return (await answer(tool, reach, arguments)).value


async def answer(tool: Tool, reach: Reach, arguments: str | Mapping[str, Any]) -> Answer:
    """Return what the tool answers, or why it did nothing, and which of the two it is."""
    try:
        return Answer(value=await tool.act(reach, check_arguments(tool, arguments)))
    except ANSWERED as error:
        return Answer(value=f"Not done: {error.sentence}", done=False)


def answer_text(value: Any) -> str:
    """Return an answer as the text that a model reads."""
    return value if isinstance(value, str) else json.dumps(value)


def check_arguments(tool: Tool, arguments: str | Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that the tool knows, of the kinds that it wants; others are dropped.

    Raises:
        InvalidError: an argument is missing or of another kind, or this is not JSON.
    """
    given = _parsed(arguments) if isinstance(arguments, str) else arguments
    found: dict[str, Any] = {}
    for name, schema in tool.parameters["properties"].items():
        value = given.get(name)
        if value is None:
            if name in tool.parameters.get("required", ()):
                raise InvalidError(f"{tool.name} requires {name}: {schema['description']}", argument=name)
            continue
        kind = schema["type"]
        wrong_number = isinstance(value, bool) and kind in {"integer", "number"}
        if not isinstance(value, _KINDS[kind]) or wrong_number:
            raise InvalidError(f"{name} must be of type {kind}", argument=name)
        found[name] = value
    return found


def _parsed(text: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        value = None
    if not is_object(value):
        raise InvalidError("the arguments must be a JSON object", argument="arguments")
    return value
