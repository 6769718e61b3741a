"""Turn what the library returns into plain JSON."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast


def plain(value: Any) -> Any:
    """Return a value as JSON: dataclasses by their fields, instants as ISO 8601, numbers that are none as null."""
    match value:
        case float():
            answer = value if math.isfinite(value) else None
        case None | bool() | int() | str():
            answer = value
        case datetime():
            answer = value.isoformat()
        case Mapping():
            answer = {str(name): plain(each) for name, each in cast("Mapping[Any, Any]", value).items()}
        case list() | tuple() | set() | frozenset():
            answer = [plain(each) for each in cast("list[Any]", value)]
        case _ if dataclasses.is_dataclass(value):
            names = [field.name for field in dataclasses.fields(value)]
            answer = {name: plain(getattr(value, name)) for name in names if not name.startswith("_")}
        case _:
            answer = str(value)
    return answer
