"""Print an error on one line."""

from __future__ import annotations

import json
import traceback
from typing import TYPE_CHECKING, Any

from bethink.cli.terminal_escapes import visible
from bethink.errors import NotFoundError
from bethink.plain import plain

if TYPE_CHECKING:
    from bethink.errors import BethinkError


def line(error: BethinkError) -> str:
    """Return an error as a person reads it."""
    return visible(f"bethink: {_sentence(error)}").replace("\n", " ")


def as_json(error: BethinkError) -> str:
    """Return an error as a program reads it: its class, its sentence and its attributes."""
    facts: dict[str, Any] = {name: plain(value) for name, value in error.facts.items()}
    return json.dumps({**facts, "error": type(error).__name__, "message": _sentence(error)})


def _sentence(error: BethinkError) -> str:
    """Return an error's sentence, with the command that helps in the place of the verb."""
    verb = error.listed_by if isinstance(error, NotFoundError) else None
    return f"{error.sentence}; `bethink {verb}` lists them" if verb else error.sentence


def defect(error: Exception) -> str:
    """Return what is to be reported of an error that nobody foresaw."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return visible(
        f"bethink: internal error, {type(error).__name__}{where}; please report it with the command that you ran"
    ).replace("\n", " ")
