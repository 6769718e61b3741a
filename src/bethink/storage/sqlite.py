"""The SQLite driver: one writer thread with group commit, and a few readers that never wait for it."""

from __future__ import annotations

import os
import queue
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import apsw

from bethink.errors import ClosedError, InvalidError, StorageError
from bethink.storage.dialect import SQLITE
from bethink.storage.jobs import Remains, settle_all
from bethink.storage.migrations import APPLIED, RECORD, REMEMBER, migrations, pending

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from bethink.storage.jobs import Job
    from bethink.storage.work import Row, Statement, Unit

APPLICATION_ID = 0x42544E4B  #: "BTNK", so that a file of another application is not taken for ours
GROUP = 128  #: units that commit together at most
READERS = 3
BUSY_SECONDS = 30.0

_PIECE = 1 << 24  #: bytes read at once when a file is scanned
_OVERLAP = 4096  #: bytes, so that nothing is cut in two

_CREATE = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE


class SqliteDriver:
    """Runs units on one SQLite file, or on a database in memory.

    Writes go through one thread. Those that wait together commit together: each runs in a savepoint of its own,
    and none is acknowledged before the commit that makes all of them durable.
    """

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
                "synchronous is FULL (every acknowledged write survives a power cut) or NORMAL",
                argument="synchronous",
            )
        self._busy_seconds = busy_seconds
        self._now = now
        self._process = os.getpid()
        self._closed = False
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._reads: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._idle: list[apsw.Connection] = []
        self._connections = threading.BoundedSemaphore(READERS)
        self._guard = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._pending: list[Job] = []  #: the group that waits for its turn
        self._told = False  #: whether its callers were told to wait no longer
        self._watcher: threading.Thread | None = None
        self._ended = threading.Event()
        self._turn = _Turn(None if self.in_memory else f"{path}-lock", self._watch)
        self.commits = 0  #: transactions committed by this driver
        self.units = 0  #: units that were part of them
        with translated:
            self._check_path()
            self._writer = self._connect()
            if migrate:
                self.migrate()

    # ---- the port -------------------------------------------------------------------------------------------

    def start(self, job: Job) -> None:
        """Queue a job for the writer, or for a reader."""
        self._check_open()
        if job.write or self.in_memory:
            self._thread("bethink-writer", self._write_forever, 1)
            self._jobs.put(job)
        else:
            self._thread("bethink-reader", self._read_forever, READERS)
            self._reads.put(job)

    def read(self, unit: Unit[Any]) -> Any:
        """Run a unit that only reads, in this thread."""
        self._check_open()
        if self.in_memory:
            from bethink.storage.jobs import BlockingJob

            job = BlockingJob(unit, write=False)
            self.start(job)
            return job.wait()
        with self._reader() as connection, translated:
            return _run_reading(connection, unit)

    def glance(self, unit: Unit[Any]) -> tuple[Any] | None:
        """Run a unit that reads a few rows in this thread, if a connection is free."""
        self._check_open()
        if self.in_memory or not self._idle or not self._connections.acquire(blocking=False):
            return None
        try:
            with self._guard:
                connection = self._idle.pop() if self._idle and not self._closed else None
            if connection is None:
                return None
            try:
                with translated:
                    return (_run_reading(connection, unit),)
            finally:
                self._give_back(connection)
        finally:
            self._connections.release()

    def remains(self) -> Remains:
        """Move the log into the file, and return the bytes of both.

        They are read through SQLite: opening the file beside it and closing it again would drop its locks.
        """
        self._check_open()
        retained = (
            "copies made of the file outside Bethink: backups, snapshots, blocks that the disk has set aside",
        )
        if self.in_memory:
            return Remains(pieces=iter(()), retained=())
        with translated:
            connection = self._connect()
            ((blocked, _, _),) = cast(
                "list[Row]", connection.execute("pragma wal_checkpoint(truncate)").fetchall()
            )
        return Remains(pieces=self._pieces(connection), busy=bool(blocked), retained=retained)

    def _pieces(self, connection: apsw.Connection) -> Iterator[tuple[str, bytes]]:
        files = ((0, "database", self.path), (1, "write-ahead log", f"{self.path}-wal"))
        try:
            for which, name, path in files:
                size = Path(path).stat().st_size if Path(path).exists() else 0
                for start in range(0, size, _PIECE):
                    amount = min(_PIECE + _OVERLAP, size - start)
                    with translated:
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
        for thread in self._threads:
            (self._jobs if thread.name == "bethink-writer" else self._reads).put(None)
        for thread in self._threads:
            thread.join()
        self._ended.set()
        if self._watcher is not None:
            self._watcher.join()
        self._fail_leftovers()
        for connection in self._idle:
            connection.close()
        self._idle.clear()
        with translated:
            self._writer.close()
        self._turn.close()

    # ---- schema ---------------------------------------------------------------------------------------------

    def migrate(self) -> list[str]:
        """Apply what is pending, one process at a time; return the names of what was applied."""
        connection = self._writer
        known = migrations("sqlite")
        if not pending(known, self._applied(connection)):
            return []
        applied: list[str] = []
        with self._turn, _transaction(connection):
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

    def _applied(self, connection: apsw.Connection) -> dict[int, str]:
        if not connection.execute("select 1 from sqlite_master where name = 'bethink_migrations'").fetchall():
            return {}
        return dict(cast("list[tuple[int, str]]", connection.execute(APPLIED).fetchall()))

    # ---- connections ----------------------------------------------------------------------------------------

    def _check_path(self) -> None:
        if self.in_memory:
            return
        path = Path(self.path)
        if path.is_dir():
            raise StorageError(
                f"{path} is a directory: name a file in it", reason="is a directory", outcome="none"
            )
        if not path.parent.is_dir():
            raise StorageError(
                f"the folder {path.parent} does not exist: make it, or choose another place for the file",
                reason="no folder",
                outcome="none",
            )

    def _connect(self, *, reading: bool = False) -> apsw.Connection:
        connection = apsw.Connection(self.path, flags=_CREATE, statementcachesize=256)
        connection.set_busy_timeout(int(self._busy_seconds * 1000))
        if not self.in_memory:
            self._check_ours(connection)
            self._switch_to_wal(connection)
        _expect(connection, "synchronous", {"FULL": 2, "NORMAL": 1}[self._synchronous])
        connection.execute("pragma temp_store = memory")
        connection.execute("pragma cache_size = -16000")
        # What is deleted is overwritten with zeros: erasing leaves no bytes behind in free pages.
        _expect(connection, "secure_delete", 1)
        if reading:
            connection.execute("pragma query_only = on")
        return connection

    def _switch_to_wal(self, connection: apsw.Connection) -> None:
        """Turn the write-ahead log on, once in the life of a file.

        SQLite does not wait for another process here, so processes that open a new file together take turns.
        """
        ((mode,),) = cast("list[Row]", connection.execute("pragma journal_mode").fetchall())
        if mode != "wal":
            with self._turn:
                _expect(connection, "journal_mode", "wal")

    def _check_ours(self, connection: apsw.Connection) -> None:
        (owner,) = cast("Row", connection.execute("pragma application_id").fetchall()[0])
        if owner == APPLICATION_ID:
            return
        (tables,) = cast("Row", connection.execute("select count(*) from sqlite_master").fetchall()[0])
        ours = connection.execute("select 1 from sqlite_master where name = 'bethink_migrations'").fetchall()
        if owner or (tables and not ours):
            raise StorageError(
                f"{self.path} is the database of another application: choose a file of its own for Bethink",
                reason="foreign database",
                outcome="none",
            )

    @contextmanager
    def _reader(self) -> Generator[apsw.Connection]:
        """Lend a connection that only reads; at most `READERS` are ever open."""
        with self._connections:
            with self._guard:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                with translated:
                    connection = self._connect(reading=True)
            try:
                yield connection
            finally:
                self._give_back(connection)

    def _give_back(self, connection: apsw.Connection) -> None:
        """Keep a reader for the next one."""
        with self._guard:
            closed = self._closed
            if not closed:
                self._idle.append(connection)
        if closed:
            connection.close()

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError("this memory was closed: open it again to go on", reason="closed")
        if os.getpid() != self._process:
            raise ClosedError(
                "this memory was opened by the parent process: open it anew in the child", reason="forked"
            )

    # ---- threads --------------------------------------------------------------------------------------------

    def _thread(self, name: str, target: Callable[[], None], most: int) -> None:
        running = sum(thread.name == name for thread in self._threads)
        if running == most or (running and self._reads.empty()):
            return
        with self._guard:
            if self._closed or sum(thread.name == name for thread in self._threads) >= most:
                return
            thread = threading.Thread(target=target, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def _read_forever(self) -> None:
        while (job := self._reads.get()) is not None:
            if not job.withdrawn:
                try:
                    with self._reader() as connection, translated:
                        job.result = _run_reading(connection, job.unit)
                except BaseException as error:  # noqa: BLE001 - the waiting caller raises it
                    job.error = error
            job.settle()

    def _next_group(self) -> tuple[list[Job], bool]:
        """Wait for a job, and take what else is there; return whether it is the end, too."""
        group: list[Job] = []
        job = self._jobs.get()
        while job is not None:
            group.append(job)
            if len(group) >= GROUP:
                break
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                break
        return group, job is None

    def _write_forever(self) -> None:
        closing = False
        while not closing:
            group, closing = self._next_group()
            for job in group:
                job.started = not job.withdrawn
                if not job.started:
                    job.settle()
            live = [job for job in group if job.started]
            with self._guard:
                self._pending, self._told = live, False
            try:
                self._commit_together(live)
            finally:
                if self._come():
                    settle_all(live)

    def _come(self) -> bool:
        """Take the pending group for oneself; False where its callers were told already to wait no longer."""
        with self._guard:
            self._pending = []
            return not self._told

    def _watch(self) -> None:
        """See to it that nobody waits for ever: the process whose turn it is may have been stopped."""
        with self._guard:
            if self._watcher is None and not self._closed:
                self._watcher = threading.Thread(
                    target=self._watch_forever, name="bethink-watch", daemon=True
                )
                self._watcher.start()

    def _watch_forever(self) -> None:
        while not self._ended.wait(self._busy_seconds / 4):
            since = self._turn.since
            if since is None or time.monotonic() - since < self._busy_seconds:
                continue
            with self._guard:
                told, self._pending = self._pending, []
                self._told = self._told or bool(told)
            while not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    self._jobs.put(None)
                    break
                told.append(job)
            for job in told:
                job.error = StorageError(_ADVICE[apsw.BusyError], reason="BusyError", outcome="none")
                job.settle()

    def _commit_together(self, group: list[Job]) -> None:
        """Run every job of the group; leave its result or its error in it."""
        if group and self._lost(group):
            # The whole transaction is gone, so nobody of the group may be acknowledged: each runs again alone.
            for job in group:
                job.result = job.error = None
                self._lost([job])

    def _lost(self, group: list[Job]) -> bool:
        """Run a group in one transaction; return whether a unit took the others' work with it."""
        connection = self._writer
        try:
            with translated, self._turn:
                if not self._come():
                    return False
                alone = len(group) == 1
                if alone or not self._all_succeed(connection, group):
                    connection.execute("begin immediate")
                    for job in group:
                        self._run_writing(connection, job, alone=alone)
                        if not connection.in_transaction:
                            return not alone
                    self._commit(connection)
        except BaseException as error:  # noqa: BLE001 - raised by every caller of the group
            for job in group:
                job.error = job.error or error
            return False
        self.commits += 1
        self.units += len(group)
        return False

    def _all_succeed(self, connection: apsw.Connection, group: list[Job]) -> bool:
        """Commit a group if all of it succeeds, without savepoints: each would copy every page that a unit changes.

        Where one unit fails nothing is kept, and all of them are to be run again, apart from one another.
        """
        connection.execute("begin immediate")
        try:
            for job in group:
                job.result = _run_any(connection, job)
        except BaseException:  # noqa: BLE001 - it is raised again when the units run apart
            if connection.in_transaction:
                connection.execute("rollback")
            return False
        self._commit(connection)
        return True

    def _run_writing(self, connection: apsw.Connection, job: Job, *, alone: bool) -> None:
        """Run one job inside the open transaction, in a savepoint where it has company."""
        if not alone:
            connection.execute("savepoint unit")
        try:
            with translated:
                job.result = _run_any(connection, job)
        except BaseException as error:  # noqa: BLE001 - it belongs to this job's caller
            job.error = error
            # A full disk or an interrupt has rolled back everything already, not only this savepoint.
            if connection.in_transaction:
                connection.execute("rollback" if alone else "rollback to unit")
        if not alone and connection.in_transaction:
            connection.execute("release unit")

    def _commit(self, connection: apsw.Connection) -> None:
        try:
            connection.execute("commit")
        except apsw.Error as error:
            self._reopen()
            raise StorageError(
                f"the commit failed ({type(error).__name__}): look at the disk, then read back what was written",
                reason=type(error).__name__,
                outcome="unknown",
            ) from error

    def _reopen(self) -> None:
        """Replace the writer's connection: after a failed commit its state is not to be trusted."""
        with suppress(apsw.Error):
            self._writer.close(True)  # by force: its statements are of no use any more
        self._writer = self._connect()

    def _fail_leftovers(self) -> None:
        for waiting in (self._jobs, self._reads):
            while not waiting.empty():
                job = waiting.get()
                if job is not None:
                    job.error = ClosedError("this memory was closed: open it again to go on", reason="closed")
                    job.settle()


class _Turn:
    """A file lock that processes take in the order they come: SQLite's own waiting starves some of them."""

    def __init__(self, path: str | None, watch: Callable[[], None]) -> None:
        self._path = path
        self._watch = watch  #: called before a wait that nothing can interrupt
        self._file: int | None = None
        self.since: float | None = None  #: since when the thread that writes has been waiting

    def __enter__(self) -> None:
        if self._path is None:
            return
        try:
            import fcntl
        except ImportError:  # a platform without it still has SQLite's own locks
            return
        if self._file is None:
            self._file = self._open(self._path)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.since = time.monotonic()
            self._watch()
            fcntl.flock(self._file, fcntl.LOCK_EX)
            self.since = None

    @staticmethod
    def _open(path: str) -> int:
        try:
            return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except PermissionError:  # another user made it: reading it is enough to wait for it
            try:
                return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            except OSError:
                raise apsw.ReadOnlyError from None
        except OSError as error:
            raise apsw.CantOpenError from error

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            import fcntl

            fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        """Let go of the lock's file, and leave it: another process may wait on it."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _run(connection: apsw.Connection, unit: Unit[Any]) -> Any:
    work = unit()
    try:
        statement = next(work)
        while True:
            statement = work.send(_execute(connection, statement))
    except StopIteration as end:
        return end.value
    finally:
        work.close()


def _execute(connection: apsw.Connection, statement: Statement) -> list[Row]:
    sql = SQLITE.prepare(statement.sql)
    if statement.many is not None:
        connection.executemany(sql, statement.many)
        return []
    return connection.execute(sql, statement.params).fetchall()


def _run_reading(connection: apsw.Connection, unit: Unit[Any]) -> Any:
    connection.execute("begin")
    try:
        return _run(connection, unit)
    finally:
        if connection.in_transaction:
            connection.execute("commit")


def _run_any(connection: apsw.Connection, job: Job) -> Any:
    """Run a job; one that only reads is refused to write, where readers and the writer share one connection."""
    if job.write:
        return _run(connection, job.unit)
    connection.execute("pragma query_only = on")
    try:
        return _run(connection, job.unit)
    finally:
        connection.execute("pragma query_only = off")


@contextmanager
def _transaction(connection: apsw.Connection) -> Generator[None]:
    connection.execute("begin immediate")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise
    connection.execute("commit")


def _expect(connection: apsw.Connection, pragma: str, value: str | int) -> None:
    """Set a pragma and read it back: SQLite ignores silently what it cannot do."""
    connection.execute(f"pragma {pragma} = {value}").fetchall()
    ((actual,),) = cast("list[Row]", connection.execute(f"pragma {pragma}").fetchall())
    if actual != value:
        raise StorageError(
            f"the file system does not allow {pragma}={value} (SQLite answered {actual}): put the file on a local disk",
            reason=pragma,
            expected=value,
            actual=actual,
            outcome="none",
        )


_ADVICE: dict[type[Exception], str] = {
    apsw.FullError: "the disk or the database is full: make room and try again",
    apsw.ReadOnlyError: "the database is read-only: check the permissions of the file and of its folder",
    apsw.NotADBError: "the file is not a SQLite database: choose another file",
    apsw.CorruptError: "the database is damaged: run `bethink doctor`, or restore a backup",
    apsw.CantOpenError: "the file cannot be opened: check the path, the permissions and the open-file limit",
    apsw.BusyError: "another process holds the database: try again, or find the process that does not let go",
    apsw.LockedError: "another connection holds the database: try again",
    apsw.IOError: "the disk reported an error: check it, then read back what was written",
    apsw.InterruptError: "the operation was interrupted: try again",
    apsw.TooBigError: "the value is larger than the database allows: split it",
    apsw.NoMemError: "there is not enough memory for this operation",
}


class _Translated:
    """Turns what SQLite raises into `StorageError`, in this one place."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if not isinstance(error, apsw.Error):
            return
        advice = next((text for kind, text in _ADVICE.items() if isinstance(error, kind)), None)
        reason = type(error).__name__
        sentence = advice or f"the database refused a statement ({reason})"
        raise StorageError(sentence, reason=reason, outcome="none") from error


translated = _Translated()
