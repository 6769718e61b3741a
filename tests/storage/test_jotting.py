"""A write of a few rows in the loop's own thread, where it waits for nothing."""

import asyncio
import fcntl
from pathlib import Path

import apsw
import pytest

from bethink.errors import ClosedError, StorageError
from bethink.storage.sqlite import SqliteDriver
from bethink.storage.sqlite_writer import CHECKPOINT, STREAK
from bethink.storage.stores import AwaitedStore
from bethink.storage.work import Statement
from tests.storage.stories import held, mark, marks, read, start, write

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "memory.db")


@pytest.fixture
def driver(path):
    driver = SqliteDriver(path)
    yield driver
    driver.close()


def write_inline(driver, name):
    """Write where the disk is believed to answer at once, whatever disk the test runs on."""
    driver._writer._quick = STREAK
    return driver.write_inline(lambda: mark(name))


def broken():
    yield from mark("half")
    raise ValueError("the unit went wrong")


def test_what_is_jotted_is_committed_before_it_is_answered(driver, path):
    assert write_inline(driver, "a") == (1,)
    other = SqliteDriver(path)
    assert read(other, marks) == ["a"]
    other.close()
    assert (driver.units, driver.commits) == (1, 1)
    assert driver._writer._thread is None


def test_a_disk_that_takes_its_time_is_left_to_the_thread(driver):
    assert driver.write_inline(lambda: mark("a")) is None
    write_inline(driver, "a")
    driver._writer._quick = 0  # as after a commit that was slow
    assert driver.write_inline(lambda: mark("b")) is None
    driver._writer._quick, driver._writer._pages = STREAK, CHECKPOINT  # this commit would move the log
    assert driver.write_inline(lambda: mark("b")) is None
    assert write(driver, mark, "b") == 1
    assert read(driver, marks) == ["a", "b"]


def test_whoever_comes_while_somebody_writes_is_sent_to_the_thread(driver):
    with held(driver):
        assert write_inline(driver, "a") is None
        waiting = start(driver, mark, "b")
        assert write_inline(driver, "c") is None
    assert waiting.wait() == 1
    assert read(driver, marks) == ["b", "the one that holds"]


def test_another_process_is_not_waited_for(driver, path):
    write_inline(driver, "a")
    with Path(f"{path}-lock").open("rb+") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        assert write_inline(driver, "b") is None
    stranger = apsw.Connection(path)
    stranger.execute("begin immediate")
    assert write_inline(driver, "b") is None
    stranger.execute("rollback")
    stranger.close()
    assert write_inline(driver, "b") == (1,)


def test_a_unit_that_fails_leaves_nothing_and_the_next_one_is_jotted(driver):
    driver._writer._quick = STREAK
    with pytest.raises(ValueError, match="went wrong"):
        driver.write_inline(broken)
    assert read(driver, marks) == []
    assert write_inline(driver, "a") == (1,)


def test_what_sqlite_refuses_is_said_in_our_own_words(driver):
    def refused():
        yield Statement("insert into nothing values (1)", {})

    driver._writer._quick = STREAK
    with pytest.raises(StorageError) as caught:
        driver.write_inline(refused)
    assert caught.value.outcome == "none"
    assert write_inline(driver, "a") == (1,)


def test_a_commit_that_fails_is_told_and_the_connection_is_replaced(driver):
    poisoned = driver._writer.connection
    poisoned.set_commit_hook(lambda: True)
    with pytest.raises(StorageError) as caught:
        write_inline(driver, "a")
    assert caught.value.outcome == "unknown"
    assert driver._writer.connection is not poisoned
    assert write_inline(driver, "b") == (1,)
    assert read(driver, marks) == ["b"]


def test_nothing_is_jotted_after_the_end(path):
    driver = SqliteDriver(path)
    driver.close()
    with pytest.raises(ClosedError):
        write_inline(driver, "a")


def test_a_database_in_memory_is_read_where_it_is_written(path):
    driver = SqliteDriver(":memory:")
    assert write_inline(driver, "a") == (1,)
    assert driver.read_inline(marks) == (["a"],)
    with pytest.raises(StorageError):
        driver.read_inline(lambda: mark("b"))
    with held(driver):
        assert driver.read_inline(marks) is None
    assert write(driver, mark, "b") == 1
    driver.close()


def test_the_log_is_moved_into_the_file_after_those_who_wait_were_told(driver, path):
    for number in range(40):
        write(driver, mark, f"{number:02}" + "x" * 200_000)
    driver.start(job := type(start(driver, mark, "last"))(marks, write=True))
    assert len(job.wait()) == 41
    assert Path(f"{path}-wal").stat().st_size < 2 * CHECKPOINT * 4096


async def test_one_who_writes_alone_needs_no_thread_and_those_who_write_at_once_commit_together(driver):
    store = AwaitedStore(driver)

    async def several(who, count):
        for number in range(count):
            driver._writer._quick = STREAK
            assert await store.write_inline(mark, f"{who}-{number}") == 1

    await several("alone", 5)
    assert (driver.units, driver.commits) == (5, 5)
    assert driver._writer._thread is None
    with held(driver):
        waiting = [asyncio.create_task(several(who, 1)) for who in "abcdefgh"]
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    assert (driver.units, driver.commits) == (5 + 1 + 8, 5 + 2)
    assert len(read(driver, marks)) == 14


async def test_others_have_their_turn_between_two_writes(driver):
    store, order = AwaitedStore(driver), []

    async def writing():
        for number in range(3):
            driver._writer._quick = STREAK
            await store.write_inline(mark, str(number))
            order.append("write")

    async def other():
        for _ in range(3):
            order.append("other")
            await asyncio.sleep(0)

    await asyncio.gather(writing(), other())
    assert "other" in order[:2]
    assert len(order) == 6


async def test_one_who_is_cancelled_while_stepping_aside_has_written_once(driver):
    store = AwaitedStore(driver)
    driver._writer._quick = STREAK
    task = asyncio.create_task(store.write_inline(mark, "a"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert read(driver, marks) == ["a"]
    driver._writer._quick = STREAK
    assert await store.write_inline(mark, "b") == 1
