"""One memory a database for the whole process, however many sessions live on it."""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bethink.memory.memory import AsyncMemory
from bethink.storage.opening import MEMORY, sqlite_path

if TYPE_CHECKING:
    from collections.abc import Callable

IDLE = 4  #: databases that stay open though no session uses them: a handle a request then costs no opening

_guard = threading.Lock()
_opened: dict[str, _Opened] = {}  #: by the file or the URL; what was used last comes last
_left: list[_Opened] = []  #: one entry for each user that went, until the next caller tidies up


@dataclass(slots=True, eq=False)
class _Opened:
    key: str
    memory: AsyncMemory
    identity: tuple[int, int] | None  #: of the file: one that was deleted and made anew is another one
    process: int = field(default_factory=os.getpid)
    users: int = 0

    def usable(self) -> bool:
        return self.process == os.getpid() and self.identity == _identity(self.key)

    def close(self) -> None:
        if self.process == os.getpid():
            self.memory._runtime.close()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]


def lend(url: str | os.PathLike[str], user: object) -> tuple[AsyncMemory, Callable[[], None]]:
    """Return the memory of a database and how to give it back; `user` gives it back when it is forgotten.

    `:memory:` is never shared: each user has one of its own.
    """
    text = os.fspath(url)
    path = sqlite_path(text)
    if path == MEMORY:
        opened = _Opened(MEMORY, AsyncMemory(MEMORY), None, users=1)
    else:
        opened = _find(text if path is None else os.path.realpath(path), text)
    # Forgetting may happen wherever the garbage collector runs: it only leaves word, and the next caller tidies up.
    leaving = weakref.finalize(user, _left.append, opened)
    leaving.atexit = False
    _sweep()

    def give_back() -> None:
        leaving()
        _sweep()

    return opened.memory, give_back


def close_idle() -> None:
    """Close every database that no session uses."""
    _sweep(keep=0)


def _find(key: str, url: str) -> _Opened:
    with _guard:
        opened = _opened.pop(key, None)
        if opened is None or not opened.usable():
            opened = _Opened(key, AsyncMemory(url), None)
            opened.identity = _identity(key)
        _opened[key] = opened
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
            closing.append(opened)
    for opened in closing:
        opened.close()


atexit.register(close_idle)
