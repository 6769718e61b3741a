"""Run units of work on a SQLite connection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import apsw

from bethink.storage.sqlite_errors import storage_error

if TYPE_CHECKING:
    from bethink.storage.sqlite_connection import Connection
    from bethink.storage.work import Unit


def run_unit(connection: Connection, unit: Unit[Any], *, write: bool = True) -> Any:
    """Run a unit inside the transaction that is open; one that only reads is refused to write."""
    if not write:
        connection.execute("pragma query_only = on")
    work = unit()
    rows: Any = None
    try:
        while True:
            sql, params, many = work.send(rows)
            if many is None:
                rows = connection.execute(sql, params).fetchall()
            else:
                connection.executemany(sql, many)
                rows = []
    except StopIteration as end:
        return end.value
    finally:
        work.close()
        if not write:
            connection.execute("pragma query_only = off")


def run_reading(connection: Connection, unit: Unit[Any]) -> Any:
    """Run a unit on one view of the database, on a connection that only reads.

    Raises:
        StorageError: SQLite refused a statement.
    """
    try:
        connection.execute("begin")
        try:
            return run_unit(connection, unit)
        finally:
            if connection.in_transaction:
                connection.execute("commit")
    except apsw.Error as error:
        raise storage_error(error) from error
