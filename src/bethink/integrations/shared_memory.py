"""Share one opened memory per database across the whole process."""

from __future__ import annotations

import atexit
import os
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bethink.memory.memory import AsyncMemory
from bethink.storage.opening import MEMORY, sqlite_path

if TYPE_CHECKING:
    from collections.abc import Callable

IDLE = 4  #: databases that stay open though no session uses them: a handle a request then costs no opening

_guard = threading.Lock()
_opened: dict[str, _Opened] = {}  #: by the file or the URL; what was used last comes last
_written: dict[str, _Opened] = {}  #: the same, each by the way in which it was asked for last
_left: list[_Opened] = []  #: one entry for each user that went, until the next caller tidies up


@dataclass(slots=True, eq=False)
class _Opened:
    key: str
    memory: AsyncMemory
    identity: tuple[int, int] | None  #: of the file: one that was deleted and made anew is another one
    written: str = ""
    process: int = field(default_factory=os.getpid)
    users: int = 0

    def usable(self, path: str) -> bool:
        return self.process == os.getpid() and self.identity == _identity(path)

    def close(self) -> None:
        if self.process == os.getpid():
            self.memory._runtime.close()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]


class Lease:
    """The hold of one user on a memory. Whoever forgets it gives it back as well."""

    __slots__ = ("_held", "memory")

    def __init__(self, opened: _Opened) -> None:
        self.memory = opened.memory
        self._held: _Opened | None = opened

    def give_back(self) -> None:
        """Let go of the memory; it is closed once nobody uses it and others are used more. Twice is harmless."""
        self._leave_word()
        _sweep()

    def _leave_word(self, left: Callable[[_Opened], None] = _left.append) -> None:
        held, self._held = self._held, None
        if held is not None:
            left(held)

    def __del__(self) -> None:
        # This may happen wherever the garbage collector runs, under any lock: the next caller tidies up.
        self._leave_word()


def lease_memory(url: str | os.PathLike[str]) -> Lease:
    """Return a hold on the memory of a database.

    `:memory:` is never shared: each user has one of its own.
    """
    text = os.fspath(url)
    opened = _again(text)
    if opened is None:
        path = sqlite_path(text)
        if path == MEMORY:
            return Lease(_Opened(MEMORY, AsyncMemory(MEMORY), None, users=1))
        opened = _find(text if path is None else os.path.realpath(path), text)
    lease = Lease(opened)
    _sweep()
    return lease


def close_idle() -> None:
    """Close every database that no session uses."""
    _sweep(keep=0)


def _again(text: str) -> _Opened | None:
    """Find a memory by the very text by which it was found before: a look at the file tells whether it is the same."""
    with _guard:
        opened = _written.get(text)
        if opened is None or not opened.usable(text):
            return None
        _opened[opened.key] = _opened.pop(opened.key)
        opened.users += 1
        return opened


def _find(key: str, text: str) -> _Opened:
    with _guard:
        opened = _opened.pop(key, None)
        if opened is None or not opened.usable(key):
            if opened is not None:
                _written.pop(opened.written, None)
            opened = _Opened(key, AsyncMemory(text), None)
            opened.identity = _identity(key)
        _written.pop(opened.written, None)
        opened.written = text
        _opened[key] = _written[text] = opened
        opened.users += 1
        return opened


def _identity(key: str) -> tuple[int, int] | None:
    try:
        status = os.stat(key)  # noqa: PTH116 - on the way of every fresh handle
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _sweep(keep: int = IDLE) -> None:
    """Close what nobody uses, except the few that were used last."""
    if not _left and len(_opened) <= keep:
        return
    closing: list[_Opened] = []
    with _guard:
        while _left:
            opened = _left.pop()
            opened.users -= 1
            if opened.users == 0 and _opened.get(opened.key) is not opened:
                closing.append(opened)
        idle = [opened for opened in _opened.values() if opened.users == 0]
        for opened in idle[: max(0, len(idle) - keep)]:
            del _opened[opened.key]
            _written.pop(opened.written, None)
            closing.append(opened)
    for opened in closing:
        opened.close()


atexit.register(close_idle)
