"""The traps of PostgreSQL, each with what Bethink makes of it."""

import socket
import subprocess
import sys
import threading
from contextlib import suppress

import pytest

from bethink.errors import InvalidError, StorageError
from bethink.recall.transactions import keep_block
from bethink.scope.namespace import Namespace
from bethink.scope.transactions import touch
from bethink.storage.health import store_state as ask_state
from bethink.storage.opening import open_driver
from bethink.storage.postgresql import PostgresqlDriver
from bethink.storage.postgresql_pool import ATTEMPTS
from bethink.storage.work import Statement
from bethink.testing.marks import ask
from bethink.testing.postgresql import APP, OWNER, SUPERUSER
from bethink.testing.writings import PredictableWrites
from tests.storage.stories import held, in_process, mark, marks, read, start, write


@pytest.fixture
def driver(postgresql_url):
    driver = PostgresqlDriver(postgresql_url)
    yield driver
    driver.close()


@pytest.fixture
def command(postgresql_cluster, postgresql_url):
    """Run statements as the superuser in the database of the test."""
    name = postgresql_url.rpartition("/")[2]
    return lambda *texts: postgresql_cluster.command(*texts, database=name)


def terminate(command):
    command(
        f"select pg_terminate_backend(pid) from pg_stat_activity where usename = '{APP}' "
        "and datname = current_database()"
    )


def at_commit(command, body):
    """Make the database do something when a write of marks is being committed."""
    command(
        f"create function trap() returns trigger language plpgsql as $$ begin {body} return null; end $$",
        """create constraint trigger trap after insert on tombstones deferrable initially deferred
        for each row execute function trap()""",
    )


# ---- who may connect --------------------------------------------------------------------------------------------


def test_a_superuser_is_refused_unless_asked_for(postgresql_cluster, postgresql_url):
    url = postgresql_cluster.url(postgresql_url.rpartition("/")[2], SUPERUSER)
    with pytest.raises(StorageError) as caught:
        open_driver(url)
    assert (caught.value.reason, caught.value.role) == ("bypassing role", SUPERUSER)
    open_driver(url, allow_bypass=True).close()
    open_driver(f"{url}?allow_bypass=true").close()


def test_a_role_that_bypasses_row_level_security_is_refused(postgresql_cluster, postgresql_url, command):
    command(f"create role sly login bypassrls password '{postgresql_cluster.password}' in role {APP}")
    try:
        with pytest.raises(StorageError) as caught:
            open_driver(postgresql_cluster.url(postgresql_url.rpartition("/")[2], "sly"))
        assert caught.value.reason == "bypassing role"
        # Nor does it help to become somebody else after logging in: what was become can be left.
        with pytest.raises(StorageError):
            open_driver(f"{postgresql_url.replace(APP, 'sly', 1)}?options=-c%20role%3D{APP}")
    finally:
        command("drop role sly")


def test_the_owner_of_the_tables_sees_one_tenant_too(postgresql_cluster, postgresql_url):
    driver = PostgresqlDriver(postgresql_url, tenant="default")
    write(driver, mark, "hers")
    driver.close()
    owner = postgresql_cluster.url(postgresql_url.rpartition("/")[2], OWNER)
    other = PostgresqlDriver(owner, tenant="other")
    assert read(other, ask, "select digest from tombstones where :tenant <> ''") == []
    other.close()


def test_a_server_that_is_not_there_is_a_storage_error():
    with pytest.raises(StorageError) as caught:
        open_driver("postgresql://alice:sesame@127.0.0.1:1/db?connect_timeout=2")
    assert caught.value.outcome == "none"
    assert "sesame" not in str(caught.value)


def test_a_wrong_password_is_a_storage_error(postgresql_cluster, postgresql_url):
    with pytest.raises(StorageError) as caught:
        open_driver(postgresql_url.replace(postgresql_cluster.password, "wrong"))
    assert caught.value.outcome == "none"


