"""Split a log into turns (a user item and all that follows), and list a turn's tool calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.sessions.item_kinds import classify
from bethink.sessions.readers.registry import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any


def starts_turn(body: object) -> bool:
    """Tell whether an item is a word of the user; a tool's result in the user's role is none."""
    return classify(body).kind == "user"


def split_turns(bodies: Sequence[Mapping[str, Any]]) -> list[range]:
    """Return the turns, oldest first, as ranges that cover the log; what precedes the first user is one too."""
    starts = [place for place, body in enumerate(bodies) if starts_turn(body)]
    if not bodies:
        return []
    if starts[:1] != [0]:
        starts.insert(0, 0)
    return [range(start, stop) for start, stop in zip(starts, [*starts[1:], len(bodies)], strict=True)]


def tools_called(bodies: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the names of the tools that items call, each once, in order; arguments are left out."""
    readings = (read(body) for body in bodies)
    calls = (call for reading in readings if reading is not None for call in reading.calls)
    return list(dict.fromkeys(call.name for call in calls if call.name))
