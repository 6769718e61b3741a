"""The background index: one thread a process makes passages and vectors after writes have returned."""

from __future__ import annotations

import os
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bethink.errors import BethinkError, ClosedError
from bethink.recall.transactions import count_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from bethink.recall.index_cache import Indexes
    from bethink.scope.namespace import Namespace
    from bethink.storage.jobs import Driver

IDLE_SECONDS: Final = 10.0  #: without anything to do the thread ends
WORTH_STORING: Final = 8  #: passages; fewer are made again faster than they are read
TOO_LARGE: Final = (
    4_096  #: passages of a namespace that nobody has asked for: it is not loaded for a few more
)
FEW: Final = 256  #: writes that are few beside such a namespace
_PAUSE_SECONDS: Final = 2.0  #: an erasure waits so long for the piece that is being made


@dataclass(slots=True, eq=False, repr=False)
class DueNamespace:
    """A namespace in which something was written that has no passages yet."""

    at: float  #: when nobody has written to it for long enough, on the monotonic clock
    writes: int = 0


class IndexingThread:
    """Brings namespaces up once nobody has written to them for a moment. Closing and forking wait for nothing."""

    def __init__(self) -> None:
        self.begin()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.begin)

    def begin(self) -> None:
        """Begin with nothing to do and no thread, as a child of a fork does: it has not the thread of its parent."""
        self._condition = threading.Condition()  # the parent may have held the other
        self._due: dict[tuple[BackgroundIndex, Namespace], DueNamespace] = {}
        self._busy: tuple[BackgroundIndex, Namespace] | None = None
        self._paused = 0
        self._thread: threading.Thread | None = None

    def later(self, background: BackgroundIndex, namespace: Namespace, seconds: float) -> None:
        """Bring a namespace up once nobody has written to it for so long."""
        key = (background, namespace)
        at = time.monotonic() + seconds
        with self._condition:
            due = self._due.get(key)
            if due is not None:
                due.at, due.writes = at, due.writes + 1
                return
            self._due[key] = DueNamespace(at, 1)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="bethink-indexing", daemon=True)
                self._thread.start()
            self._condition.notify_all()

    def forget(self, background: BackgroundIndex) -> None:
        """Forget what a memory wanted that is being closed; what is being made of it stops after its piece."""
        with self._condition:
            for key in [key for key in self._due if key[0] is background]:
                del self._due[key]

    def wait(self, background: BackgroundIndex) -> None:
        """Bring up at once what a memory wants, and wait until that is done."""
        with self._condition:
            for key, due in self._due.items():
                if key[0] is background:
                    due.at = 0.0
            self._condition.notify_all()
            while any(key[0] is background for key in (*self._due, *([self._busy] if self._busy else ()))):
                self._condition.wait()

    @contextmanager
    def paused(self) -> Generator[None]:
        """Make nothing meanwhile; what is being made stops after its piece, which is waited for a moment."""
        with self._condition:
            self._paused += 1
            self._condition.wait_for(lambda: self._busy is None, _PAUSE_SECONDS)
        try:
            yield
        finally:
            with self._condition:
                self._paused -= 1
                self._condition.notify_all()

    def _work(self) -> None:
        while (found := self._next()) is not None:
            (background, namespace), due = found
            try:
                whole = background.bring_up(namespace, due.writes, lambda: self._paused > 0)
            except ClosedError:
                whole = True
            except BethinkError as error:  # who asks for it next is told, or succeeds
                import logging

                logging.getLogger("bethink.indexing").warning(
                    "passages could not be made in the background: %s", type(error).__name__
                )
                whole = True
            with self._condition:
                self._busy = None
                if not whole and not background.closed:
                    self._due.setdefault((background, namespace), DueNamespace(0.0, due.writes))
                self._condition.notify_all()

    def _next(self) -> tuple[tuple[BackgroundIndex, Namespace], DueNamespace] | None:
        """Wait for a namespace that is due; None once there was nothing to do for long."""
        with self._condition:
            while True:
                soonest = min(self._due, key=lambda key: self._due[key].at, default=None)
                now = time.monotonic()
                if soonest is not None and not self._paused and self._due[soonest].at <= now:
                    self._busy = soonest
                    return soonest, self._due.pop(soonest)
                if soonest is None or self._paused:
                    if not self._condition.wait(IDLE_SECONDS) and not self._due and not self._paused:
                        self._thread = None
                        return None
                else:
                    self._condition.wait(self._due[soonest].at - now)


INDEXING: Final = IndexingThread()  #: the one of this process


class BackgroundIndex:
    """What one memory has made after its writes."""

    def __init__(self, indexes: Indexes, driver: Driver, seconds: float) -> None:
        self.closed = False
        self._indexes = indexes
        self._driver = driver
        self._seconds = seconds

    def later(self, namespace: Namespace) -> None:
        """Make the passages of what was written to a namespace, once nobody has written to it for a moment."""
        if self._seconds > 0 and not self.closed:
            INDEXING.later(self, namespace, self._seconds)

    def bring_up(self, namespace: Namespace, writes: int, stopped: Callable[[], bool]) -> bool:
        """Make what is missing of a namespace; say whether that is all."""
        from bethink.scope.transactions import find
        from bethink.storage.stores import BlockingStore, run

        if not self._indexes.has(namespace) and writes < FEW:
            _, passages = run(BlockingStore(self._driver).read(count_blocks, namespace))
            if passages > TOO_LARGE:
                return True
        held = self._indexes.bring_up(
            self._driver, namespace, least=WORTH_STORING, stopped=lambda: self.closed or stopped()
        )
        return held is None or held.place == run(BlockingStore(self._driver).read(find, namespace))

    def wait(self) -> None:
        """Make at once what is missing, and wait until it is made."""
        INDEXING.wait(self)

    def close(self) -> None:
        """Let go of what was not made; it is when somebody asks for it."""
        self.closed = True
        INDEXING.forget(self)
