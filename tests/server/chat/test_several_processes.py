"""Two servers on one store: what one of them plays, the other one sees and stops."""

import asyncio

import pytest

from bethink.server.chat import running_turns
from bethink.testing.model_server import Says
from tests.server.chat.conftest import Talk

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    """Look often, so that nobody waits."""
    monkeypatch.setattr(running_turns, "LOOK_SECONDS", 0.02)


@pytest.fixture(params=["file", "postgresql"])
def db(request, tmp_path):
    if request.param == "file":
        return str(tmp_path / "memory.db")
    cluster = request.getfixturevalue("postgresql_cluster")
    return cluster.url(cluster.create())


@pytest.fixture
async def two(serving, model, db, anyio_backend):
    """The same agent on two servers of one store."""
    options = {"auth": "noop", "db": db, "model": "scripted-1", "model_url": model.url}
    async with serving(**options) as one, serving(**options) as other:
        here, there = Talk(one()), Talk(other())
        await here.put()
        yield here, there


async def test_a_turn_that_another_process_plays_is_seen(two, model, gate):
    here, there = two
    model.then(gate)
    turn = asyncio.create_task(here.say("Hi."))
    await asyncio.to_thread(gate.reached.wait, 20)
    told = await there.state()
    assert (told["state"], told["turn"]) == ("running", (await here.state())["turn"])
    assert (await there.state("elsewhere"))["state"] == "idle"
    gate.opened.set()
    assert (await turn).json()["text"] == "Late."
    assert await there.state() == {"state": "idle", "turn": None, "queued": 0}


async def test_a_turn_that_another_process_plays_is_stopped_and_nothing_of_it_is_stored(two, model, gate):
    here, there = two
    model.then(gate, Says("Again."))
    turn = asyncio.create_task(here.say("Hi."))
    await asyncio.to_thread(gate.reached.wait, 20)
    assert await there.cancel("elsewhere") == {"cancelled": False}
    assert await there.cancel() == {"cancelled": True}
    assert (await turn).status_code == 409
    assert await here.items() == []
    gate.opened.set()
    assert await there.cancel() == {"cancelled": False}
    assert await there.text("And now?") == "Again."


async def test_what_a_process_that_is_gone_was_at_is_no_longer_under_way(two, monkeypatch, model, gate):
    here, there = two
    monkeypatch.setattr(running_turns, "LEASE_SECONDS", 0.0)  # as if it had not been heard of for so long
    monkeypatch.setattr(running_turns, "LOOK_SECONDS", 60.0)
    model.then(gate)
    turn = asyncio.create_task(here.say("Hi."))
    await asyncio.to_thread(gate.reached.wait, 20)
    assert (await there.state())["state"] == "idle"
    assert await there.cancel() == {"cancelled": False}
    gate.opened.set()
    await turn


async def test_nobody_sees_or_stops_what_somebody_else_has_under_way(serving, keys, model, gate, tmp_path):
    path, made = keys
    options = {"auth": "bearer", "keys": path, "model": "scripted-1", "model_url": model.url}
    async with serving(**options) as one, serving(**options) as other:
        alice = Talk(one(made["alice"]))
        await alice.put(shared_with=["*"])
        model.then(gate)
        turn = asyncio.create_task(alice.say("Hi."))
        await asyncio.to_thread(gate.reached.wait, 20)
        for name in ("bob", "mallory", "root"):
            there = Talk(other(made[name]))
            there.client.params = {"owner": "alice"}
            assert (await there.state())["state"] == "idle"
            assert await there.cancel() == {"cancelled": False}
        assert (await Talk(other(made["alice"])).state())["state"] == "running"
        gate.opened.set()
        assert (await turn).status_code == 200
