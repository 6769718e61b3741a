"""Encode items as ASCII JSON that round-trips exactly, lone surrogates and NUL included."""

from __future__ import annotations

import gc
import json
import sys
from contextlib import contextmanager
from json import encoder
from typing import TYPE_CHECKING, Any, cast

from bethink.errors import InvalidError
from bethink.json_kinds import is_object

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    from bethink.sessions.values import Body


DEEPEST = 256  #: levels of nesting
FEW = 16_000  #: texts; a process that reads no more than these saves less by the fast parser than it takes to load
TOGETHER = 500  #: texts that are read as one array: more would only be copied more slowly


_slowly = 0  #: texts that this process has read without the fast parser


def _encoder() -> Callable[[object], str]:
    """Return how JSON is written. The standard library makes its fast part anew at each call; here it is made once."""
    plain = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    make: Any = getattr(encoder, "c_make_encoder", None)
    if make is None:
        return plain.encode
    chunks = make(None, plain.default, encoder.encode_basestring_ascii, None, ":", ",", False, False, False)
    return lambda value: "".join(chunks(value, 0))


_encode = _encoder()


def encode(body: object) -> str:
    """Return an item as text.

    Raises:
        InvalidError: it is not a JSON object, or is nested deeper than every later reader can follow.
    """
    if not is_object(body):
        raise InvalidError(
            f"an item must be a JSON object, such as {{'role': 'user', 'content': '…'}}, got "
            f"{type(body).__name__}",
            argument="items",
        )
    try:
        text = _encode(body)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidError(f"an item must be JSON: {error}", argument="items") from None
    if text.count("{") + text.count("[") > DEEPEST and _depth(body) > DEEPEST:
        raise InvalidError(
            f"an item must not be nested more than {DEEPEST} levels deep; store it as text",
            argument="items",
            limit=DEEPEST,
        )
    return text


def _depth(value: object) -> int:
    """Return how deep a value is nested, as far as it matters."""
    depth, level = 0, cast("list[Any]", [value])
    while level and depth <= DEEPEST:
        level = [
            inner
            for each in level
            if isinstance(each, dict | list | tuple)
            for inner in cast("Iterable[Any]", each.values() if isinstance(each, dict) else each)
        ]
        depth += 1
    return depth


def decode(text: str) -> Body | None:
    """Return the item of a text; None where the row is damaged."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return body if is_object(body) else None


def decode_all(texts: Sequence[str]) -> list[Body | None]:
    """Return the items of many texts; each is an object of its own, so that callers may change it.

    The fast parser reads some hundred of them as one array. What it does not read (lone surrogates, deep nesting, a
    damaged row) is left to the parser of the standard library, row by row.
    """
    if len(texts) <= TOGETHER:
        return _decode_some(texts)
    bodies: list[Body | None] = []
    with no_collection():
        for at in range(0, len(texts), TOGETHER):
            bodies += _decode_some(texts[at : at + TOGETHER])
    return bodies


def _decode_some(texts: Sequence[str]) -> list[Body | None]:
    if not texts:
        return []
    global _slowly  # noqa: PLW0603 - how many it is, nothing depends on
    if _slowly < FEW and "pydantic_core" not in sys.modules:
        _slowly += len(texts)
        bodies = _read_array(array(texts))
    else:
        bodies = decode_array(array(texts))
    if bodies is None or len(bodies) != len(texts):
        return [decode(text) for text in texts]
    return [body if isinstance(body, dict) else None for body in bodies]


def _read_array(text: str) -> list[Any] | None:
    """Return what the parser of the standard library reads of an array; None where it does not read it."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def array(texts: Sequence[str]) -> str:
    """Return the texts of items as the text of one array."""
    return "[" + ",".join(texts) + "]"


def decode_array(text: str) -> list[Any] | None:
    """Return what the fast parser reads of an array; None where it does not read it."""
    from pydantic_core import from_json

    try:
        return from_json(text, allow_inf_nan=False, cache_strings="keys")
    except ValueError:
        return None


@contextmanager
def no_collection() -> Generator[None]:
    """Leave the garbage collector out of it: it would walk through every new object, and none of them is garbage."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
