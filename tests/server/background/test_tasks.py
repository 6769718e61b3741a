"""What agents do by themselves: each run begins with nothing, and leaves nothing but how it ended."""

import json
from datetime import datetime

import pytest

from bethink.testing.model_server import Calls, ModelServer, Says, Status
from tests.server.background.conftest import work

pytestmark = pytest.mark.anyio
AGENT = "/agents/bot"
ALICE = "/scopes/agent:o:alice:bot:u:alice"
TASK = f"{AGENT}/tasks/beat"


@pytest.fixture
def model():
    with ModelServer() as server:
        yield server


def told(model):
    """Everything that the model was sent, as text."""
    return [json.dumps(request.body) for request in model.requests]


async def test_a_heartbeat_carries_nothing_from_one_tick_to_the_next_and_sees_nothing_of_the_chat(
    open_, clock, model
):
    async with open_(model="scripted-1", model_url=model.url) as doors:
        alice = doors["alice"]
        await alice.put(AGENT, json={})
        model.then(Says("The parrot is well."))
        await alice.post(f"{AGENT}/chat", json={"message": "Tell me of the parrot.", "session": "dashboard"})
        note = {"text": "The parrot sleeps.", "session": "dashboard", "category": "conversation"}
        await alice.post(f"{ALICE}/notes", json=note)
        before = (await alice.get(f"{ALICE}/sessions")).json()
        made = await alice.put(TASK, json={"prompt": "Is all well?", "every": 60})
        assert made.status_code == 200, made.text
        await work(doors)
        assert len(model.requests) == 1
        model.then(Says("First tick: a heron stands on the roof."), Says("Second tick."))
        await work(doors, clock, seconds=60)
        await work(doors, clock, seconds=60)
        _, first, second = told(model)
        assert "Is all well?" in first
        for word in ("parrot", "heron", "tick"):
            assert word not in first + second
        assert len(model.requests[1].body["messages"]) == len(model.requests[2].body["messages"])
        assert (await alice.get(f"{ALICE}/sessions")).json() == before
        last = (await alice.get(TASK)).json()["last"]
        assert (last["status"], last["text"]) == ("done", None)
        assert last["outcome"]["characters"] == len("Second tick.")


async def test_the_words_of_the_newest_run_are_kept_where_they_are_wanted_and_erased_with_the_scope(
    open_, clock, model
):
    async with open_(model="scripted-1", model_url=model.url) as doors:
        alice = doors["alice"]
        await alice.put(AGENT, json={})
        await alice.put(TASK, json={"prompt": "Is all well?", "every": 60, "keep_text": True})
        model.then(Says("A heron stands on the roof."))
        await work(doors, clock, seconds=60)
        assert (await alice.get(TASK)).json()["last"]["text"] == "A heron stands on the roof."
        shown = (await doors["root"].get(f"{TASK}?owner=alice")).json()
        assert (shown["last"], shown["prompt"]) == (None, None)
        receipt = (await alice.post(f"{ALICE}/erase", json={"everything": True})).json()
        assert (receipt["remaining"], receipt["erased"]["task_results"]) == (0, 1)
        assert (await alice.get(TASK)).json()["last"] is None
        receipt = (await doors["root"].post("/erase", json={"user": "alice"})).json()
        assert (receipt["remaining"], receipt["erased"]["tasks"]) == (0, 1)


async def test_ticks_that_were_missed_are_not_made_up_for(open_, clock, model):
    async with open_(model="scripted-1", model_url=model.url) as doors:
        await doors["alice"].put(AGENT, json={})
        await doors["alice"].put(TASK, json={"prompt": "Is all well?", "every": 60})
        model.then(Says("Once."))
        await work(doors, clock, hours=5)
        await work(doors)
        assert len(model.requests) == 1
        next_at = datetime.fromisoformat((await doors["alice"].get(TASK)).json()["next_at"])
        assert 0 < (next_at - clock()).total_seconds() <= 60


async def test_a_task_that_failed_says_so_and_waits_for_its_turn(open_, clock, model):
    async with open_(model="scripted-1", model_url=model.url) as doors:
        alice = doors["alice"]
        await alice.put(AGENT, json={})
        await alice.put(TASK, json={"prompt": "Is all well?", "every": 3_600})
        model.then(Status(400))
        await work(doors, clock, hours=1)
        last = (await alice.get(TASK)).json()["last"]
        assert (last["status"], last["outcome"]) == ("failed", {"error": "ModelError", "failures": 1})
        await work(doors, clock, minutes=30)
        model.then(Says("Well."))
        await work(doors, clock, minutes=30)
        assert (await alice.get(TASK)).json()["last"]["status"] == "done"
        assert len(model.requests) == 2


