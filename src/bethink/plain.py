"""Serialise values as plain JSON, text and HTML."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")
_AS_IT_IS = frozenset({str, int, bool, type(None)})
_NOTHING: tuple[Any, ...] = (None, "", [], {})
SHORTEST = 20  #: characters of a text that is cut short


class Plain:
    """A value that is written as JSON by its fields."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON: values of values as dicts, instants as ISO 8601 in UTC."""
        return {
            field.name: plain(getattr(self, field.name))
            for field in dataclasses.fields(self)  # pyright: ignore[reportArgumentType] - a mixin of dataclasses
            if not field.name.startswith("_")
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """Return `to_dict` as the text of JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    def __str__(self) -> str:
        """Return the fields that say something, each on one line and cut short."""
        filled = {name: value for name, value in self.to_dict().items() if value not in _NOTHING}
        fields = ", ".join(f"{name} {shortened(_text(value), 60)}" for name, value in filled.items())
        return f"{type(self).__name__}: {fields}"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the text of `str`, escaped."""
        return f"<pre>{escaped(str(self))}</pre>"

    if not TYPE_CHECKING:  # a type checker is to see the fields that are there, and no others

        def __getattr__(self, name: str) -> Any:
            """Say what to write instead of a field that other libraries have."""
            problem = f"{type(self).__name__!r} object has no attribute {name!r}"
            hint = None if name.startswith("_") else _hint(type(self), name)
            raise AttributeError(f"{problem}; {hint}" if hint else problem, name=name, obj=self)


def quickly(kind: type[T]) -> type[T]:
    """Return what makes the same values as a frozen dataclass with slots, in half the time.

    Its own constructor goes through a guarded write for each field, which takes longer than all else that is done with
    the thousands of values that some answers have. Here the fields are those of a class like it that is not frozen, and
    once they are filled the value is one of `kind`, and frozen as every other.
    """
    return _quick(kind)


@cache
def _quick(kind: Any) -> Any:
    def end(value: Any) -> None:
        value.__class__ = kind

    own: Any = [(each.name, each.type, _open(each)) for each in dataclasses.fields(kind)]
    return dataclasses.make_dataclass(
        kind.__name__,
        own,
        bases=kind.__bases__,
        namespace={"__post_init__": end},
        eq=False,
        repr=False,
        slots=True,
        kw_only=True,
    )


def _open(given: dataclasses.Field[Any]) -> Any:
    """Return a field with the default of another one."""
    if given.default_factory is not dataclasses.MISSING:
        return dataclasses.field(default_factory=given.default_factory)
    return dataclasses.field(default=given.default)


def _hint(kind: type[Any], name: str) -> str | None:
    """Return what to write instead of a field that values of a type lack; None where nothing is like it."""
    from bethink.foreign_names import field_hint

    return field_hint(name, {field.name for field in dataclasses.fields(kind)})


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def plain(value: Any) -> Any:
    """Return a value as JSON: dataclasses by their fields, instants as ISO 8601, numbers that are none as null.

    Spans of time are seconds, bytes base64. What says itself how it is written (`to_dict`, or a pydantic model) is
    written so.
    """
    kind = value.__class__
    return value if kind in _AS_IT_IS else _how(kind)(value)


@cache
def _how(kind: type[Any]) -> Callable[[Any], Any]:  # noqa: C901, PLR0911 - a table, with conditions for keys
    """Return how values of a type are written; an answer has thousands of few types."""
    if issubclass(kind, str | int):
        return lambda value: value
    if issubclass(kind, float):
        return lambda value: value if math.isfinite(value) else None
    if issubclass(kind, datetime):
        return lambda value: value.isoformat()
    if issubclass(kind, timedelta):
        return lambda value: value.total_seconds()
    if issubclass(kind, bytes):
        from base64 import b64encode

        return lambda value: b64encode(value).decode()
    if issubclass(kind, Mapping):
        return lambda value: {str(name): plain(each) for name, each in value.items()}
    if issubclass(kind, list | tuple | set | frozenset):
        return lambda value: [
            each if (kind := each.__class__) in _AS_IT_IS else _how(kind)(each) for each in value
        ]  # as `plain` does, with fewer calls
    if hasattr(kind, "to_dict") and getattr(kind, "to_dict") is not Plain.to_dict:  # noqa: B009 - of a class that may lack it
        return lambda value: plain(value.to_dict())
    if hasattr(kind, "model_dump"):
        return lambda value: value.model_dump(mode="json")
    if dataclasses.is_dataclass(kind):
        return _by_fields(
            [field.name for field in dataclasses.fields(kind) if not field.name.startswith("_")]
        )
    return str


def _by_fields(names: Sequence[str]) -> Callable[[Any], dict[str, Any]]:
    """Return how a value is written that has some fields, most of which are plain already."""
    if len(names) < 2:  # noqa: PLR2004 - of one, `attrgetter` returns no tuple
        return lambda value: {name: plain(getattr(value, name)) for name in names}
    get, as_it_is, finite = attrgetter(*names), _AS_IT_IS, math.isfinite
    return lambda value: {
        name: each
        if (kind := each.__class__) in as_it_is or (kind is float and finite(each))
        else _how(kind)(each)
        for name, each in zip(names, get(value), strict=True)
    }


def shortened(text: str, length: int = 100) -> str:
    """Return a text on one line, cut at a word with an ellipsis where it is longer than `length` characters."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    cut = line.rfind(" ", 0, length)
    return line[: cut if cut >= SHORTEST else length] + " …"


def escaped(text: str) -> str:
    """Return a text as HTML: nothing in it is markup."""
    from html import escape

    return escape(text)


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return rows as an HTML table; every cell is escaped."""
    line = "".join(f"<th>{escaped(each)}</th>" for each in head)
    body = "".join("<tr>" + "".join(f"<td>{escaped(each)}</td>" for each in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{line}</tr></thead><tbody>{body}</tbody></table>"
