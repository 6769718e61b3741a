"""SSRF check: events are delivered over https to public addresses only, unless the options allow more."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from bethink.errors import InvalidError

if TYPE_CHECKING:
    from urllib.parse import SplitResult

MAX_URL: Final = 2_048
RESOLVE_SECONDS: Final = 5.0
_NAT64: Final = 0x0064FF9B << 96  #: IPv6 addresses that stand for IPv4 ones begin so


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedAddress:
    """Where a message is really sent. The name is looked up once: what was checked is what is called."""

    url: str  #: the URL with an IP address instead of the host name
    host: str  #: the header
    name: str  #: the host name, for the certificate (SNI)


class ForbiddenAddress(Exception):  # noqa: N818 - no error of ours: a try that fails
    """There is no way that may be taken; `reason` is a word."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def check_url(url: str, *, private: bool) -> str:
    """Return an address that news may be sent to, as far as can be seen from it.

    Raises:
        InvalidError: it is no URL of https, or it holds a password, or it names a private address.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise InvalidError("url must be a valid URL", argument="url") from None
    schemes = {"https", "http"} if private else {"https"}
    if parts.scheme not in schemes or not parts.hostname or port == 0 or len(url) > MAX_URL:
        raise InvalidError("url must be an https:// URL with a host", argument="url")
    if parts.username is not None or parts.password is not None:
        raise InvalidError("url must not contain credentials; messages are signed instead", argument="url")
    if not url.isascii() or not url.isprintable() or " " in url:
        raise InvalidError("url must be ASCII; encode its host and its path", argument="url")
    literal = _literal(parts.hostname)
    if literal is not None and not private and not is_public(literal):
        raise InvalidError("url must have a public address", argument="url")
    return url


async def way_to(url: str, *, private: bool) -> ResolvedAddress:
    """Look a URL's host up, and return the way to it.

    Raises:
        Unreachable: its name is not known, or stands for an address that is not public.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    literal = _literal(host)
    found = [literal] if literal is not None else await _looked_up(host)
    if not private and not all(map(is_public, found)):
        raise ForbiddenAddress("private address")
    address = found[0]
    shown = f"[{address}]" if isinstance(address, IPv6Address) else str(address)
    return ResolvedAddress(url=_with_host(parts, shown), host=parts.netloc, name=host)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Tell whether an IP address is public and does not embed one that is not."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address.teredo is not None:
            inner = address.teredo[1]
        if inner is None and int(address) >> 32 == _NAT64 >> 32:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
    return address.is_global and not address.is_multicast and not address.is_reserved


def _literal(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


async def _looked_up(host: str) -> list[IPv4Address | IPv6Address]:
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(RESOLVE_SECONDS):
            rows = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):  # a timeout is an OSError too
        raise ForbiddenAddress("unknown host") from None
    if not rows:
        raise ForbiddenAddress("unknown host")
    return [ip_address(str(row[4][0]).partition("%")[0]) for row in rows]


def _with_host(parts: SplitResult, host: str) -> str:
    port = f":{parts.port}" if parts.port is not None else ""
    return parts._replace(netloc=f"{host}{port}", fragment="").geturl()
