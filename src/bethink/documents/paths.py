"""Validate paths, keys and field names of documents, and extract the texts of chosen fields."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, cast

from bethink.errors import InvalidError, LimitError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.documents.values import Path

DEEPEST_PATH: Final = 32  #: labels
LONGEST_LABEL: Final = 512  #: bytes of a label, or of a key
MAX_CHARACTERS: Final = 64 << 20  #: of a value as JSON
MAX_BYTES: Final = 64 << 20  #: of bytes
DEEPEST: Final = 256  #: levels of nesting
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_FIELD: Final = re.compile(r"\$|[^.\[\]$]+(?:\.[^.\[\]]+|\[(?:\*|-?\d+)\])*")
_STEP: Final = re.compile(r"([^.\[\]]+)|\[(\*|-?\d+)\]")


def path(given: str | Iterable[str], argument: str = "path") -> Path:
    """Return a path as its labels: `"a/b"` and `("a", "b")` are the same; the empty one is the root.

    Raises:
        InvalidError: a label is empty, is no text, or cannot be kept.
        LimitError: there are too many labels, or one is too long.
    """
    if isinstance(given, str):
        labels = given.split("/") if given else []
    elif isinstance(given, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        labels = list(given)
    else:
        raise InvalidError(f"{argument} must be a str with slashes, or a list of labels", argument=argument)
    if len(labels) > DEEPEST_PATH:
        raise LimitError(
            f"{argument} has {len(labels)} labels, but at most {DEEPEST_PATH} are allowed",
            limit=DEEPEST_PATH,
            actual=len(labels),
            argument=argument,
        )
    return tuple(checked_label(label, argument) for label in labels)


def checked_label(given: str, argument: str) -> str:
    """Return a label or a key, if it can be kept.

    Raises:
        InvalidError: it is empty, is no text, or holds a NUL or half of a surrogate pair.
        LimitError: it is too long.
    """
    if not isinstance(given, str) or not given:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError(f"{argument} must be made of non-empty strings", argument=argument)
    if "\0" in given or _SURROGATE.search(given):
        raise InvalidError(
            f"{argument} contains a NUL character or an unpaired surrogate; remove it", argument=argument
        )
    size = len(given.encode())
    if size > LONGEST_LABEL:
        raise LimitError(f"{argument} is too long; shorten or hash it", limit=LONGEST_LABEL, actual=size)
    return given


@lru_cache(maxsize=4096)
def stored_path(labels: Path) -> str:
    """Return a path as the store keeps it: each label ends with a slash, so that a prefix ends where a label does."""
    return "".join(label.replace("%", "%25").replace("/", "%2F") + "/" for label in labels)


@lru_cache(maxsize=4096)
def path_labels(text: str) -> Path:
    """Return the labels of a path of the store."""
    return tuple(label.replace("%2F", "/").replace("%25", "%") for label in text.split("/")[:-1])


def prefix_end(prefix: str) -> str:
    """Return the first text that sorts behind everything that begins with a path of the store."""
    return prefix[:-1] + "0" if prefix else "\U0010ffff"


def encoded_json(value: Any) -> str:
    """Return a value as JSON text, ASCII alone.

    Raises:
        InvalidError: it is not JSON, or nested too deeply.
        LimitError: it is too large.
    """
    try:
        text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
        same = not _odd(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidError(f"value must be JSON: {error}", argument="value") from None
    if not same:
        raise InvalidError("value must be JSON: every field name must be a string", argument="value")
    if len(text) > MAX_CHARACTERS:
        raise LimitError(
            f"value has {len(text)} characters as JSON, but at most {MAX_CHARACTERS} are allowed",
            limit=MAX_CHARACTERS,
            actual=len(text),
        )
    return text


def _odd(value: Any) -> bool:
    """Tell whether a value would come back as another one, or is nested deeper than a reader follows."""
    level: list[Any] = [value]
    for _ in range(DEEPEST):
        if any(isinstance(each, dict) and not all(isinstance(name, str) for name in each) for each in level):  # pyright: ignore[reportUnknownVariableType]
            return True
        if any(isinstance(each, tuple) for each in level):
            raise TypeError("a tuple would be read back as a list")
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in cast("Iterable[Any]", each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return False
    raise ValueError(f"nested more than {DEEPEST} levels deep")


def fields(value: Any, chosen: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the texts of chosen fields, each with its place; `$` is the whole value, `a.b[*].c` goes into it."""
    for expression in chosen:
        if expression == "$":
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
            if text:
                yield "$", text
            continue
        found: list[tuple[str, Any]] = [("", value)]
        for name, index in _STEP.findall(expression):
            found = [step for place, each in found for step in _into(place, each, name, index)]
        for place, each in found:
            if isinstance(each, str):
                if each:
                    yield place, each
            elif each is not None and not isinstance(each, bool):
                yield place, json.dumps(each, ensure_ascii=False, sort_keys=True)


def _into(place: str, value: Any, name: str, index: str) -> Iterator[tuple[str, Any]]:
    if name:
        if isinstance(value, dict) and name in value:
            yield f"{place}.{name}".lstrip("."), value[name]
        elif name == "*" and isinstance(value, dict):
            for each, inner in cast("dict[str, Any]", value).items():
                yield f"{place}.{each}".lstrip("."), inner
    elif isinstance(value, list):
        listed = cast("list[Any]", value)
        if index == "*":
            for number, each in enumerate(listed):
                yield f"{place}[{number}]", each
        elif -len(listed) <= int(index) < len(listed):
            yield f"{place}[{index}]", listed[int(index)]


def check_fields(given: Any) -> tuple[str, ...]:
    """Return the fields that are to be indexed.

    Raises:
        InvalidError: it is no list of texts, or one cannot be read as a path into a value.
    """
    if given is None or given is False:
        return ()
    if given is True:
        return ("$",)
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InvalidError(
            "index must be a list of fields, such as ['title', 'pages[*].text']", argument="index"
        )
    chosen = tuple(cast("Iterable[Any]", given))
    for each in chosen:
        if not isinstance(each, str) or not _FIELD.fullmatch(each):
            raise InvalidError(f"{each!r} is not a valid field path; write it as a.b[*].c", argument="index")
    return chosen


def field(values: Mapping[str, Any], name: str, default: Any = None) -> Any:
    """Return a field of a value: where none has the whole name, `a.b` is the field `b` of what `a` holds."""
    if name in values:
        return values[name]
    found: Any = values
    for part in name.split("."):
        if not isinstance(found, Mapping) or part not in found:
            return default
        found = cast("Mapping[str, Any]", found)[part]
    return found
