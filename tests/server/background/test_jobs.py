"""Jobs: one worker at a time does each, and another takes over what nobody finishes."""

import asyncio
import json

import pytest

from bethink.server.background import transactions
from bethink.server.options import Work
from bethink.settings import Settings
from bethink.testing.faces import HashingEmbedder
from tests.server.background.conftest import job, work

pytestmark = pytest.mark.anyio
BOT = "/scopes/agent:bot:u:alice"


async def say(door, text, session="trip"):
    said = {"items": [{"role": "user", "content": text}]}
    assert (await door.post(f"{BOT}/sessions/{session}/items", json=said)).status_code == 201


async def write(doors, unit, *args, **options):
    async with doors["app"].state.tenants.using("default") as memory:
        return await memory._runtime.store.write(unit, "default", *args, **options)


async def test_two_servers_on_one_database_deliver_once(open_, clock, receiver, db):
    async with open_(db=db) as one, open_(db=db) as other:
        await one["alice"].post("/subscriptions", json={"url": receiver.url})
        await one["alice"].post(f"{BOT}/notes", json={"text": "Likes tea."})
        await asyncio.gather(*(work(each) for each in (one, other, one, other)))
        await asyncio.gather(*(work(each, clock, seconds=30) for each in (one, other)))
        assert len(receiver.letters) == 1


async def test_a_job_that_is_held_is_nobody_elses_until_its_lease_ends(open_, clock, receiver, db):
    async with open_(db=db) as doors:
        now = round(clock().timestamp() * 1_000_000)
        await work(doors)
        await write(doors, transactions.plan_job, "consolidate", now)
        taken = await write(
            doors, transactions.claim_job, "consolidate", "the one that dies", until=now + 60_000_000, now=now
        )
        assert taken.attempts == 1
        assert (
            await write(doors, transactions.claim_job, "consolidate", "another", until=now + 1, now=now)
            is None
        )
        runs = (await job(doors, "consolidate"))["runs"]
        assert (await job(doors, "consolidate"))["running"]
        await work(doors, clock, seconds=59)
        assert (await job(doors, "consolidate"))["runs"] == runs
        await work(doors, clock, seconds=1)
        found = await job(doors, "consolidate")
        assert (found["runs"], found["status"], found["running"]) == (runs + 1, "done", False)
        late = await write(doors, transactions.renew_job, "consolidate", "the one that dies", until=now + 1)
        assert late is False


async def test_a_job_that_nobody_ever_finishes_waits_for_its_turn(open_, clock):
    async with open_() as doors:
        await work(doors)
        for number in range(6):
            clock.pass_(minutes=10)
            now = round(clock().timestamp() * 1_000_000)
            assert await write(
                doors, transactions.claim_job, "consolidate", f"dies {number}", until=now + 1, now=now
            )
        await work(doors, clock, minutes=10)
        found = await job(doors, "consolidate")
        assert (found["status"], found["outcome"]) == ("abandoned", {"attempts": 6})
        await work(doors, clock, minutes=5)
        assert (await job(doors, "consolidate"))["status"] == "done"


async def test_what_nobody_wrote_to_for_a_while_is_consolidated_once(open_, clock):
    async with open_() as doors:
        alice = doors["alice"]
        await say(alice, "I prefer aisle seats.")
        await work(doors, clock, minutes=29)
        assert (await alice.get(f"{BOT}/plans")).json()["total"] == 0
        await work(doors, clock, minutes=2)
        await work(doors, clock, minutes=5)
        assert [note["text"] for note in (await alice.get(f"{BOT}/notes")).json()["entries"]] == [
            "I prefer aisle seats."
        ]
        for _ in range(3):
            await work(doors, clock, hours=1)
        assert (await alice.get(f"{BOT}/plans")).json()["total"] == 1


async def test_daily_notes_are_shown_for_a_week_and_gone_a_month_later(open_, clock):
    async with open_() as doors:
        alice = doors["alice"]
        await alice.post(f"{BOT}/notes", json={"text": "Is at the dentist.", "category": "daily"})
        await alice.post(f"{BOT}/notes", json={"text": "Likes tea."})
        await work(doors, clock, days=36)
        assert (await alice.get(f"{BOT}/notes")).json()["total"] == 2
        await work(doors, clock, days=2)
        assert [note["text"] for note in (await alice.get(f"{BOT}/notes")).json()["entries"]] == [
            "Likes tea."
        ]


