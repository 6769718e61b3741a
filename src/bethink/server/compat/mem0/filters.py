"""mem0's filters: validated first, then evaluated for each memory.

`{"AND": [{"user_id": "ana"}, {"created_at": {"gte": "2026-01-01"}}]}`; several keys in one object are all wanted. A
key, an operator or a value that is not known is refused by name: nothing of a filter is ever passed over.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, assert_never

from bethink.errors import InvalidError, LimitError
from bethink.json_kinds import is_list, is_object
from bethink.server.compat.mem0.entities import ANY, IDS, parse_entities

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

TIMES: Final = ("created_at", "updated_at", "timestamp")
MAX_CONDITIONS: Final = 200
MAX_DEPTH: Final = 8
_EQUAL: Final = ("eq", "ne", "in", "nin")
_ORDER: Final = ("gt", "gte", "lt", "lte")
_WITHIN: Final = ("contains", "icontains")
_OPERATORS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(IDS, _EQUAL),
    **dict.fromkeys(TIMES, ("eq", "ne", *_ORDER)),
    "categories": (*_EQUAL, *_WITHIN),
    "keywords": ("eq", *_WITHIN),
    "memory_ids": ("in",),
    "metadata": (*_EQUAL, *_ORDER, *_WITHIN),
}
KEYS: Final = (*_OPERATORS, "AND", "OR", "NOT")

#: whose memories a filter can let through: some users (None is nobody in particular), everybody's, or it does not say
Whose: TypeAlias = "frozenset[str | None] | Literal['all', 'unsaid']"


@dataclass(frozen=True, slots=True)
class Condition:
    """One field, compared with a value."""

    field: str
    operator: str
    wanted: Any
    name: str | None = None  #: of a field of the metadata


@dataclass(frozen=True, slots=True)
class And:
    """All of some filters hold."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """One of some filters holds."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """None of some filters holds."""

    parts: tuple[Filter, ...]


Filter: TypeAlias = Condition | And | Or | Not


# ---- reading --------------------------------------------------------------------------------------------------------


def parse(given: Any) -> Filter:
    """Return a filter that was checked.

    Raises:
        InvalidError: a key, an operator or a value is not known; it is named.
        LimitError: there are too many conditions.
    """
    left = [MAX_CONDITIONS]
    return _parse(given, left, MAX_DEPTH)


def _parse(given: Any, left: list[int], depth: int) -> Filter:
    if not is_object(given):
        raise InvalidError('filters is an object, such as {"user_id": "ana"}', argument="filters")
    if depth == 0:
        raise LimitError(
            f"filters are nested more than {MAX_DEPTH} deep", argument="filters", limit=MAX_DEPTH
        )
    parts: list[Filter] = []
    for key, value in given.items():
        if key in {"AND", "OR", "NOT"}:
            within = tuple(_parse(each, left, depth - 1) for each in _listed(key, value))
            parts.append({"AND": And, "OR": Or, "NOT": Not}[key](within))
        elif key == "metadata":
            parts += _of_metadata(value)
        elif key in _OPERATORS:
            parts += [_condition(key, each, wanted) for each, wanted in _compared(key, value)]
        else:
            raise _unknown(key)
    left[0] -= len(parts)
    if left[0] < 0:
        raise LimitError(
            f"a filter has at most {MAX_CONDITIONS} conditions", argument="filters", limit=MAX_CONDITIONS
        )
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def _unknown(key: str) -> InvalidError:
    named = json.dumps(key[:64], ensure_ascii=False)
    return InvalidError(
        f"unknown filter key {named}; use one of {', '.join(KEYS)}; "
        f'filter by metadata with {{"metadata": {{{named}: …}}}}',
        argument="filters",
    )


def _listed(key: str, value: Any) -> list[Any]:
    if key == "NOT" and is_object(value):
        return [value]
    if not is_list(value) or not value:
        raise InvalidError(f"{key} takes a list of conditions that is not empty", argument="filters")
    return value


def _of_metadata(value: Any) -> list[Filter]:
    if not is_object(value) or not value:
        raise InvalidError('metadata takes an object, such as {"city": "Paris"}', argument="filters")
    return [
        Condition("metadata", operator, _checked("metadata", operator, wanted), name)
        for name, condition in value.items()
        for operator, wanted in _compared("metadata", condition)
    ]


def _compared(field: str, value: Any) -> list[tuple[str, Any]]:
    """Return the operators and values of a condition; a plain value is to be equal, a list holds it."""
    if is_object(value):
        unknown = [each for each in value if each not in _OPERATORS[field]]
        if unknown or not value:
            known = ", ".join(_OPERATORS[field])
            raise InvalidError(
                f"{(unknown or ['an empty object'])[0]!r} is not an operator for {field}; use one of {known}",
                argument="filters",
            )
        return list(value.items())
    if field == "memory_ids" or (field == "categories" and is_list(value)):
        return [("in", value)]
    return [("eq", value)]


def _condition(field: str, operator: str, wanted: Any) -> Condition:
    return Condition(field, operator, _checked(field, operator, wanted))


def _checked(field: str, operator: str, wanted: Any) -> Any:
    if operator in {"in", "nin"}:
        if not is_list(wanted):
            raise InvalidError(f"{operator} on {field} takes a list", argument="filters")
        return [_checked(field, "eq", each) for each in wanted]
    if field in TIMES:
        return instant(wanted, field)
    if field == "metadata":
        return wanted
    if field in IDS:
        return _id(field, wanted)
    if not isinstance(wanted, str):
        raise InvalidError(f"{field} is compared with a text", argument="filters")
    return wanted


def _id(field: str, wanted: Any) -> str | None:
    """Return an id in the form in which it is kept; None is "has none"."""
    return (
        wanted
        if wanted in {None, ANY}
        else getattr(parse_entities({field: wanted}, argument="filters"), field)
    )


def instant(value: Any, argument: str) -> datetime:
    """Return an instant that was written as ISO 8601, as a date, or as seconds since 1970.

    Raises:
        InvalidError: it was written otherwise.
    """
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        if isinstance(value, str) and value.strip().isdecimal():
            return datetime.fromtimestamp(int(value), UTC)
        if isinstance(value, str):
            found = datetime.fromisoformat(value.strip())
            return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        pass
    raise InvalidError(
        f"{argument} is an instant: 2026-01-31, 2026-01-31T12:00:00Z, or seconds since 1970",
        argument=argument,
    )


def day(value: Any, argument: str) -> date:
    """Return a day that was written as YYYY-MM-DD.

    Raises:
        InvalidError: it was written otherwise.
    """
    return instant(value, argument).date()


# ---- whose --------------------------------------------------------------------------------------------------------


def possible_owners(filter_: Filter, field: str) -> Whose:
    """Return which users, or which agents, a filter can let through."""
    match filter_:
        case Condition():
            return _of_condition(filter_, field)
        case And(parts):
            return _of_all([possible_owners(part, field) for part in parts])
        case Or(parts):
            return _of_any([possible_owners(part, field) for part in parts])
        case Not(parts):
            return "unsaid" if all(possible_owners(part, field) == "unsaid" for part in parts) else "all"
        case _:
            assert_never(filter_)


def _of_condition(condition: Condition, field: str) -> Whose:
    if condition.field != field:
        return "unsaid"
    named = condition.wanted if condition.operator == "in" else [condition.wanted]
    return frozenset(named) if condition.operator in {"eq", "in"} and ANY not in named else "all"


def _of_all(parts: list[Whose]) -> Whose:
    some = [each for each in parts if isinstance(each, frozenset)]
    if some:
        return some[0].intersection(*some[1:])
    return "all" if "all" in parts else "unsaid"


def _of_any(parts: list[Whose]) -> Whose:
    if "all" in parts:
        return "all"
    some = [each for each in parts if isinstance(each, frozenset)]
    nobody: frozenset[str | None] = frozenset({None} if "unsaid" in parts else ())
    return nobody.union(*some) if some else "unsaid"


# ---- asking -------------------------------------------------------------------------------------------------------


def filter_matches(filter_: Filter, of: Mapping[str, Any]) -> bool:
    """Tell whether a memory, by its fields, is let through."""
    match filter_:
        case Condition(field=field, operator=operator, wanted=wanted, name=name):
            value = of[field] if name is None else of[field].get(name)
            return _COMPARE[operator](value, wanted)
        case And(parts):
            return all(filter_matches(part, of) for part in parts)
        case Or(parts):
            return any(filter_matches(part, of) for part in parts)
        case Not(parts):
            return not any(filter_matches(part, of) for part in parts)
        case _:
            assert_never(filter_)


def _equal(value: Any, wanted: Any) -> bool:
    if wanted == ANY:
        return value is not None
    if is_list(value) and not is_list(wanted):
        return wanted in value
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def _among(value: Any, wanted: Iterable[Any]) -> bool:
    return any(_equal(value, each) for each in wanted)


def _ordered(test: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def compare(value: Any, wanted: Any) -> bool:
        try:
            return value is not None and test(value, wanted)
        except TypeError:
            return False

    return compare


def _contains(value: Any, wanted: Any, *, plain: Callable[[str], str] = lambda text: text) -> bool:
    if is_list(value):
        return any(_contains(each, wanted, plain=plain) for each in value)
    return isinstance(value, str) and isinstance(wanted, str) and plain(wanted) in plain(value)


_COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "eq": _equal,
    "ne": lambda value, wanted: not _equal(value, wanted),
    "in": _among,
    "nin": lambda value, wanted: not _among(value, wanted),
    "gt": _ordered(lambda value, wanted: value > wanted),
    "gte": _ordered(lambda value, wanted: value >= wanted),
    "lt": _ordered(lambda value, wanted: value < wanted),
    "lte": _ordered(lambda value, wanted: value <= wanted),
    "contains": _contains,
    "icontains": lambda value, wanted: _contains(value, wanted, plain=str.casefold),
}
