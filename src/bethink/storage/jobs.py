"""Jobs: a unit of work on its way through a driver, awaited or blocking."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterable, Iterator

    from bethink.storage.dialect import Dialect
    from bethink.storage.work import Unit


class Job:
    """One unit to be run as one transaction; `settle` is called once its outcome is known."""

    __slots__ = ("error", "few", "result", "unit", "withdrawn", "write")

    def __init__(self, unit: Unit[Any], *, write: bool, few: tuple[Any, ...] | None = None) -> None:
        self.unit = unit
        self.write = write
        #: the arguments of a unit that writes a few rows, and may be committed together with others of its kind
        self.few = few
        self.result: Any = None
        self.error: BaseException | None = None
        self.withdrawn = False

    def settle(self) -> None:
        """Tell the one who waits; `result` or `error` is set."""
        raise NotImplementedError


class BlockingJob(Job):
    """A job that a thread waits for."""

    __slots__ = ("_gate",)

    def __init__(self, unit: Unit[Any], *, write: bool, few: tuple[Any, ...] | None = None) -> None:
        super().__init__(unit, write=write, few=few)
        self._gate = threading.Lock()
        self._gate.acquire()

    def settle(self) -> None:
        """Wake the thread that waits."""
        self._gate.release()

    def wait(self) -> Any:
        """Return the result, or raise what the unit raised.

        An interrupt (Ctrl-C) while waiting leaves the job to finish: it is applied wholly or not at all.
        """
        self._gate.acquire()
        if self.error is not None:
            raise self.error
        return self.result


class AwaitableJob(Job):
    """A job that a coroutine waits for."""

    __slots__ = ("future", "loop", "settled")

    def __init__(self, unit: Unit[Any], *, write: bool, few: tuple[Any, ...] | None = None) -> None:
        # here, since who blocks never needs it, and it is slow to import
        from asyncio import get_running_loop

        super().__init__(unit, write=write, few=few)
        self.loop = get_running_loop()
        self.future: asyncio.Future[None] = self.loop.create_future()
        self.settled = False

    def settle(self) -> None:
        """Wake the coroutine that waits."""
        settle_all([self])

    async def wait(self) -> Any:
        """Return the result, or raise what the unit raised.

        When the caller is cancelled, a job that has not started is withdrawn; one that has is waited for, so
        that its outcome is settled before the cancellation goes on.
        """
        from asyncio import CancelledError

        try:
            await self.future
        except CancelledError:
            self.withdrawn = True
            while not self.settled:
                self.future = self.loop.create_future()  # the one before was cancelled with its waiter
                try:
                    await self.future
                except CancelledError:
                    continue
            raise
        if self.error is not None:
            raise self.error
        return self.result


def settle_all(jobs: Iterable[Job]) -> None:
    """Settle several jobs, and wake each event loop only once for all that wait in it."""
    loops: dict[asyncio.AbstractEventLoop, list[AwaitableJob]] = {}
    for job in jobs:
        if isinstance(job, AwaitableJob):
            loops.setdefault(job.loop, []).append(job)
        else:
            job.settle()
    for loop, waiting in loops.items():
        try:
            loop.call_soon_threadsafe(_arrive, waiting)
        except RuntimeError:
            if not loop.is_closed():  # a loop that is gone has nobody to tell
                raise


def _arrive(jobs: Iterable[AwaitableJob]) -> None:
    """Tell the coroutines that wait, in their own loop."""
    for job in jobs:
        job.settled = True
        if not job.future.done():
            job.future.set_result(None)


class DatabaseBytes(NamedTuple):
    """What lies on the disk under a database, for the scan after an erasure."""

    pieces: Iterator[tuple[str, bytes]]  #: a file's name and a piece of it; pieces overlap a little
    busy: bool = False  #: a reader holds an older view: what was erased is still in the log beside the file
    retained: tuple[str, ...] = ()  #: what may still be kept where the store cannot look


class Driver(Protocol):
    """Runs units on one database. Seven methods are all that a store has to bring."""

    dialect: Dialect
    url: str

    @property
    def commits(self) -> int:
        """Count the transactions committed by this driver."""
        ...

    @property
    def units(self) -> int:
        """Count the units that were part of them."""
        ...

    def of(self, tenant: str) -> Driver:
        """Return a driver for another tenant over the same files and connections, which are closed with this one."""
        ...

    def start(self, job: Job) -> None:
        """Run the job on a thread of the driver, and settle it. Raises `ClosedError` after `close`."""
        ...

    def read(self, unit: Unit[Any]) -> Any:
        """Run a unit that only reads, in the calling thread, and return its result."""
        ...

    def read_inline(self, unit: Unit[Any]) -> tuple[Any] | None:
        """Run a unit that reads a few rows in the calling thread, if that waits for nobody; else return None."""
        ...

    def write_inline(self, unit: Unit[Any]) -> tuple[Any] | None:
        """Run a unit that writes a few rows in the thread of an event loop, if that waits for nothing.

        Returns None where it would wait; what was written is durable on return.
        """
        ...

    def remains(self, *, rewritten: bool = False) -> DatabaseBytes:
        """Flush the database to its files, and return what lies in them.

        With `rewritten` the files are first written anew, so that nothing lies between the rows: what a page held
        before its rows were spread over two may stand in it still.
        """
        ...

    def close(self) -> None:
        """Finish what was accepted, and let go of every file and connection. Closing twice is harmless."""
        ...
