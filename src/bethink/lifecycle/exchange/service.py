"""Prepare an import: detect the format, parse, and screen with the guard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.errors import InvalidError
from bethink.lifecycle.exchange import export_reader, state_file
from bethink.lifecycle.exchange.import_screening import screen_notes

if TYPE_CHECKING:
    from datetime import datetime

    from bethink.lifecycle.exchange.values import Incoming
    from bethink.lifecycle.guard import Guard


def prepare_import(
    data: Any, *, namespace: str, session: str, now: datetime, by: str, guard: Guard
) -> Incoming:
    """Return what a file brings, as the guard lets it in.

    Raises:
        InvalidError: it is neither an export nor a state file, or a part of it is broken.
    """
    given = state_file.json_object(data)
    if given.get("format") == export_reader.NAME:
        return screen_notes(export_reader.read(given), guard)
    if "format" not in given and given.keys() & state_file.PARTS:
        return screen_notes(
            state_file.read(given, namespace=namespace, session=session, now=now, by=by), guard
        )
    raise InvalidError(
        "data is neither an export (`bethink export`) nor a state file with a profile and "
        "global_memory; use `bethink ingest` to load conversations",
        argument="data",
    )
