"""Name the tools that a failed turn had called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def tools_called(bodies: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the names of the tools that items call, each once, in order; arguments are left out."""
    names: dict[str, None] = {}
    for body in bodies:
        calls = body.get("tool_calls")
        parts = body.get("content")
        for call in (
            body,
            *(calls if isinstance(calls, list) else ()),
            *(parts if isinstance(parts, list) else ()),
        ):
            name = _name(call)
            if name:
                names[name] = None
    return list(names)


def _name(call: Any) -> str | None:
    if not isinstance(call, dict):
        return None
    kind = str(call.get("type", ""))
    function = call.get("function")
    if isinstance(function, dict):
        call, kind = function, "tool_use"
    name = call.get("name")
    if kind.endswith("_call") or kind == "tool_use":
        return name if isinstance(name, str) else kind
    return None
