"""Pagination: a page of a list with its total and the cursor of the next page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, overload

from bethink.errors import InvalidError
from bethink.json_kinds import is_list
from bethink.plain import Plain

T = TypeVar("T")
MAX = 1000  #: entries of a page at most

_FARTHEST = 1 << 63


@dataclass(frozen=True, slots=True)
class Page(Plain, Sequence[T], Generic[T]):
    """Some entries of a list, in order."""

    entries: tuple[T, ...]  #: the entries of this part; a page is also a sequence of them
    total: int  #: of the whole list, not of this page
    next: str | None = None  #: pass it as `cursor` for the entries that follow; None at the end

    def __len__(self) -> int:
        return len(self.entries)

    def __str__(self) -> str:
        return "\n".join([*map(str, self.entries), f"({len(self.entries)} of {self.total})"])

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        try:
            return self.entries[index]
        except TypeError:
            raise TypeError(
                f"a page is a sequence of its entries; page[{index!r}] is not one of them"
            ) from None


def check_limit(limit: int, most: int = MAX, *, argument: str = "limit") -> int:
    """Check that a limit is between 1 and `most`, and return it.

    Raises:
        InvalidError: it is not.
    """
    if isinstance(limit, bool) or not isinstance(limit, int):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError(f"{argument} must be an int, got {type(limit).__name__}", argument=argument)
    if not 1 <= limit <= most:
        raise InvalidError(
            f"{argument} must be between 1 and {most}, got {limit}",
            argument=argument,
            limit=most,
            actual=limit,
        )
    return limit


def to_cursor(*position: int | str) -> str:
    """Write a position in a list as one opaque word."""
    import base64

    return base64.urlsafe_b64encode(json.dumps(position).encode()).decode().rstrip("=")


def from_cursor(cursor: str, *kinds: type) -> tuple[Any, ...]:
    """Read a position back.

    Raises:
        InvalidError: the word did not come from a page of this list.
    """
    import base64
    import binascii

    try:
        position: Any = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (TypeError, ValueError, RecursionError, binascii.Error):
        position = None
    known = is_list(position) and [type(part) for part in position] == list(kinds)
    if known and all(-_FARTHEST < part < _FARTHEST for part in position if isinstance(part, int)):
        return tuple(position)
    raise InvalidError("cursor must be the `next` of a page of this list", argument="cursor")
