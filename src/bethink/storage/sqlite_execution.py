"""Run units of work on a SQLite connection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.storage.dialect import SQLITE

if TYPE_CHECKING:
    from bethink.storage.jobs import Job
    from bethink.storage.sqlite_connection import Connection
    from bethink.storage.work import Row, Statement, Unit


def run_unit(connection: Connection, unit: Unit[Any]) -> Any:
    """Run a unit inside the transaction that is open."""
    work = unit()
    try:
        statement = next(work)
        while True:
            statement = work.send(_execute(connection, statement))
    except StopIteration as end:
        return end.value
    finally:
        work.close()


def run_reading(connection: Connection, unit: Unit[Any]) -> Any:
    """Run a unit that only reads, on one view of the database."""
    connection.execute("begin")
    try:
        return run_unit(connection, unit)
    finally:
        if connection.in_transaction:
            connection.execute("commit")


def run_looking(connection: Connection, unit: Unit[Any]) -> Any:
    """Run a unit that only reads on a connection that writes too, and refuse it to write."""
    connection.execute("pragma query_only = on")
    try:
        return run_unit(connection, unit)
    finally:
        connection.execute("pragma query_only = off")


def run_job(connection: Connection, job: Job) -> Any:
    """Run a job of either kind, where readers and the writer share one connection."""
    return run_unit(connection, job.unit) if job.write else run_looking(connection, job.unit)


def _execute(connection: Connection, statement: Statement) -> list[Row]:
    sql, params, many = statement
    prepared = SQLITE.prepare(sql)
    if many is not None:
        connection.executemany(prepared, many)
        return []
    return connection.execute(prepared, params).fetchall()