def test_the_url_of_a_driver_shows_no_password(driver, postgresql_cluster):
    assert postgresql_cluster.password not in driver.url
    assert driver.url.startswith(f"postgresql://{APP}@127.0.0.1:")


def test_a_database_of_another_encoding_is_refused(postgresql_cluster):
    postgresql_cluster.command(
        f"create database latin owner {OWNER} template template0 encoding 'LATIN1' locale 'C'"
    )
    try:
        with pytest.raises(StorageError) as caught:
            open_driver(postgresql_cluster.url("latin"))
        assert caught.value.reason == "encoding"
    finally:
        postgresql_cluster.drop("latin")


def test_without_its_driver_it_says_how_to_get_it():
    script = """
import sys
sys.modules["psycopg"] = None
from bethink.storage.opening import open_driver
try:
    open_driver("postgresql://localhost/db")
except ImportError as error:
    print(error)
"""
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "pip install 'bethink[postgres]'" in said.stdout


# ---- tenants ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tenant", ["o'brien", "back\\slash", "a;b--", "東京", "%s %(x)s /* for update */ :name", "$1", '"q"']
)
def test_a_tenant_may_have_any_name(postgresql_url, tenant):
    driver = PostgresqlDriver(postgresql_url, tenant=tenant)
    text = """insert into tombstones (tenant_id, kind, digest, revision, at)
    values (:name, 'mark', 'a', 1, 0) returning tenant_id"""
    assert write(driver, ask, text, name=tenant) == [(tenant,)]
    assert read(driver, ask, "select tenant_id from tombstones where :tenant <> ''") == [(tenant,)]
    driver.close()


@pytest.mark.parametrize("tenant", ["", "x" * 129, "a\x00b"])
def test_a_tenant_without_a_proper_name_is_refused(postgresql_url, tenant):
    with pytest.raises(InvalidError):
        PostgresqlDriver(postgresql_url, tenant=tenant)


def test_a_unit_of_another_tenant_finds_and_writes_nothing(postgresql_url, driver):
    write(driver, mark, "of default")
    other = PostgresqlDriver(postgresql_url, tenant="other")
    assert read(other, marks) == []
    with pytest.raises(StorageError) as caught:
        write(other, mark, "forged")
    assert (caught.value.reason, caught.value.outcome) == ("InsufficientPrivilege", "none")
    assert read(driver, marks) == ["of default"]
    other.close()


def test_a_transaction_without_a_tenant_sees_and_writes_nothing(postgresql_url, driver):
    import psycopg

    write(driver, mark, "of default")
    with psycopg.connect(postgresql_url, autocommit=True) as connection:
        assert connection.execute("select count(*) from tombstones").fetchone() == (0,)
        assert connection.execute("delete from tombstones").rowcount == 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("insert into tombstones values ('default', 'mark', 'sly', 1, 0)")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("insert into tombstones values ('', 'mark', 'sly', 1, 0)")
        connection.execute("begin")
        connection.execute("set local bethink.tenant_id to 'default'")
        assert connection.execute("select count(*) from tombstones").fetchone() == (1,)
        connection.execute("commit")  # after which the setting is the empty text, not absent
        assert connection.execute("select count(*) from tombstones").fetchone() == (0,)


@pytest.mark.parametrize(
    "text",
    [
        "alter table notes disable row level security",
        "alter table notes no force row level security",
        "drop policy of_tenant on notes",
        "truncate notes",
        "create table mine (x int)",
        "set role bethink_owner",
        "insert into bethink_migrations values (9, 'x', 'x', 0)",
    ],
)
def test_the_role_of_the_application_cannot_change_the_rules(postgresql_url, text):
    import psycopg

    with psycopg.connect(postgresql_url) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(text)


# ---- transactions that fail -------------------------------------------------------------------------------------


def test_one_call_is_one_statement(driver):
    with pytest.raises(StorageError):
        write(driver, ask, "select 1 where :tenant = ''; delete from tombstones")


