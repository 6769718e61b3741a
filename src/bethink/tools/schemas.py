"""Build the JSON schema of a tool's arguments."""

from __future__ import annotations

from typing import Any

from bethink.verbs import VERBS


def describe(verb: str, more: str) -> str:
    """Return what a model is told of a tool: the summary of its verb, and what is said of the tool alone."""
    return f"{VERBS[verb].summary} {more}"


def argument_description(verb: str, parameter: str, more: str = "") -> str:
    """Return what a model is told of an argument: the description of the verb's parameter, and more."""
    return f"{VERBS[verb].parameters[parameter]} {more}".strip()


def text(description: str) -> dict[str, Any]:
    """Return the schema of a text."""
    return {"type": "string", "description": description}


def number(description: str) -> dict[str, Any]:
    """Return the schema of a whole number."""
    return {"type": "integer", "description": description}


def words(description: str) -> dict[str, Any]:
    """Return the schema of a list of words."""
    return {"type": "array", "items": {"type": "string"}, "description": description}


def arguments(optional: tuple[str, ...] = (), **properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object; what is not optional is required, and nothing else is approved."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }
