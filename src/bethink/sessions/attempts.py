"""Name the tools that a failed turn had called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.sessions.readers.registry import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def tools_called(bodies: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the names of the tools that items call, each once, in order; arguments are left out."""
    readings = (read(body) for body in bodies)
    calls = (call for reading in readings if reading is not None for call in reading.calls)
    return list(dict.fromkeys(call.name for call in calls if call.name))
