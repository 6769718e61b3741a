"""Serialise the runs of a session: a bounded queue with a timeout."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from bethink.errors import InvalidError, LimitError
from bethink.memory.session import AsyncSession

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Hashable

S = TypeVar("S")

WAITING = 16  #: runs that may queue on one session
TIMEOUT = 60.0  #: seconds that a run waits for those before it

_guard = threading.Lock()
_lines: dict[Hashable, _Queue] = {}


@dataclass(slots=True, eq=False)
class _Ticket:
    """A place in the line, of a coroutine in whatever loop and thread."""

    loop: asyncio.AbstractEventLoop
    turn: asyncio.Future[None]
    called: bool = False

    def call(self) -> bool:
        """Tell the one who waits that it is the next; False where nobody is there any more."""
        try:
            self.loop.call_soon_threadsafe(self._arrive)
        except RuntimeError:
            if not self.loop.is_closed():
                raise
            return False
        self.called = True
        return True

    def _arrive(self) -> None:
        if not self.turn.done():
            self.turn.set_result(None)


@dataclass(slots=True)
class _Queue:
    """Who runs, and who waits."""

    waiting: deque[_Ticket] = field(default_factory=deque["_Ticket"])


@asynccontextmanager
async def exclusive(session: S, *, waiting: int = WAITING, timeout: float = TIMEOUT) -> AsyncGenerator[S]:  # noqa: ASYNC109 - it is an error of ours that it raises
    """Hold a session for the length of one run.

    Other runs of this process on the same session, through whatever handle, thread or event loop, come after it
    in their order. A run of another process is noticed by `session.turn()`, whose commit then conflicts.

    Raises:
        LimitError: too many wait already (`unit` is `runs`), or it took too long (`unit` is `seconds`).
    """
    if waiting < 0 or timeout < 0:
        raise InvalidError(
            "waiting and timeout must be 0 or more", argument="waiting" if waiting < 0 else "timeout"
        )
    key = _key(session)
    ticket = _join(key, waiting)
    if ticket is not None:
        await _wait(key, ticket, timeout)
    try:
        yield session
    finally:
        _leave(key)


def _key(session: Any) -> Hashable:
    """Return what two handles of one session have in common."""
    if isinstance(session, AsyncSession):
        driver = session._runtime.store.driver  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        return id(driver), session.scope.namespace, session.session_id
    return id(session)


def _join(key: Hashable, waiting: int) -> _Ticket | None:
    """Begin at once, or take a place in the line."""
    loop = asyncio.get_running_loop()
    with _guard:
        line = _lines.get(key)
        if line is None:
            _lines[key] = _Queue()
            return None
        if len(line.waiting) >= waiting:
            raise LimitError(
                "too many runs are waiting for this session; try again later",
                limit=waiting,
                actual=len(line.waiting) + 1,
                unit="runs",
            )
        ticket = _Ticket(loop, loop.create_future())
        line.waiting.append(ticket)
        return ticket


async def _wait(key: Hashable, ticket: _Ticket, seconds: float) -> None:
    try:
        await asyncio.wait_for(ticket.turn, seconds)
    except BaseException as error:
        with _guard:
            called = ticket.called
            if not called:
                _lines[key].waiting.remove(ticket)
        if isinstance(error, TimeoutError):
            if called:
                return
            raise LimitError(
                f"earlier runs on this session took longer than {seconds} s; try again",
                limit=seconds,
                actual=seconds,
                unit="seconds",
            ) from None
        if called:
            _leave(key)
        raise


def _leave(key: Hashable) -> None:
    """Let the next one begin."""
    with _guard:
        line = _lines[key]
        while line.waiting:
            if line.waiting.popleft().call():
                return
        del _lines[key]
