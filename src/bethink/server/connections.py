"""Limit the server's connections, their number and the time for request headers, and join the writes of a response."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar, Final, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_HEAD: Final = 64 << 10  #: bytes of a request's head
_LATE: Final = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nretry-after: 1\r\nconnection: close\r\n\r\n"
)


class JoinedWrites:
    """A transport that sends the head of a response together with what follows it at once, its body as a rule.

    The protocol writes the two one after the other, and each write is a call of the system and a packet. A single write
    is held back until another one comes, or until the event loop goes on: no more than that one is ever held.
    """

    __slots__ = ("_held", "_loop", "_transport")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._held: bytes | None = None

    def write(self, data: bytes) -> None:
        """Send data, with what was held back before it."""
        if self._held is not None:
            held, self._held = self._held, None
            self._transport.write(held + data)
        elif data:
            self._held = data
            self._loop.call_soon(self._flush)

    def close(self) -> None:
        """Send what was held back, and close the connection."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._held is not None:
            held, self._held = self._held, None
            self._transport.write(held)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class BoundedProtocol(H11Protocol):
    """HTTP/1.1 on connections that say soon what they want, and end where there are too many.

    The time counts from when a connection opens, and again from each byte of a new request, until its head is
    whole. A body that goes on after its request was answered counts as one that never says what it wants.
    """

    most: ClassVar[int] = 1_000
    seconds: ClassVar[float] = 10.0
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Take a connection, or end it at once."""
        transport = cast("asyncio.Transport", JoinedWrites(transport, self.loop))
        super().connection_made(transport)
        if len(self.connections) > self.most:
            transport.write(_FULL)
            transport.close()
        else:
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of a connection."""
        self._unwatch()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what was sent."""
        super().data_received(data)
        self._watch()

    def _watch(self) -> None:
        if self._asks():
            self._unwatch()
        elif self._late is None:
            self._late = self.loop.call_later(self.seconds, self._end)

    def _asks(self) -> bool:
        """Tell whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete  # pyright: ignore[reportUnnecessaryComparison]

    def _unwatch(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _end(self) -> None:
        self._late = None
        if self._asks() or self.transport.is_closing():
            return
        if self.cycle is None:  # pyright: ignore[reportUnnecessaryComparison]
            self.transport.write(_LATE)
        self.transport.close()


def bounded_protocol(most: int, seconds: float) -> type[asyncio.Protocol]:
    """Return the protocol of connections with these bounds."""
    return type("BoundedProtocol", (BoundedProtocol,), {"most": most, "seconds": seconds})
