"""Path parameters in which %2F stays part of its segment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from starlette.convertors import Convertor, register_url_convertor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import ASGIApp, Receive, Scope, Send

API: Final = ("/v1/", "/v2/")  #: ours, and what compatible APIs have beside it
#: pages whose addresses have names in them; there these are written as in a namespace, which has %2F for a slash
PAGES: Final = ("/agents/", "/teams/", "/memory/")
_SLASH: Final = (("/", "%2F"),)
_KEPT: Final = (("%", "%25"), ("/", "%2F"))  #: what stays written within a part


class _Part(Convertor[str]):
    """One part of a path, whatever its characters are."""

    regex = "[^/]+"

    def convert(self, value: str) -> str:
        """Return what the part says."""
        for plain, kept in reversed(_KEPT):
            value = value.replace(kept, plain)
        return value

    def to_string(self, value: str) -> str:
        """Return the part as it stands in a path of ours."""
        return _kept(value)


def register_parts() -> None:
    """Let routes say `{name:part}`."""
    register_url_convertor("part", _Part())


def escaped_path(path: str, raw: bytes) -> str:
    """Return the path of a request with what parts nothing kept written; of no name, it is as it was.

    In the address of a page a name with a slash may be written once (`team%2Fdesk`), as people and the API do, or
    twice, as our own pages do (`team%252Fdesk`).
    """
    if b"%" not in raw or not path.startswith((*API, *PAGES)):
        return path
    marks = _KEPT if path.startswith(API) else _SLASH
    return "/".join(_kept(unquote(each.decode("latin-1")), marks) for each in raw.split(b"/"))


def _kept(text: str, marks: Sequence[tuple[str, str]] = _KEPT) -> str:
    for plain, kept in marks:
        text = text.replace(plain, kept)
    return text


class NormalizedPath:
    """Lets a slash within a name part nothing, and gives each request a state of its own."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "http":
            scope.setdefault("state", {})
            scope["path"] = escaped_path(scope["path"], scope.get("raw_path") or b"")
        await self.app(scope, receive, send)
