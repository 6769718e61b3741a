"""Parse assignments such as `loyalty.airline=gold`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.cli.json_options import json_or_text
from bethink.errors import InvalidError
from bethink.json_kinds import is_object

if TYPE_CHECKING:
    from collections.abc import Iterable


def fields(assignments: Iterable[str]) -> dict[str, Any]:
    """Return assignments as one JSON object.

    Raises:
        InvalidError: one of them has no `=` or no name, or two of them contradict one another.
    """
    made: dict[str, Any] = {}
    for assignment in assignments:
        path, equals, value = assignment.partition("=")
        names = path.split(".")
        if not equals or not all(names):
            raise InvalidError("expected FIELD=VALUE, such as home_city=Paris", argument="set")
        inner = made
        for name in names[:-1]:
            inner = inner.setdefault(name, {})
            if not is_object(inner):
                raise InvalidError(
                    f"{name} cannot be set both to a value and to nested fields", argument="set"
                )
        inner[names[-1]] = json_or_text(value)
    return made
