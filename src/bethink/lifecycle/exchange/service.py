"""Recognise a file, have the guard look at it, and take it in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.errors import InvalidError
from bethink.lifecycle.exchange import reading, seed
from bethink.lifecycle.exchange.screening import screen

if TYPE_CHECKING:
    from datetime import datetime

    from bethink.lifecycle.exchange.values import Incoming
    from bethink.lifecycle.guard import Guard


def prepare(data: Any, *, namespace: str, session: str, now: datetime, by: str, guard: Guard) -> Incoming:
    """Return what a file brings, as the guard lets it in.

    Raises:
        InvalidError: it is neither an export nor a state file, or a part of it is broken.
    """
    given = seed.recognised(data)
    if given.get("format") == reading.NAME:
        return screen(reading.read(given), guard)
    if "format" not in given and given.keys() & seed.PARTS:
        return screen(seed.read(given, namespace=namespace, session=session, now=now, by=by), guard)
    raise InvalidError(
        "data is neither an export (`bethink export`) nor a state file with a profile and "
        "global_memory; use `bethink ingest` to load conversations",
        argument="data",
    )
