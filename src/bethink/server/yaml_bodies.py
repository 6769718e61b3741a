"""Accept YAML request bodies for specs and convert them to JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, cast

from starlette.datastructures import Headers

from bethink.server.problems import HttpError
from bethink.server.request_bodies import replayed_body

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from bethink.server.services import RequestState

KINDS: Final = frozenset({"application/yaml", "application/x-yaml", "text/yaml"})
MAX: Final = 256 << 10  #: bytes; a parser of YAML is slow


class YamlBodies:
    """Gives the application JSON where the body is YAML."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "http" and "caller" in scope["state"]:
            kind = Headers(scope=scope).get("content-type", "").partition(";")[0].strip().lower()
            if kind in KINDS:
                state: RequestState = scope["state"]
                state["body"] = text = as_json(scope, state.get("body", b""))
                await receive()  # the body as it was sent
                receive = replayed_body(text, receive)
        await self.app(scope, receive, send)


def as_json(scope: Scope, text: bytes) -> bytes:
    """Return a body of YAML as JSON, and let the request say so.

    Raises:
        HttpError: 413, it is too long; 422, it is no YAML, repeats itself by aliases, or is nothing that JSON has.
    """
    if len(text) > MAX:
        raise HttpError(
            413,
            "limit",
            f"a YAML body may have at most {MAX} bytes; send JSON instead",
            limit=MAX,
            unit="bytes",
        )
    scope["headers"] = [
        *((name, value) for name, value in scope["headers"] if name != b"content-type"),
        (b"content-type", b"application/json"),
    ]
    try:
        return json.dumps(_read(text), allow_nan=False, default=str).encode()
    except (ValueError, TypeError, RecursionError) as error:
        raise HttpError(
            422, "invalid", "the body is not valid YAML, has aliases, or has no JSON equivalent"
        ) from error


def _read(text: bytes) -> Any:
    import yaml

    class Loader(yaml.SafeLoader):
        """Reads plain data; what a text repeats by an alias could grow without end."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            if cast("Any", self).check_event(yaml.events.AliasEvent):
                raise ValueError("an alias")
            return super().compose_node(parent, index)

    try:
        return yaml.load(text, Loader)  # noqa: S506 - it is a safe loader
    except yaml.YAMLError as error:
        raise ValueError("not valid YAML") from error
