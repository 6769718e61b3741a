"""Named statements, as the `statements.sql` of a package has them, and the keys of those that read sixteen rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

T = TypeVar("T")

SIXTEEN: Final = "abcdefghijklmnop"  #: how such a statement tells its keys apart: `:na`, `:nb` …
_NAME: Final = r"^-- name: *([a-z_]+)(?: *-> *\w+)?(?: *\((?:one, )?many\))? *$"
_TYPES: Final = r"^-- (?:param|column): .*\n"


class NamedStatement(NamedTuple):
    """A statement of a package, with the sentence that says what it is for."""

    name: str
    sql: str
    purpose: str


def parse(text: str) -> list[NamedStatement]:
    """Return the statements of a file."""
    parts = re.split(_NAME, text, flags=re.MULTILINE)
    found: dict[str, NamedStatement] = {}
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        lines = re.sub(_TYPES, "", body, flags=re.MULTILINE).strip().splitlines()
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
