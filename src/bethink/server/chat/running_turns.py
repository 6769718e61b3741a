"""Share the list of running turns between processes, and cancel those of another process."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import BethinkError
from bethink.scope.transactions import digest
from bethink.server import audit, queries

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable

    from bethink.memory.scope import AsyncScope
    from bethink.server.chat.accepted_runs import AcceptedRun
    from bethink.storage.work import Work

LOOK_SECONDS: Final = 1.0  #: interval at which a process checks whether its turns are to be cancelled
LEASE_SECONDS: Final = 20.0  #: after its last renewal, how long a turn counts as running
STOPPED_SECONDS: Final = 60.0  #: how long a cancelled turn remains visible as cancelled
ANSWER_SECONDS: Final = 15.0  #: time for another process to cancel a turn
_PAUSE_SECONDS: Final = 0.1
_STOPPED: Final = 2  #: value of `stop` after cancellation; 1 while it is requested
_SECOND: Final = 1_000_000


def begin(tenant: str, place: str, work: str, *, until: int, now: int) -> Work[None]:
    """Say that something is under way; what processes were at that are gone is forgotten."""
    yield from queries.remove_old_under_way(tenant=tenant, now=now)
    yield from queries.put_under_way(tenant=tenant, place=place, work=work, until=until)


def renew(tenant: str, place: str, work: str, *, until: int) -> Work[bool]:
    """Say that something is under way still; return whether it is to be stopped."""
    rows = yield from queries.renew_under_way(tenant=tenant, place=place, work=work, until=until)
    return bool(rows and rows[0])


def end(tenant: str, place: str, work: str, *, until: int, stopped: bool) -> Work[None]:
    """Say that something is over; that it was stopped stays to be seen by whoever asked for that."""
    if stopped and (yield from queries.note_stopped(tenant=tenant, place=place, work=work, until=until)):
        return
    yield from queries.remove_under_way(tenant=tenant, place=place, work=work)


def running_at(tenant: str, place: str, *, now: int) -> Work[dict[str, bool]]:
    """Return what is under way at a place, or was stopped there just now, and which of it was."""
    rows = yield from queries.list_under_way(tenant=tenant, place=place, now=now)
    return {row.work: row.stop == _STOPPED for row in rows}


def stop(tenant: str, place: str, work: str, *, now: int) -> Work[bool]:
    """Ask whoever plays something to stop it; False where nobody does."""
    return bool((yield from queries.stop_under_way(tenant=tenant, place=place, work=work, now=now)))


class RunLocation:
    """Where turns or runs of one caller are played: a session, or a team.

    Args:
        scope: whose memory they work on.
        name: of the session; none for a team.
    """

    def __init__(self, scope: AsyncScope, name: str = "") -> None:
        self._runtime = scope._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        self._at = (scope.namespace.tenant, digest("under way", str(scope.namespace), name))

    async def others(self, own: Iterable[AcceptedRun[Any]]) -> list[str]:
        """Return the ids of what other processes have under way here."""
        mine = {each.id for each in own}
        return [work for work, stopped in (await self._look()).items() if work not in mine and not stopped]

    async def stop(self, work: str) -> bool:
        """Have another process stop something, and wait until it has; False where it came to its end before."""
        if not await self._runtime.store.write(stop, *self._at, work, now=self._runtime.now()):
            return False
        for _ in range(round(ANSWER_SECONDS / _PAUSE_SECONDS)):
            stopped = (await self._look()).get(work)
            if stopped is not False:
                return stopped is True
            await asyncio.sleep(_PAUSE_SECONDS)
        return False

    async def announce(self, work: str) -> None:
        """Say that something is under way."""
        until = self._until(LEASE_SECONDS)
        await self._runtime.store.write(begin, *self._at, work, until=until, now=self._runtime.now())

    @asynccontextmanager
    async def shown(self, playing: AcceptedRun[Any]) -> AsyncGenerator[None]:
        """Let other processes see that something is played here, and stop it where one of them asks for that."""
        await self.announce(playing.id)
        watching = asyncio.create_task(self._watch(playing))
        stopped = False
        try:
            yield
        except asyncio.CancelledError:
            stopped = True
            raise
        finally:
            watching.cancel()
            until = self._until(STOPPED_SECONDS)
            try:
                await self._runtime.store.write(end, *self._at, playing.id, until=until, stopped=stopped)
            except BethinkError as error:  # what was played stands: that it is over is seen a little later
                audit.log_background_failure("say that something is over", error)

    async def _watch(self, playing: AcceptedRun[Any]) -> None:
        """Say again and again that something goes on, and look whether it is to be stopped."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            until = self._until(LEASE_SECONDS)
            try:
                wanted = await self._runtime.store.write(renew, *self._at, playing.id, until=until)
            except BethinkError as error:
                audit.log_background_failure("look whether something is to be stopped", error)
                continue
            if wanted:
                await playing.stop()

    async def _look(self) -> dict[str, bool]:
        return await self._runtime.store.read(running_at, *self._at, now=self._runtime.now())

    def _until(self, seconds: float) -> int:
        return self._runtime.now() + round(seconds * _SECOND)
