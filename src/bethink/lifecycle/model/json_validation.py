"""Validate a model's answer against its JSON schema (structured output)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

_KINDS: dict[str, type | tuple[type, ...]] = {
    "any": object,
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
}


def array(items: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a list."""
    return {"type": "array", "items": dict(items)}


def record(title: str | None = None, /, **properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object that has these fields and no others."""
    made: dict[str, Any] = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {"title": title, **made} if title else made


def mismatch(value: object, schema: Mapping[str, Any], place: str = "answer") -> str | None:
    """Return where a value departs from a schema of ours, or None. The value itself is not told."""
    kind = schema["type"]
    if not isinstance(value, _KINDS[kind]) or (isinstance(value, bool) and kind not in {"boolean", "any"}):
        return f"{place} is no {kind}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{place} is none of {', '.join(schema['enum'])}"
    if kind == "object":
        return _fields(cast("dict[str, Any]", value), schema, place)
    if kind == "array":
        each = ((entry, f"{place}[{at}]") for at, entry in enumerate(cast("list[Any]", value)))
        return next((found for entry, at in each if (found := mismatch(entry, schema["items"], at))), None)
    return None


def _fields(value: Mapping[str, Any], schema: Mapping[str, Any], place: str) -> str | None:
    known = schema["properties"]
    missing = [name for name in schema["required"] if name not in value]
    if missing:
        return f"{place} has no {missing[0]!r}"
    if value.keys() - known.keys():
        return f"{place} has fields that were not asked for"
    each = ((value[name], known[name], f"{place}.{name}") for name in known if name in value)
    return next((found for entry, inner, at in each if (found := mismatch(entry, inner, at))), None)
