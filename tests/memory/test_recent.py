"""The cache of hot sessions: it answers, it is never stale, and it keeps nothing that was removed."""

import subprocess
import sys

import pytest

from bethink import AsyncMemory, Settings
from bethink.sessions.recent_items_cache import OVERHEAD, CachedSession, RecentItemsCache
from bethink.testing.faces import HashingEmbedder

pytestmark = pytest.mark.anyio

WRITER = """
import sys
from bethink import Memory
with Memory(sys.argv[1]) as memory:
    session = memory.scope(agent="bot", user="alice").session("trip")
    if sys.argv[2] == "append":
        session.append([{"role": "user", "content": "from elsewhere"}])
    elif sys.argv[2] == "undo":
        session.undo()
    else:
        session.delete()
        session.append([{"role": "user", "content": "anew"}])
"""


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "memory.db")


@pytest.fixture
async def memory(path, anyio_backend):
    async with AsyncMemory(path, embedder=HashingEmbedder()) as memory:
        yield memory


@pytest.fixture
async def trip(memory):
    session = memory.scope(agent="bot", user="alice").session("trip")
    await session.append([said("one"), said("two"), said("three")])
    return session


def said(text):
    return {"role": "user", "content": text}


def words(items):
    return [item["content"] for item in items]


def held(memory):
    return "".join(each.text for each in memory._runtime.recent._held.values())


async def test_what_was_read_is_at_hand_and_counted(memory, trip):
    for _ in range(4):
        assert words(await trip.get_items(2)) == ["two", "three"]
    use = (await memory.stats()).recent
    assert (use.hits, use.misses, use.sessions) == (3, 1, 1)
    assert use.hit_rate == 0.75
    assert use.bytes > OVERHEAD


async def test_every_reader_has_objects_of_its_own(trip):
    first = await trip.get_items(2)
    first[0]["content"] = "changed"
    first.clear()
    assert words(await trip.get_items(2)) == ["two", "three"]


async def test_another_limit_is_another_read(trip):
    assert words(await trip.get_items(2)) == ["two", "three"]
    assert words(await trip.get_items(1)) == ["three"]
    assert words(await trip.get_items(50)) == ["one", "two", "three"]
    assert await trip.get_items(0) == []


async def test_what_was_appended_is_in_the_next_read(trip):
    await trip.get_items(2)
    await trip.append([said("four")])
    assert words(await trip.get_items(2)) == ["three", "four"]


@pytest.mark.parametrize(
    ("verb", "seen"),
    [("append", ["three", "from elsewhere"]), ("undo", ["one", "two"]), ("delete", ["anew"])],
)
async def test_a_write_of_another_process_is_seen(trip, path, verb, seen):
    assert words(await trip.get_items(2)) == ["two", "three"]
    subprocess.run([sys.executable, "-c", WRITER, path, verb], check=True)  # noqa: ASYNC221
    assert words(await trip.get_items(2)) == seen


@pytest.mark.parametrize("verb", ["undo", "pop", "clear", "delete", "erase", "erase_session", "turn", "user"])
async def test_nothing_that_was_removed_is_kept(memory, trip, verb):
    await trip.get_items(2)
    assert "three" in held(memory)
    match verb:
        case "undo":
            await trip.undo()
        case "pop":
            await trip.pop_item()
        case "clear":
            await trip.clear()
        case "delete":
            await trip.delete()
        case "erase":
            await trip.scope.erase()
        case "erase_session":
            await trip.scope.erase(session="trip")
        case "turn":
            async with trip.turn() as turn:
                await turn.pop_item()
        case "user":
            await memory.erase(user="alice")
    assert "three" not in held(memory)


async def test_letting_go_of_one_session_leaves_the_others(memory, trip):
    other = trip.scope.session("other")
    await other.append([said("elsewhere")])
    await trip.get_items(2)
    await other.get_items(2)
    await trip.clear()
    assert "elsewhere" in held(memory)
    assert memory._runtime.recent.use().sessions == 1


async def test_principals_share_what_is_held_and_are_still_denied(memory, trip):
    from bethink import DeniedError, Principal

    await trip.get_items(2)
    theirs = memory.acting_as(Principal("bob")).scope(agent="bot", user="alice").session("trip")
    with pytest.raises(DeniedError):
        await theirs.get_items(2)
    hers = memory.acting_as(Principal("alice")).scope(agent="bot", user="alice").session("trip")
    assert words(await hers.get_items(2)) == ["two", "three"]


async def test_a_damaged_entry_is_passed_over_and_not_held(memory, trip):
    memory._runtime.store.driver._writer.connection.execute("update items set body = '{' where seq = 3")
    assert words(await trip.get_items(2)) == ["one", "two"]
    assert held(memory) == ""


async def test_it_can_be_switched_off(path):
    async with AsyncMemory(path, embedder=None, settings=Settings(recent_megabytes=0)) as memory:
        session = memory.scope().session()
        await session.append([said("one")])
        for _ in range(2):
            assert words(await session.get_items(5)) == ["one"]
        assert (await memory.stats()).recent.hits == 0
        assert held(memory) == ""


async def test_it_takes_no_more_than_its_room_and_lets_go_of_what_was_not_read_for_longest(memory):
    room = RecentItemsCache(16 * (OVERHEAD + 100))
    where = memory.scope().namespace
    for number in range(40):
        room.keep(where, f"s{number}", CachedSession(number, 1, 5, "x" * 100))
        assert room.find(where, "s0", (0, 1, 5)) == "x" * 100
    use = room.use()
    assert (use.sessions, use.bytes) == (16, 16 * (OVERHEAD + 100))
    assert room.find(where, "s39", (39, 1, 5))
    assert room.find(where, "s1", (1, 1, 5)) is None
    room.keep(where, "large", CachedSession(99, 1, 5, "x" * 4_000))  # more than its share
    assert room.find(where, "large", (99, 1, 5)) is None
    room.drop()
    assert room.use().bytes == 0
