"""A fair lock between processes (flock): SQLite's own busy handler starves some of them."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import apsw

from bethink.errors import StorageError

try:
    import fcntl
except ImportError:  # a platform without it still has SQLite's own locks
    fcntl = None

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

_PAUSE: Final = 0.02  #: seconds between two looks


class FileLock:
    """A lock on a file beside the database, which processes get in the order they come.

    The file is opened at the first turn, and left behind: another process may be waiting on it.
    """

    def __init__(self, path: str | None) -> None:
        self._path = None if fcntl is None else path
        self._file: int | None = None
        self.before_waiting: Callable[[], None] | None = (
            None  #: called before a wait that nothing can interrupt
        )
        self.since: float | None = None  #: since when the thread that writes has been waiting

    def attempt(self) -> bool:
        """Take the turn if nobody else has it."""
        if self._path is None or fcntl is None:
            return True
        if self._file is None:
            self._file = _open(self._path)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def __enter__(self) -> None:
        if self.attempt() or self._file is None or fcntl is None:
            return
        self.since = time.monotonic()
        if self.before_waiting is not None:
            self.before_waiting()
        fcntl.flock(self._file, fcntl.LOCK_EX)
        self.since = None

    @contextmanager
    def within(self, seconds: float) -> Generator[None]:
        """Take the turn, and give up after some seconds: a process that was stopped may hold it for ever.

        Raises:
            StorageError: it did not come.
        """
        until = time.monotonic() + seconds
        while not self.attempt():
            if time.monotonic() >= until:
                raise StorageError(
                    f"another process has held the write lock for {seconds:g} seconds; check whether a "
                    f"process using {self._path} is suspended, and stop or resume it",
                    reason="busy",
                    outcome="none",
                )
            time.sleep(_PAUSE)
        try:
            yield
        finally:
            self.leave()

    def leave(self, *_: object) -> None:
        """Let the next one have its turn."""
        if self._file is not None and fcntl is not None:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    __exit__ = leave

    def close(self) -> None:
        """Let go of the lock's file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _open(path: str) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)  # posix: where fcntl is
    except PermissionError:  # another user made it: reading it is enough to wait for it
        try:
            return os.open(path, os.O_RDONLY | os.O_CLOEXEC)  # posix: the same
        except OSError:
            raise apsw.ReadOnlyError from None
    except OSError as error:
        raise apsw.CantOpenError from error
