"""Count tool calls in a log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.sessions.readers.registry import read
from bethink.sessions.values import ToolUse

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from bethink.sessions.readers.values import Ref


def tools_used(bodies: Iterable[Mapping[str, Any]]) -> list[ToolUse]:
    """Return how often each tool was called, the one called most first."""
    calls: dict[str, int] = {}
    answered: dict[str, int] = {}
    turns: dict[str, set[int]] = {}
    waiting: dict[Ref, str] = {}
    turn = 0
    for body in bodies:
        reading = read(body)
        if reading is None:
            continue
        turn += reading.kind == "user"
        for call in reading.calls:
            if not call.name:
                continue
            calls[call.name] = calls.get(call.name, 0) + 1
            turns.setdefault(call.name, set()).add(turn)
            waiting[call.family, call.id] = call.name
        for result in reading.results:
            name = waiting.pop((result.family, result.id), None)
            if name is not None:
                answered[name] = answered.get(name, 0) + 1
    return [
        ToolUse(tool=name, calls=count, answered=answered.get(name, 0), turns=len(turns[name]))
        for name, count in sorted(calls.items(), key=lambda each: (-each[1], each[0]))
    ]
