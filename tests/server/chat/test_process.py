"""The server as a process: a turn that has begun is finished when it is told to stop."""

import asyncio
import signal
import threading

import httpx
import pytest

from bethink import AsyncMemory
from tests.server.chat.conftest import events
from tests.server.test_process import start

pytest.importorskip("agents")

AGENT = "/v1/agents/concierge"


def demo(tmp_path, *options):
    return start(tmp_path / "demo.db", "--demo", *options)


def test_a_demo_can_be_talked_to_at_once_and_its_team_works(tmp_path):
    process, url = demo(tmp_path)
    try:
        with httpx.Client(base_url=url, timeout=60) as client:
            said = client.post(f"{AGENT}/chat", json={"message": "Which seat do I usually take?"}).json()
            run = client.post(
                "/v1/teams/trip-planners/runs", json={"message": "A quiet hotel in Lisbon."}
            ).json()
    finally:
        process.terminate()
        process.wait(60)
    assert said["offline"]
    assert "seat" in said["text"]
    assert (run["state"], run["offline"]) == ("done", True)
    assert "Janelas Verdes" in run["text"]


async def stored(path):
    async with AsyncMemory(str(path), embedder=None) as memory:
        session = memory.scope(agent="concierge", user="noop").session("dashboard")
        return await session.get_items(), await session.attempts()


def test_a_turn_that_has_begun_is_finished_and_stored(tmp_path, model, gate):
    model.then(gate)
    path = tmp_path / "memory.db"
    process, url = start(path, "--model", "scripted-1", "--model-url", model.url)
    with httpx.Client(base_url=url, timeout=60) as client:
        client.put(AGENT, json={})
        body = {"message": "one", "stream": True}
        with client.stream("POST", f"{AGENT}/chat", json=body) as answer:
            assert gate.reached.wait(60)
            process.send_signal(signal.SIGTERM)
            threading.Timer(0.3, gate.opened.set).start()
            text = answer.read().decode()
    process.wait(60)
    assert events(text)[-1][0] == "done"
    items, attempts = asyncio.run(stored(path))
    assert (len(items), attempts) == (2, [])
