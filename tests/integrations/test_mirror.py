"""Sessions as files beside the database, which stays the truth."""

import asyncio
import json
import logging
import uuid
from datetime import UTC, datetime, timedelta

import pytest

from bethink import AsyncMemory, Memory, Principal
from bethink.errors import DeniedError, InvalidError
from bethink.sessions.mirror_paths import LONGEST, escaped_label, path_of
from bethink.testing.faces import HashingEmbedder

fsspec = pytest.importorskip("fsspec")
pytestmark = pytest.mark.anyio


def user(text):
    return {"role": "user", "content": text}


async def say(session, *texts):
    async with session.turn() as turn:
        await turn.append([user(text) for text in texts])


async def say_and_fail(session):
    async with session.turn() as turn:
        await turn.append([user("lost")])
        raise TimeoutError


def opened(path, **options):
    return AsyncMemory(str(path), embedder=HashingEmbedder(), **options)


@pytest.fixture(params=["folder", "object store"])
def url(request, tmp_path):
    return str(tmp_path / "mirror") if request.param == "folder" else f"memory://{uuid.uuid4().hex}/mirror"


def files(url):
    store, root = fsspec.core.url_to_fs(url)
    return {path[len(root) :].lstrip("/"): json.loads(store.cat_file(path)) for path in store.find(root)}


async def test_a_turn_that_succeeds_is_copied_and_one_that_fails_is_not(tmp_path, url):
    async with opened(tmp_path / "a.db") as memory:
        memory.mirror(url)
        session = memory.scope(agent="concierge", user="alice").session()
        assert files(url) == {}
        await say(session, "one", "\ud83e\x00")
        (first,) = files(url).values()
        with pytest.raises(TimeoutError):
            await say_and_fail(session)
        assert list(files(url).values()) == [first]
        await say(session, "two")
        ((path, second),) = files(url).items()
        assert path == "default/agent%3aconcierge%3au%3aalice/state/sessions/dashboard.json"
        assert [item["body"]["content"] for item in second["items"]] == ["one", "\ud83e\x00", "two"]
        assert second["revision"] == (await session.head()).revision > first["revision"]


async def test_a_lost_database_comes_back_and_goes_on(tmp_path, url):
    async with opened(tmp_path / "a.db") as memory:
        memory.mirror(url)
        for name in ("alice", "bob"):
            session = memory.scope(user=name).session()
            for number in range(5):
                await say(session, f"{name} {number}")
            await session.annotate(title=f"Talk of {name}", metadata={"n": 1})
            await say(session, f"{name} last")
        log = (await memory.scope(user="alice").session().export())["items"]
    async with opened(tmp_path / "b.db") as memory:
        mirror = memory.mirror(url)
        assert await mirror.restore() == 2
        assert await mirror.restore() == 0
        session = memory.scope(user="alice").session()
        assert (await session.export())["items"] == log
        assert (await session.info()).title == "Talk of alice"
        assert (await session.search("alice 3"))[0].item.body == user("alice 3")
        assert [item["content"] for item in await memory.scope(user="bob").session().get_items(1)] == [
            "bob last"
        ]
        await say(session, "after")
        newest = files(url)[path_of("default", "agent:default:u:alice", "dashboard")]
        assert newest["items"][-1]["body"] == user("after")
        assert newest["items"][-1]["seq"] == log[-1]["seq"] + 1


async def test_two_users_dashboards_never_meet(tmp_path, url):
    names = ["alice", "Alice", "alice/..", "a:u:b", "日本", "%3a", "x" * 128]
    async with opened(tmp_path / "a.db") as memory:
        memory.mirror(url)
        for name in names:
            await say(memory.scope(user=name).session(), name)
    assert len({path.lower() for path in files(url)}) == len(names)
    async with opened(tmp_path / "b.db") as memory:
        assert await memory.mirror(url).restore() == len(names)
        for name in names:
            assert await memory.scope(user=name).session().get_items() == [user(name)]


async def test_a_file_in_anothers_place_is_not_believed(tmp_path):
    url = str(tmp_path / "mirror")
    async with opened(tmp_path / "a.db") as memory:
        memory.mirror(url)
        await say(memory.scope(user="alice").session(), "hers")
    (hers,) = files(url).values()
    put_back(url, {path_of("default", "agent:default:u:bob", name): hers for name in ("dashboard", "other")})
    put_back(url, {path_of("default", "agent:default:u:bob", "broken"): []})
    async with opened(tmp_path / "b.db") as memory:
        assert await memory.mirror(url).restore() == 1
        assert await memory.scope(user="bob").session().get_items() == []


async def test_a_deleted_session_does_not_come_back(tmp_path, url):
    async with opened(tmp_path / "a.db") as memory:
        mirror = memory.mirror(url)
        session = memory.scope(user="alice").session()
        await say(session, "one")
        kept = files(url)
        await session.delete()
        assert files(url) == {}
        put_back(url, kept)
        assert await mirror.restore() == 0
        assert await session.get_items() == []
        await say(session, "anew")
        assert await session.get_items() == [user("anew")]
        (file,) = files(url).values()
        assert [item["body"] for item in file["items"]] == [user("anew")]


@pytest.mark.parametrize("whole", ["session", "scope", "user", "tenant"])
async def test_what_is_erased_leaves_the_mirror_and_does_not_come_back(tmp_path, url, whole):
    async with opened(tmp_path / "a.db") as memory:
        mirror = memory.mirror(url)
        alice = memory.scope(user="alice")
        await say(alice.session(), "the marmalade is hidden")
        kept = files(url)
        erasing = {
            "session": lambda: alice.erase(session="dashboard"),
            "scope": alice.erase,
            "user": lambda: memory.erase(user="alice"),
            "tenant": lambda: memory.erase(tenant="default"),
        }
        receipt = await erasing[whole]()
        assert (receipt.remaining, receipt.erased["mirror files"]) == (0, 1)
        assert files(url) == {}
        put_back(url, kept)
        assert await mirror.restore() == 0
        assert await alice.session().get_items() == []


