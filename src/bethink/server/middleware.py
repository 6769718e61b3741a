"""Stand before every route: caller, rate, size, repetition, audit. A new route cannot forget any of them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from bethink.errors import BethinkError
from bethink.server import audit, bodies, idempotency
from bethink.server.bodies import BodyBytes
from bethink.server.csrf import check_host, check_origin
from bethink.server.dashboard.addresses import SIGN_IN, STATIC
from bethink.server.dashboard.failures import failed
from bethink.server.paths import parted
from bethink.server.yaml_bodies import as_json

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from bethink.memory.memory import AsyncMemory
    from bethink.server.authentication import Caller, Door
    from bethink.server.bodies import Taken
    from bethink.server.browser_sessions import BrowserSession, BrowserSessions
    from bethink.server.options import Options
    from bethink.server.rate_limits import Quotas, Rates
    from bethink.server.tenants import Tenants
    from bethink.server.webhooks.inbound import InboundWebhooks

PUBLIC = frozenset({"/v1/health", "/v1/readiness", "/openapi.json"})
WRITES = frozenset({"POST", "PUT", "PATCH"})
SHRINKS = (
    "/erase",
    "/undo",
    "/clear",
    "/reject",
    "/recall",
    "/why-not",
    "/context",
    "/forget",
    "/delete",
    "/sign-out",
    "/memories/search/",
    "/v2/memories/",
    "/v3/memories/",
)  #: never held back by a quota
#: what knows a repetition by itself, and streams: nothing of it is kept back
ONCE = ("/chat", "/runs")


SIGN_IN_BYTES = 64 << 10  #: of the body of a request that nobody is asked about


@dataclass(slots=True)
class _Asking:
    """A request, and who makes it once that is known."""

    scope: Scope
    receive: Receive
    send: _Watched
    headers: Headers
    caller: Caller | None = None


class Gate:
    """Lets a request in with its caller and that caller's memory, and sees its answer out."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        door: Door,
        letterbox: InboundWebhooks,
        visits: BrowserSessions | None,
        tenants: Tenants,
        options: Options,
        rates: Rates,
        quotas: Quotas,
    ) -> None:
        self._app = app
        self._door = door
        self._letterbox = letterbox
        self._visits = visits
        self._tenants = tenants
        self._options = options
        self._rates = rates
        self._quotas = quotas
        self._repeats = idempotency.Repeats()
        self._known = BodyBytes(options.bodies_bytes)
        self._strangers = BodyBytes(options.bodies_bytes // bodies.SHARE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            scope["path"] = parted(scope["path"], scope.get("raw_path") or b"")
            await self._request(scope, receive, _Watched(send))

    async def _request(self, scope: Scope, receive: Receive, send: _Watched) -> None:
        began, headers = time.monotonic(), Headers(scope=scope)
        asking = _Asking(scope, receive, send, headers)
        send.closes = not bodies.is_small(headers)
        scope.setdefault("state", {})["auth"] = self._options.auth
        try:
            self._check_browser(scope, headers)
            await self._answer(asking)
        except BethinkError as error:
            await send.instead(failed(scope, error), scope, receive)
        except Exception as error:  # noqa: BLE001 - the outermost door: its words may quote memories
            audit.defect(error)
            await send.instead(failed(scope, error), scope, receive)
        finally:
            if not _public(scope["path"]):
                audit.record(scope, asking.caller, send.status, time.monotonic() - began)

    async def _answer(self, asking: _Asking) -> None:
        """Find out who asks, then read what they say, then answer: nothing is held of a body from nobody.

        What is left at a webhook is believed by its signature, which is over the body: there it is known before that
        the webhook is there, and that the message has the form of a signed one. Little is held of all such bodies.
        """
        scope, headers = asking.scope, asking.headers
        if _public(scope["path"]):
            with self._strangers.of("", SIGN_IN_BYTES) as taken:
                text = await self._read(asking, taken, SIGN_IN_BYTES)
                await self._app(scope, bodies.replay(text, asking.receive), asking.send)
            return
        name = self._letterbox.named(scope)
        if name is not None:
            left = await self._letterbox.left(name, scope, headers)
            with self._strangers.of(name, self._options.body_bytes) as taken:
                text = await self._read(asking, taken, self._options.body_bytes)
                asking.caller = self._letterbox.caller(left, scope, headers, text)
                self._rates.take(asking.caller.tenant, asking.caller.counted)
                await self._lent(asking, text)
            return
        visit = await self._visit(headers)
        asking.caller = caller = await self._door.caller(headers) if visit is None else visit.caller
        self._rates.take(caller.tenant, caller.counted)
        with self._known.of(f"{caller.tenant}/{caller.id}", self._options.body_bytes) as taken:
            text = await self._read(asking, taken, self._options.body_bytes)
            if visit is not None and self._visits is not None:
                self._visits.check(visit, scope["method"], headers, text)
                scope["state"] |= {"visit": visit, "csrf": self._visits.token(visit)}
            await self._lent(asking, text)

    async def _read(self, asking: _Asking, taken: Taken, most: int) -> bytes:
        text = await bodies.read(
            asking.headers, asking.receive, taken, most=most, seconds=self._options.body_seconds
        )
        asking.send.closes = False  # all of it was taken off the connection
        return text

    async def _lent(self, asking: _Asking, text: bytes) -> None:
        caller = asking.caller
        assert caller is not None  # noqa: S101 - it was asked who it is
        text = as_json(asking.scope, asking.headers, text)
        async with self._tenants.using(caller.tenant) as memory:
            await self._admit(asking.scope, asking.receive, asking.send, asking.headers, text, caller, memory)

    def _check_browser(self, scope: Scope, headers: Headers) -> None:
        """Keep foreign pages out, where being able to reach the server is all that is asked of a caller."""
        options, path = self._options, scope["path"]
        if path in PUBLIC:
            return
        if options.auth != "bearer" or options.hosts:
            check_host(headers, options.hosts)
        if options.auth != "bearer" or path == SIGN_IN:
            check_origin(scope["method"], headers, options.origins)

    async def _visit(self, headers: Headers) -> BrowserSession | None:
        """Return the visit of the browser that asks; None where the credentials of the request say who it is."""
        if self._visits is None or "authorization" in headers or "x-api-key" in headers:
            return None
        visit = self._visits.read(cookie_parser(headers.get("cookie", "")))
        if visit is None:
            return None
        async with self._tenants.using(visit.caller.tenant) as memory:
            return None if await self._visits.ended(visit, memory) else visit

    async def _admit(
        self,
        scope: Scope,
        receive: Receive,
        send: _Watched,
        headers: Headers,
        text: bytes,
        caller: Caller,
        memory: AsyncMemory,
    ) -> None:
        method, path = scope["method"], scope["path"]
        if method in WRITES and not path.endswith(SHRINKS):
            await self._quotas.check(caller.tenant, memory)
        own = memory if caller.principal is None else memory.acting_as(caller.principal)
        state: dict[str, Any] = scope["state"]
        state |= {"caller": caller, "memory": own}
        key = headers.get("idempotency-key")
        if key is None or method not in WRITES:
            await self._app(scope, bodies.replay(text, receive), send)
            return
        digest, request = idempotency.digests(key, scope, text)
        state["operation"] = digest
        if path.endswith(ONCE):
            await self._app(scope, bodies.replay(text, receive), send)
            return
        async with self._repeats.lock(caller, digest):
            found = await idempotency.known(memory, caller, digest, request)
            if found is not None:
                await send.instead(found, scope, receive)
                return
            send.keep = True
            await self._app(scope, bodies.replay(text, receive), send)
            if 200 <= send.status < 300:  # noqa: PLR2004
                kept = bytes(send.kept)
                await idempotency.remember(memory, caller, digest, request, send.status, kept)
            await send.flush()


class _Watched:
    """Sees what is sent; keeps it back until what it answers is noted, where it is to be noted."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._held: list[Message] = []
        self._begun = False
        self.status = 0
        self.keep = False
        self.kept = bytearray()
        self.closes = False  #: the connection, after the answer: much of the body may still be on its way

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            if self.closes:
                message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
        elif self.keep:
            self.kept += message.get("body", b"")
        if self.keep:
            self._held.append(message)
            return
        self._begun = True
        await self._send(message)

    async def flush(self) -> None:
        """Send what was kept back."""
        self.keep = False
        for message in self._held:
            self._begun = True
            await self._send(message)
        self._held.clear()

    async def instead(self, response: ASGIApp, scope: Scope, receive: Receive) -> None:
        """Send another answer, if none has begun."""
        self.keep = False
        self._held.clear()
        if not self._begun:
            await response(scope, receive, self)


def _public(path: str) -> bool:
    return path in PUBLIC or path == SIGN_IN or path.startswith(STATIC)
