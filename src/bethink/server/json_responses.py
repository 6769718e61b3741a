"""Serialise the library's values as JSON responses."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Generic, TypedDict, TypeVar

from starlette.responses import Response

from bethink.plain import Plain, plain

try:
    import orjson
except ImportError as missing:
    raise ImportError(
        "the server requires orjson: pip install 'bethink[server]'", name=missing.name
    ) from missing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bethink.pages import Page

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


_OPTIONS: Final = orjson.OPT_PASSTHROUGH_DATACLASS
_write = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


class Json(Response):
    """JSON of anything that `plain` writes, in the same form; a half of a surrogate pair is escaped, not refused."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Return the bytes."""
        try:
            return orjson.dumps(content, _made_plain, _OPTIONS)
        except orjson.JSONEncodeError:  # text that is not Unicode, or a number of more than 64 bits
            return _write(plain(content)).encode("ascii")


def _made_plain(value: Any) -> Any:
    """Return as JSON what the encoder does not know: of dataclasses one level alone, since it asks again."""
    return _how(value.__class__)(value)


@cache
def _how(kind: type[Any]) -> Callable[[Any], Any]:
    """Return how values of a type are written; of most dataclasses it is a function of their own, as fast as they have.

    An answer has some thirty of few types: to go through a list of names for each takes longer than all the rest.
    """
    if not is_dataclass(kind) or getattr(kind, "to_dict", Plain.to_dict) is not Plain.to_dict:
        return plain
    names = [field.name for field in fields(kind) if not field.name.startswith("_")]
    written = ", ".join(f"{name!r}: value.{name}" for name in names)
    return eval(f"lambda value: {{{written}}}")  # noqa: S307 - the names of fields, as a dataclass does with them


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
    return Answer(value, status_code=status, headers=headers)


def page(found: Page[T], render: Callable[[T], Any] | None = None) -> Answer[Page[T]]:
    """Return a part of a list, with the true total and the cursor of the next part."""
    entries = list(found) if render is None else [render(each) for each in found]
    return Answer({"entries": entries, "total": found.total, "next": found.next})


def nothing() -> Response:
    """Return an answer without a body."""
    return Response(status_code=204)
