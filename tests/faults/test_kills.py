"""Kill processes at any moment: what was acknowledged stays, nothing is half there, nothing needs repair."""

import threading
import time
from functools import partial

import pytest

from bethink.errors import StorageError
from bethink.storage.migrations import migrations
from bethink.storage.opening import open_driver
from bethink.storage.postgresql import PostgresqlDriver
from bethink.storage.sqlite import SqliteDriver
from bethink.testing.postgresql import ABSENT, OWNER, Cluster, available
from tests.faults.ledger import KILLS, Ledger, check, kill_a_writer, plan
from tests.faults.writer import KINDS, write

ALL = list(KINDS)


def report(capsys, what, ledger):
    with capsys.disabled():
        print(f"\n{what}: {ledger}")  # noqa: T201 - the log of the run


def test_a_file_survives_every_kill(tmp_path, capsys):
    path = str(tmp_path / "memory.db")
    SqliteDriver(path).close()
    ledger = Ledger()
    chance, kills = plan(ALL, seed=1)
    for kind, inside in kills:
        kill_a_writer(ledger, path, kind, chance, inside=inside)
        driver = SqliteDriver(path)
        assert driver._writer.connection.execute("pragma integrity_check").fetchall() == [("ok",)]
        check(driver, ledger)
        driver.close()
    report(capsys, "SQLite", ledger)
    assert ledger.inside * 2 >= ledger.kills == len(kills)


def test_a_file_survives_every_kill_while_it_is_migrated(tmp_path, capsys):
    ledger = Ledger()
    chance, kills = plan(["migrate"], seed=2)
    for number, (kind, inside) in enumerate(kills):
        path = str(tmp_path / f"{number}.db")
        kill_a_writer(ledger, path, kind, chance, inside=inside)
        driver = SqliteDriver(path)
        assert driver._writer.connection.execute("pragma integrity_check").fetchall() == [("ok",)]
        assert len(driver._applied(driver._writer.connection)) == len(migrations("sqlite"))
        write(driver, lambda: KINDS["append"](1))
        driver.close()
    report(capsys, "SQLite, migrating", ledger)
    assert ledger.inside * 2 >= ledger.kills


# ---- PostgreSQL -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster():
    """A server that writes through to the disk, and that may be killed."""
    if not available():
        pytest.skip(ABSENT)
    cluster = Cluster(durable=True)
    yield cluster
    cluster.close()


@pytest.fixture
def database(cluster):
    name = cluster.create()
    yield name
    cluster.drop(name)


def check_indexes(cluster, database):
    """Have the server compare every index with its table."""
    cluster.command("create extension if not exists amcheck", database=database)
    cluster.command(
        """select bt_index_check(indexrelid, true) from pg_index join pg_class on pg_class.oid = indrelid
        where relnamespace = 'public'::regnamespace""",
        database=database,
    )


def test_a_database_survives_every_kill_of_its_clients(cluster, database, capsys):
    ledger = Ledger()
    chance, kills = plan(ALL, seed=3)
    driver = PostgresqlDriver(cluster.url(database))
    for kind, inside in kills:
        kill_a_writer(ledger, cluster.url(database), kind, chance, inside=inside)
        # A dead client's transaction is over when the server notices: its next write waits for that at most.
        write(driver, lambda: KINDS["append"](ledger.next("append")))
        number = ledger.next("append")
        ledger.begun.setdefault("append", set()).add(number)
        check(driver, ledger)
    check_indexes(cluster, database)
    driver.close()
    report(capsys, "PostgreSQL, clients", ledger)
    assert ledger.inside * 2 >= ledger.kills == len(kills)


def test_a_database_survives_every_kill_while_it_is_migrated(cluster, capsys):
    ledger = Ledger()
    chance, kills = plan(["migrate"], seed=4)
    for kind, inside in kills[:: 1 if KILLS > 20 else 4]:
        name = cluster.create(template="template0")
        kill_a_writer(ledger, cluster.url(name, OWNER), kind, chance, inside=inside)
        PostgresqlDriver.migrate(cluster.url(name, OWNER))
        driver = PostgresqlDriver(cluster.url(name))
        write(driver, lambda: KINDS["append"](1))
        driver.close()
        cluster.drop(name)
    report(capsys, "PostgreSQL, migrating", ledger)


def test_a_server_that_is_killed_keeps_what_was_acknowledged(cluster, database, capsys):
    """Five threads write while the server is killed; each error says truly what became of its write."""
    outcomes = {"applied": 0, "none": 0, "unknown": 0}
    ledger = Ledger()
    rounds = max(2, KILLS // 4)
    chance, _ = plan(ALL, seed=5)
    kinds = ["remember", "revise", "converse", "append", "consolidate"]
    refused = {kind: {} for kind in kinds}  # numbers, each with what the error said
    for kind in kinds:
        ledger.begun[kind], ledger.acknowledged[kind] = set(), set()
    for _ in range(rounds):
        driver = PostgresqlDriver(cluster.url(database))
        started = threading.Barrier(len(kinds) + 1)

        def work(kind, driver=driver, started=started):
            started.wait()
            while True:
                number = ledger.next(kind)
                ledger.begun[kind].add(number)
                try:
                    write(driver, partial(KINDS[kind], number))
                except StorageError as error:
                    outcomes[error.outcome] += 1
                    if error.outcome == "none":
                        refused[kind][number] = (error.reason, str(error))
                    return
                outcomes["applied"] += 1
                ledger.acknowledged[kind].add(number)

        threads = [threading.Thread(target=work, args=(kind,)) for kind in kinds]
        for thread in threads:
            thread.start()
        started.wait()
        time.sleep(chance.uniform(0.05, 0.4))
        cluster.kill()
        for thread in threads:
            thread.join()
        ledger.kills += 1
        driver.close()
        cluster.start()
        driver = PostgresqlDriver(cluster.url(database))
        for kind in kinds:  # what was said not to have been written is not there
            ledger.begun[kind] -= refused[kind].keys()
        try:
            check(driver, ledger)
        except AssertionError:
            print(refused)  # noqa: T201
            raise
        for kind in kinds:
            ledger.begun[kind] |= refused[kind].keys()
        driver.close()
        check_indexes(cluster, database)
    report(capsys, "PostgreSQL, server", f"{ledger}; outcomes {outcomes}")
    assert outcomes["applied"] > 0
    open_driver(cluster.url(database)).close()
