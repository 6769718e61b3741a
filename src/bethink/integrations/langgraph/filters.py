"""Filters of LangGraph's stores and checkpointers: the supported operators and field names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, cast

from bethink.errors import InvalidError

OPERATORS: Final = frozenset({"$eq", "$ne", "$gt", "$gte", "$lt", "$lte"})
_KEY: Final = re.compile(r"[a-zA-Z0-9_.-]+")


def check_keys(filter: Mapping[str, Any] | None) -> None:  # noqa: A002
    """Make sure that the names of fields are plain.

    Raises:
        InvalidError: one is no path of plain words. It is a `ValueError`.
    """
    for key in filter or ():
        if not _KEY.fullmatch(key):
            raise InvalidError(
                "Invalid filter key: only letters, digits, underscores, dots and hyphens are allowed",
                argument="filter",
            )


def check_operators(filter: Mapping[str, Any] | None) -> None:  # noqa: A002
    """Make sure that the operators are known.

    Raises:
        InvalidError: one is not. It is a `ValueError`.
    """
    for condition in (filter or {}).values():
        names = cast("dict[Any, Any]", condition) if isinstance(condition, dict) else ()
        unknown = [name for name in names if str(name).startswith("$") and name not in OPERATORS]
        if unknown:
            raise InvalidError(
                f"{unknown[0]!r} is not an operator; use one of {', '.join(sorted(OPERATORS))}",
                argument="filter",
            )
