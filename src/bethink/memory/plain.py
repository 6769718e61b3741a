"""Turn what the library returns into plain JSON, for every door."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from typing import Any

_AS_IT_IS = frozenset({str, int, bool, type(None)})


def plain(value: Any) -> Any:
    """Return a value as JSON: dataclasses by their fields, instants as ISO 8601, numbers that are none as null.

    What says itself how it is written (`to_json`, or a pydantic model) is written so.
    """
    kind: type[Any] = type(value)
    return value if kind in _AS_IT_IS else _how(kind)(value)


@cache
def _how(kind: type[Any]) -> Callable[[Any], Any]:  # noqa: PLR0911 - a table, with conditions for keys
    """Return how values of a type are written; an answer has thousands of few types."""
    if issubclass(kind, str | int):
        return lambda value: value
    if issubclass(kind, float):
        return lambda value: value if math.isfinite(value) else None
    if issubclass(kind, datetime):
        return lambda value: value.isoformat()
    if issubclass(kind, Mapping):
        return lambda value: {str(name): plain(each) for name, each in value.items()}
    if issubclass(kind, list | tuple | set | frozenset):
        return lambda value: [plain(each) for each in value]
    if hasattr(kind, "to_json"):
        return lambda value: plain(value.to_json())
    if hasattr(kind, "model_dump"):
        return lambda value: value.model_dump(mode="json")
    if dataclasses.is_dataclass(kind):
        names = [field.name for field in dataclasses.fields(kind) if not field.name.startswith("_")]
        return lambda value: {name: plain(getattr(value, name)) for name in names}
    return str
