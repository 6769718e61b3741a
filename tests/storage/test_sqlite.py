"""The traps of SQLite, each with what Bethink makes of it."""

import fcntl
import os
import pwd
import threading
import time
from pathlib import Path

import apsw
import pytest

from bethink.errors import ClosedError, InvalidError, StorageError
from bethink.storage.migrations import migrations
from bethink.storage.opening import open_driver
from bethink.storage.sqlite import READERS, SqliteDriver
from bethink.storage.sqlite_connection import set_pragma
from bethink.storage.work import Statement
from tests.storage.stories import held, in_process, mark, marks, read, start, write


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "memory.db")


@pytest.fixture
def driver(path):
    driver = SqliteDriver(path)
    yield driver
    driver.close()


def pragma(driver, name):
    return driver._writer.connection.execute(f"pragma {name}").fetchall()[0][0]


# ---- durability -------------------------------------------------------------------------------------------------


def test_a_file_is_opened_with_a_log_that_is_flushed_at_every_commit(driver):
    assert pragma(driver, "journal_mode") == "wal"
    assert pragma(driver, "synchronous") == 2


def test_losing_the_last_commits_at_a_power_cut_is_a_choice(path):
    driver = SqliteDriver(path, synchronous="normal")
    assert pragma(driver, "synchronous") == 1
    driver.close()
    with pytest.raises(InvalidError):
        SqliteDriver(path, synchronous="OFF")


def test_a_setting_that_sqlite_ignores_silently_is_noticed():
    connection = apsw.Connection(":memory:")
    with pytest.raises(StorageError) as caught:
        set_pragma(connection, "journal_mode", "wal")
    assert (caught.value.reason, caught.value.actual) == ("journal_mode", "memory")


def test_what_is_deleted_is_overwritten(driver):
    assert pragma(driver, "secure_delete") == 1


def test_every_write_takes_its_lock_at_the_beginning(driver):
    texts = []
    driver._writer.connection.trace_v2(apsw.SQLITE_TRACE_STMT, lambda event: texts.append(event["sql"]))
    write(driver, mark, "a")
    with held(driver):
        jobs = [start(driver, mark, name) for name in "bcd"]
    for job in jobs:
        job.wait()
    begins = {text for text in texts if text.startswith("begin")}
    assert begins == {"begin immediate"}


# ---- groups -----------------------------------------------------------------------------------------------------


def test_writes_that_wait_together_commit_together(driver):
    with held(driver):
        jobs = [start(driver, mark, f"{n:03}") for n in range(100)]
    assert [job.wait() for job in jobs] == [1] * 100
    assert (driver.units, driver.commits) == (101, 2)


def test_nobody_is_told_before_the_commit(path, driver):
    other = SqliteDriver(path)
    seen = []

    class Watched(type(start(driver, mark, "first"))):
        def settle(self):
            seen.append(read(other, marks))
            super().settle()

    with held(driver):
        jobs = [Watched(lambda name=name: mark(name), write=True) for name in "abc"]
        for job in jobs:
            driver.start(job)
    for job in jobs:
        job.wait()
    assert all({"a", "b", "c"} <= set(each) for each in seen)
    other.close()


def test_when_the_disk_is_full_each_of_the_group_runs_again_alone(driver):
    pages = pragma(driver, "page_count")
    driver._writer.connection.execute(f"pragma max_page_count = {pages + 3}").fetchall()
    with held(driver):
        small = [start(driver, mark, name) for name in "ab"]
        large = start(driver, mark, "x" * 100_000)
        later = [start(driver, mark, name) for name in "cd"]
    assert [job.wait() for job in small + later] == [1] * 4
    with pytest.raises(StorageError) as caught:
        large.wait()
    assert (caught.value.reason, caught.value.outcome) == ("FullError", "none")
    assert set(read(driver, marks)) >= set("abcd")
    assert len(read(driver, marks)) == 5
    driver._writer.connection.execute("pragma max_page_count = 1000000").fetchall()
    assert write(driver, mark, "x" * 100_000) == 1


def test_an_interrupt_in_a_group_costs_the_others_nothing(driver):
    connection = driver._writer.connection
    stops = []

    def stop():
        if not stops:
            stops.append(1)
            connection.interrupt()
        return 1

    connection.create_scalar_function("stop", stop)
    text = """insert into tombstones (tenant_id, kind, digest, revision, at)
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 5000)
      select :tenant, 'mark', 'n' || n, stop(), 0 from numbers"""

    def interrupted():
        yield Statement(text, {"tenant": "default"})

    with held(driver):
        before = start(driver, mark, "before")
        long = start(driver, interrupted)
        after = start(driver, mark, "after")
    assert (before.wait(), after.wait()) == (1, 1)
    long.wait()  # the one interrupt is over when it runs again
    assert len(read(driver, marks)) == 5003


