"""Read request bodies within size limits: per request, per caller and in total."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from starlette.requests import ClientDisconnect, Request

from bethink.server.problems import HttpError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from starlette.datastructures import Headers
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from bethink.server.services import RequestState

SHARE: Final = (
    4  #: one caller sends at most this part of all, and so do all together of whom nothing is known yet
)
SIGN_IN_BYTES: Final = 64 << 10  #: maximum body of a request that needs no authentication
SMALL: Final = 64 << 10  #: bytes that a refused request may still send on a connection that stays open


class BodyBytes:
    """The bytes of bodies that a process holds at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._all = 0
        self._by: dict[str, int] = {}

    @property
    def held(self) -> int:
        """Return how many there are now."""
        return self._all

    @contextmanager
    def of(self, who: str, least: int = 0) -> Generator[Callable[[int], None]]:
        """Lend what counts the bytes that somebody sends, and give them back when their request is done.

        `least` is what one request may take in any case. Where there are too many, counting raises HttpError (503).
        """
        most, taken = max(least, self._most // SHARE), 0

        def take(more: int) -> None:
            nonlocal taken
            self._add(who, more, most)
            taken += more

        try:
            yield take
        finally:
            self._add(who, -taken, most)

    def _add(self, who: str, count: int, most: int) -> None:
        own = self._by.get(who, 0) + count
        if count > 0 and (self._all + count > self._most or own > most):
            raise HttpError(
                503,
                "unavailable",
                "the server is receiving too many large requests; retry in a moment",
                headers={"retry-after": "1"},
                limit=self._most,
                unit="bytes",
            )
        self._all += count
        self._by[who] = own
        if own <= 0:
            del self._by[who]


async def read(request: Request, take: Callable[[int], None], *, most: int, seconds: float) -> bytes:
    """Return the body of a request.

    Raises:
        HttpError: 413, it is larger than `most`; 408, it took too long; 503, too many are being read; 400, its
            sender went away.
    """
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length[:20]) > most:
        raise _too_large(most)
    text = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                if len(text) + len(part) > most:
                    raise _too_large(most)
                take(len(part))
                text += part
    except TimeoutError:
        raise HttpError(408, "timeout", "the request body was not received in time") from None
    except ClientDisconnect:
        raise HttpError(400, "invalid", "the client disconnected before the request was complete") from None
    return bytes(text)


def is_small(headers: Headers) -> bool:
    """Tell whether the body of a request may be passed over without closing its connection."""
    if "transfer-encoding" in headers:
        return False
    length = headers.get("content-length", "0")
    return length.isdecimal() and int(length[:20]) <= SMALL


def replayed_body(text: bytes, receive: Receive) -> Receive:
    """Return what gives a body that was read to the application, and then what else comes."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": text, "more_body": False}

    return again


def _too_large(most: int) -> HttpError:
    return HttpError(
        413, "limit", f"the request body may have at most {most} bytes", limit=most, unit="bytes"
    )


class BodyLimit:
    """Reads the body of a request whole, within bounds; of somebody who is not known yet, little is held."""

    def __init__(self, app: ASGIApp, *, body_bytes: int, bodies_bytes: int, seconds: float) -> None:
        self.app = app
        self._body_bytes = body_bytes
        self._seconds = seconds
        self._known = BodyBytes(bodies_bytes)
        self._strangers = BodyBytes(bodies_bytes // SHARE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        state: RequestState = scope["state"]
        most = self._body_bytes
        if "caller" in state:
            held = self._known.of(f"{state['caller'].tenant}/{state['caller'].id}", most)
        elif "left" in state:
            held = self._strangers.of(scope["path"], most)
        else:
            most = SIGN_IN_BYTES
            held = self._strangers.of("", most)
        with held as take:
            text = await read(Request(scope, receive), take, most=most, seconds=self._seconds)
            state["body"] = text
            await self.app(scope, replayed_body(text, receive), send)
