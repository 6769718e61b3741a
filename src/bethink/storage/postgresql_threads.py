"""Reader and writer threads of the PostgreSQL driver."""

from __future__ import annotations

import queue
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bethink.errors import ClosedError, StorageError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from bethink.storage.postgresql_connection import PostgresqlConnection
    from bethink.storage.postgresql_pool import ConnectionPool


class WorkerThreads:
    """Some of the connections, and threads that run the jobs waiting for one."""

    def __init__(self, pool: ConnectionPool, name: str, most: int, wait_seconds: float) -> None:
        self._pool = pool
        self._name = name
        self._most = most
        self._wait_seconds = wait_seconds
        self._slots = threading.BoundedSemaphore(most)
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._guard = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._resting = 0
        self._closed = False

    @contextmanager
    def link(self) -> Generator[PostgresqlConnection]:
        """Lend a connection; at most `most` of this lane are ever in use."""
        if not self._slots.acquire(timeout=self._wait_seconds):
            raise StorageError(
                f"no connection was free within {self._wait_seconds:g} s; raise `connections`, or find "
                "slow statements",
                reason="pool exhausted",
                limit=self._most,
                outcome="none",
            )
        try:
            link = self._pool.lend()
            try:
                yield link
            finally:
                self._pool.take_back(link)
        finally:
            self._slots.release()

    def put(self, work: Callable[[], None]) -> None:
        """Queue work, and start a thread for it where all are busy.

        Raises:
            ClosedError: the lane is closed.
        """
        if not self.offer(work):
            raise ClosedError("this memory is closed; open it again", reason="closed")

    def offer(self, work: Callable[[], None]) -> bool:
        """Queue work unless the lane is closed; tell whether it was queued."""
        with self._guard:
            if self._closed:
                return False
            self._jobs.put(work)
            if len(self._threads) < self._most and self._resting < self._jobs.qsize():
                thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._threads.append(thread)
                thread.start()
            return True

    def close(self) -> None:
        """Run what was accepted, and end the threads."""
        with self._guard:
            self._closed = True
            for _ in self._threads:
                self._jobs.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while True:
            with self._guard:
                self._resting += 1
            work = self._jobs.get()
            with self._guard:
                self._resting -= 1
            if work is None:
                return
            work()
