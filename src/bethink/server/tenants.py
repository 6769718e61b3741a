"""Open memories of tenants on demand, with shared connections and caches, and mirror their writes."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

from bethink.memory.memory import AsyncMemory
from bethink.server.problems import HttpError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from starlette.types import ASGIApp, Receive, Scope, Send

    from bethink.memory.mirror import AsyncMirror
    from bethink.scope.values import Principal
    from bethink.server.options import Options
    from bethink.server.services import RequestState

MAX_NARROWED: Final = 256  #: memories that are kept of callers of one tenant
PAUSE_SECONDS: Final = 5.0  #: between two tries to reach a mirror that does not answer


@dataclass(slots=True)
class Open:
    """The memory of a tenant that is being served."""

    memory: AsyncMemory
    mirrors: list[AsyncMirror]
    users: int = 0
    copying: asyncio.Task[None] | None = None
    rests_until: float = 0.0  #: what is waiting for the mirror is not copied before
    narrowed: dict[Principal, AsyncMemory] = field(default_factory=dict["Principal", "AsyncMemory"])

    def acting_as(self, principal: Principal | None) -> AsyncMemory:
        """Return the memory, narrowed to what a principal may do; a handle has no state of its own."""
        if principal is None:
            return self.memory
        found = self.narrowed.get(principal)
        if found is None:
            if len(self.narrowed) >= MAX_NARROWED:
                self.narrowed.clear()
            found = self.narrowed[principal] = self.memory.acting_as(principal)
        return found

    @property
    def waiting(self) -> int:
        """Count the sessions that wait to be copied."""
        return sum(mirror.waiting for mirror in self.mirrors)


class Tenants:
    """One memory a tenant: no request ever holds that of another.

    The database is opened once, when the first tenant is asked for. A memory of a tenant is a name over the same
    connections and caches: to open one costs nothing, and nobody waits for another's.
    """

    def __init__(self, options: Options, memory: type[AsyncMemory] = AsyncMemory) -> None:
        self._options = options
        self._kind = memory
        self._first: asyncio.Task[AsyncMemory] | None = None
        self._open: dict[str, Open] = {}  #: the one used last at the end

    @asynccontextmanager
    async def using(self, tenant: str) -> AsyncGenerator[AsyncMemory]:
        """Lend the memory of a tenant.

        Raises:
            HttpError: 503, as many tenants as may be are being served.
        """
        entry = await self.lend(tenant)
        try:
            yield entry.memory
        finally:
            self.give_back(entry)

    async def lend(self, tenant: str) -> Open:
        """Do what `using` does, until it is given back.

        Raises:
            HttpError: 503, as many tenants as may be are being served.
        """
        entry = self._open.pop(tenant, None) or await self._opened(tenant)
        self._open[tenant] = entry
        entry.users += 1
        return entry

    def give_back(self, entry: Open) -> None:
        """Let others have what was lent, and copy what was written."""
        entry.users -= 1
        if entry.mirrors:
            self._copy_later(entry)

    @property
    def open(self) -> tuple[str, ...]:
        """Name the tenants that are open."""
        return tuple(self._open)

    async def close(self) -> None:
        """Finish what was accepted: what waits for the mirror is copied, then the database is let go of."""
        for entry in self._open.values():
            if entry.copying is not None:
                await entry.copying
            for mirror in entry.mirrors:
                await mirror.flush()
        self._open.clear()
        first, self._first = self._first, None
        if first is not None:
            await (await first).close()

    # ---- opening ------------------------------------------------------------------------------------------------

    async def _opened(self, tenant: str) -> Open:
        first = await self._database()
        entry = self._open.pop(tenant, None)  # somebody else may have come before, meanwhile
        if entry is not None:
            return entry
        self._make_room()
        same = tenant == self._options.tenant
        memory = first if same else first._of_tenant(tenant)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        if not same and self._options.work.mirror is not None:
            memory.mirror(self._options.work.mirror)
        return Open(memory, memory._runtime.mirrors)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    async def _database(self) -> AsyncMemory:
        if self._first is None or (self._first.done() and self._first.exception() is not None):
            self._first = asyncio.create_task(asyncio.to_thread(self._memory))
        return await asyncio.shield(self._first)  # who waits may go away: others wait, too

    def _memory(self) -> AsyncMemory:
        options = self._options
        opened = partial(
            self._kind, options.db, tenant=options.tenant, clock=options.clock, settings=options.settings
        )
        memory = opened() if options.embedder == "usual" else opened(embedder=options.embedder)
        if options.work.mirror is not None:
            memory.mirror(options.work.mirror)
        return memory

    def _make_room(self) -> None:
        if len(self._open) < self._options.tenants:
            return
        for name, entry in self._open.items():
            if not entry.users and entry.copying is None and not entry.waiting:
                del self._open[name]
                return
        raise HttpError(
            503,
            "unavailable",
            "too many tenants are in use at once; try again soon",
            headers={"retry-after": "1"},
        )

    # ---- the mirror ---------------------------------------------------------------------------------------------

    def _copy_later(self, entry: Open) -> None:
        """Copy what was written, beside what is answered next; a request does not wait for it."""
        if entry.copying is not None or not entry.waiting:
            return
        if asyncio.get_running_loop().time() >= entry.rests_until:
            entry.copying = asyncio.create_task(self._copy(entry))

    async def _copy(self, entry: Open) -> None:
        try:
            while entry.waiting:
                failures = sum(mirror.failures for mirror in entry.mirrors)
                for mirror in entry.mirrors:
                    await mirror.flush()
                if sum(mirror.failures for mirror in entry.mirrors) > failures:
                    entry.rests_until = asyncio.get_running_loop().time() + PAUSE_SECONDS
                    return
        finally:
            entry.copying = None


class TenantMemory:
    """Lends a request the memory of its tenant, narrowed to what its caller may do."""

    def __init__(self, app: ASGIApp, *, tenants: Tenants) -> None:
        self.app = app
        self._tenants = tenants

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        state: RequestState = scope["state"] if scope["type"] == "http" else {}
        if "caller" not in state:
            await self.app(scope, receive, send)
            return
        caller = state["caller"]
        entry = await self._tenants.lend(caller.tenant)
        try:
            state["tenant_memory"], state["memory"] = entry.memory, entry.acting_as(caller.principal)
            await self.app(scope, receive, send)
        finally:
            self._tenants.give_back(entry)
