"""Translate SQLite errors."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw

from bethink.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Generator

ADVICE: dict[type[Exception], str] = {
    apsw.FullError: "the disk or the database is full; free some space and try again",
    apsw.ReadOnlyError: "the database is read-only; check the permissions of the file and its directory",
    apsw.NotADBError: "the file is not a SQLite database; choose another file",
    apsw.CorruptError: "the database is damaged; run `bethink doctor`, or restore a backup",
    apsw.CantOpenError: "cannot open the file; check the path, the permissions and the open-file limit",
    apsw.BusyError: "another process has locked the database; try again, or find the process that keeps the lock",
    apsw.LockedError: "another connection has locked the database; try again",
    apsw.IOError: "the disk reported an error; check it, then check what was written",
    apsw.InterruptError: "the operation was interrupted; try again",
    apsw.TooBigError: "the value is larger than the database allows; split it",
    apsw.NoMemError: "not enough memory for this operation",
}


def storage_error(error: apsw.Error) -> StorageError:
    """Return what SQLite raised as our own error."""
    advice = next((text for kind, text in ADVICE.items() if isinstance(error, kind)), None)
    reason = type(error).__name__
    found = StorageError(
        advice or f"the database refused a statement ({reason})", reason=reason, outcome="none"
    )
    found.__cause__ = error
    return found


@contextmanager
def translated() -> Generator[None]:
    """Raise what SQLite raises as our own error."""
    try:
        yield
    except apsw.Error as error:
        raise storage_error(error) from error
