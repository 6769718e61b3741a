"""Agents that are talked to: with a model behind a real endpoint that does as it is told, or without any."""

import json
import threading
from contextlib import asynccontextmanager

import pytest

from bethink.testing.model_server import ModelServer, Says

pytest.importorskip("agents")
pytest.importorskip("openai")  # so that no turn waits for it

NOOP = "/scopes/agent:concierge:u:noop"


@pytest.fixture(autouse=True)
def no_key(monkeypatch):
    """Keep keys of the environment away from every endpoint."""
    for name in ("OPENAI_API_KEY", "BETHINK_MODEL_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def model():
    with ModelServer() as server:
        yield server


class Talk:
    """Says things to one agent."""

    def __init__(self, client, agent="concierge"):
        self.client = client
        self.agent = agent

    async def put(self, **spec):
        answer = await self.client.put(f"/agents/{self.agent}", json=spec)
        assert answer.status_code == 200, answer.text

    async def say(self, message, *, session="dashboard", headers=None, **more):
        body = {"message": message, "session": session, **more}
        return await self.client.post(f"/agents/{self.agent}/chat", json=body, headers=headers)

    async def text(self, message, **more):
        answer = await self.say(message, **more)
        assert answer.status_code == 200, answer.text
        return answer.json()["text"]

    async def items(self, session="dashboard", scope=NOOP):
        found = await self.client.get(f"{scope}/sessions/{session}/items")
        return [each["body"] for each in found.json()["entries"]]

    async def attempts(self, session="dashboard"):
        return (await self.client.get(f"{NOOP}/sessions/{session}/attempts")).json()["entries"]

    async def state(self, session="dashboard"):
        return (await self.client.get(f"/agents/{self.agent}/sessions/{session}/state")).json()

    async def cancel(self, session="dashboard"):
        return (await self.client.post(f"/agents/{self.agent}/sessions/{session}/cancel")).json()


@pytest.fixture
def talking(serving, model):
    """Serve an agent, by default with a model; `model.then(…)` says how that answers."""

    @asynccontextmanager
    async def talk(*, offline=False, spec=None, **options):
        if not offline:
            options = {"model": "scripted-1", "model_url": model.url, **options}
        async with serving(auth="noop", **options) as client:
            found = Talk(client())
            found.app = client.app
            await found.put(**(spec or {}))
            yield found

    return talk


class Gate:
    """An answer that waits until it is let through."""

    def __init__(self, answer="Late."):
        self.reached = threading.Event()
        self.opened = threading.Event()
        self._answer = answer

    def __call__(self, _request):
        self.reached.set()
        assert self.opened.wait(20)
        return Says(self._answer)


@pytest.fixture
def gate():
    made = Gate()
    yield made
    made.opened.set()


def events(text):
    """Read server-sent events: pairs of a kind and its data."""
    found = []
    for block in text.strip().split("\n\n"):
        lines = [line for line in block.split("\n") if not line.startswith(":")]
        if lines:
            kind, data = lines
            found.append((kind.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found
