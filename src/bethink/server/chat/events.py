"""Events of a chat turn, encoded as server-sent events (SSE)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from bethink.plain import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind: TypeAlias = Literal[
    "turn",  #: it has begun: turn, session, agent, model, offline
    "run",  #: a team has begun: run, team
    "plan",  #: what its workers are to do: tasks
    "task",  #: what one of them found: worker, text, or else error
    "delta",  #: the next words of the answer: text
    "tool_call",  #: call_id, name, arguments (JSON as the model wrote it)
    "tool_result",  #: call_id, name, output, done (false where the tool refused)
    "done",  #: it is stored: turn, session, text, usage, revision
    "failed",  #: nothing was stored: turn, and the members of a problem
    "cancelled",  #: nothing was stored: turn
]
LAST: frozenset[Kind] = frozenset({"done", "failed", "cancelled"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event of a chat turn."""

    kind: Kind
    data: Mapping[str, Any]

    def sse(self) -> bytes:
        """Return the event as a server sends it: its kind, and one line of JSON."""
        line = json.dumps(plain(self.data), allow_nan=False, separators=(",", ":"))
        return f"event: {self.kind}\ndata: {line}\n\n".encode("ascii")
