"""Stand before every route: size, caller, rate, repetition, audit. A new route cannot forget any of them."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers

from bethink.errors import BethinkError
from bethink.server import audit, repeats
from bethink.server.problems import HttpError, body, problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from bethink.memory.memory import AsyncMemory
    from bethink.server.callers import Caller, Door
    from bethink.server.options import Options
    from bethink.server.rates import Quotas, Rates
    from bethink.server.tenants import Tenants

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
        self, app: ASGIApp, *, door: Door, tenants: Tenants, options: Options, rates: Rates, quotas: Quotas
    ) -> None:
        self._app = app
        self._door = door
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
        try:
            text = await self._body(headers, receive)
            if scope["path"] in PUBLIC:
                await self._app(scope, _replay(text, receive), send)
                return
            caller = await self._door.caller(headers)
            self._rates.take(caller.tenant, caller.id)
            async with self._tenants.using(caller.tenant) as memory:
                await self._admit(scope, receive, send, headers, text, caller, memory)
        except BethinkError as error:
            await send.instead(problem(error), scope, receive)
        except Exception as error:  # noqa: BLE001 - the outermost door: its words may quote memories
            audit.defect(error)
            await send.instead(body(500, "defect", "a defect: please report it"), scope, receive)
        finally:
            if scope["path"] not in PUBLIC:
                audit.record(scope, caller, send.status, time.monotonic() - began)

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
        state: dict[str, Any] = scope.setdefault("state", {})
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
