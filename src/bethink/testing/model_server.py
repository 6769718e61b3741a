"""A real HTTP server of chat completions and embeddings that fails as it is told to.

    with ModelServer() as server:
        server.then(Says({"notes": [], "nothing": []}), Status(429, {"Retry-After": "0"}), Hangs())
        chat = OpenAIChat("any", base_url=server.url)

Each request takes the next step. It is strict: a request without a step is answered with 418 and noted in
`unexpected`, and leaving the block with steps unused, or after an unexpected request, is an error.
"""

from __future__ import annotations

import itertools
import json
import re
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self, TypeAlias

if TYPE_CHECKING:
    from types import TracebackType

MODEL = "scripted-1"
_LONGEST_HANG = 20.0  #: seconds
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Request:
    """What the server was asked."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def data(self) -> Any:
        """Return the JSON that the last message carries."""
        return json.loads(self.body["messages"][-1]["content"])

    @property
    def system(self) -> str:
        """Return the instructions."""
        return str(self.body["messages"][0]["content"])


@dataclass(frozen=True, slots=True)
class Says:
    """Answer: a text as it stands, anything else as JSON."""

    content: Any
    usage: Mapping[str, Any] | None = field(
        default_factory=lambda: {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    )
    finish: str = "stop"
    refusal: str | None = None

    def answer(self) -> dict[str, Any]:
        """Return the JSON of a chat completion."""
        text = self.content if isinstance(self.content, str | None) else json.dumps(self.content)
        message = {"role": "assistant", "content": text, "refusal": self.refusal}
        plain: dict[str, Any] = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": MODEL,
            "choices": [{"index": 0, "message": message, "finish_reason": self.finish}],
        }
        return plain if self.usage is None else {**plain, "usage": dict(self.usage)}


@dataclass(frozen=True, slots=True)
class Calls:
    """Ask for tools: names, each with its arguments as JSON, or as a text that may be none."""

    calls: tuple[tuple[str, Any], ...]
    text: str | None = None  #: said beside the calls
    usage: Mapping[str, Any] | None = field(
        default_factory=lambda: {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    )

    def answer(self) -> dict[str, Any]:
        """Return the JSON of a chat completion."""
        plain = Says(self.text, usage=self.usage, finish="tool_calls").answer()
        plain["choices"][0]["message"]["tool_calls"] = [
            {
                "id": f"call_{next(_numbers)}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": given if isinstance(given, str) else json.dumps(given),
                },
            }
            for name, given in self.calls
        ]
        return plain


@dataclass(frozen=True, slots=True)
class Streams:
    """Send these pieces as they stand, as server-sent events, and then break off or come to an end."""

    pieces: tuple[bytes, ...]
    breaks: bool = True


@dataclass(frozen=True, slots=True)
class Sends:
    """Answer 200 with these bytes, or with this as JSON."""

    body: Any


@dataclass(frozen=True, slots=True)
class Status:
    """Answer with a status."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    error: Mapping[str, Any] = field(default_factory=lambda: {"message": "no", "code": None})


@dataclass(frozen=True, slots=True)
class Hangs:
    """Say nothing until the caller has gone, or the server is closed."""


@dataclass(frozen=True, slots=True)
class Drips:
    """Send an answer a byte at a time, with a pause after each, and never to its end."""

    pause: float = 0.05


@dataclass(frozen=True, slots=True)
class Resets:
    """Break the connection, after so many bytes of an answer."""

    after: int = 0


@dataclass(frozen=True, slots=True)
class Embeds:
    """Answer with a vector a text."""

    vector: Callable[[str], list[float]]
    shuffled: bool = False


Step: TypeAlias = Says | Calls | Streams | Sends | Status | Hangs | Drips | Resets | Embeds
Script: TypeAlias = Step | Callable[[Request], Step]


class ModelServer:
    """A model's endpoint on a free port of this machine. `url` is its base URL."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.unexpected: list[Request] = []
        self._steps: deque[Script] = deque()
        self._always: Script | None = None
        self._guard = threading.Lock()
        self._closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever,
            kwargs={"poll_interval": 0.02},
            name="model-server",
            daemon=True,
        )

    @property
    def url(self) -> str:
        """Return the base URL."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def then(self, *steps: Script) -> Self:
        """Answer the next requests so, one after another."""
        with self._guard:
            self._steps.extend(steps)
        return self

    def always(self, step: Script) -> Self:
        """Answer every request so that finds no other step."""
        self._always = step
        return self

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        if kind is None:
            assert not self.unexpected, f"{len(self.unexpected)} requests came that no step was for"
            assert not self._steps, f"{len(self._steps)} steps were not used"

    def take(self, request: Request) -> Step | None:
        """Return the step that answers a request."""
        with self._guard:
            self.requests.append(request)
            script = self._steps.popleft() if self._steps else self._always
            if script is None:
                self.unexpected.append(request)
                return None
        return script(request) if callable(script) else script

    def wait(self, seconds: float) -> bool:
        """Wait; True where the server is being closed."""
        return self._closing.wait(seconds)


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            body = json.loads(self.rfile.read(length) or b"{}")
            request = Request(self.path, {name.lower(): word for name, word in self.headers.items()}, body)
            with suppress(ConnectionError):
                _play(self, server, request, server.take(request))

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the base class
            """Say nothing."""

    return Handler


