"""Recognise calls of Bethink's own tools in a log: their results are memory, not third-party text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bethink.sessions.injected_memory import MEMORY_TOOLS as KNOWN_CALLS
from bethink.sessions.readers.parts import arguments_of
from bethink.sessions.readers.registry import read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

WRITING: Final = {  #: tools that keep a note, and the argument that holds it
    "save_memory_note": "text",
    "remember": "content",
    "memory_store": "content",
    "share_to": "content",
    "share_finding": "content",
}
MEMORY_TOOLS: Final = frozenset(KNOWN_CALLS)
_PREFIX: Final = "__"  #: what parts the name of an MCP server from the name of its tool


def own_name(name: str) -> str:
    """Return the name of a tool without that of the server that offers it: `mcp__bethink__remember`."""
    return name.rpartition(_PREFIX)[2]


def other_tools(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the tools in an item that are not memory's own."""
    reading = read(body)
    for call in reading.calls if reading is not None else ():
        if call.name and own_name(call.name) not in MEMORY_TOOLS:
            yield call.name


def submitted_notes(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield the notes that the calls in an item handed in."""
    reading = read(body)
    for call in reading.calls if reading is not None else ():
        argument = WRITING.get(own_name(call.name))
        if argument is not None:
            text = arguments_of(call.arguments).get(argument)
            if isinstance(text, str) and text.strip():
                yield text.strip()
