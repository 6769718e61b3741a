"""Stream the files of data sets, and report where a file is malformed."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from bethink.errors import InvalidError, NotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from pathlib import Path

T = TypeVar("T")
_PIECE: Final = 1 << 20  #: characters that are read at once
_BLANKS: Final = re.compile(r"[ \t\r\n]*")
_NAMES: Final[dict[type, str]] = {str: "a string", list: "a list", dict: "an object", int: "a whole number"}


@contextmanager
def translated_errors(path: Path) -> Generator[None]:
    """Turn what can go wrong with a file into our own errors.

    Raises:
        NotFoundError: there is no such file.
        InvalidError: it is a folder, or cannot be read.
    """
    if path.is_dir():
        raise InvalidError(f"{path} is a folder; pass a file in it", argument="path")
    try:
        yield
    except FileNotFoundError:
        raise NotFoundError(f"no such file: {path}", kind="file", id=str(path)) from None
    except OSError as error:
        raise InvalidError(f"cannot read {path}: {error.strerror}", argument="path") from error
    except UnicodeDecodeError:
        raise InvalidError(f"{path} is not valid UTF-8", argument="path") from None


def read_json(path: Path) -> Any:
    """Return the JSON of a file.

    Raises:
        NotFoundError: there is no such file.
        InvalidError: it cannot be read, or is not JSON.
    """
    with translated_errors(path):
        text = path.read_text(encoding="utf-8-sig")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidError(f"{path} is not valid JSON: {error}", argument="path") from None


def entries(path: Path) -> Iterator[Any]:
    """Return the entries of a JSON array one at a time: a file of gigabytes is never held as a whole.

    Raises:
        NotFoundError: there is no such file.
        InvalidError: it cannot be read, or is not a JSON array.
    """
    decoder = json.JSONDecoder()
    with translated_errors(path), path.open(encoding="utf-8-sig") as file:
        held, place, mark = "", 0, "["
        while not held and (piece := file.read(_PIECE)):
            held = piece.lstrip()
        if not held.startswith(mark):
            raise InvalidError(f"{path} does not contain a JSON array", argument="path")
        while True:
            try:
                found = _next(decoder, held, place, mark)
            except (ValueError, RecursionError) as error:
                piece = file.read(max(_PIECE, len(held)))
                if not piece or isinstance(error, RecursionError):
                    raise InvalidError(f"{path} is not valid JSON: {error}", argument="path") from None
                held, place = held[place:] + piece, 0
                continue
            if found is None:
                return
            entry, place = found
            mark = ","
            yield entry


def _next(decoder: json.JSONDecoder, held: str, place: int, mark: str) -> tuple[Any, int] | None:
    """Return the entry that comes after a bracket or a comma, and where it ends; None at the end of the array.

    Raises:
        ValueError: what is held does not reach so far, or is not JSON.
    """
    place = _beyond_blanks(held, place)
    if mark == "," and held.startswith("]", place):
        return None
    if not held.startswith(mark, place):
        raise ValueError("expected a comma between two entries, or the end of the array")
    place = _beyond_blanks(held, place + 1)
    if mark == "[" and held.startswith("]", place):
        return None
    return decoder.raw_decode(held, place)


def _beyond_blanks(held: str, place: int) -> int:
    blanks = _BLANKS.match(held, place)
    return blanks.end() if blanks else place


@contextmanager
def check_format(path: Path, name: str, part: str = "") -> Generator[None]:
    """Say of a file in which nothing is where a data set has it what is amiss.

    Raises:
        InvalidError: something is missing, or in another form.
    """
    try:
        yield
    except InvalidError:
        raise
    except ValueError as error:
        raise InvalidError(f"{path} is not a valid {name} file: {part}{error}", argument="path") from None


def read_entries(path: Path, name: str, read: Callable[[Any, int], T], found: Iterable[Any]) -> Iterator[T]:
    """Read every entry of a file, numbered from 1.

    Raises:
        InvalidError: in an entry something is missing, or in another form.
    """
    for number, entry in enumerate(found, start=1):
        with check_format(path, name, f"in entry {number}, "):
            value = read(entry, number)
        yield value


def field_of(entry: Any, name: str, kind: type[T]) -> T:
    """Return a field of an object.

    Raises:
        ValueError: there is none, or it is of another kind.
    """
    if not isinstance(entry, dict):
        raise ValueError(f"expected an object with {name!r}")  # noqa: TRY004
    value = cast("dict[str, Any]", entry).get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        what = "is missing" if value is None else f"must be {_NAMES.get(kind, kind.__name__)}"
        raise ValueError(f"{name!r} {what}")  # noqa: TRY004 - one kind of error for all that is amiss in a file
    return value


def list_of(entry: Any, name: str) -> list[Any]:
    """Return a field of an object that is a list.

    Raises:
        ValueError: there is none, or it is of another kind.
    """
    return field_of(entry, name, cast("type[list[Any]]", list))


def object_of(entry: Any, name: str) -> dict[str, Any]:
    """Return a field of an object that is an object.

    Raises:
        ValueError: there is none, or it is of another kind.
    """
    return field_of(entry, name, cast("type[dict[str, Any]]", dict))


def instant(text: str, form: str) -> datetime:
    """Return an instant of a data set, which names no time zone.

    Raises:
        ValueError: it is not written in this form.
    """
    try:
        return datetime.strptime(text, form).replace(tzinfo=UTC)
    except ValueError:
        raise ValueError(f"a date must have the form {form!r}") from None