def _play(handler: BaseHTTPRequestHandler, server: ModelServer, request: Request, step: Step | None) -> None:
    match step:
        case None:
            _send(handler, 418, {"error": {"message": "unexpected"}})
        case Says() | Calls() if request.body.get("stream"):
            _stream(handler, _pieces(step.answer()))
        case Says() | Calls():
            _send(handler, 200, step.answer())
        case Streams():
            _stream(handler, step.pieces, breaks=step.breaks)
        case Sends():
            _send(handler, 200, step.body)
        case Status():
            _send(handler, step.status, {"error": dict(step.error)}, step.headers)
        case Embeds():
            _send(handler, 200, _vectors(step, request))
        case Hangs() | Drips() | Resets():
            handler.close_connection = True
            _misbehave(handler, server, step)


def _misbehave(handler: BaseHTTPRequestHandler, server: ModelServer, step: Hangs | Drips | Resets) -> None:
    match step:
        case Hangs():
            server.wait(_LONGEST_HANG)
        case Drips():
            _head(handler, 200, 1_000_000, {})
            while not server.wait(step.pause):
                handler.wfile.write(b" ")
                handler.wfile.flush()
        case Resets():
            if step.after:
                _head(handler, 200, step.after * 2, {})
                handler.wfile.write(b" " * step.after)
            handler.wfile.flush()
            # Nobody says farewell: the peer reads a reset.
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            handler.connection.shutdown(socket.SHUT_RD)
            handler.connection.close()


def _pieces(answer: dict[str, Any]) -> list[bytes]:
    """Return a completion as the chunks of a stream: words one by one, each call's arguments in two halves."""
    choice = answer["choices"][0]
    message = choice["message"]
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": word} for word in re.findall(r"\S+\s*|\s+", message["content"] or "")]
    if message.get("refusal"):
        deltas.append({"refusal": message["refusal"]})
    for index, call in enumerate(message.get("tool_calls", ())):
        given = call["function"]["arguments"]
        half = len(given) // 2
        named = {"name": call["function"]["name"], "arguments": given[:half]}
        deltas.append(
            {"tool_calls": [{"index": index, "id": call["id"], "type": "function", "function": named}]}
        )
        deltas.append({"tool_calls": [{"index": index, "function": {"arguments": given[half:]}}]})
    head = {"id": answer["id"], "object": "chat.completion.chunk", "created": 1, "model": answer["model"]}
    chunks = [{**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]})
    if "usage" in answer:
        chunks.append({**head, "choices": [], "usage": answer["usage"]})
    return [*(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks), b"data: [DONE]\n\n"]


def _stream(handler: BaseHTTPRequestHandler, pieces: Sequence[bytes], *, breaks: bool = False) -> None:
    """Send pieces in chunks; a stream that breaks off has no last chunk."""
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    for piece in pieces:
        handler.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        handler.wfile.flush()
    if breaks:
        handler.close_connection = True
    else:
        handler.wfile.write(b"0\r\n\r\n")


def _vectors(step: Embeds, request: Request) -> dict[str, Any]:
    data = [
        {"object": "embedding", "index": at, "embedding": step.vector(text)}
        for at, text in enumerate(request.body["input"])
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return {"object": "list", "model": MODEL, "data": data[::-1] if step.shuffled else data, "usage": usage}


def _head(handler: BaseHTTPRequestHandler, status: int, length: int, headers: Mapping[str, str]) -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(length))
    for name, word in headers.items():
        handler.send_header(name, word)
    handler.end_headers()


def _send(
    handler: BaseHTTPRequestHandler, status: int, body: Any, headers: Mapping[str, str] | None = None
) -> None:
    payload = body if isinstance(body, bytes) else json.dumps(body).encode()
    _head(handler, status, len(payload), headers or {})
    handler.wfile.write(payload)
