"""Async and blocking faces of a driver.

Services are written once, as coroutines over `Store`. Over a `BlockingStore` they never suspend, so that `run`
can drive them to their end without an event loop: that is how the blocking face is made of the same code.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar

from bethink.storage.jobs import AwaitableJob, BlockingJob

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from bethink.storage.jobs import Driver
    from bethink.storage.work import Work

T = TypeVar("T")
P = ParamSpec("P")


class Store(Protocol):
    """Runs units of work, each as one transaction."""

    driver: Driver

    async def write(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit that may write; return its result once it is durable."""
        ...

    async def write_few(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Do what `write` does for a unit that writes a few rows: others of its tenant may be committed with it."""
        ...

    async def write_inline(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Do what `write` does for a unit that writes a few rows: it may be run in the calling thread."""
        ...

    async def read(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit that only reads, on one consistent view of the database."""
        ...

    async def read_inline(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Do what `read` does for a unit that reads a few rows: it may be run in the calling thread."""
        ...

    async def call(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function that takes long or blocks, without holding up other callers."""
        ...


class AwaitedStore:
    """The asyncio face of a driver: every verb suspends until the driver's thread has settled it."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self._aside = False  #: whether somebody who wrote in the loop's thread lets others go first

    async def write(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit that may write; return its result once it is durable."""
        job = AwaitableJob(partial(work, *args, **kwargs), write=True)
        self.driver.start(job)
        return await job.wait()

    async def write_few(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit that writes a few rows; return its result once it is durable."""
        job = AwaitableJob(partial(work, *args, **kwargs), write=True, few=args)
        self.driver.start(job)
        return await job.wait()

    async def write_inline(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit that writes a few rows: in this thread, where nobody else writes and the disk answers at once.

        Whoever comes while another one steps aside is not alone: those commit together, in the driver's thread.
        """
        from asyncio import sleep

        unit = partial(work, *args, **kwargs)
        done = None if self._aside else self.driver.write_inline(unit)
        if done is not None:
            self._aside = True
            try:
                await sleep(0)
            finally:
                self._aside = False
            return done[0]
        job = AwaitableJob(unit, write=True, few=args)
        self.driver.start(job)
        return await job.wait()

    async def read(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit that only reads, on one consistent view of the database."""
        job = AwaitableJob(partial(work, *args, **kwargs), write=False)
        self.driver.start(job)
        return await job.wait()

    async def read_inline(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit that reads a few rows: in this thread, where a connection is free and nothing is waited for."""
        unit = partial(work, *args, **kwargs)
        found = self.driver.read_inline(unit)
        if found is not None:
            return found[0]
        job = AwaitableJob(unit, write=False)
        self.driver.start(job)
        return await job.wait()

    async def call(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a thread."""
        from asyncio import to_thread

        return await to_thread(function, *args, **kwargs)


class BlockingStore:
    """The blocking face of a driver, for threads: a coroutine over it never suspends."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver

    async def write(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit that may write; return its result once it is durable."""
        job = BlockingJob(partial(work, *args, **kwargs), write=True)
        self.driver.start(job)
        return job.wait()

    async def write_few(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit that writes a few rows; return its result once it is durable."""
        job = BlockingJob(partial(work, *args, **kwargs), write=True, few=args)
        self.driver.start(job)
        return job.wait()

    async def write_inline(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit that writes a few rows; return its result once it is durable."""
        job = BlockingJob(partial(work, *args, **kwargs), write=True, few=args)
        self.driver.start(job)
        return job.wait()

    async def read(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit that only reads, in this thread."""
        return self.driver.read(partial(work, *args, **kwargs))

    async def read_inline(self, work: Callable[P, Work[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a unit that reads a few rows, in this thread."""
        return self.driver.read(partial(work, *args, **kwargs))

    async def call(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in this thread."""
        return function(*args, **kwargs)


def run(verb: Coroutine[Any, Any, T]) -> T:
    """Drive a coroutine over a `BlockingStore` to its end.

    Raises:
        RuntimeError: the coroutine waits for an event loop, which the blocking face does not have.
    """
    try:
        verb.send(None)
    except StopIteration as end:
        return end.value
    verb.close()
    raise RuntimeError("this verb needs an event loop; use AsyncMemory")