def test_a_commit_that_fails_is_told_to_all_and_the_connection_is_replaced(driver):
    poisoned = driver._writer.connection
    with held(driver):
        jobs = [start(driver, mark, name) for name in "ab"]
        poisoned.set_commit_hook(lambda: bool(len(read(driver, marks))))
    for job in jobs:
        with pytest.raises(StorageError) as caught:
            job.wait()
        assert caught.value.outcome == "unknown"
    assert driver._writer.connection is not poisoned
    assert write(driver, mark, "c") == 1
    assert pragma(driver, "synchronous") == 2
    assert read(driver, marks) == ["c", "the one that holds"]


# ---- readers, handles, processes --------------------------------------------------------------------------------


def test_readers_never_wait_for_the_writer(driver):
    write(driver, mark, "before")
    with held(driver):
        for _ in range(3 * READERS):
            assert read(driver, marks) == ["before"]
        results = []
        threads = [threading.Thread(target=lambda: results.append(read(driver, marks))) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert results == [["before"]] * 20


def test_threads_read_in_the_order_in_which_they_asked(driver):
    """Whoever is done with reading does not read again before those who wait."""
    began, goes_on = [], threading.Event()

    def noted(name):
        def unit():
            began.append(name)
            return (yield from marks())

        return unit

    def holding():
        goes_on.wait()
        return (yield from marks())

    def busy():
        driver.read(holding)
        for _ in range(3):
            driver.read(noted("again"))

    def waits_as(number):
        thread = threading.Thread(target=driver.read, args=(noted(number),))
        thread.start()
        while driver.waiting <= number:
            time.sleep(0.001)
        return thread

    threads = [threading.Thread(target=busy) for _ in range(READERS)]
    for thread in threads:
        thread.start()
    while driver._lent < READERS:
        time.sleep(0.001)
    threads += [waits_as(number) for number in range(12)]
    goes_on.set()
    for thread in threads:
        thread.join()

    assert began.index("again") > 12 - READERS  # as many as read at once may begin in another order
    assert driver.waiting == 0
    assert len(driver._idle) == READERS


def test_a_reader_that_cannot_be_opened_keeps_no_place(driver, monkeypatch):
    def refused(**_):
        raise apsw.CantOpenError("unable to open database file")

    with monkeypatch.context() as broken:
        broken.setattr(driver, "_connect", refused)
        for _ in range(2 * READERS):
            with pytest.raises(StorageError):
                read(driver, marks)

    assert read(driver, marks) == []


def test_opening_and_closing_leaves_no_file_open(path):
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        driver = SqliteDriver(path)
        write(driver, mark, os.urandom(4).hex())
        read(driver, marks)
        driver.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert sorted(each.name for each in Path(path).parent.iterdir()) == ["memory.db", "memory.db-lock"]


def test_a_forked_child_is_told_to_open_its_own(path):
    said = in_process(
        """
        driver = open_driver(sys.argv[1])
        write(driver, mark, "parent")
        reading, writing = os.pipe()
        if os.fork() == 0:
            told = []
            for verb in (lambda: write(driver, mark, "child"), lambda: read(driver, marks)):
                try:
                    verb()
                except ClosedError as error:
                    told.append(error.reason)
            driver.close()
            own = open_driver(sys.argv[1])
            write(own, mark, "own")
            own.close()
            os.write(writing, ",".join(told).encode())
            os._exit(0)
        os.wait()
        print(os.read(reading, 100).decode(), *read(driver, marks))
        write(driver, mark, "still there")
        driver.close()
        """,
        path,
    )
    assert said == "forked,forked own parent"


def test_a_process_waits_for_its_turn(path, driver):
    write(driver, mark, "a")
    with Path(f"{path}-lock").open("rb+") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        job = start(driver, mark, "b")
        assert read(driver, marks) == ["a"]
        assert not job._gate.acquire(blocking=False)
        fcntl.flock(turn, fcntl.LOCK_UN)
    assert job.wait() == 1


def test_a_turn_that_never_comes_ends_in_an_error(path):
    driver = SqliteDriver(path, busy_seconds=0.05)
    with Path(f"{path}-lock").open("rb+") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        for _ in range(2):
            with pytest.raises(StorageError) as caught:
                write(driver, mark, "b")
            assert (caught.value.reason, caught.value.outcome) == ("BusyError", "none")
    assert write(driver, mark, "b") == 1
    assert read(driver, marks) == ["b"]
    driver.close()


def test_processes_that_write_at_once_take_turns(path):
    SqliteDriver(path).close()
    script = """
        driver = open_driver(sys.argv[1])
        for number in range(40):
            write(driver, mark, f"{sys.argv[2]}-{number:02}")
        driver.close()
    """
    processes = [in_process(script, path, name, wait=False) for name in "abcd"]
    for process in processes:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
    driver = SqliteDriver(path)
    assert read(driver, marks) == [f"{name}-{number:02}" for name in "abcd" for number in range(40)]
    driver.close()


def test_processes_that_migrate_at_once_all_find_the_schema(tmp_path):
    for round_ in range(2):
        path = tmp_path / f"{round_}.db"
        script = """
            sys.stdin.readline()
            driver = open_driver(sys.argv[1])
            write(driver, mark, sys.argv[2])
            driver.close()
        """
        processes = [in_process(script, path, name, wait=False) for name in "abcd"]
        for process in processes:
            process.stdin.write("go\n")
            process.stdin.flush()
        for process in processes:
            _, errors = process.communicate(timeout=120)
            assert process.returncode == 0, errors
        driver = SqliteDriver(str(path))
        assert read(driver, marks) == list("abcd")
        assert driver.migrate() == []
        driver.close()


# ---- what is refused --------------------------------------------------------------------------------------------


def refusal(path, **options):
    with pytest.raises(StorageError) as caught:
        open_driver(path, **options)
    assert caught.value.outcome == "none"
    return caught.value.reason


def test_a_directory_is_not_a_database(tmp_path):
    assert refusal(tmp_path) == "is a directory"


def test_a_folder_that_is_not_there_is_named(tmp_path):
    assert refusal(tmp_path / "missing" / "memory.db") == "no folder"


def test_a_file_of_another_kind_is_left_as_it_was(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear Alice, " * 1000)
    assert refusal(path) == "NotADBError"
    assert path.read_text() == "Dear Alice, " * 1000


def test_the_database_of_another_application_is_left_as_it_was(tmp_path):
    path = tmp_path / "other.db"
    connection = apsw.Connection(str(path))
    connection.execute("create table notes (theirs)")
    connection.close()
    before = path.read_bytes()
    assert refusal(path) == "foreign database"
    assert path.read_bytes() == before


def test_a_newer_schema_is_refused(path, driver):
    driver._writer.connection.execute("insert into bethink_migrations values (9999, 'future', 'x', 0)")
    assert refusal(path) == "newer schema"


def test_an_edited_migration_is_noticed(path, driver):
    driver._writer.connection.execute("update bethink_migrations set checksum = 'other' where number = 1")
    assert refusal(path) == "changed migration"


def test_a_migration_that_fails_leaves_nothing_behind(path, driver):
    connection = driver._writer.connection
    last = migrations("sqlite")[-1].number
    connection.execute("delete from bethink_migrations where number = ?", (last,))
    before = connection.execute("select count(*) from sqlite_master").fetchall()
    with pytest.raises(apsw.SQLError):  # its tables are there already
        driver.migrate()
    assert connection.execute("select count(*) from sqlite_master").fetchall() == before
    assert not connection.in_transaction


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user, which only root may")
def test_a_file_that_may_not_be_written_says_so(tmp_path, shared):
    SqliteDriver(str(tmp_path / "memory.db")).close()
    for folder in list(tmp_path.parents)[:-2]:
        folder.chmod(0o755)
    tmp_path.chmod(0o777 if shared else 0o755)
    (tmp_path / "memory.db").chmod(0o444)
    nobody = pwd.getpwnam("nobody")
    said = in_process(
        """
        # the interpreter's own files may not be readable to the other user
        import importlib.readers, bethink.storage.sqlite
        os.setgroups([]); os.setgid(int(sys.argv[3])); os.setuid(int(sys.argv[2]))
        try:
            driver = open_driver(sys.argv[1])
            write(driver, mark, "sly")
        except StorageError as error:
            print(error.reason, error.outcome)
        """,
        tmp_path / "memory.db",
        nobody.pw_uid,
        nobody.pw_gid,
    )
    assert said in ({"ReadOnlyError none"} if shared else {"ReadOnlyError none", "CantOpenError none"})


def test_a_closed_driver_stays_closed(path):
    driver = SqliteDriver(path)
    driver.close()
    with pytest.raises(ClosedError):
        start(driver, mark, "a")


# ---- addresses --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}", "SQLITE:///{}"])
def test_a_file_is_named_by_a_path_or_a_url(tmp_path, form):
    path = tmp_path / "my memory.db"
    driver = open_driver(form.format(path))
    assert driver.path == str(path)
    assert path.exists()
    driver.close()


def test_a_relative_url_is_relative(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    open_driver("sqlite:///here.db").close()
    assert (tmp_path / "here.db").exists()


def test_a_path_object_will_do(tmp_path):
    open_driver(tmp_path / "memory.db").close()


@pytest.mark.parametrize("form", [":memory:", "sqlite:///:memory:"])
def test_memory_has_no_file(tmp_path, monkeypatch, form):
    monkeypatch.chdir(tmp_path)
    driver = open_driver(form)
    assert driver.in_memory
    driver.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "url", ["mysql://localhost/db", "https://example.org/memory.db", "file:///memory.db"]
)
def test_an_unknown_scheme_is_refused(url):
    with pytest.raises(InvalidError) as caught:
        open_driver(url)
    assert caught.value.argument == "url"


@pytest.mark.parametrize("url", ["", "sqlite:///", "sqlite://", "a\x00b", "sqlite:///%00"])
def test_no_name_is_refused(url):
    with pytest.raises(InvalidError):
        open_driver(url)
