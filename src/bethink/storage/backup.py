"""Online backup of a SQLite database, and putting a backup in place of a database."""

from __future__ import annotations

import os
import time
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import apsw

from bethink.errors import ConflictError, InvalidError, NotFoundError, StorageError
from bethink.storage.migrations import APPLIED, migrations, pending
from bethink.storage.opening import MEMORY, sqlite_path
from bethink.storage.sqlite import APPLICATION_ID
from bethink.storage.sqlite_connection import Connection
from bethink.storage.sqlite_errors import translated

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

PAGES: Final = 512  #: of one step of a backup, between two reports
WAIT: Final = 30.0  #: seconds for another process to finish what it writes
_BESIDE: Final = ("-wal", "-shm", "-journal")
_TOOLS: Final = (
    "PostgreSQL is backed up with its own tools: `pg_dump --format=custom` as a role that sees all rows, and "
    "`pg_restore`; or base backups with the write-ahead log archived (docs/moving.md)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BackedUp:
    """A copy of a database that was made and looked through."""

    path: str
    bytes: int
    pages: int
    schema: int  #: the newest migration in it
    seconds: float


def backup(
    url: str,
    target: Path,
    *,
    force: bool = False,
    step: int = PAGES,
    done: Callable[[int, int], None] | None = None,
) -> BackedUp:
    """Copy a database as it is at this moment, while other processes go on writing.

    The copy is one file, looked through before it gets its name: a file of that name is a whole backup. `done` is told
    how many pages are copied, and of how many.

    Raises:
        InvalidError: the database is in memory, or of PostgreSQL.
        ConflictError: there is a file of that name, and `force` was not given.
        StorageError: the copy cannot be written, or is damaged.
    """
    source = file_of(url)
    _check_source(source)
    if target.exists() and not force:
        raise ConflictError(
            f"{target} exists; choose another name, or replace it with --force", path=str(target)
        )
    if target.exists() and target.samefile(source):
        raise InvalidError("target must not be the database itself", argument="target")
    started = time.monotonic()
    part = target.with_name(f".{target.name}.part")
    with _cleared(part):
        with translated(), closing(_reading(source)) as connection:
            pages = _copy_pages(connection, part, step, done or (lambda _copied, _all: None))
        schema = check_database_file(part)
        size = part.stat().st_size
        _put_in_place(part, target)
    return BackedUp(
        path=str(target), bytes=size, pages=pages, schema=schema, seconds=time.monotonic() - started
    )


def file_of(url: str) -> Path:
    """Return the file of a database.

    Raises:
        InvalidError: it has none, because it is in memory or of PostgreSQL.
    """
    path = sqlite_path(url)
    if path is None:
        raise InvalidError(_TOOLS, argument="db")
    if path == MEMORY:
        raise InvalidError("an in-memory database has no file to back up; open it on a path", argument="db")
    return Path(path)


def check_database_file(path: Path) -> int:
    """Look through every page of a database file, and return its newest migration; nothing is changed.

    Raises:
        NotFoundError: there is no such file.
        StorageError: it is no database of Bethink, is damaged, or is newer than this version.
    """
    _check_source(path)
    with translated(), closing(_reading(path, immutable=not Path(f"{path}-wal").exists())) as connection:
        ((owner,),) = _rows(connection, "pragma application_id")
        if owner != APPLICATION_ID:
            raise StorageError(f"{path} is not a Bethink database", reason="foreign database", outcome="none")
        found = [str(text) for (text,) in _rows(connection, "pragma integrity_check(20)")]
        if found != ["ok"]:
            raise StorageError(
                f"{path} is damaged (SQLite reports {len(found)} errors); use another backup",
                reason="damaged",
                complaints=tuple(found),
                outcome="none",
            )
        applied = dict(cast("list[tuple[int, str]]", _rows(connection, APPLIED)))
    pending(migrations("sqlite"), applied)
    return max(applied, default=0)


def tenants_with_overdue(url: str, now: int) -> list[str]:
    """List the tenants of a database that hold items which are kept no longer; none where its schema is another."""
    path = file_of(url)
    _check_source(path)
    with translated(), closing(_reading(path)) as connection:
        applied = dict(cast("list[tuple[int, str]]", _rows(connection, APPLIED)))
        if pending(migrations("sqlite"), applied):
            return []
        rows = connection.execute(
            "select distinct tenant_id from scopes where due_at <= ? order by tenant_id", (now,)
        )
        return [str(tenant) for (tenant,) in rows]


def stage_copy(source: Path, beside: Path) -> Path:
    """Copy a database file to a name beside another one, where it can be worked on; return that name.

    Raises:
        StorageError: the copy cannot be written.
    """
    part = beside.with_name(f".{beside.name}.restoring")
    remove(part)
    with translated(), closing(_reading(source)) as connection:
        _copy_pages(connection, part, PAGES, lambda _copied, _all: None)
    return part


def take_place(staged: Path, target: Path, *, since: object = None) -> None:
    """Put a database file in the place of another one, in one step that a crash undoes or leaves whole.

    A database that is there keeps its file: its pages are replaced in one transaction, so that no process is left
    writing to a file that has no name any more. `since` is what `deletions` said of it when it was looked at.

    Raises:
        ConflictError: another process, or another memory of this one, has the database open, or has deleted
            something since.
    """
    if not target.exists():
        for path in _family(target)[1:]:
            remove(path)
        _put_in_place(staged, target)
        return
    with translated(), closing(_alone(target)) as connection:
        if since is not None and since != _deletions(connection):
            raise ConflictError(
                f"something was deleted in {target} during the restore; restore again", path=str(target)
            )
        with closing(_reading(staged)) as fresh, connection.backup("main", fresh, "main") as copying:
            while not copying.done:
                copying.step(-1)
    remove(staged)


def deletions(target: Path) -> object:
    """Return what changes whenever something is deleted for good in a database."""
    with translated(), closing(_reading(target)) as connection:
        return _deletions(connection)


def _deletions(connection: Connection) -> object:
    if not _rows(connection, "select 1 from sqlite_master where name = 'tombstones'"):
        return None
    return _rows(connection, "select count(*), max(at), sum(at % 1000003) from tombstones")


def set_aside(target: Path) -> Path:
    """Rename a database that is too damaged to be replaced in place, with what lies beside it; return its new name."""
    number, kept = 1, target.with_name(f"{target.name}.damaged")
    while kept.exists():
        number += 1
        kept = target.with_name(f"{target.name}.damaged-{number}")
    for path in _family(target):
        if path.exists():
            path.replace(f"{kept}{str(path)[len(str(target)) :]}")
    return kept


def remove(path: Path) -> None:
    """Remove a database file with what lies beside it."""
    for each in _family(path):
        each.unlink(missing_ok=True)


def _family(path: Path) -> list[Path]:
    return [path, *(Path(f"{path}{ending}") for ending in _BESIDE)]


def _check_source(path: Path) -> None:
    if not path.exists():
        raise NotFoundError(f"no such file: {path}", kind="file", id=str(path))


def _reading(path: Path, *, immutable: bool = False) -> Connection:
    """Open a file that is only read; the file of a finished backup needs nothing beside it."""
    if immutable:
        address = f"{path.resolve().as_uri()}?immutable=1"
        return Connection(address, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    connection = Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.set_busy_timeout(int(WAIT * 1000))
    return connection


def _copy_pages(source: Connection, target: Path, step: int, done: Callable[[int, int], None]) -> int:
    """Copy a database page by page as it is now: the view is held, so that no later write starts it anew."""
    pages = 0
    remove(target)
    source.execute("begin")
    _rows(source, "select count(*) from sqlite_master")
    with closing(Connection(str(target))) as copy:
        with copy.backup("main", source, "main") as copying:
            while not copying.done:
                copying.step(step)
                done(copying.page_count - copying.remaining, copying.page_count)
            pages = copying.page_count
        _rows(copy, "pragma journal_mode = delete")
    source.execute("commit")
    return pages


def _alone(path: Path) -> Connection:
    """Open a database for replacement, alone: leaving the write-ahead log needs that nobody else has it open."""
    connection = Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        _rows(connection, "pragma locking_mode = exclusive")
        ((mode,),) = _rows(connection, "pragma journal_mode = delete")
        if mode == "delete":
            connection.execute("begin exclusive")
            connection.execute("commit")  # in this locking mode the lock stays
            return connection
    except apsw.BusyError:
        pass
    except BaseException:
        connection.close()
        raise
    connection.close()
    raise ConflictError(f"{path} is open in another process; stop it, and restore again", path=str(path))


@contextmanager
def _cleared(part: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"cannot write {part.parent}: {error.strerror}", reason=type(error).__name__, outcome="none"
        ) from error
    finally:
        with suppress(OSError):
            remove(part)


def _put_in_place(part: Path, target: Path) -> None:
    """Give a file its name once it is on the disk."""
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.replace(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _rows(connection: Connection, text: str) -> list[tuple[Any, ...]]:
    return connection.execute(text).fetchall()
