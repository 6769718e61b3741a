"""Format the items of a log for pages: each call with its result, from any framework."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from bethink.sessions.readers.registry import read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from bethink.sessions.values import Attempt, Item

Kind: TypeAlias = Literal["user", "assistant", "call", "result", "reasoning", "system", "other", "failed"]

_KEPT: Final = "The model's reasoning, stored for the model only."


@dataclass(slots=True, kw_only=True)
class Entry:
    """One thing in a conversation, as it is shown."""

    kind: Kind
    text: str = ""
    at: datetime | None = None
    origin: str = "chat"
    speaker: str | None = None
    name: str = ""  #: of the tool, or of the error
    arguments: str = ""
    output: str | None = None  #: of the tool; None where none came
    calls: tuple[str, ...] = field(default=())  #: tools that a failed turn had called


def entries(items: Sequence[Item], attempts: Sequence[Attempt] = ()) -> list[Entry]:
    """Return what a page of a log shows, oldest first; turns that failed stand where they failed."""
    shown: list[Entry] = []
    calls: dict[str, Entry] = {}
    for item in items:
        for id_, entry in _entries(item):
            if entry.kind == "call":
                calls[id_] = entry
            elif entry.kind == "result" and id_ in calls:
                calls[id_].output = entry.text
                continue
            shown.append(entry)
    return _with_attempts(shown, items, attempts)


def _with_attempts(shown: list[Entry], items: Sequence[Item], attempts: Sequence[Attempt]) -> list[Entry]:
    first = next((item.at for item in items if item.at is not None), None)
    for attempt in sorted(attempts, key=lambda each: each.at):
        if first is not None and attempt.at < first:
            continue  # it belongs to an older page
        later = (at for at, entry in enumerate(shown) if entry.at is not None and entry.at > attempt.at)
        place = next(later, len(shown))
        failed = Entry(kind="failed", at=attempt.at, name=attempt.error, calls=attempt.calls)
        shown.insert(place, failed)
    return shown


def _entries(item: Item) -> Iterator[tuple[str, Entry]]:
    beside: Any = {"at": item.at, "origin": item.origin, "speaker": item.speaker}
    reading = read(item.body)
    if reading is None or reading.voice == "system":
        kind = "other" if reading is None or reading.kind != "system" else "system"
        yield "", Entry(kind=kind, text=_json(item.body), **beside)
        return
    shown = False
    if reading.text:
        shown_as: Kind = (
            "user" if reading.voice == "user" else "assistant" if reading.voice == "assistant" else "other"
        )
        yield "", Entry(kind=shown_as, text=reading.text, **beside)
        shown = True
    for call in reading.calls:
        arguments = "" if call.arguments is None else _text(call.arguments)
        yield call.id, Entry(kind="call", name=call.name, arguments=arguments, **beside)
        shown = True
    for result in reading.results:
        yield result.id, Entry(kind="result", text=result.output, **beside)
        shown = True
    if reading.kind == "reasoning":
        yield "", Entry(kind="reasoning", text=reading.thought or _KEPT, **beside)
    elif not shown:
        yield "", Entry(kind="other", text=_json(item.body), **beside)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
