"""A typed SQLite connection (apsw)."""
# pyright: reportIncompatibleMethodOverride=false

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, Protocol

    from bethink.storage.work import Params, Row

    class Cursor(Protocol):
        """The rows that a statement answers."""

        def __iter__(self) -> Iterator[Row]:
            """Yield them one by one."""
            ...

        def fetchall(self) -> list[Row]:
            """Return all of them."""
            ...

    class Connection(apsw.Connection):
        """A connection of the driver; its methods say less than they take, on purpose."""

        def execute(self, statements: str, bindings: Params | Sequence[Any] | None = None) -> Cursor:
            """Run a statement."""
            ...

        def executemany(self, statements: str, sequenceofbindings: Iterable[Params]) -> Cursor:
            """Run a statement for each of several parameter sets."""
            ...

else:
    Connection = apsw.Connection
