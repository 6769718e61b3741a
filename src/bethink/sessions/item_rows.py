"""Validate items and encode them as rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar, cast

from bethink.errors import InvalidError, LimitError
from bethink.json_kinds import is_list
from bethink.scope.labels import label
from bethink.sessions.item_json import encode
from bethink.sessions.log_append import NewItem
from bethink.times import to_micros

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")
USUAL = "chat"  #: the origin of most items
MAX_ITEMS = 100_000  #: of one append
MAX_CHARACTERS = 64 * 1024 * 1024  #: of one item as JSON
FEW = 32  #: items of an append that is written at once
SHORT = 64 * 1024  #: characters of it
_NO_LISTS = (Mapping, str, bytes)


def new_items(
    items: Iterable[Mapping[str, Any]],
    *,
    at: datetime | Sequence[datetime | None] | None,
    speaker: str | Sequence[str | None] | None,
    origin: str,
    now: int,
    keys: Sequence[str | None] | None = None,
) -> list[NewItem]:
    """Return items as they are stored; what was said at an unknown time was said now (microseconds).

    Raises:
        InvalidError: an item is not a JSON object, or a value beside it is not of its kind.
        LimitError: there are too many items, or one is too large.
    """
    bodies = [encode(body) for body in item_list(items)]
    if len(bodies) > MAX_ITEMS:
        raise LimitError(
            f"items has {len(bodies)} entries, but one append takes at most {MAX_ITEMS}; append them "
            "in parts",
            limit=MAX_ITEMS,
            actual=len(bodies),
            unit="items",
        )
    longest = max(map(len, bodies), default=0)
    if longest > MAX_CHARACTERS:
        raise LimitError(
            f"an item has {longest} characters as JSON, but at most {MAX_CHARACTERS} are allowed; "
            "store its file elsewhere",
            limit=MAX_CHARACTERS,
            actual=longest,
            unit="characters",
        )
    if origin != USUAL:
        label(origin, argument="origin")
    if at is None and speaker is None and keys is None:
        return [NewItem(body, now, None, origin) for body in bodies]
    if isinstance(keys, str):
        raise InvalidError("keys must be a list of ids, one for each item", argument="keys")
    named = one_per_item(keys, len(bodies), "keys", str)
    times = one_per_item(at, len(bodies), "at", datetime)
    speakers = one_per_item(speaker, len(bodies), "speaker", str)
    return [
        NewItem(
            body,
            now if instant is None else to_micros(instant),
            None if by is None else label(by, argument="speaker"),
            origin,
            None if key is None else label(key, argument="keys"),
        )
        for body, instant, by, key in zip(bodies, times, speakers, named, strict=True)
    ]


def item_list(items: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return items as a list.

    Raises:
        InvalidError: it is a single item, or nothing of that kind.
    """
    if is_list(items):
        return items
    if isinstance(items, _NO_LISTS) or not isinstance(items, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError(
            "items must be a list of JSON objects; wrap a single item in a list", argument="items"
        )
    return list(items)


def are_few(items: Sequence[NewItem]) -> bool:
    """Tell whether items are written so quickly that no thread need be asked for it."""
    return len(items) <= FEW and sum(len(item.body) for item in items) <= SHORT


def earliest_time(at: datetime | Sequence[datetime | None] | None) -> int | None:
    """Return when the first of some items was said; None where that is not known of each of them."""
    times = [at] if at is None or isinstance(at, datetime) else list(at)
    if not times or any(each is None for each in times):
        return None
    return min(to_micros(each) for each in times if each is not None)


def one_per_item(
    given: T | Sequence[T | None] | None, count: int, argument: str, kind: type[T]
) -> list[T | None]:
    """Return one value an item.

    Raises:
        InvalidError: a value is not of its kind, or there are more or fewer values than items.
    """
    if given is None or isinstance(given, kind):
        return [given] * count
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise InvalidError(f"{argument} must be of type {kind.__name__}, or a list of it", argument=argument)
    values = list(cast("Iterable[Any]", given))
    if not all(value is None or isinstance(value, kind) for value in values):
        raise InvalidError(f"{argument} must contain only {kind.__name__}", argument=argument)
    if len(values) != count:
        raise InvalidError(
            f"{argument} has {len(values)} values for {count} items; pass one for all, or one for each item",
            argument=argument,
        )
    return values