async def test_a_task_can_be_run_at_once_rested_and_forgotten(open_, clock, model):
    async with open_(model="scripted-1", model_url=model.url) as doors:
        alice = doors["alice"]
        await alice.put(AGENT, json={})
        task = {"prompt": "Is all well?", "cron": "0 8 * * *", "timezone": "Europe/Paris"}
        made = (await alice.put(TASK, json=task)).json()
        assert made["schedule"] == {"cron": "0 8 * * *", "timezone": "Europe/Paris"}
        assert made["next_at"] == "2026-03-02T07:00:00+00:00"
        assert (await alice.post(f"{TASK}/run", json={})).status_code == 202
        model.then(Says("Well."))
        await work(doors)
        rested = (await alice.put(TASK, json={**task, "enabled": False})).json()
        assert (rested["next_at"], rested["revision"]) == (None, 2)
        await work(doors, clock, days=3)
        await alice.put(TASK, json=task)
        assert (await alice.delete(TASK)).status_code == 204
        await work(doors, clock, days=3)
        assert (await alice.get(TASK)).status_code == 404
        await alice.put(TASK, json=task)
        assert (await alice.delete(AGENT)).status_code == 204
        await work(doors, clock, days=3)
        assert len(model.requests) == 1


async def test_a_task_begins_when_something_happens_and_is_told_what_by_ids(open_, clock, model):
    async with open_(model="scripted-1", model_url=model.url) as doors:
        alice = doors["alice"]
        await alice.put(AGENT, json={})
        await alice.put(TASK, json={"prompt": "Look at what is new.", "on": ["note.added"], "pause": 60})
        await work(doors)
        notes = [
            (await alice.post("/scopes/agent:other:u:alice/notes", json={"text": f"Secret {n}."})).json()
            for n in range(3)
        ]
        await alice.post(
            "/scopes/agent:other:u:alice/sessions/s/items", json={"items": [{"role": "user", "content": "x"}]}
        )
        model.then(Says("Seen."))
        await work(doors, clock, seconds=5)
        await work(doors)
        (request,) = told(model)
        assert all(note["id"] in request for note in notes)
        assert "Secret" not in request
        more = (await alice.post("/scopes/agent:other:u:alice/notes", json={"text": "More."})).json()
        await work(doors, clock, seconds=10)
        assert len(model.requests) == 1, "it rests between two runs"
        model.then(Says("Seen."))
        await work(doors, clock, seconds=60)
        assert more["id"] in told(model)[1]
        assert notes[0]["id"] not in told(model)[1]


async def test_news_that_a_failed_run_was_to_be_told_are_told_by_the_next(open_, clock, model):
    async with open_(model="scripted-1", model_url=model.url) as doors:
        alice = doors["alice"]
        await alice.put(AGENT, json={})
        await alice.put(TASK, json={"prompt": "Look.", "on": ["note.added"], "pause": 60})
        note = (await alice.post("/scopes/agent:other:u:alice/notes", json={"text": "Likes tea."})).json()
        model.then(Status(400))
        await work(doors, clock, seconds=5)
        await work(doors)
        assert (await alice.get(TASK)).json()["last"]["status"] == "failed"
        model.then(Says("Seen."))
        await work(doors, clock, seconds=60)
        assert note["id"] in told(model)[1]
        await work(doors, clock, hours=1)
        assert len(model.requests) == 2


async def test_a_task_does_not_begin_again_by_what_it_did_itself(open_, clock, model):
    async with open_(model="scripted-1", model_url=model.url) as doors:
        alice = doors["alice"]
        await alice.put(AGENT, json={})
        await alice.put(TASK, json={"prompt": "Look.", "on": ["note.added"], "pause": 1})
        await alice.post(f"{ALICE}/notes", json={"text": "Likes tea."})
        model.then(Calls((("remember", {"key": "k", "content": "Likes cake."}),)), Says("Noted."))
        await work(doors, clock, seconds=5)
        await work(doors)
        assert (await alice.get(TASK)).json()["last"]["outcome"].get("tools") == ["remember"]
        assert len(model.requests) == 2
        for _ in range(3):
            await work(doors, clock, minutes=2)
        assert len(model.requests) == 2


async def test_only_the_owner_registers_tasks_and_one_schedule_is_named(open_, clock):
    async with open_() as doors:
        alice = doors["alice"]
        await alice.put(AGENT, json={"shared_with": ["*"]})
        task = {"prompt": "Is all well?", "every": 60}
        assert (await doors["bob"].put(f"{TASK}?owner=alice", json=task)).status_code == 403
        for wrong in (
            {"prompt": "x"},
            {"prompt": "x", "every": 60, "cron": "* * * * *"},
            {"prompt": "x", "every": 1},
            {"prompt": "x", "cron": "never"},
            {"prompt": "x", "cron": "* * * * *", "timezone": "Mars/Base"},
            {"prompt": "x", "on": []},
            {"prompt": "x", "on": ["rain"]},
            {"every": 60},
        ):
            assert (await alice.put(TASK, json=wrong)).status_code == 422, wrong
        assert (await alice.get(f"{AGENT}/tasks")).json()["entries"] == []


async def test_a_task_works_with_the_memory_of_whoever_registered_it(open_, clock, model):
    async with open_(model="scripted-1", model_url=model.url) as doors:
        root = doors["root"]
        await root.put("/agents/desk", json={})
        await root.post("/scopes/agent:desk:u:root/notes", json={"text": "The ladder is in the shed."})
        await doors["alice"].post("/scopes/agent:desk:u:alice/notes", json={"text": "Alice hides a heron."})
        await root.put("/agents/desk/tasks/look", json={"prompt": "Where is the ladder?", "every": 60})
        model.then(Says("Well."))
        await work(doors, clock, minutes=1)
        assert "heron" not in told(model)[0]
        assert (await root.get("/agents/desk/tasks/look")).json()["acts_for"] == "root"
