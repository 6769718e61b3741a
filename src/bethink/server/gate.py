"""Stand before every route: size, caller, rate, repetition, audit. A new route cannot forget any of them."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from bethink.errors import BethinkError
from bethink.server import audit, repeats
from bethink.server.browsers import check_host, check_origin
from bethink.server.dashboard.addresses import SIGN_IN, STATIC
from bethink.server.dashboard.failures import failed
from bethink.server.problems import HttpError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from bethink.memory.memory import AsyncMemory
    from bethink.server.callers import Caller, Door
    from bethink.server.options import Options
    from bethink.server.rates import Quotas, Rates
    from bethink.server.tenants import Tenants
    from bethink.server.visits import Visits
    from bethink.server.webhooks.inbound import Letterbox

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
)  #: never held back by a quota
#: what knows a repetition by itself, and streams: nothing of it is kept back
ONCE = ("/chat", "/runs")


class Gate:
    """Lets a request in with its caller and that caller's memory, and sees its answer out."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        door: Door,
        letterbox: Letterbox,
        visits: Visits | None,
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
        self._repeats = repeats.Repeats()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, _Watched(send))

    async def _request(self, scope: Scope, receive: Receive, send: _Watched) -> None:
        began, headers = time.monotonic(), Headers(scope=scope)
        caller: Caller | None = None
        scope.setdefault("state", {})["auth"] = self._options.auth
        try:
            self._check_browser(scope, headers)
            text = await self._body(headers, receive)
            if _public(scope["path"]):
                await self._app(scope, _replay(text, receive), send)
                return
            caller = await self._caller(scope, headers, text)
            self._rates.take(caller.tenant, caller.counted)
            async with self._tenants.using(caller.tenant) as memory:
                await self._admit(scope, receive, send, headers, text, caller, memory)
        except BethinkError as error:
            await send.instead(failed(scope, error), scope, receive)
        except Exception as error:  # noqa: BLE001 - the outermost door: its words may quote memories
            audit.defect(error)
            await send.instead(failed(scope, error), scope, receive)
        finally:
            if not _public(scope["path"]):
                audit.record(scope, caller, send.status, time.monotonic() - began)

    def _check_browser(self, scope: Scope, headers: Headers) -> None:
        """Keep foreign pages out, where being able to reach the server is all that is asked of a caller."""
        options, path = self._options, scope["path"]
        if path in PUBLIC:
            return
        if options.auth != "bearer" or options.hosts:
            check_host(headers, options.hosts)
        if options.auth != "bearer" or path == SIGN_IN:
            check_origin(scope["method"], headers, options.origins)

    async def _caller(self, scope: Scope, headers: Headers, text: bytes) -> Caller:
        """Return who asks: by the credentials of the request, or else by the visit of the browser.

        What is left at a webhook is believed by its signature alone.
        """
        webhook = self._letterbox.named(scope)
        if webhook is not None:
            return await self._letterbox.caller(webhook, scope, headers, text)
        if self._visits is not None and "authorization" not in headers and "x-api-key" not in headers:
            visit = self._visits.read(cookie_parser(headers.get("cookie", "")))
            if visit is not None:
                self._visits.check(visit, scope["method"], headers, text)
                scope["state"] |= {"visit": visit, "csrf": self._visits.token(visit)}
                return visit.caller
        return await self._door.caller(headers)

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
            await self._app(scope, _replay(text, receive), send)
            return
        digest, request = repeats.digests(key, scope, text)
        state["operation"] = digest
        if path.endswith(ONCE):
            await self._app(scope, _replay(text, receive), send)
            return
        async with self._repeats.lock(caller, digest):
            found = await repeats.known(memory, caller, digest, request)
            if found is not None:
                await send.instead(found, scope, receive)
                return
            send.keep = True
            await self._app(scope, _replay(text, receive), send)
            if 200 <= send.status < 300:  # noqa: PLR2004
                kept = bytes(send.kept)
                await repeats.remember(memory, caller, digest, request, send.status, kept)
            await send.flush()

    async def _body(self, headers: Headers, receive: Receive) -> bytes:
        most = self._options.body_bytes
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > most:
            raise _too_large(most)
        try:
            async with asyncio.timeout(self._options.body_seconds):
                return await _read(receive, most)
        except TimeoutError:
            raise HttpError(408, "timeout", "the body took too long to come") from None


class _Watched:
    """Sees what is sent; keeps it back until what it answers is noted, where it is to be noted."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._held: list[Message] = []
        self._begun = False
        self.status = 0
        self.keep = False
        self.kept = bytearray()

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
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


def _too_large(most: int) -> HttpError:
    return HttpError(413, "limit", f"a request has at most {most} bytes", limit=most, unit="bytes")


async def _read(receive: Receive, most: int) -> bytes:
    text = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise HttpError(400, "invalid", "the client went before it had said all")
        text += message.get("body", b"")
        if len(text) > most:
            raise _too_large(most)
        if not message.get("more_body"):
            return bytes(text)


def _replay(text: bytes, receive: Receive) -> Receive:
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": text, "more_body": False}

    return again