def test_connections_that_were_dropped_while_idle_are_replaced(driver, command):
    jobs = [start(driver, mark, f"{n}") for n in range(8)]
    for job in jobs:
        job.wait()
    terminate(command)
    assert write(driver, mark, "after") == 1
    terminate(command)
    assert len(read(driver, marks)) == 9
    assert driver.repeats >= 2


def test_a_connection_that_drops_before_the_commit_costs_nothing(driver, command):
    runs = []

    def unit():
        runs.append(1)
        yield from mark("once")
        yield from marks()
        if len(runs) == 1:
            terminate(command)
        return (yield from marks())

    assert write(driver, unit) == ["once"]
    assert len(runs) == 2


def test_a_connection_that_drops_again_and_again_is_an_error(driver, command):
    def unit():
        yield from marks()
        terminate(command)
        return (yield from marks())

    with pytest.raises(StorageError) as caught:
        write(driver, unit)
    assert caught.value.outcome == "none"
    assert write(driver, mark, "after") == 1


def test_a_connection_that_drops_at_the_commit_leaves_the_outcome_unknown(driver, command):
    at_commit(command, "perform pg_terminate_backend(pg_backend_pid());")
    with pytest.raises(StorageError) as caught:
        write(driver, mark, "perhaps")
    assert caught.value.outcome == "unknown"
    command("drop trigger trap on tombstones")
    assert write(driver, mark, "after") == 1
    assert driver.repeats == 0


class Cut:
    """Stands between a client and the server, and cuts the line when a word comes by."""

    def __init__(self, port):
        self._port = port
        self.word = None
        self.deliver = False  #: whether the server still hears the word
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._port))
                for source, target in ((client, server), (server, client)):
                    threading.Thread(target=self._pass_on, args=(source, target, client), daemon=True).start()

    def _pass_on(self, source, target, client):
        with suppress(OSError):
            while piece := source.recv(1 << 16):
                if self.word is not None and source is client and self.word in piece:
                    self.word = None
                    client.close() if not self.deliver else client.shutdown(socket.SHUT_RDWR)
                    if self.deliver:
                        target.sendall(piece)
                        target.recv(1 << 16)  # the server has answered; nobody hears it
                    break
                target.sendall(piece)
        for each in (source, target):
            each.close()

    def close(self):
        self._listener.close()


@pytest.fixture
def cut(postgresql_cluster):
    cut = Cut(postgresql_cluster.port)
    yield cut
    cut.close()


@pytest.mark.parametrize("deliver", [False, True])
def test_a_line_that_is_cut_at_the_commit_leaves_the_outcome_unknown(
    postgresql_cluster, postgresql_url, cut, deliver
):
    driver = PostgresqlDriver(postgresql_url.replace(f":{postgresql_cluster.port}/", f":{cut.port}/"))
    write(driver, mark, "before")
    cut.word, cut.deliver = b"\x00commit\x00", deliver  # not the one of "read committed"
    with pytest.raises(StorageError) as caught:
        write(driver, mark, "perhaps")
    assert caught.value.outcome == "unknown"
    assert write(driver, mark, "after") == 1
    assert set(read(driver, marks)) >= {"before", "after"}
    driver.close()


def test_the_owner_of_the_tables_that_was_left_open_for_a_move_is_found(driver, command):
    assert ask_state(driver, check=False).complaints == ()
    command(f"alter role {OWNER} bypassrls")
    try:
        (complaint,) = ask_state(driver, check=False).complaints
        assert f"alter role {OWNER} nobypassrls" in complaint
    finally:
        command(f"alter role {OWNER} nobypassrls")


def test_statements_are_left_unprepared_where_a_pooler_does_not_know_them(postgresql_url):
    for url, prepared in ((postgresql_url, True), (f"{postgresql_url}?prepared=false", False)):
        driver = PostgresqlDriver(url, connections=2)
        for number in range(8):
            write(driver, mark, f"{prepared}-{number}")
        rows = write(driver, ask, "select count(*) from pg_prepared_statements where :tenant <> ''")
        assert (rows[0][0] > 0) is prepared
        driver.close()


