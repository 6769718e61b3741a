"""Accepted runs: they continue in the background, stream their events, and can be cancelled."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from bethink.errors import ClosedError
from bethink.server.chat.events import Event
from bethink.server.problems import HttpError, problem_members

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable

T = TypeVar("T")


class AcceptedRun(Generic[T]):
    """One turn, or one run of a team.

    It begins with its first event. Nobody has to listen: what began goes on to its end, and what did not begin
    ends when the last who asked for it is gone.
    """

    def __init__(self, id: str, named: str) -> None:  # noqa: A002 - the word a reader expects
        self.id = id
        self.began = False
        self.task: asyncio.Task[T]
        self._named = named  #: what its id is called in events
        self._settled = False
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()

    def tell(self, event: Event) -> None:
        """Say what happens."""
        self.began = True
        self._events.put_nowait(event)

    def settle(self) -> None:
        """From here on it is being stored, and is no longer stopped."""
        self._settled = True

    async def events(self) -> AsyncGenerator[Event]:
        """Yield what happens; what goes wrong before it begins is raised, afterwards it is an event."""
        try:
            while (event := await self._events.get()) is not None:
                yield event
        finally:
            self._left()
        if not self.began:
            self._result()

    async def answer(self) -> T:
        """Wait for the end, and return what it came to."""
        try:
            await asyncio.wait([self.task])
        finally:
            self._left()
        return self._result()

    async def stop(self) -> bool:
        """Stop it and wait until it has stopped; False where it is being stored already, or was."""
        if self._settled or self.task.done():
            return False
        self.task.cancel()
        await asyncio.wait([self.task])
        return self.task.cancelled()

    def ended(self) -> None:
        """Say how it ended, where it began and did not say so itself."""
        if not self.began:
            pass
        elif self.task.cancelled():
            self.tell(Event(kind="cancelled", data={self._named: self.id}))
        elif (error := self.task.exception()) is not None:
            self.tell(Event(kind="failed", data={self._named: self.id, **problem_members(error)}))
        self._events.put_nowait(None)

    def _left(self) -> None:
        if not self.began:
            self.task.cancel()

    def _result(self) -> T:
        if self.task.cancelled():
            raise HttpError(409, "cancelled", "the run was cancelled; nothing was stored", id=self.id)
        return self.task.result()


class AcceptedRuns:
    """All that is being played, by where."""

    def __init__(self) -> None:
        self._playing: dict[Hashable, list[AcceptedRun[Any]]] = {}
        self._closing = False

    def start(
        self,
        key: Hashable,
        id: str,  # noqa: A002
        work: Callable[[AcceptedRun[T]], Awaitable[T]],
        *,
        named: str = "turn",
    ) -> AcceptedRun[T]:
        """Let work begin.

        Raises:
            ClosedError: the server is stopping.
        """
        if self._closing:
            raise ClosedError("the server is shutting down; try again soon", reason="closing")
        playing = AcceptedRun[T](id, named)

        async def play() -> T:
            return await work(playing)

        playing.task = asyncio.create_task(play())
        self._playing.setdefault(key, []).append(playing)
        playing.task.add_done_callback(lambda _: self._ended(key, playing))
        return playing

    def at(self, key: Hashable) -> list[AcceptedRun[Any]]:
        """Return what is being played there, in the order in which it was accepted."""
        return list(self._playing.get(key, ()))

    async def close(self, seconds: float) -> None:
        """Take nothing more, and give what was accepted so long; then stop it."""
        self._closing = True
        every = [each for row in self._playing.values() for each in row]
        if every:
            await asyncio.wait([each.task for each in every], timeout=seconds)
            await asyncio.gather(*(each.stop() for each in every))
            await asyncio.wait([each.task for each in every])

    def _ended(self, key: Hashable, playing: AcceptedRun[Any]) -> None:
        playing.ended()
        self._playing[key].remove(playing)
        if not self._playing[key]:
            del self._playing[key]
