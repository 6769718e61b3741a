"""Tell what a person does on our own pages from what a foreign page makes a browser do."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bethink.server.problems import HttpError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})  #: methods that change nothing


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
    """Let a request pass that changes nothing, or that no foreign page has made.

    Browsers say where a request comes from, and pages cannot keep them from it; what is no browser says nothing.

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
