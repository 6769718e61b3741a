"""The SQLite writer: a thread with group commit and WAL checkpoints, or the caller when it is alone."""

from __future__ import annotations

import queue
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import apsw

from bethink.errors import ClosedError, StorageError
from bethink.storage.jobs import settle_all
from bethink.storage.sqlite_errors import ADVICE, storage_error, translated
from bethink.storage.sqlite_execution import run_unit

if TYPE_CHECKING:
    from collections.abc import Callable

    from bethink.storage.jobs import Job
    from bethink.storage.sqlite_connection import Connection
    from bethink.storage.sqlite_lock import FileLock
    from bethink.storage.work import Unit

GROUP = 128  #: units that commit together at most
CHECKPOINT = 1000  #: pages in the log at which they are moved into the file
QUICK = 100_000  #: nanoseconds; a commit that takes no longer costs less than asking a thread for it
SLOW = (
    1_000_000  #: nanoseconds; a commit that takes longer was held up by the disk, and not by a busy machine
)
STREAK = 8  #: quick commits, less those that were not, after which the disk is believed to answer at once


class Writer:
    """Owns the connection that writes. At any time one thread uses it.

    Jobs go to a thread of their own: those that wait together commit together, and none is acknowledged before the
    commit that makes all of them durable. Where nobody writes and nothing is waited for, `write_inline` does without
    the thread.
    """

    def __init__(self, connect: Callable[[], Connection], turn: FileLock, busy_seconds: float) -> None:
        self._connect = connect
        self._turn = turn
        self._busy_seconds = busy_seconds
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._one = threading.Lock()  #: whoever has it writes
        self._guard = threading.Lock()  #: over what follows, and over the starts of threads
        self._pending: list[Job] = []  #: the group that waits for its turn
        self._told = False  #: whether its callers were told to wait no longer
        self._thread: threading.Thread | None = None
        self._watcher: threading.Thread | None = None
        self._closed = False
        self._ended = threading.Event()
        self._quick = 0  #: quick commits of late
        self._pages = 0  #: in the log, after the newest commit
        self.commits = 0  #: transactions committed by this writer
        self.units = 0  #: units that were part of them
        turn.before_waiting = self._watch
        self.connection = self._opened()

    def _opened(self) -> Connection:
        connection = self._connect()
        connection.set_wal_hook(self._logged)
        return connection

    def start(self, job: Job) -> None:
        """Queue a job for the thread."""
        if self._thread is None:
            with self._guard:
                if self._thread is None and not self._closed:
                    self._thread = threading.Thread(
                        target=self._write_forever, name="bethink-writer", daemon=True
                    )
                    self._thread.start()
        self._jobs.put(job)

    def write_inline(self, unit: Unit[Any]) -> tuple[Any] | None:
        """Run a unit in the thread of an event loop, if that waits for nobody; else return None.

        The disk is not waited for either: it has to have answered so quickly of late that asking the thread would
        take longer. Callers that block are for the thread, since whatever interrupts them may want to write as well.
        """
        if self._quick < STREAK or self._pages >= CHECKPOINT or not self._jobs.empty():
            return None
        if not self._one.acquire(blocking=False):
            return None
        try:
            if not self._turn.attempt():
                return None
            try:
                return self._at_once(unit)
            finally:
                self._turn.leave()
        except apsw.Error as error:
            raise storage_error(error) from error
        finally:
            self._one.release()

    def look(self, unit: Unit[Any]) -> tuple[Any] | None:
        """Run a unit that only reads on this connection, where there is no other, if that waits for nobody."""
        if not self._jobs.empty() or not self._one.acquire(blocking=False):
            return None
        try:
            with translated():
                return (run_unit(self.connection, unit, write=False),)
        finally:
            self._one.release()

    def close(self) -> None:
        """Finish what was accepted, and let go of the file."""
        with self._guard:
            self._closed = True
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join()
        self._ended.set()
        if self._watcher is not None:
            self._watcher.join()
        fail_waiting(self._jobs)
        with self._one, translated():
            self.connection.close()

    # ---- one unit -------------------------------------------------------------------------------------------

    def _at_once(self, unit: Unit[Any]) -> tuple[Any] | None:
        """Commit a unit, if the file is free; else return None."""
        connection = self.connection
        connection.set_busy_timeout(0)
        try:
            connection.execute("begin immediate")
        except apsw.BusyError:  # somebody who takes no turns has the file: the thread can wait for it
            return None
        finally:
            connection.set_busy_timeout(int(self._busy_seconds * 1000))
        return (self._finish(unit),)

    def _finish(self, unit: Unit[Any], *, write: bool = True) -> Any:
        """Run a unit in the transaction that was begun for it, and commit."""
        connection = self.connection
        try:
            result = run_unit(connection, unit, write=write)
        except BaseException:
            if connection.in_transaction:
                connection.execute("rollback")
            raise
        self._commit(connection)
        self.commits += 1
        self.units += 1
        return result

    def _commit_alone(self, job: Job) -> None:
        """Run a job as a transaction of its own; leave its result or its error in it."""
        try:
            with self._turn:
                if self._come():
                    self.connection.execute("begin immediate")
                    job.result = self._finish(job.unit, write=job.write)
        except apsw.Error as error:
            job.error = storage_error(error)
        except BaseException as error:  # noqa: BLE001 - the waiting caller raises it
            job.error = error

    # ---- groups ---------------------------------------------------------------------------------------------

    def _write_forever(self) -> None:
        closing = False
        while not closing:
            group, closing = self._next_group()
            live: list[Job] = []
            for job in group:
                if job.withdrawn:
                    job.settle()
                else:
                    live.append(job)
            with self._guard:
                self._pending, self._told = live, False
            try:
                with self._one:
                    self._commit_together(live)
            finally:
                if self._come():
                    settle_all(live)
            if self._pages >= CHECKPOINT:
                with self._one:
                    self._checkpoint()

    def _next_group(self) -> tuple[list[Job], bool]:
        """Wait for a job, and take what else is there; return whether it is the end, too."""
        group: list[Job] = []
        job = self._jobs.get()
        while job is not None:
            group.append(job)
            if len(group) >= GROUP or self._jobs.empty():
                break
            job = self._jobs.get()
        return group, job is None

    def _commit_together(self, group: list[Job]) -> None:
        """Run every job of the group; leave its result or its error in it."""
        if len(group) > 1 and self._committed(group):
            return
        for job in group:
            job.result = job.error = None
            self._commit_alone(job)

    def _committed(self, group: list[Job]) -> bool:
        """Run a group as one transaction; tell whether that settled its jobs.

        Where a unit took the others' work with it, nobody of the group may be acknowledged: each runs again alone.
        """
        connection = self.connection
        try:
            with translated(), self._turn:
                if not self._come():
                    return True
                if not self._all_succeed(connection, group):
                    connection.execute("begin immediate")
                    for job in group:
                        _run_apart(connection, job)
                        if not connection.in_transaction:
                            return False
                    self._commit(connection)
        except BaseException as error:  # noqa: BLE001 - raised by every caller of the group
            for job in group:
                job.error = job.error or error
            return True
        self.commits += 1
        self.units += len(group)
        return True

    def _all_succeed(self, connection: Connection, group: list[Job]) -> bool:
        """Commit a group if all of it succeeds, without savepoints: each would copy every page that a unit changes.

        Where one unit fails nothing is kept, and all of them are to be run again, apart from one another.
        """
        connection.execute("begin immediate")
        try:
            for job in group:
                job.result = run_unit(connection, job.unit, write=job.write)
        except BaseException:  # noqa: BLE001 - it is raised again when the units run apart
            if connection.in_transaction:
                connection.execute("rollback")
            return False
        self._commit(connection)
        return True

    # ---- the end of a transaction ---------------------------------------------------------------------------

    def _commit(self, connection: Connection) -> None:
        since = time.perf_counter_ns()
        try:
            connection.execute("commit")
        except apsw.Error as error:
            self._reopen()
            raise StorageError(
                f"the commit failed ({type(error).__name__}); check the disk, then check what was written",
                reason=type(error).__name__,
                outcome="unknown",
            ) from error
        took = time.perf_counter_ns() - since
        if took < QUICK:
            self._quick = min(self._quick + 1, 2 * STREAK)
        else:
            self._quick = max(self._quick - 1, 0) if took < SLOW else 0

    def _reopen(self) -> None:
        """Replace the connection: after a failed commit its state is not to be trusted."""
        with suppress(apsw.Error):
            self.connection.close(True)  # by force: its statements are of no use any more
        self.connection = self._opened()

    def _logged(self, _connection: apsw.Connection, _name: str, pages: int) -> int:
        """Take note of how long the log is: SQLite would check it here, before anybody is acknowledged."""
        self._pages = pages
        return apsw.SQLITE_OK

    def _checkpoint(self) -> None:
        """Move into the file what no reader still needs in the log; what is not moved now is moved later."""
        self._pages = 0
        with suppress(apsw.Error):  # as where SQLite does it by itself: the commit is not touched by it
            self.connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)

    # ---- those who would wait too long ----------------------------------------------------------------------

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
                pending, self._pending = self._pending, []
                self._told = self._told or bool(pending)
            while not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    self._jobs.put(None)
                    break
                pending.append(job)
            for job in pending:
                job.error = StorageError(ADVICE[apsw.BusyError], reason="BusyError", outcome="none")
                job.settle()


def fail_waiting(waiting: queue.SimpleQueue[Job | None]) -> None:
    """Tell those who came too late that nobody works any more."""
    while not waiting.empty():
        job = waiting.get()
        if job is not None:
            job.error = ClosedError("this memory is closed; open it again", reason="closed")
            job.settle()


def _run_apart(connection: Connection, job: Job) -> None:
    """Run one job of a group inside the open transaction, in a savepoint."""
    connection.execute("savepoint unit")
    try:
        with translated():
            job.result = run_unit(connection, job.unit, write=job.write)
    except BaseException as error:  # noqa: BLE001 - it belongs to this job's caller
        job.error = error
        # A full disk or an interrupt has rolled back everything already, not only this savepoint.
        if connection.in_transaction:
            connection.execute("rollback to unit")
    if connection.in_transaction:
        connection.execute("release unit")
