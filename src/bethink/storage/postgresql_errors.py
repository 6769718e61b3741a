"""Translate PostgreSQL errors, without the memory text that their messages may quote."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
from psycopg import errors

from bethink.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Mapping

AGAIN = (errors.SerializationFailure, errors.DeadlockDetected, errors.UniqueViolation)


def connection_lost(error: BaseException) -> StorageError:
    """Return the error of a commit that nobody knows the end of."""
    found = StorageError(
        "the connection was lost during the commit; check what was written",
        reason="connection lost",
        outcome="unknown",
    )
    found.__cause__ = error
    return found


_POOLER = (
    "a connection pooler in front of the database does not support prepared statements; add "
    "?prepared=false to the URL, or use PgBouncer 1.21 or later"
)
_ADVICE: Mapping[type[psycopg.Error], str] = {
    errors.QueryCanceled: "a statement took longer than allowed; raise `statement_seconds`, or find out why it is slow",
    errors.LockNotAvailable: "another transaction has locked the rows; try again",
    errors.SerializationFailure: "other transactions kept interfering; try again later",
    errors.DeadlockDetected: "other transactions kept interfering; try again later",
    errors.InvalidSqlStatementName: _POOLER,
    errors.DuplicatePreparedStatement: _POOLER,
    errors.InsufficientPrivilege: "the role does not have permission; check its grants, and that the tenant of "
    "the unit is the tenant of the memory",
    errors.UndefinedTable: "a table is missing; run `bethink migrate` with the URL of the role that owns the schema",
    errors.ReadOnlySqlTransaction: "the database is read-only; connect to the primary server",
    errors.DiskFull: "the database's disk is full; free some space and try again",
    errors.TooManyConnections: "the database has no free connection; lower `connections`, or use a connection pooler",
    errors.CannotConnectNow: "the database is starting or stopping; try again",
    errors.AdminShutdown: "the database is shutting down; try again",
    errors.IdleInTransactionSessionTimeout: "the transaction was idle for too long; nothing was written",
    errors.OutOfMemory: "the database does not have enough memory for this operation",
}


def translate_error(error: psycopg.Error, *, connecting: bool = False, attempts: int = 1) -> StorageError:
    """Return what PostgreSQL raised as our own; its message may quote memory text, so it is left out."""
    reason = type(error).__name__
    advice = next((text for kind, text in _ADVICE.items() if isinstance(error, kind)), None)
    if advice is None and connecting:
        advice = "cannot reach the database; check the URL, the server and the password"
    elif advice is None and error.sqlstate is None and isinstance(error, psycopg.OperationalError):
        advice = "the connection was lost before the commit; nothing was written, so try again"
    return StorageError(
        advice or f"the database refused a statement ({reason})",
        reason=reason,
        code=error.sqlstate,
        attempts=attempts,
        outcome="none",
    )


def safe_cause(error: psycopg.Error) -> psycopg.Error | None:
    """Return an error to be shown as a cause, unless it may quote what is stored."""
    quotes = error.diag.message_detail or (error.sqlstate or "").startswith(("22", "23"))
    return None if quotes else error
