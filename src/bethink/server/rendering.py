"""Write what the library returns as JSON."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from starlette.responses import Response

if TYPE_CHECKING:
    from collections.abc import Callable

    from bethink.pages import Page


class Json(Response):
    """JSON in ASCII: half of a surrogate pair that somebody said in a conversation is no reason to fail."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Return the bytes."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


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
        case _ if hasattr(value, "to_json"):
            answer = plain(value.to_json())
        case _ if hasattr(value, "model_dump"):
            answer = value.model_dump(mode="json")
        case _ if dataclasses.is_dataclass(value):
            answer = {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
        case _:
            answer = str(value)
    return answer


def answer(value: Any, status: int = 200, *, revision: int | None = None, at: str | None = None) -> Response:
    """Return a value as the answer to a request, with the revision as its `ETag`."""
    headers: dict[str, str] = {}
    if revision is not None:
        headers["etag"] = f'"{revision}"'
    if at is not None:
        headers["location"] = at
    return Json(plain(value), status_code=status, headers=headers)


def page(found: Page[Any], render: Callable[[Any], Any] = plain) -> Response:
    """Return a part of a list, with the true total and the cursor of the next part."""
    return Json({"entries": [render(each) for each in found], "total": found.total, "next": found.next})


def nothing() -> Response:
    """Return an answer without a body."""
    return Response(status_code=204)
