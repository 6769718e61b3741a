"""The SQLite driver: one writer with group commit, and several readers."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import apsw

from bethink.errors import ClosedError, InvalidError, StorageError
from bethink.storage.dialect import SQLITE
from bethink.storage.jobs import DatabaseBytes
from bethink.storage.migrations import APPLIED, RECORD, REMEMBER, migrations, pending
from bethink.storage.sqlite_connection import Connection, set_pragma, set_pragmas
from bethink.storage.sqlite_errors import translated
from bethink.storage.sqlite_execution import run_reading
from bethink.storage.sqlite_lock import FileLock
from bethink.storage.sqlite_writer import Writer, fail_waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from bethink.storage.jobs import Job
    from bethink.storage.work import Unit

APPLICATION_ID = 0x42544E4B  #: "BTNK", so that a file of another application is not taken for ours
READERS = 3
BUSY_SECONDS = 30.0

_PIECE = 1 << 24  #: bytes read at once when a file is scanned
_OVERLAP = 4096  #: bytes, so that nothing is cut in two

_CREATE = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE


class _Turn:
    """Somebody who waits for a connection that reads, and what they are given; None: they open one."""

    __slots__ = ("connection", "given")

    def __init__(self) -> None:
        self.connection: Connection | None = None
        self.given = threading.Lock()
        self.given.acquire()


class SqliteDriver:
    """Runs units on one SQLite file, or on a database in memory, which has no readers beside its writer."""

    dialect = SQLITE

    def __init__(
        self,
        path: str,
        *,
        synchronous: str = "FULL",
        busy_seconds: float = BUSY_SECONDS,
        now: Callable[[], int] = lambda: time.time_ns() // 1000,
        migrate: bool = True,
    ) -> None:
        self.path = path
        self.url = f"sqlite:///{path}" if path != ":memory:" else ":memory:"
        self.in_memory = path == ":memory:"
        self._synchronous = synchronous.upper()
        if self._synchronous not in {"FULL", "NORMAL"}:
            raise InvalidError(
                "synchronous must be FULL (acknowledged writes survive a power failure) or NORMAL",
                argument="synchronous",
            )
        self._busy_seconds = busy_seconds
        self._now = now
        self._process = os.getpid()
        self._closed = False
        self._reads: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._idle: list[Connection] = []  #: connections that read, and that nobody has
        self._lent = 0  #: those that somebody has
        self._guard = threading.Lock()
        self._turns: deque[_Turn] = deque()  #: those who wait until one is given back, the first one first
        self._threads: list[threading.Thread] = []
        self._turn = FileLock(None if self.in_memory else f"{path}-lock")
        with translated():
            self._check_path()
            self._writer = Writer(self._connect, self._turn, busy_seconds)
            if migrate:
                self.migrate()

    @property
    def commits(self) -> int:
        """Count the transactions that this driver committed."""
        return self._writer.commits

    @property
    def units(self) -> int:
        """Count the units that were part of them."""
        return self._writer.units

    @property
    def waiting(self) -> int:
        """Count the threads that wait until another one is done with reading."""
        return len(self._turns)

    # ---- the port -------------------------------------------------------------------------------------------

    def of(self, tenant: str) -> SqliteDriver:  # noqa: ARG002
        """Return this driver: a file has no tenants, the units name theirs."""
        return self

    def start(self, job: Job) -> None:
        """Queue a job for the writer, or for a reader."""
        self._check_open()
        if job.write or self.in_memory:
            self._writer.start(job)
        else:
            self._more_readers()
            self._reads.put(job)

    def write_inline(self, unit: Unit[Any]) -> tuple[Any] | None:
        """Run a unit that writes a few rows in this thread, if that waits for nothing."""
        self._check_open()
        return self._writer.write_inline(unit)

    def read(self, unit: Unit[Any]) -> Any:
        """Run a unit that only reads, in this thread."""
        self._check_open()
        if self.in_memory:
            from bethink.storage.jobs import BlockingJob

            job = BlockingJob(unit, write=False)
            self.start(job)
            return job.wait()
        return self._read(unit)

    def read_inline(self, unit: Unit[Any]) -> tuple[Any] | None:
        """Run a unit that reads a few rows in this thread, if a connection is free."""
        self._check_open()
        if self.in_memory:
            return self._writer.look(unit)
        with self._guard:
            if not self._idle or self._closed:
                return None
            connection = self._idle.pop()
            self._lent += 1
        try:
            return (run_reading(connection, unit),)
        finally:
            self._give_back(connection)

    def remains(self, *, rewritten: bool = False) -> DatabaseBytes:
        """Move the log into the file, and return the bytes of both; with `rewritten`, of a file without free space.

        `secure_delete` clears what a deleted row took, but not what is left of rows in a page from which they moved
        to another one. The bytes are read through SQLite: opening the file beside it and closing it again would drop
        its locks.
        """
        self._check_open()
        retained = (
            "copies made of the file outside Bethink: backups, snapshots, blocks that the disk has set aside",
        )
        if self.in_memory:
            return DatabaseBytes(pieces=iter(()), retained=())
        with translated():
            connection = self._connect()
            if rewritten:
                self._rewrite(connection)
            ((blocked, _, _),) = connection.execute("pragma wal_checkpoint(truncate)").fetchall()
        return DatabaseBytes(pieces=self._pieces(connection), busy=bool(blocked), retained=retained)

    def _rewrite(self, connection: Connection) -> None:
        """Write the file anew, while no other thread or process writes."""
        turn = FileLock(f"{self.path}-lock")
        try:
            with turn.within(self._busy_seconds):
                connection.execute("vacuum")
        finally:
            turn.close()

    def _pieces(self, connection: Connection) -> Iterator[tuple[str, bytes]]:
        files = ((0, "database", self.path), (1, "write-ahead log", f"{self.path}-wal"))
        try:
            for which, name, path in files:
                size = os.stat(path).st_size if os.path.exists(path) else 0
                for start in range(0, size, _PIECE):
                    amount = min(_PIECE + _OVERLAP, size - start)
                    with translated():
                        _, data = connection.read("main", which, start, amount)
                    yield name, data
        finally:
            connection.close()

    def close(self) -> None:
        """Finish what was accepted, checkpoint, and let go of the file."""
        with self._guard:
            if self._closed:
                return
            self._closed = True
        if os.getpid() != self._process:
            return  # the connections belong to the parent: closing them here would drop its locks
        for _ in self._threads:
            self._reads.put(None)
        for thread in self._threads:
            thread.join()
        self._writer.close()
        fail_waiting(self._reads)
        for connection in self._idle:
            connection.close()
        self._idle.clear()
        self._turn.close()

    # ---- schema ---------------------------------------------------------------------------------------------

    def migrate(self) -> list[str]:
        """Apply what is pending, one process at a time; return the names of what was applied."""
        connection = self._writer.connection
        known = migrations("sqlite")
        if not pending(known, self._applied(connection)):
            return []
        applied: list[str] = []
        with self._turn.within(self._busy_seconds), _transaction(connection):
            connection.execute(RECORD)
            for migration in pending(known, self._applied(connection)):
                for statement in migration.statements:
                    connection.execute(statement)
                connection.execute(
                    REMEMBER,
                    {
                        "number": migration.number,
                        "name": migration.name,
                        "checksum": migration.checksum,
                        "at": self._now(),
                    },
                )
                applied.append(migration.name)
            connection.execute(f"pragma application_id = {APPLICATION_ID}")
        return applied

    def _applied(self, connection: Connection) -> dict[int, str]:
        if not connection.execute("select 1 from sqlite_master where name = 'bethink_migrations'").fetchall():
            return {}
        return dict(cast("list[tuple[int, str]]", connection.execute(APPLIED).fetchall()))

    # ---- connections ----------------------------------------------------------------------------------------

    def _check_path(self) -> None:
        if self.in_memory:
            return
        folder = os.path.dirname(self.path) or "."
        if os.path.isdir(self.path):
            raise StorageError(
                f"{self.path} is a directory; name a file in it", reason="is a directory", outcome="none"
            )
        if not os.path.isdir(folder):
            raise StorageError(
                f"the directory {folder} does not exist; create it, or choose another path",
                reason="no folder",
                outcome="none",
            )

    def _connect(self, *, reading: bool = False) -> Connection:
        connection = Connection(self.path, flags=_CREATE, statementcachesize=256)
        connection.set_busy_timeout(int(self._busy_seconds * 1000))
        if not self.in_memory:
            self._check_ours(connection)
            self._switch_to_wal(connection)
        set_pragmas(connection, self._synchronous, reading=reading)
        return connection

    def _switch_to_wal(self, connection: Connection) -> None:
        """Turn the write-ahead log on, once in the life of a file.

        SQLite does not wait for another process here, so processes that open a new file together take turns.
        """
        ((mode,),) = connection.execute("pragma journal_mode").fetchall()
        if mode != "wal":
            with self._turn.within(self._busy_seconds):
                set_pragma(connection, "journal_mode", "wal")

    def _check_ours(self, connection: Connection) -> None:
        (owner,) = connection.execute("pragma application_id").fetchall()[0]
        if owner == APPLICATION_ID:
            return
        (tables,) = connection.execute("select count(*) from sqlite_master").fetchall()[0]
        ours = connection.execute("select 1 from sqlite_master where name = 'bethink_migrations'").fetchall()
        if owner or (tables and not ours):
            raise StorageError(
                f"{self.path} is a database of another application; choose another file for Bethink",
                reason="foreign database",
                outcome="none",
            )

    def _read(self, unit: Unit[Any]) -> Any:
        connection = self._lend()
        try:
            return run_reading(connection, unit)
        finally:
            self._give_back(connection)

    def _lend(self) -> Connection:
        """Lend a connection that only reads; at most `READERS` are ever open."""
        connection, turn = None, None
        with self._guard:
            if self._lent == READERS:
                turn = _Turn()
                self._turns.append(turn)
            else:
                self._lent += 1
                connection = self._idle.pop() if self._idle else None
        if turn is not None:
            connection = self._await(turn)
        if connection is not None:
            return connection
        try:
            with translated():
                return self._connect(reading=True)
        except BaseException:
            self._give_back(None)
            raise

    def _await(self, turn: _Turn) -> Connection | None:
        """Wait for a connection; who is interrupted leaves the row, or passes on what was given meanwhile."""
        try:
            turn.given.acquire()
        except BaseException:
            with self._guard:
                leaves = turn in self._turns
                if leaves:
                    self._turns.remove(turn)
            if not leaves:
                self._give_back(turn.connection)
            raise
        return turn.connection

    def _give_back(self, connection: Connection | None) -> None:
        """Give a reader to who has waited longest, or keep it.

        It is never there for the taking while somebody waits: who has just given one back would take it again, and of
        many threads some would wait through dozens of reads of others.
        """
        with self._guard:
            closed = self._closed
            kept = None if closed else connection
            if self._turns:
                turn = self._turns.popleft()
                turn.connection = kept
                turn.given.release()
            else:
                self._lent -= 1
                if kept is not None:
                    self._idle.append(kept)
        if connection is not None and closed:
            connection.close()

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError("this memory is closed; open it again", reason="closed")
        if os.getpid() != self._process:
            raise ClosedError(
                "this memory was opened by the parent process; open it again in the child", reason="forked"
            )

    # ---- threads --------------------------------------------------------------------------------------------

    def _more_readers(self) -> None:
        """Start another reader where those that run have enough to do."""
        running = len(self._threads)
        if running == READERS or (running and self._reads.empty()):
            return
        with self._guard:
            if self._closed or len(self._threads) >= READERS:
                return
            thread = threading.Thread(target=self._read_forever, name="bethink-reader", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _read_forever(self) -> None:
        while (job := self._reads.get()) is not None:
            if not job.withdrawn:
                try:
                    job.result = self._read(job.unit)
                except BaseException as error:  # noqa: BLE001 - the waiting caller raises it
                    job.error = error
            job.settle()


@contextmanager
def _transaction(connection: Connection) -> Generator[None]:
    connection.execute("begin immediate")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise
    connection.execute("commit")
