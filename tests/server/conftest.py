"""A server in this process, and callers with keys of their own."""

import contextlib
import socket
import threading
import time
from contextlib import asynccontextmanager

import httpx
import pytest

from bethink.server.api_keys import add_key
from bethink.server.app import create_app
from bethink.server.options import Options, Work
from bethink.testing.faces import HashingEmbedder


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def serving(tmp_path):
    """Serve with some options, and nothing in the background; clients are made with headers."""

    @asynccontextmanager
    async def serve(**options):
        options = {
            "db": str(tmp_path / "memory.db"),
            "embedder": HashingEmbedder(),
            "work": Work(here=False),
            **options,
        }
        app = create_app(Options(**options))
        async with app.router.lifespan_context(app):
            clients = []

            def client(key=None, **headers):
                if key is not None:
                    headers["x-api-key"] = key
                transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
                made = httpx.AsyncClient(transport=transport, base_url="http://localhost/v1", headers=headers)
                clients.append(made)
                return made

            client.app = app
            yield client
            for made in clients:
                await made.aclose()

    return serve


@pytest.fixture
def keys(tmp_path):
    """Keys of alice, bob, mallory (whose id looks like below alice's), an admin, and an alice of another tenant."""
    path = tmp_path / "keys.json"
    made = {
        "alice": add_key(path, "alice", groups=("staff",)),
        "bob": add_key(path, "bob"),
        "mallory": add_key(path, "alice:x"),
        "ali": add_key(path, "ali"),
        "root": add_key(path, "root", admin=True),
        "other": add_key(path, "alice", tenant="other"),
        "other-root": add_key(path, "root", tenant="other", admin=True),
    }
    return path, made


@pytest.fixture
async def doors(serving, keys, anyio_backend):
    """Clients by the name of their caller."""
    path, made = keys
    async with serving(auth="bearer", keys=path) as client:
        found = {name: client(key) for name, key in made.items()}
        found["nobody"] = client()
        found["app"] = client.app
        yield found


@pytest.fixture
async def open_door(serving, anyio_backend):
    """A client of a server without authentication."""
    async with serving(auth="noop") as client:
        yield client()


class Listening:
    """A server on a port of loopback, in a thread."""

    def __init__(self, options):
        import uvicorn

        self.app = create_app(options)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._server = uvicorn.Server(uvicorn.Config(self.app, log_config=None))
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],))
        self._thread.start()
        wait_for(self.url)

    def close(self):
        self._server.should_exit = True
        self._thread.join(20)
        self._socket.close()


def wait_for(url):
    """Wait until a server answers."""
    for _ in range(400):
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(f"{url}/v1/readiness").status_code == 200:
                return
        time.sleep(0.05)
    raise AssertionError("the server does not answer")


@pytest.fixture
def listening(tmp_path):
    """Start servers that listen."""
    started = []

    def start(**options):
        options = {"db": str(tmp_path / "memory.db"), "embedder": None, **options}
        started.append(Listening(Options(**options)))
        return started[-1]

    yield start
    for each in started:
        each.close()


@pytest.fixture(scope="module")
def memory_server():
    """One server for a whole file, on a database in memory."""
    made = Listening(Options(db=":memory:", embedder=None))
    yield made
    made.close()
