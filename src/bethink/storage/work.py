"""Work without I/O: a unit of work yields statements, receives rows, and is one transaction.

A unit is a generator. It opens no file and holds no lock, so the same unit runs on every store, and a store
may run it again from the start when a transaction has to be retried: a unit changes nothing but the database.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple, TypeAlias, TypeVar

Row: TypeAlias = (
    "tuple[Any, ...]"  #: as a driver answers it; the queries of a package give each column its name
)
Rows: TypeAlias = "list[Row]"
Params: TypeAlias = "Mapping[str, Any]"


class Statement(NamedTuple):
    """One named SQL text, with the parameters of one execution, or of `many`."""

    sql: str
    params: Params
    many: Sequence[Params] | None = None


T = TypeVar("T")
Work: TypeAlias = Generator[Statement, Rows, T]
Unit: TypeAlias = Callable[[], Work[T]]  #: a unit ready to run; calling it starts it afresh


N = TypeVar("N", bound="tuple[Any, ...]")


def named_rows(kind: type[N], rows: Rows) -> list[N]:
    """Return rows by the names of their columns: `kind` is a named tuple with as many fields."""
    new: Any = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - of any tuple
    return list(map(new, repeat(kind), rows))
