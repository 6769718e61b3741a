"""MCP over streamable HTTP: `/mcp/{agent}`."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from bethink.errors import NotFoundError
from bethink.server.agents import Agents, tools_of
from bethink.server.mcp import server
from bethink.tools.registry import TOOLS, tools
from bethink.tools.values import Reach

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from mcp.server.context import ServerRequestContext
    from starlette.types import Receive, Scope, Send

    from bethink.server.options import Options
    from bethink.tools.values import Tool

LOCAL = ("127.0.0.1", "127.0.0.1:*", "localhost", "localhost:*", "[::1]", "[::1]:*")


class Mcp:
    """An ASGI application; each request stands for itself, so that any process may answer it."""

    def __init__(self, options: Options) -> None:
        guarded = options.auth != "bearer" or bool(options.hosts)
        self._manager = StreamableHTTPSessionManager(
            app=server(agent_tools),
            json_response=True,
            stateless=True,
            max_request_body_size=options.body_bytes,
            security_settings=TransportSecuritySettings(
                enable_dns_rebinding_protection=guarded,
                allowed_hosts=[*LOCAL, *options.hosts],
                allowed_origins=[*(f"http://{host}" for host in LOCAL), *options.origins],
            ),
        )

    @asynccontextmanager
    async def run(self) -> AsyncGenerator[None]:
        """Serve for as long as the server does."""
        async with self._manager.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        path = scope["path"].removeprefix(scope.get("root_path", "")).strip("/")
        scope["state"]["agent"] = unquote(path) or "default"
        await self._manager.handle_request(scope, receive, send)


async def agent_tools(ctx: ServerRequestContext[Any]) -> tuple[Sequence[Tool], Reach]:
    """Return the tools of the agent that the path names, for the caller: private ones where it is not registered."""
    assert ctx.request is not None  # noqa: S101 - it came over HTTP
    memory, name = ctx.request.state.memory, ctx.request.state.agent
    agents = Agents(memory)
    tool = (ctx.params or {}).get("name")
    ctx.request.state.named = {"agent": name, "calls": tool if tool in TOOLS else ctx.method}
    try:
        agent = await agents.get(name)
    except NotFoundError:
        principal = ctx.request.state.caller.principal
        scope = memory.scope(agent=name, user=None if principal is None else principal.id)
        return tools(), Reach(scope=scope, memory=memory, door="mcp")
    return tools_of(agent), replace(agents.reach(agent), door="mcp")
