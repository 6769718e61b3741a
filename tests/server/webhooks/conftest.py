"""Senders who sign, and receivers who misbehave."""

import json
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bethink.server.webhooks.signing import headers, key_of

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Clock:
    """The present instant, as a test says."""

    def __init__(self, at=START):
        self.at = at

    def __call__(self):
        return self.at

    def pass_(self, **time):
        self.at += timedelta(**time)


@pytest.fixture
def clock():
    return Clock()


class Sender:
    """Somebody who was given the address of a webhook and its secret."""

    def __init__(self, client, webhook, clock):
        self.client = client
        self.id = webhook["id"]
        self.secret = webhook["secret"]
        self.origin = webhook["origin"]
        self._clock = clock

    async def send(self, told, message="msg_1", *, at=None, secret=None, signed=None, **more):
        body = json.dumps(told if isinstance(told, dict) else {"message": told}).encode()
        at = int((at or self._clock()).timestamp())
        stamped = headers([key_of(secret or self.secret)], message, at, body if signed is None else signed)
        return await self.client.post(
            f"/webhooks/{self.id}",
            content=body,
            headers={"content-type": "application/json", **stamped, **more},
        )


@dataclass
class Letter:
    path: str
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


@dataclass
class Receiver:
    """A real HTTP server; each request is answered by the next step: a status, with headers, or silence."""

    tls: object = None
    steps: list = field(default_factory=list)
    letters: list = field(default_factory=list)
    gone: threading.Event = field(default_factory=threading.Event)
    arrived: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self):
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.letters.append(
                    Letter(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
                )
                receiver.arrived.set()
                status, more = receiver.steps.pop(0) if receiver.steps else (204, {})
                if status is None:
                    receiver.gone.wait(20)
                    return
                self.send_response(status)
                for name, value in more.items():
                    self.send_header(name, value)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        if self.tls is not None:
            self._server.socket = self.tls.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
            self._server.handle_error = lambda *_: None
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    @property
    def url(self):
        host = "http://127.0.0.1" if self.tls is None else "https://localhost"
        return f"{host}:{self._server.server_address[1]}/hook"

    def then(self, *steps):
        self.steps += [(each, {}) if not isinstance(each, tuple) else each for each in steps]

    def close(self):
        self.gone.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def receiver():
    made = Receiver()
    yield made
    made.close()


@pytest.fixture(params=["file", "postgresql"])
def db(request, tmp_path):
    if request.param == "file":
        return str(tmp_path / "memory.db")
    cluster = request.getfixturevalue("postgresql_cluster")
    return cluster.url(cluster.create())