async def test_sessions_are_mirrored_and_brought_back_into_an_empty_database(open_, clock, tmp_path):
    mirror = str(tmp_path / "mirror")
    tasks = Work(here=False, mirror=mirror)
    async with open_(db=str(tmp_path / "first.db"), work=tasks) as doors:
        await say(doors["alice"], "We fly on Friday.")
    async with open_(db=str(tmp_path / "second.db"), work=tasks) as doors:
        await work(doors)
        found = (await doors["alice"].get(f"{BOT}/sessions/trip/items")).json()["entries"]
        assert [each["body"]["content"] for each in found] == ["We fly on Friday."]
        assert (await doors["alice"].post(f"{BOT}/erase", json={"session": "trip"})).json()["remaining"] == 0
        assert not list((tmp_path / "mirror").rglob("*.json"))


async def test_what_is_written_over_rest_is_mirrored_without_a_job(open_, clock, tmp_path):
    mirror = tmp_path / "mirror"
    async with open_(work=Work(here=False, mirror=str(mirror))) as doors:
        for number, text in enumerate(("We fly on Friday.", "No, on Monday.")):
            await say(doors["alice"], text)
            assert await mirrored(mirror, number + 1) == text
        await doors["alice"].post(f"{BOT}/sessions/trip/undo", json={})
        assert await mirrored(mirror, 1) == "We fly on Friday."
        await work(doors)
        assert (await job(doors, "mirror"))["outcome"] == {}


async def mirrored(mirror, count):
    """Wait for a file with so many items, and return the words of the last of them."""
    for _ in range(2_000):
        files = list(mirror.rglob("*.json"))
        items = json.loads(files[0].read_text())["items"] if files else []
        if len(items) == count:
            return items[-1]["body"]["content"]
        await asyncio.sleep(0.005)
    raise AssertionError("it was not copied")


async def test_a_mirror_that_does_not_answer_is_tried_again(open_, clock, tmp_path):
    (tmp_path / "mirror").write_text("no folder")
    async with open_(work=Work(here=False, mirror=str(tmp_path / "mirror"))) as doors:
        await say(doors["alice"], "We fly on Friday.")
        await work(doors)
        found = await job(doors, "mirror")
        assert (found["status"], found["outcome"]["failures"]) == ("failed", 1)
        (tmp_path / "mirror").unlink()
        await work(doors, clock, seconds=30)
        assert (await job(doors, "mirror"))["outcome"] == {"restored": 0, "copied": 1} or (
            await job(doors, "mirror")
        )["outcome"] == {"copied": 1}


async def test_vectors_are_made_anew_for_another_embedder(open_, clock, tmp_path):
    options = {"db": str(tmp_path / "one.db"), "settings": Settings(index_batch=2)}
    async with open_(**options) as doors:
        for number in range(6):
            await doors["alice"].post(f"{BOT}/notes", json={"text": f"Likes the number {number}."})
        await doors["alice"].post(f"{BOT}/recall", json={"query": "numbers"})
        await work(doors)
    async with open_(**options, embedder=HashingEmbedder("another")) as doors:
        await work(doors)
        found = await job(doors, "embed")
        assert found["outcome"] == {"embedder": "hashing-another", "namespaces": 1}
        recalled = (await doors["alice"].post(f"{BOT}/recall", json={"query": "numbers"})).json()
        assert recalled["degraded"] == []
        await work(doors, clock, days=1)
        assert (await job(doors, "embed"))["outcome"] == {"embedder": "hashing-another"}


async def test_a_worker_removes_what_is_overdue_without_anybody_reading(open_, clock):
    async with open_() as doors:
        await say(doors["alice"], "The marmalade is hidden.")
        await doors["alice"].put(f"{BOT}/sessions/trip/expiry", json={"seconds": 60})
        await work(doors, clock, minutes=2)
        assert (await job(doors, "expire"))["outcome"] == {"scopes": 1}
        await work(doors, clock, minutes=2)
        assert (await job(doors, "expire"))["outcome"] == {}


async def test_jobs_are_for_admins(open_, clock):
    async with open_() as doors:
        await work(doors)
        assert (await doors["alice"].get("/jobs")).status_code == 403
        names = {each["name"] for each in (await doors["root"].get("/jobs")).json()["entries"]}
        assert {"consolidate", "deliver", "embed", "clean"} <= names


async def test_a_server_does_its_jobs_while_it_serves(serving, anyio_backend):
    async with serving(auth="noop", work=Work(poll_seconds=0.01)) as client:
        door = client()
        for _ in range(500):
            found = (await door.get("/jobs")).json()["entries"]
            if found and all(each["runs"] for each in found if each["name"] != "deliver"):
                break
            await asyncio.sleep(0.01)
        assert {each["status"] for each in found if each["name"] != "deliver"} == {"done"}


async def test_a_server_that_is_told_not_to_does_no_jobs(serving, anyio_backend):
    async with serving(auth="noop", work=Work(here=False)) as client:
        assert (await client().get("/jobs")).json()["entries"] == []
