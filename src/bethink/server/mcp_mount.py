"""Mount MCP lazily: its SDK takes longer to load than the rest of the server."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from starlette.types import Receive, Scope, Send

    from bethink.server.mcp_http import Mcp
    from bethink.server.options import Options

SERVES: Final = "bethink.server.mcp_http"


class McpMount:
    """An ASGI application that loads the one behind it when it is first asked."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._opening: asyncio.Task[Mcp] | None = None
        self._serving: asyncio.Task[None] | None = None
        self._end = asyncio.Event()

    @asynccontextmanager
    async def run(self) -> AsyncGenerator[None]:
        """Serve for as long as the server does."""
        try:
            yield
        finally:
            self._end.set()
            if self._serving is not None:
                await self._serving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if self._opening is None or (self._opening.done() and self._opening.exception() is not None):
            self._opening = asyncio.create_task(self._opened())
        made = await asyncio.shield(self._opening)  # who asked first may go away: others wait, too
        await made(scope, receive, send)

    async def _opened(self) -> Mcp:
        serves = await asyncio.to_thread(import_module, SERVES)
        made: Mcp = serves.Mcp(self._options)
        running = asyncio.Event()
        self._serving = asyncio.create_task(self._held(made, running))
        await running.wait()
        return made

    async def _held(self, made: Mcp, running: asyncio.Event) -> None:
        """Keep what it needs beside it, in one task from beginning to end."""
        async with made.run():
            running.set()
            await self._end.wait()


def is_installed() -> bool:
    """Tell whether the SDK is there."""
    return find_spec("mcp") is not None
