"""Named statements, read from the `statements.sql` of a room."""

from __future__ import annotations

import pkgutil
import re
from functools import cache

from bethink.storage.work import Query

_NAME = re.compile(r"^-- name: *([a-z_]+)(?: *-> *\w+)?(?: *\(many\))? *$", re.MULTILINE)
_TYPES = re.compile(r"^-- (?:param|column): .*\n", re.MULTILINE)


class Statements:
    """The statements of one room, each an attribute."""

    def __init__(self, room: str, queries: dict[str, Query]) -> None:
        self.room = room
        self.queries = queries
        self.__dict__.update(queries)

    def __getattr__(self, name: str) -> Query:
        try:
            return self.__dict__["queries"][name]
        except KeyError:
            raise AttributeError(f"{self.room}/statements.sql has no statement {name!r}") from None


@cache
def statements(room: str) -> Statements:
    """Return the statements of a room, such as `bethink.notes`."""
    data = pkgutil.get_data(room, "statements.sql")  # imports less than importlib.resources does
    if data is None:
        raise FileNotFoundError(f"cannot read {room}/statements.sql; reinstall the package")
    return Statements(room, parse(data.decode("utf-8")))


@cache
def texts(room: str) -> dict[str, str]:
    """Return the SQL of a room's statements, by name."""
    return {name: query.sql for name, query in statements(room).queries.items()}


def parse(text: str) -> dict[str, Query]:
    """Return the queries of a statements file, by name."""
    parts = _NAME.split(text)
    queries: dict[str, Query] = {}
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        lines = _TYPES.sub("", body).strip().splitlines()
        purpose = " ".join(line[3:].strip() for line in lines if line.startswith("-- "))
        sql = "\n".join(line for line in lines if not line.startswith("--")).strip().rstrip(";")
        if name in queries or not sql or not purpose:
            raise ValueError(f"statement {name!r} is defined twice, or lacks its text or its purpose")
        queries[name] = Query(name, sql, purpose)
    return queries