def test_migrating_as_the_application_says_whose_role_it_takes(postgresql_cluster):
    database = postgresql_cluster.create(template="template0")
    with pytest.raises(StorageError, match="the role that owns"):
        PostgresqlDriver.migrate(postgresql_cluster.url(database, APP))
    postgresql_cluster.drop(database)


def test_a_line_that_is_cut_before_the_commit_costs_nothing(postgresql_cluster, postgresql_url, cut):
    driver = PostgresqlDriver(postgresql_url.replace(f":{postgresql_cluster.port}/", f":{cut.port}/"))
    write(driver, mark, "before")
    cut.word = b"bethink.tenant_id"
    assert write(driver, mark, "after") == 1
    assert driver.repeats == 1
    assert read(driver, marks) == ["after", "before"]
    driver.close()


def test_a_transaction_that_others_got_in_the_way_of_is_run_again(driver, command):
    command("create sequence tries", f"grant usage on sequence tries to {APP}")
    at_commit(command, "if nextval('tries') < 4 then raise exception using errcode = '40001'; end if;")
    assert write(driver, mark, "in the end") == 1
    assert driver.repeats == 3
    assert read(driver, marks) == ["in the end"]


def test_a_transaction_that_always_fails_ends_in_an_error(driver, command):
    at_commit(command, "raise exception using errcode = '40P01';")
    with pytest.raises(StorageError) as caught:
        write(driver, mark, "never")
    facts = (caught.value.reason, caught.value.outcome, caught.value.attempts)
    assert facts == ("DeadlockDetected", "none", ATTEMPTS)


def test_a_commit_that_is_refused_wrote_nothing(driver, command):
    at_commit(command, "raise exception 'a disk is full' using errcode = '53100';")
    with pytest.raises(StorageError) as caught:
        write(driver, mark, "never")
    assert (caught.value.reason, caught.value.outcome) == ("DiskFull", "none")
    assert read(driver, marks) == []


def test_two_units_that_lock_each_other_out_both_succeed(driver):
    writing = PredictableWrites()
    first, second = Namespace(name="first"), Namespace(name="second")
    meet = threading.Barrier(2, timeout=30)
    runs = []

    def unit(one, other):
        yield from touch(one, writing())
        runs.append(one)
        if len(runs) <= 2:
            meet.wait()
        return (yield from touch(other, writing()))

    jobs = [start(driver, unit, first, second), start(driver, unit, second, first)]
    assert sorted(job.wait().revision for job in jobs) == [1, 2]
    assert len(runs) == 3


def test_of_two_that_index_the_same_passages_one_keeps_them(driver):
    place = write(driver, touch, Namespace(name="first"), PredictableWrites()())
    options = {"after": 0, "embedder": "e", "passages": 1, "payload": b"x", "without": None}
    reached, gate = threading.Event(), threading.Event()

    def slow():
        kept = yield from keep_block(place, block=1, **options)
        yield from marks()
        reached.set()
        gate.wait(30)
        return kept

    first = start(driver, slow)
    reached.wait(30)
    second = start(driver, lambda: keep_block(place, block=2, **options))
    threading.Timer(0.2, gate.set).start()  # until then the second has to wait, or would see no block
    assert (first.wait(), second.wait()) == (True, False)


def test_a_statement_that_takes_too_long_is_stopped(postgresql_url):
    driver = PostgresqlDriver(postgresql_url, statement_seconds=0.1)
    with pytest.raises(StorageError) as caught:
        read(driver, ask, "select pg_sleep(30) where :tenant <> ''")
    assert (caught.value.reason, caught.value.outcome) == ("QueryCanceled", "none")
    assert write(driver, mark, "after") == 1
    driver.close()


