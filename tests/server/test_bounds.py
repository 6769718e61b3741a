"""What somebody without credentials can make the server hold: nearly nothing."""

import contextlib
import json
import select
import socket
import threading
import time

import httpx
import pytest
import uvicorn

from bethink.server.app import create_app
from bethink.server.connections import bounded_protocol
from bethink.server.options import Options
from bethink.server.problems import HttpError
from bethink.server.request_bodies import BodyBytes

SECONDS = 0.5
MAX = 12


class Bounded:
    """A server on a port, with bounds that a test can reach."""

    def __init__(self, options):
        self.app = create_app(options)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        http = bounded_protocol(options.connections, options.head_seconds)
        self._server = uvicorn.Server(uvicorn.Config(self.app, log_config=None, http=http, ws="none"))
        self._thread = threading.Thread(target=self._server.run, args=([self.socket],))
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def close(self):
        self._server.should_exit = True
        self._thread.join(20)
        self.socket.close()


@pytest.fixture
def server(tmp_path, keys):
    path, _ = keys
    made = Bounded(
        Options(
            db=str(tmp_path / "memory.db"),
            embedder=None,
            auth="bearer",
            keys=path,
            connections=MAX,
            head_seconds=SECONDS,
            body_bytes=200_000,
            bodies_bytes=1_000_000,
        )
    )
    yield made
    made.close()


def answer(connection):
    """Return what comes until the server has said all that it will."""
    told = b""
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(65_536):
            told += part
    return told


def begun(length, path="/v1/scopes/agent:bot:u:alice/notes", **headers):
    given = {"host": "localhost", "content-type": "application/json", **headers}
    lines = [f"POST {path} HTTP/1.1", f"content-length: {length}", *(f"{k}: {v}" for k, v in given.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def test_a_body_from_nobody_is_not_waited_for(server):
    with server.connect() as connection:
        connection.sendall(begun(4_000_000) + b"x" * 1_000)
        told = answer(connection)
    assert told.startswith(b"HTTP/1.1 401 ")
    assert b"connection: close" in told


def test_a_refused_request_with_a_small_body_leaves_its_connection_open(server):
    with httpx.Client(base_url=f"http://127.0.0.1:{server.port}/v1", timeout=60) as client:
        codes = [client.post("/pools", json={"name": "a"}).status_code for _ in range(3)]
        kept = [client.get("/health").headers.get("connection")]
    assert (codes, kept) == ([401] * 3, [None])


def test_a_message_that_no_webhook_would_take_is_refused_before_its_body(server):
    with server.connect() as connection:
        connection.sendall(begun(4_000_000, "/v1/webhooks/nowhere") + b"x" * 1_000)
        assert answer(connection).startswith(b"HTTP/1.1 404 ")


def test_an_unsigned_message_is_refused_before_its_body(server, keys):
    with httpx.Client(
        base_url=f"http://127.0.0.1:{server.port}/v1", headers={"x-api-key": keys[1]["alice"]}, timeout=60
    ) as alice:
        alice.put("/agents/desk", json={})
        made = alice.post("/agents/desk/webhooks", json={}).json()
    with server.connect() as connection:
        connection.sendall(begun(4_000_000, f"/v1/webhooks/{made['id']}"))
        assert answer(connection).startswith(b"HTTP/1.1 401 ")


def test_the_form_to_sign_in_has_a_small_body(server):
    with server.connect() as connection:
        connection.sendall(begun(1_000_000, "/sign-in", origin="http://localhost"))
        assert answer(connection).startswith(b"HTTP/1.1 413 ")


def test_one_caller_cannot_take_the_room_of_all(server, keys):
    """A quarter of the million bytes is one caller's: the second of two unfinished bodies is too much."""
    path, headers = "/v1/scopes/agent:bot:u:alice/sessions/s/items", {"x-api-key": keys[1]["alice"]}
    held = [server.connect() for _ in range(2)]
    try:
        for each in held:
            each.sendall(begun(190_000, path, **headers) + b"[" * 150_000)
        refused, _, _ = select.select(held, [], [], 20)
        told = answer(refused[0])
        with httpx.Client(base_url=f"http://127.0.0.1:{server.port}/v1", timeout=60) as client:
            body = {"items": [{"role": "user", "content": "x" * 150_000}]}
            bob = client.post(
                path.replace("alice", "bob")[3:], json=body, headers={"x-api-key": keys[1]["bob"]}
            )
    finally:
        for each in held:
            each.close()
    assert bob.status_code == 201
    assert told.startswith(b"HTTP/1.1 503 ")
    assert json.loads(told.rpartition(b"\r\n\r\n")[2])["title"] == "unavailable"


def test_all_callers_together_have_no_more_room_than_there_is():
    room = BodyBytes(100)
    with room.of("a") as one, room.of("b") as two, room.of("c") as three, room.of("d") as four:
        for take in (one, two, three, four):
            take(25)
        with room.of("e") as five, pytest.raises(HttpError) as refused:
            five(1)
    assert refused.value.status == 503
    assert room.held == 0


def test_a_head_that_never_ends_is_ended(server):
    with server.connect() as connection:
        connection.sendall(b"GET /v1/health HTTP/1.1\r\nhost: localhost\r\nx-slow: ")
        assert answer(connection).startswith(b"HTTP/1.1 408 ")


def test_a_connection_that_says_nothing_is_ended(server):
    with server.connect() as connection:
        assert answer(connection).startswith(b"HTTP/1.1 408 ")


def test_the_second_head_on_a_connection_is_bounded_too(server):
    with server.connect() as connection:
        connection.sendall(b"GET /v1/health HTTP/1.1\r\nhost: localhost\r\n\r\nGET /v1/health HT")
        assert answer(connection).count(b"HTTP/1.1 200 ") == 1


def test_there_are_no_more_connections_than_are_allowed(server):
    held = [server.connect() for _ in range(MAX)]
    try:
        for each in held:
            each.sendall(b"GET ")
        with server.connect() as one_more:
            assert answer(one_more).startswith(b"HTTP/1.1 503 ")
        for each in held:
            answer(each)  # they are ended, since they never said what they want
    finally:
        for each in held:
            each.close()
    with httpx.Client(base_url=f"http://127.0.0.1:{server.port}/v1", timeout=60) as client:
        assert client.get("/health").status_code == 200


def test_requests_that_take_long_are_not_taken_for_slow_heads(server, keys):
    """The body comes after the time that a head has."""
    path, body = "/v1/scopes/agent:bot:u:alice/notes", b'{"text": "Prefers aisle seats."}'
    with server.connect() as connection:
        connection.sendall(begun(len(body), path, **{"x-api-key": keys[1]["alice"], "connection": "close"}))
        time.sleep(SECONDS * 1.5)
        connection.sendall(body)
        assert answer(connection).startswith(b"HTTP/1.1 201 ")
