"""Classify items: message, call, result, reasoning; for any framework.

The families of shapes are in `readers`. What none of them knows is `other`: it is kept and never guessed at. No JSON
value raises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.sessions.readers.openai_responses import ANSWERED_CALLS, LONE_CALLS
from bethink.sessions.readers.registry import read
from bethink.sessions.readers.values import PairingShape, Ref

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ANSWERED_CALLS", "LONE_CALLS", "PairingShape", "Ref", "classify"]

_OTHER = PairingShape("other")
_PLAIN: Mapping[str, PairingShape] = {
    "user": PairingShape("user"),
    "assistant": PairingShape("assistant"),
    "system": PairingShape("system"),
    "developer": PairingShape("system"),
}
_TWO = frozenset({"role", "content"})


def classify(body: object) -> PairingShape:
    """Return what an item is, the calls it opens and the results it brings."""
    if isinstance(body, dict) and body.keys() == _TWO and isinstance(body["content"], str):
        role = body["role"]  # pyright: ignore[reportUnknownVariableType]
        found = _PLAIN.get(role) if isinstance(role, str) else None
        if found is not None:
            return found
    reading = read(body)  # pyright: ignore[reportUnknownArgumentType]
    return _OTHER if reading is None else reading.shape
