"""Turn what the library returns into plain JSON, for every door."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, cast


def plain(value: Any) -> Any:
    """Return a value as JSON: dataclasses by their fields, instants as ISO 8601, numbers that are none as null.

    What says itself how it is written (`to_json`, or a pydantic model) is written so.
    """
    match value:
        case str() | None | bool() | int():
            answer = value
        case float():
            answer = value if math.isfinite(value) else None
        case datetime():
            answer = value.isoformat()
        case Mapping():
            answer = {str(name): plain(each) for name, each in cast("Mapping[Any, Any]", value).items()}
        case list() | tuple() | set() | frozenset():
            answer = [plain(each) for each in cast("list[Any]", value)]
        case _ if hasattr(value, "to_json"):
            answer = plain(value.to_json())
        case _ if hasattr(value, "model_dump"):
            answer = value.model_dump(mode="json")
        case _ if dataclasses.is_dataclass(value):
            answer = {name: plain(getattr(value, name)) for name in _names(type(value))}
        case _:
            answer = str(value)
    return answer


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind) if not field.name.startswith("_"))
