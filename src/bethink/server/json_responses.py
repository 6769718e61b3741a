"""Serialise the library's values as JSON responses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar

from pydantic_core import PydanticSerializationError, to_json
from starlette.responses import Response

from bethink.plain import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bethink.pages import Page

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


_write = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


class Json(Response):
    """JSON; half of a surrogate pair that somebody said in a conversation is escaped, and no reason to fail."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Return the bytes."""
        try:
            return to_json(content, inf_nan_mode="null")
        except PydanticSerializationError:  # of text that is not Unicode, which is written in ASCII
            return _write(content).encode("ascii")


class Answer(Json, Generic[T_co]):
    """An answer with a value of a type. A route that says `-> Answer[Note]` is described so, and held to it."""


class Entries(TypedDict, Generic[T]):
    """All of a short list."""

    entries: Sequence[T]


def answer(value: T, status: int = 200, *, revision: int | None = None, at: str | None = None) -> Answer[T]:
    """Return a value as the answer to a request, with the revision as its `ETag`."""
    headers: dict[str, str] = {}
    if revision is not None:
        headers["etag"] = f'"{revision}"'
    if at is not None:
        headers["location"] = at
    return Answer(plain(value), status_code=status, headers=headers)


def page(found: Page[T], render: Callable[[T], Any] = plain) -> Answer[Page[T]]:
    """Return a part of a list, with the true total and the cursor of the next part."""
    return Answer({"entries": [render(each) for each in found], "total": found.total, "next": found.next})


def nothing() -> Response:
    """Return an answer without a body."""
    return Response(status_code=204)
