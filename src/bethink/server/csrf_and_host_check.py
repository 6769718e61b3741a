"""CSRF and DNS-rebinding checks: the Origin and Host headers of requests."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from bethink.server.authentication import PUBLIC
from bethink.server.dashboard.urls import SIGN_IN
from bethink.server.problems import HttpError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from starlette.types import ASGIApp, Receive, Scope, Send

    from bethink.server.browser_sessions import BrowserSessions
    from bethink.server.services import RequestState

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})  #: methods that change nothing


class OriginCheck:
    """Keeps foreign pages out, where being able to reach the server is all that is asked of a caller."""

    def __init__(self, app: ASGIApp, *, auth: str, hosts: Collection[str], origins: Collection[str]) -> None:
        self.app = app
        self._open = auth != "bearer"
        self._hosts = hosts
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "http" and scope["path"] not in PUBLIC:
            headers = Headers(scope=scope)
            if self._open or self._hosts:
                check_host(headers, self._hosts)
            if self._open or scope["path"] == SIGN_IN:
                check_origin(scope["method"], headers, self._origins)
        await self.app(scope, receive, send)


class CsrfCheck:
    """Lets a browser session change something from our own pages alone; it needs the body, which has the token."""

    def __init__(self, app: ASGIApp, *, sessions: BrowserSessions) -> None:
        self.app = app
        self._sessions = sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        browser_session = scope.get("state", {}).get("browser_session")
        if browser_session is not None:
            state: RequestState = scope["state"]
            self._sessions.check(
                browser_session, scope["method"], Headers(scope=scope), state.get("body", b"")
            )
            state["csrf"] = self._sessions.token(browser_session)
        await self.app(scope, receive, send)


def check_host(headers: Mapping[str, str], hosts: Collection[str]) -> None:
    """Let requests pass that name this machine, an address, or a host that is allowed.

    A foreign page may let its own name point to this machine (DNS rebinding); it cannot do so with an address.

    Raises:
        HttpError: 421, the name is none of ours.
    """
    given = headers.get("host", "")
    name = _name(given)
    if name == "localhost" or name.endswith(".localhost") or _is_address(name):
        return
    if given in hosts or name in hosts or f"{name}:*" in hosts:
        return
    raise HttpError(
        421,
        "misdirected",
        "unknown host name; use localhost or an address, or start the server with --allowed-host NAME",
        argument="host",
    )


def check_origin(method: str, headers: Mapping[str, str], origins: Collection[str]) -> None:
    """Refuse a request that changes something and comes from a page of another origin.

    Browsers send Origin or Sec-Fetch-Site, and pages cannot prevent that; other clients send neither.

    Raises:
        HttpError: 403, a page of another origin has made it.
    """
    origin = headers.get("origin")
    if method in SAFE or (origin is not None and origin in origins):
        return
    site = headers.get("sec-fetch-site")
    if site is None:  # an older browser, or a page that did not come over TLS
        own = origin is None or urlsplit(origin).netloc == headers.get("host")
    else:
        own = site in {"same-origin", "none"}
    if not own:
        raise HttpError(
            403,
            "foreign-origin",
            "the request came from a page of another origin; use the server's own pages, or allow "
            "the origin with --origin URL",
            argument="origin",
        )


def _name(host: str) -> str:
    """Return a host without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.rpartition(":")[0].lower() if ":" in host else host.lower()


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
