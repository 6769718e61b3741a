"""Metadata filters (`where`).

`where={"city": "Paris", "stars": {"$gte": 4}}` holds when every condition holds. A missing field fails every
operator but `$exists: False`, `$ne` and `$nin`. Values of different kinds are unequal and have no order.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, cast

from bethink.errors import InvalidError
from bethink.json_kinds import is_list

if TYPE_CHECKING:
    from collections.abc import Callable

_MISSING = object()


def _ordered(test: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def compare(value: Any, wanted: Any) -> bool:
        numbers = _is_number(value) and _is_number(wanted)
        texts = isinstance(value, str) and isinstance(wanted, str)
        return (numbers or texts) and test(value, wanted)

    return compare


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _equal(value: Any, wanted: Any) -> bool:
    if isinstance(value, bool) != isinstance(wanted, bool):
        return False
    return value is not _MISSING and value == wanted


def _contains(value: Any, wanted: Any) -> bool:
    if isinstance(value, str):
        return isinstance(wanted, str) and wanted in value
    return is_list(value) and any(_equal(each, wanted) for each in value)


OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": _equal,
    "$ne": lambda value, wanted: not _equal(value, wanted),
    "$gt": _ordered(lambda value, wanted: value > wanted),
    "$gte": _ordered(lambda value, wanted: value >= wanted),
    "$lt": _ordered(lambda value, wanted: value < wanted),
    "$lte": _ordered(lambda value, wanted: value <= wanted),
    "$in": lambda value, wanted: any(_equal(value, one) for one in wanted),
    "$nin": lambda value, wanted: not any(_equal(value, one) for one in wanted),
    "$contains": _contains,
    "$exists": lambda value, wanted: (value is not _MISSING) == bool(wanted),
}


def check_where(where: Mapping[str, Any] | None) -> None:
    """Make sure that a filter can be evaluated.

    Raises:
        InvalidError: it is not a mapping, an operator is not known, or `$in` and `$nin` are not given a list.
    """
    if where is not None and not isinstance(where, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError("where must name fields of the metadata: {'city': 'Paris'}", argument="where")
    for field, condition in (where or {}).items():
        for operator, wanted in _conditions(condition):
            if operator not in OPERATORS:
                known = ", ".join(OPERATORS)
                raise InvalidError(
                    f"{operator!r} on {field!r} is not an operator; use one of {known}", argument="where"
                )
            if operator in {"$in", "$nin"} and (
                isinstance(wanted, str) or not isinstance(wanted, Collection)
            ):
                raise InvalidError(f"{operator} on {field!r} needs a list of values", argument="where")


def matches(where: Mapping[str, Any] | None, metadata: Mapping[str, Any]) -> bool:
    """Return whether every condition of a checked filter holds."""
    return all(
        OPERATORS[operator](metadata.get(field, _MISSING), wanted)
        for field, condition in (where or {}).items()
        for operator, wanted in _conditions(condition)
    )


def _conditions(condition: Any) -> list[tuple[str, Any]]:
    if isinstance(condition, Mapping):
        named = cast("Mapping[Any, Any]", condition)
        if any(str(name).startswith("$") for name in named):
            return [(str(name), wanted) for name, wanted in named.items()]
    return [("$eq", condition)]