def put_back(url, kept):
    store, root = fsspec.core.url_to_fs(url)
    for path, document in kept.items():
        store.makedirs(f"{root}/{path}".rsplit("/", 1)[0], exist_ok=True)
        store.pipe_file(f"{root}/{path}", json.dumps(document).encode())


async def test_a_late_upload_is_refused(tmp_path, url):
    async with opened(tmp_path / "a.db") as memory:
        mirror = memory.mirror(url)
        session = memory.scope(user="alice").session()
        await say(session, "one")
        (early,) = files(url).values()
        await say(session, "two")
        newest = files(url)
        assert not mirror._files.put(early, lambda: early["revision"])  # an older one than is there
        store, root = fsspec.core.url_to_fs(url)
        (path,) = newest
        store.rm_file(f"{root}/{path}")
        assert not mirror._files.put(early, lambda: early["revision"] + 1)  # the session moved on
        assert not mirror._files.put(early, lambda: None)  # the session is gone
        going = iter([early["revision"], None])
        assert not mirror._files.put(early, lambda: next(going))  # it went while it was written
        assert files(url) == {}
        assert await mirror.sync() == 1
        assert files(url) == newest


async def test_what_was_not_copied_is_counted_and_copied_later(tmp_path, caplog):
    url = str(tmp_path / "mirror")
    in_the_way = tmp_path / "mirror"
    in_the_way.touch()
    async with opened(tmp_path / "a.db") as memory:
        mirror = memory.mirror(url)
        session = memory.scope(user="alice").session()
        with caplog.at_level(logging.WARNING, "bethink.mirror"):
            await say(session, "secret")
        assert (mirror.failures, await session.get_items()) == (1, [user("secret")])
        assert "secret" not in caplog.text
        in_the_way.unlink()
        await session.append([user("beside a turn")])
        assert await mirror.sync() == 1
        assert await mirror.sync() == 0
        assert len(next(iter(files(url).values()))["items"]) == 2
        assert len(list(in_the_way.rglob("*.*"))) == 1  # and nothing that is only on its way


async def test_what_the_database_has_stays_as_it_is(tmp_path, url):
    async with opened(tmp_path / "a.db") as memory:
        mirror = memory.mirror(url)
        session = memory.scope(user="alice").session()
        await say(session, "one")
        await session.clear()
        assert await mirror.restore() == 0
        assert await session.get_items() == []


async def test_turns_at_once_leave_the_newest_file(tmp_path, url):
    async with opened(tmp_path / "a.db") as memory:
        memory.mirror(url)
        scope = memory.scope(user="alice")
        await asyncio.gather(*(say(scope.session(f"s{number}"), "x") for number in range(20)))
        assert len(files(url)) == 20


async def test_tenants_have_folders_of_their_own(tmp_path, url):
    for tenant in ("one", "two"):
        async with opened(tmp_path / "a.db", tenant=tenant) as memory:
            memory.mirror(url)
            await say(memory.scope(user="alice").session(), tenant)
    async with opened(tmp_path / "b.db", tenant="two") as memory:
        assert await memory.mirror(url).restore() == 1
        assert await memory.scope(user="alice").session().get_items() == [user("two")]


async def test_a_mirror_is_for_the_application(tmp_path):
    async with opened(tmp_path / "a.db") as memory:
        with pytest.raises(DeniedError):
            memory.acting_as(Principal("alice")).mirror(str(tmp_path))
        with pytest.raises(InvalidError):
            memory.mirror(" ")


def test_the_blocking_face_mirrors_too(tmp_path):
    url = str(tmp_path / "mirror")
    with Memory(str(tmp_path / "a.db"), embedder=HashingEmbedder()) as memory:
        memory.mirror(url)
        with memory.scope(user="alice").session().turn() as turn:
            turn.append([user("one")])
    with Memory(str(tmp_path / "b.db"), embedder=HashingEmbedder()) as memory:
        mirror = memory.mirror(url)
        assert mirror.restore() == 1
        assert mirror.sync() == 0


def test_names_are_short_and_their_own():
    assert escaped_label("a.B c") == "a%2e%42%20c"
    assert escaped_label("..") == "%2e%2e"
    long = {escaped_label("é" * 128 + end) for end in ("a", "b")}
    assert len(long) == 2
    assert max(map(len, long)) <= LONGEST


async def test_a_mirror_is_without_what_is_overdue_and_a_restored_session_keeps_items_for_as_long(
    tmp_path, url
):
    clock = Clock()
    async with opened(tmp_path / "a.db", clock=clock) as memory:
        mirror = memory.mirror(url)
        session = memory.scope(agent="concierge", user="alice").session()
        await session.expire(timedelta(days=1))
        await say(session, "one")
        clock.at += timedelta(hours=20)
        await say(session, "two")
        ((_, both),) = files(url).items()
        assert len(both["items"]) == 2
        clock.at += timedelta(hours=5)
        assert await mirror.sync() == 1
        ((_, left),) = files(url).items()
        assert [item["body"]["content"] for item in left["items"]] == ["two"]
    async with opened(tmp_path / "b.db", clock=clock) as memory:
        assert await memory.mirror(url).restore() == 1
        session = memory.scope(agent="concierge", user="alice").session()
        assert await session.get_items() == [user("two")]
        clock.at += timedelta(days=1)
        assert await session.get_items() == []


class Clock:
    def __init__(self):
        self.at = datetime(2026, 5, 4, tzinfo=UTC)

    def __call__(self):
        return self.at
