"""Load named statements from a package's `statements.sql`, and pad key lists to batches of sixteen."""

from __future__ import annotations

import pkgutil
import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

T = TypeVar("T")

SIXTEEN: Final = "abcdefghijklmnop"  #: how such a statement tells its keys apart: `:na`, `:nb` …
_NAME = re.compile(r"^-- name: *([a-z_]+)(?: *-> *\w+)?(?: *\((?:one, )?many\))? *$", re.MULTILINE)
_TYPES = re.compile(r"^-- (?:param|column): .*\n", re.MULTILINE)


class NamedStatement(NamedTuple):
    """A statement of a package, with the sentence that says what it is for."""

    name: str
    sql: str
    purpose: str


@cache
def texts(package: str) -> dict[str, str]:
    """Return the SQL of the statements of a package, such as `bethink.notes`, by name."""
    data = pkgutil.get_data(package, "statements.sql")  # imports less than importlib.resources does
    if data is None:
        raise FileNotFoundError(f"{package}/statements.sql cannot be read; reinstall the package")
    return {each.name: each.sql for each in parse(data.decode("utf-8"))}


def parse(text: str) -> list[NamedStatement]:
    """Return the statements of a file."""
    parts = _NAME.split(text)
    found: dict[str, NamedStatement] = {}
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        lines = _TYPES.sub("", body).strip().splitlines()
        purpose = " ".join(line[3:].strip() for line in lines if line.startswith("-- "))
        sql = "\n".join(line for line in lines if not line.startswith("--")).strip().rstrip(";")
        if name in found or not sql or not purpose:
            raise ValueError(f"statement {name!r} is defined twice, or lacks its text or its purpose")
        found[name] = NamedStatement(name, sql, purpose)
    return list(found.values())


def sixteens(keys: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield sixteen keys at a time; the last piece is filled up with its last key, which reads no row twice."""
    for start in range(0, len(keys), len(SIXTEEN)):
        some = list(keys[start : start + len(SIXTEEN)])
        yield some + some[-1:] * (len(SIXTEEN) - len(some))
