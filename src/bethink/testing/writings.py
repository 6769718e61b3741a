"""Writes with predictable times and ids."""

from __future__ import annotations

import itertools
import json
import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bethink.scope.transactions import Writing
from bethink.sessions.item_json import encode
from bethink.sessions.log_append import NewItem
from bethink.times import to_micros

if TYPE_CHECKING:
    from collections.abc import Mapping

START = to_micros(datetime(2026, 1, 1, tzinfo=UTC))
SECOND = 1_000_000


class PredictableWrites:
    """Gives each write a time one second after the one before, and numbers that count up."""

    def __init__(self, first: int = 1_000) -> None:
        self._numbers = itertools.count(first)
        self._times = itertools.count(START, SECOND)
        self._guard = threading.Lock()

    def __call__(self, actor: str = "application") -> Writing:
        """Return the next write."""
        with self._guard:
            return Writing(now=next(self._times), fresh=self.fresh, actor=actor)

    def fresh(self) -> int:
        """Return a number greater than any before."""
        with self._guard:
            return next(self._numbers)


def message(text: str, role: str = "user") -> NewItem:
    """Return a message as it is appended."""
    return item({"role": role, "content": text})


def item(body: Mapping[str, Any]) -> NewItem:
    """Return any item as it is appended."""
    return NewItem(body=encode(dict(body)), at=START, speaker=None, origin="chat")


def damaged() -> NewItem:
    """Return an item whose text was cut, as a failing disk might."""
    return NewItem(body=json.dumps({"role": "user"})[:-3], at=None, speaker=None, origin="chat")
