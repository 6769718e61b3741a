"""The sync state of a notebook: files and notes at the last sync."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

STATE: Final = ".bethink/state.json"  #: where the store keeps it
MARKER: Final = ".bethink/notebook.json"  #: what tells a folder of ours, in the folder itself
EARLIER: Final = ".bethink/base.json"  #: where earlier versions kept it, in the folder


@dataclass(frozen=True, slots=True)
class Page:
    """A file as it was last seen."""

    text: str
    ours: bool = False  #: we made it
    shown: Mapping[str, str] = field(default_factory=dict[str, str])  #: what it said of notes, by their id
    mine: frozenset[str] = frozenset()  #: ids of the notes whose lines we wrote


@dataclass(frozen=True, slots=True)
class State:
    """A notebook as it stood."""

    stamp: int = 0  #: how often it was written
    pages: Mapping[str, Page] = field(default_factory=dict[str, Page])
    notes: Mapping[str, str] = field(default_factory=dict[str, str])  #: text, by id
    commit: str = ""  #: of the repository that it lies in, and of its stash


def read(text: str | None) -> State | None:
    """Return what the store keeps; None where it keeps nothing."""
    found: Any = json.loads(text) if text else None
    if not isinstance(found, dict):
        return None
    stored = cast("dict[str, Any]", found)
    return State(
        stamp=stored["stamp"],
        pages={
            path: Page(each["text"], each["ours"], each["shown"], frozenset(each["mine"]))
            for path, each in stored["pages"].items()
        },
        notes=stored["notes"],
        commit=stored["commit"],
    )


def write(state: State) -> str:
    """Return a state as the store keeps it."""
    pages = {
        path: {"text": each.text, "ours": each.ours, "shown": dict(each.shown), "mine": sorted(each.mine)}
        for path, each in state.pages.items()
    }
    stored = {"stamp": state.stamp, "pages": pages, "notes": dict(state.notes), "commit": state.commit}
    return json.dumps(stored)


def earlier_state(data: bytes | None) -> State | None:
    """Return what an earlier version left in the folder; None where it left nothing."""
    stored = _object(data)
    if stored is None:
        return None
    notes = _texts(stored.get("notes"))
    return State(
        pages={
            path: Page(text, ours=True, shown=notes, mine=frozenset(notes))
            for path, text in _texts(stored.get("files")).items()
        },
        notes=notes,
    )


def marker(number: str, stamp: int) -> bytes:
    """Return what a folder of ours is known by."""
    return json.dumps({"notebook": number, "stamp": stamp}).encode() + b"\n"


def read_marker(data: bytes | None) -> tuple[str, int] | None:
    """Return the number of a notebook, and how often it had been written; None where this is no folder of ours."""
    stored = _object(data)
    if stored is None:
        return None
    number, stamp = stored.get("notebook"), stored.get("stamp")
    return (number, stamp) if isinstance(number, str) and isinstance(stamp, int) else None


def _object(data: bytes | None) -> dict[str, Any] | None:
    """Return the JSON object that a file in the folder holds; None where it is not there, or is no such object."""
    try:
        found: Any = json.loads(data or b"null")
    except ValueError:
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def is_ours(folder: Path) -> bool:
    """Tell whether Bethink made the pages of a folder."""
    return any((folder / each).is_file() for each in (MARKER, EARLIER))


def _texts(value: Any) -> dict[str, str]:
    pairs = cast("dict[str, Any]", value).items() if isinstance(value, dict) else ()
    return {name: text for name, text in pairs if isinstance(text, str)}
