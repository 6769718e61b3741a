"""Choose the span of a log that is summarised."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.sessions.item_kinds import classify
from bethink.sessions.turns import split_turns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def replaceable_items(bodies: Sequence[Mapping[str, Any]], *, keep_turns: int) -> int:
    """Return how many of the oldest items may be replaced: whole turns, and never a call that waits for its result.

    The newest `keep_turns` turns stay. A call of an older turn that was never answered does not wait any more.
    """
    turns = split_turns(bodies)
    if len(turns) <= keep_turns:
        return 0
    if keep_turns:
        return turns[-keep_turns].start
    return 0 if has_open_call(bodies) else len(bodies)


def has_open_call(bodies: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether the newest turn has a call without its result."""
    opened: set[Any] = set()
    turns = split_turns(bodies)
    for body in bodies[turns[-1].start :] if turns else ():
        shape = classify(body)
        opened.update(shape.opens)
        opened.difference_update(shape.answers)
        if body.get("type") == "mcp_approval_request":
            opened.add(body.get("id"))
        elif body.get("type") == "mcp_approval_response":
            opened.discard(body.get("approval_request_id"))
    return bool(opened)


def candidates(bodies: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the items that make a log long: all but the user's words and what stands for earlier ones."""
    return [body for body in bodies if classify(body).kind != "user" and body.get("type") != "compaction"]
