"""A server in this process, and callers with keys of their own."""

from contextlib import asynccontextmanager

import httpx
import pytest

from bethink.server.api_keys import add_key
from bethink.server.app import create_app
from bethink.server.options import Options
from bethink.testing.faces import HashingEmbedder


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def serving(tmp_path):
    """Serve with some options; clients are made with headers."""

    @asynccontextmanager
    async def serve(**options):
        options = {"db": str(tmp_path / "memory.db"), "embedder": HashingEmbedder(), **options}
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
