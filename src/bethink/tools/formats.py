"""Describe a tool in each model provider's format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bethink.tools.values import Tool


def parameters(tool: Tool) -> dict[str, Any]:
    """Return the JSON schema of a tool's arguments, which the caller may change."""
    return json.loads(json.dumps(tool.parameters))


def is_strict(tool: Tool) -> bool:
    """Tell whether OpenAI's strict mode can hold: it wants every field to be required."""
    return len(tool.parameters["required"]) == len(tool.parameters["properties"])


def openai(tool: Tool) -> dict[str, Any]:
    """Return a tool as OpenAI's Responses API lists it."""
    return {"type": "function", **_function(tool)}


def openai_chat(tool: Tool) -> dict[str, Any]:
    """Return a tool as chat completions list it, of OpenAI and of those that speak like it."""
    return {"type": "function", "function": _function(tool)}


def anthropic(tool: Tool) -> dict[str, Any]:
    """Return a tool as Anthropic's Messages API lists it."""
    return {"name": tool.name, "description": tool.description, "input_schema": parameters(tool)}


def _function(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": parameters(tool),
        "strict": is_strict(tool),
    }
