"""Errors in the form that mem0's clients read: JSON with `detail`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from bethink.server.problems import MEDIA

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PATHS: Final = (
    "/v1/ping/",
    "/v1/memories/",
    "/v1/entities/",
    "/v1/batch/",
    "/v1/feedback/",
    "/v1/exports/",
    "/v1/summary/",
    "/v1/event",
    "/v2/",
    "/v3/",
    "/api/v1/",
)
_INVALID: Final = "urn:bethink:invalid"
_BAD_REQUEST: Final = 400
_UNREADABLE: Final = 422


class Mem0Errors:
    """Turns the problem details of some paths into what mem0's clients make their exceptions of."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "http" and scope["path"].startswith(PATHS):
            await self._app(scope, receive, _Sender(send))
        else:
            await self._app(scope, receive, send)


class _Sender:
    """Holds the head of an answer back until its body says what it is."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._head: Message | None = None
        self._text = bytearray()

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_problem(message):
            self._head = message
            return
        if self._head is None:
            await self._send(message)
            return
        self._text += message.get("body", b"")
        if not message.get("more_body"):
            for each in _mem0_body(self._head, bytes(self._text)):
                await self._send(each)
            self._head = None


def _is_problem(head: Message) -> bool:
    return any(
        name == b"content-type" and value.startswith(MEDIA.encode()) for name, value in head["headers"]
    )


def _mem0_body(head: Message, text: bytes) -> tuple[Message, Message]:
    content: dict[str, Any] = json.loads(text)
    status = head["status"]
    if status == _UNREADABLE and content["type"] == _INVALID:
        status = content["status"] = _BAD_REQUEST
    wrong = content.get("errors")
    if wrong:
        problems = "; ".join(
            f"{'.'.join(each['where'][1:]) or 'the body'} is {_WRONG.get(each['kind'], 'of another kind')}"
            for each in wrong
        )
        content["detail"] = f"the request has another shape than the API: {problems}"
    body = json.dumps(content, separators=(",", ":")).encode("ascii")
    kept = [
        (name, value) for name, value in head["headers"] if name not in {b"content-type", b"content-length"}
    ]
    headers = [*kept, (b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    return {**head, "status": status, "headers": headers}, {"type": "http.response.body", "body": body}


_WRONG: Final = {
    "extra_forbidden": "not known: leave it out",
    "missing": "missing",
    "json_invalid": "no JSON",
    "string_type": "to be a text",
    "dict_type": "to be an object",
    "list_type": "to be a list",
    "model_attributes_type": "to be an object",
}
