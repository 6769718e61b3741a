"""Open the memories of tenants when they are first asked for, and close those that nobody uses."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from bethink.memory.memory import AsyncMemory
from bethink.server.problems import HttpError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from bethink.server.options import Options


@dataclass(slots=True)
class _Open:
    memory: AsyncMemory
    users: int = 0


class Tenants:
    """One memory a tenant: no request ever holds that of another."""

    def __init__(self, options: Options, memory: type[AsyncMemory] = AsyncMemory) -> None:
        self._options = options
        self._kind = memory
        self._open: dict[str, _Open] = {}
        self._lock = asyncio.Lock()

    @asynccontextmanager
    async def using(self, tenant: str) -> AsyncGenerator[AsyncMemory]:
        """Lend the memory of a tenant."""
        entry = self._open.get(tenant) or await self._opened(tenant)
        entry.users += 1
        try:
            yield entry.memory
        finally:
            entry.users -= 1

    @property
    def open(self) -> tuple[str, ...]:
        """Name the tenants that are open."""
        return tuple(self._open)

    async def close(self) -> None:
        """Finish what was accepted."""
        async with self._lock:
            for entry in self._open.values():
                await entry.memory.close()
            self._open.clear()

    async def _opened(self, tenant: str) -> _Open:
        async with self._lock:
            if tenant not in self._open:
                await self._make_room()
                self._open[tenant] = _Open(await asyncio.to_thread(self._memory, tenant))
            self._open[tenant] = entry = self._open.pop(tenant)
            return entry

    def _memory(self, tenant: str) -> AsyncMemory:
        options = self._options
        opened = partial(
            self._kind, options.db, tenant=tenant, clock=options.clock, settings=options.settings
        )
        memory = opened() if options.embedder == "usual" else opened(embedder=options.embedder)
        if options.work.mirror is not None:
            memory.mirror(options.work.mirror)
        return memory

    async def _make_room(self) -> None:
        if len(self._open) < self._options.tenants:
            return
        idle = next((name for name, entry in self._open.items() if not entry.users), None)
        if idle is None:
            raise HttpError(
                503, "unavailable", "too many tenants at once: try again soon", headers={"retry-after": "1"}
            )
        await self._open.pop(idle).memory.close()