def test_a_transaction_that_stands_still_is_ended(postgresql_url):
    driver = PostgresqlDriver(postgresql_url, statement_seconds=0.1)
    over = threading.Event()

    def unit():
        yield from mark("still")
        yield from marks()
        over.wait(0.5)
        return (yield from marks())

    with pytest.raises(StorageError) as caught:
        write(driver, unit)
    assert caught.value.outcome == "none"
    assert read(driver, marks) == []
    driver.close()


def test_an_exhausted_pool_is_an_error_that_says_so(postgresql_url):
    driver = PostgresqlDriver(postgresql_url, connections=2, wait_seconds=0.05)
    reached, gate = threading.Event(), threading.Event()

    def unit():
        yield from marks()
        reached.set()
        gate.wait(30)

    thread = threading.Thread(target=read, args=(driver, unit))
    thread.start()
    reached.wait(30)
    with pytest.raises(StorageError) as caught:
        read(driver, marks)
    assert (caught.value.reason, caught.value.limit, caught.value.outcome) == ("pool exhausted", 1, "none")
    gate.set()
    thread.join()
    assert read(driver, marks) == []
    driver.close()


def test_the_url_may_say_how_many_connections(postgresql_url, command):
    driver = PostgresqlDriver(f"{postgresql_url}?connections=4")
    for job in [start(driver, mark, f"{n:03}") for n in range(100)]:
        job.wait()
    ((used,),) = command(
        f"select count(*) from pg_stat_activity where usename = '{APP}' and datname = current_database()"
    )
    assert used <= 4
    driver.close()
    with pytest.raises(InvalidError):
        PostgresqlDriver(f"{postgresql_url}?connections=many")


def test_readers_never_wait_for_writers(driver):
    write(driver, mark, "before")
    with held(driver):
        blocked = [start(driver, mark, "the one that holds") for _ in range(8)]
        for _ in range(20):
            assert read(driver, marks) == ["before"]
    for job in blocked:
        with pytest.raises(StorageError):
            job.wait()


def test_a_unit_that_fails_leaves_the_connection_as_it_was(driver):
    def broken():
        yield from mark("gone")
        raise ValueError("no")

    for _ in range(20):
        with pytest.raises(ValueError, match="no"):
            write(driver, broken)
        with pytest.raises(StorageError):
            write(driver, ask, "select 1 / 0 where :tenant <> ''")
    assert write(driver, mark, "after") == 1
    assert read(driver, marks) == ["after"]
    assert len(driver._pool._idle) <= 2


def test_rows_that_are_asked_to_be_kept_are_locked_by_writers_alone(driver):
    text = "select digest from tombstones where tenant_id = :tenant /* for update */"
    write(driver, mark, "a")
    assert read(driver, ask, text) == [("a",)]
    assert write(driver, ask, text) == [("a",)]


def test_a_forked_child_is_told_to_open_its_own(postgresql_url):
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
        print(driver.repeats)
        driver.close()
        """,
        postgresql_url,
    )
    assert said.split("\n") == ["forked,forked own parent", "0"]


def test_closing_lets_go_of_every_connection(postgresql_url, command):
    driver = PostgresqlDriver(postgresql_url)
    for job in [start(driver, mark, f"{n:03}") for n in range(50)]:
        job.wait()
    driver.close()
    used = [(1,)]
    while used != [(0,)]:  # the server notices a goodbye a moment later
        used = command(
            f"select count(*) from pg_stat_activity where usename = '{APP}' and datname = current_database()"
        )


def test_a_statement_that_answers_nothing_may_fail_late_but_fails(driver):
    def unit():
        yield Statement("insert into tombstones values (:tenant, 'mark', 'a', 1, 0)", {"tenant": "default"})
        yield Statement("insert into tombstones values (:tenant, 'mark', 'a', 1, 0)", {"tenant": "default"})
        return "done"

    with pytest.raises(StorageError) as caught:
        write(driver, unit)
    assert caught.value.outcome == "none"
    assert read(driver, marks) == []
