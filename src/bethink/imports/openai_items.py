"""Read JSONL of OpenAI-style items with their metadata."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NoReturn, cast

from bethink.errors import BethinkError, InvalidError
from bethink.imports.values import Entry, Malformed
from bethink.scope.labels import label
from bethink.sessions.item_rows import new_items
from bethink.sessions.readers.registry import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bethink.imports.values import Read

_NAMES: Final = ("session", "speaker", "agent", "user")
_BESIDE: Final = frozenset({*_NAMES, "at"})


def of_lines(lines: Iterable[bytes]) -> Iterator[Read]:
    """Read JSON, one object a line; empty lines are passed over."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _of_line(number, line)


def of_numbered(objects: Iterable[tuple[int, Any]]) -> Iterator[Read]:
    """Read numbered objects; one that is not JSON is the error that it raised."""
    for number, one in objects:
        if isinstance(one, ValueError):
            yield Malformed(line=number, reason=f"not valid JSON: {one}")
            continue
        try:
            yield entry(number, one)
        except BethinkError as error:
            yield Malformed(line=number, reason=str(error))


def entry(number: int, one: Any) -> Entry:
    """Return the entry of one object: an item with what is beside it in it, or `{"item": …}` with it around.

    Raises:
        InvalidError: it is no such object.
        LimitError: the item is too large.
    """
    if not isinstance(one, dict):
        raise InvalidError(f"an item must be a JSON object, got {type(one).__name__}", argument="item")
    given = cast("dict[str, Any]", one)
    if isinstance(given.get("item"), dict):
        body: dict[str, Any] = given["item"]
        if unknown := sorted(given.keys() - _BESIDE - {"item"}):
            raise InvalidError(f"unknown field {unknown[0]!r} beside an item", argument="item")
    else:
        body = {name: value for name, value in given.items() if name not in _BESIDE}
    reading = read(body)
    if reading is None and not isinstance(body.get("role", body.get("type")), str):
        raise InvalidError(
            "an item needs a role or a type, such as 'user' or 'function_call'", argument="item"
        )
    names = {name: label(given[name], argument=name) for name in _NAMES if given.get(name) is not None}
    at = _instant(given.get("at"))
    if at is None and reading is not None:
        at = reading.at
    new_items([body], at=at, speaker=None, origin="import", now=0)
    return Entry(line=number, body=body, at=at, **names)


def _of_line(number: int, line: bytes) -> Read:
    try:
        one = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"), parse_constant=_no_number)
        return entry(number, one)
    except BethinkError as error:
        return Malformed(line=number, reason=str(error))
    except json.JSONDecodeError as error:
        return Malformed(line=number, reason=f"not valid JSON: {error.msg} at character {error.pos + 1}")
    except UnicodeDecodeError as error:
        return Malformed(line=number, reason=f"not valid UTF-8: see byte {error.start + 1}")
    except RecursionError:
        return Malformed(line=number, reason="nested too deeply")


def _instant(given: Any) -> datetime | None:
    try:
        match given:
            case None:
                return None
            case bool():
                pass
            case int() | float():
                return datetime.fromtimestamp(given, UTC)
            case str():
                at = datetime.fromisoformat(given)
                return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
            case _:
                pass
    except (ValueError, OverflowError, OSError):
        pass
    raise InvalidError("at must be an ISO 8601 date, or seconds since 1970", argument="at")


def _no_number(word: str) -> NoReturn:
    raise InvalidError(f"{word} is not valid JSON", argument="item")
