"""A SQLite connection (apsw) with types, and its pragmas: durability, cache, secure delete."""
# pyright: reportIncompatibleMethodOverride=false

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from bethink.errors import StorageError

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


def set_pragmas(connection: Connection, synchronous: str, *, reading: bool) -> None:
    """Set what every connection needs; `synchronous` is FULL or NORMAL.

    Raises:
        StorageError: SQLite ignored a pragma.
    """
    set_pragma(connection, "synchronous", {"FULL": 2, "NORMAL": 1}[synchronous])
    connection.execute("pragma temp_store = memory")
    connection.execute("pragma cache_size = -16000")
    # What is deleted is overwritten with zeros: erasing leaves no bytes behind in free pages.
    set_pragma(connection, "secure_delete", 1)
    if reading:
        connection.execute("pragma query_only = on")


def set_pragma(connection: Connection, pragma: str, value: str | int) -> None:
    """Set a pragma and read it back: SQLite ignores silently what it cannot do.

    Raises:
        StorageError: the pragma has another value afterwards.
    """
    connection.execute(f"pragma {pragma} = {value}").fetchall()
    ((actual,),) = connection.execute(f"pragma {pragma}").fetchall()
    if actual != value:
        raise StorageError(
            f"the file system does not support {pragma}={value} (SQLite answered {actual}); move the "
            "file to a local disk",
            reason=pragma,
            expected=value,
            actual=actual,
            outcome="none",
        )
