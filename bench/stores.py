"""Both stores side by side, each with a floor of its raw driver in the same interleaved run.

    python bench/stores.py                      # append, remember, window: milliseconds a call
    python bench/stores.py --processes          # eight processes of durable commits, against SQLite's own waiting
    python bench/stores.py --sizes              # bytes that an item, a note and a user take

Every commit is durable: SQLite flushes its log (FULL), PostgreSQL waits for its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import apsw
from measure import TOLD

from bethink.ids import Ids
from bethink.notes import transactions as notes
from bethink.notes.values import NewNote
from bethink.scope.namespace import Namespace
from bethink.scope.transactions import Writing
from bethink.sessions import log_append, log_bodies
from bethink.storage.jobs import BlockingJob
from bethink.storage.opening import open_driver
from bethink.storage.stores import AwaitedStore
from bethink.testing.marks import mark
from bethink.testing.postgresql import Cluster, available
from bethink.testing.writings import message

ALICE = Namespace(name="concierge", user="alice")
IDS = Ids()
TEXT = "I would rather sit at the window this time, if that is possible at all. " * 3
FLOOR = """create table if not exists floor (
  tenant text, scope bigint, id bigint, body text, primary key (tenant, scope, id))"""
VERBS = ("append", "remember", "window")
BODY = json.dumps({"role": "user", "content": TEXT})


def writing() -> Writing:
    return Writing(now=time.time_ns() // 1000, fresh=IDS)


class Ours:
    """A store of Bethink; each call is one unit, awaited by one thread."""

    def __init__(self, name: str, url: str) -> None:
        self.name = name
        self.driver = open_driver(url)
        self._write(lambda: log_append.append(ALICE, "long", [message(TEXT)] * 1000, writing=writing()))

    def _write(self, unit) -> None:
        job = BlockingJob(unit, write=True)
        self.driver.start(job)
        job.wait()

    def append(self) -> None:
        self._write(lambda: log_append.append(ALICE, "trip", [message(TEXT)], writing=writing()))

    def remember(self) -> None:
        self._write(lambda: notes.remember(ALICE, NewNote(text=TEXT), writing=writing()))

    def window(self) -> None:
        assert len(self.driver.read(lambda: log_bodies.bodies(ALICE, "long", 50))) == 50

    def together(self, count: int, users: int) -> float:
        """Return appends a second when 32 callers wait at once, for so many users."""

        async def caller(store: AwaitedStore, number: int) -> None:
            who = Namespace(name="concierge", user=f"user-{number % users}")
            for _ in range(count // 32):
                await store.write(log_append.append, who, f"s{number}", [message(TEXT)], writing=writing())

        async def all_callers() -> None:
            store = AwaitedStore(self.driver)
            await asyncio.gather(*(caller(store, number) for number in range(32)))

        began = time.perf_counter()
        asyncio.run(all_callers())
        return count // 32 * 32 / (time.perf_counter() - began)

    def close(self) -> None:
        self.driver.close()


class RawSqlite:
    """The least that a durable write of one row takes with apsw."""

    name = "apsw alone"

    def __init__(self, path: str) -> None:
        self.connection = apsw.Connection(path)
        for text in ("pragma journal_mode = wal", "pragma synchronous = full", FLOOR):
            self.connection.execute(text).fetchall()
        self.connection.execute("begin")
        for number in range(1000):
            self.connection.execute("insert into floor values ('t', 0, ?, ?)", (number, BODY))
        self.connection.execute("commit")

    def append(self) -> None:
        self.connection.execute("begin immediate")
        self.connection.execute("insert into floor values ('t', 1, ?, ?)", (IDS(), BODY))
        self.connection.execute("commit")

    remember = append

    def window(self) -> None:
        text = "select body from floor where tenant = 't' and scope = 0 order by id desc limit 50"
        assert len([json.loads(body) for (body,) in self.connection.execute(text).fetchall()]) == 50

    def close(self) -> None:
        self.connection.close()


class RawPostgresql:
    """The least that a durable write of one row takes with psycopg."""

    name = "psycopg alone"

    def __init__(self, url: str) -> None:
        import psycopg

        self.connection = psycopg.connect(url, autocommit=True)
        self.connection.execute(FLOOR)
        with self.connection.pipeline():
            for number in range(1000):
                self.connection.execute("insert into floor values ('t', 0, %s, %s)", (number, BODY))

    def append(self) -> None:
        self.connection.execute("insert into floor values ('t', 1, %s, %s)", (IDS(), BODY))

    remember = append

    def window(self) -> None:
        text = "select body from floor where tenant = 't' and scope = 0 order by id desc limit 50"
        assert len([json.loads(body) for (body,) in self.connection.execute(text).fetchall()]) == 50

    def close(self) -> None:
        self.connection.close()


def one_caller(stores, rounds: int, calls: int) -> None:
    times: dict[tuple[str, str], list[float]] = {}
    for _ in range(rounds):
        for verb in VERBS:
            for store in stores:
                for _ in range(calls):
                    began = time.perf_counter()
                    getattr(store, verb)()
                    times.setdefault((verb, store.name), []).append((time.perf_counter() - began) * 1000)
    TOLD.tell(f"{'ms a call, p50 (p95)':<24}" + "".join(f"{store.name:>22}" for store in stores))
    for verb in VERBS:
        TOLD.tell(
            f"{verb:<24}" + "".join(f"{cell(times[verb, store.name]):>22}" for store in stores),
            name=verb,
            milliseconds={store.name: statistics.median(times[verb, store.name]) for store in stores},
        )


def cell(times: list[float]) -> str:
    found = sorted(times)
    return f"{statistics.median(found):.2f} ({found[int(len(found) * 0.95)]:.2f})"


def many_callers(stores, rounds: int, calls: int) -> None:
    for users in (32, 1):
        rates: dict[str, list[float]] = {}
        for _ in range(rounds):
            for store in stores:
                if isinstance(store, Ours):
                    rates.setdefault(store.name, []).append(store.together(calls * 16, users))
        middle = {name: statistics.median(found) for name, found in rates.items()}
        cells = [f"{middle[each.name]:.0f}/s" if each.name in rates else "" for each in stores]
        name = f"32 callers, {users} users"
        TOLD.tell(
            f"{name:<24}" + "".join(f"{each:>22}" for each in cells), name=name, appends_a_second=middle
        )


def side_by_side(folder: Path, cluster: Cluster | None, rounds: int, calls: int) -> None:
    stores: list[Ours | RawSqlite | RawPostgresql] = [
        RawSqlite(str(folder / "floor.db")),
        Ours("SQLite", str(folder / "memory.db")),
    ]
    if cluster is not None:
        stores += [
            RawPostgresql(cluster.url(cluster.create(), "bethink_owner")),
            Ours("PostgreSQL", cluster.url(cluster.create())),
        ]
    one_caller(stores, rounds, calls)
    many_callers(stores, rounds, calls)
    for store in stores:
        store.close()


# ---- eight processes --------------------------------------------------------------------------------------------


def busy_process(path: str, name: str, count: int) -> None:
    """Write as one does who relies on SQLite's own waiting."""
    connection = apsw.Connection(path)
    connection.set_busy_timeout(60_000)
    connection.execute("pragma synchronous = full")
    ready()
    for number in range(count):
        connection.execute("begin immediate")
        connection.execute(
            "insert into tombstones values ('default', 'mark', ?, 1, 0)", (f"{name}{number}" + "x" * 1000,)
        )
        connection.execute("commit")


def ours_process(path: str, name: str, count: int) -> None:
    driver = open_driver(path)
    ready()
    for number in range(count):
        job = BlockingJob(lambda number=number: mark(f"{name}{number}" + "x" * 1000), write=True)
        driver.start(job)
        job.wait()
    driver.close()


def grouped_process(path: str, name: str, count: int) -> None:
    """Write as a server does: sixty-four callers of one process wait at once."""
    driver = open_driver(path)
    ready()

    async def caller(store: AwaitedStore, numbers: range) -> None:
        for number in numbers:
            await store.write(mark, f"{name}{number}" + "x" * 1000)

    async def callers() -> None:
        store = AwaitedStore(driver)
        await asyncio.gather(*(caller(store, range(first, count, 64)) for first in range(64)))

    asyncio.run(callers())
    driver.close()


def ready() -> None:
    print("ready", flush=True)
    sys.stdin.readline()


MODES = {"busy": busy_process, "ours": ours_process, "grouped": grouped_process}


def flush_times(folder: Path) -> list[float]:
    """Return how many milliseconds the disk takes to flush a page: all of this depends on it."""
    file = os.open(folder / "flush", os.O_RDWR | os.O_CREAT)
    times: list[float] = []
    for number in range(200):
        os.pwrite(file, b"x" * 4096, number * 4096)
        began = time.perf_counter()
        os.fdatasync(file)
        times.append((time.perf_counter() - began) * 1000)
    os.close(file)
    return times


def eight_processes(folder: Path, rounds: int, commits: int) -> None:
    TOLD.tell(f"the disk flushes a page in {cell(flush_times(folder))} ms, p50 (p95)")
    rates: dict[str, list[float]] = {}
    for round_ in range(rounds):
        for mode in MODES:
            path = str(folder / f"{mode}-{round_}.db")
            open_driver(path).close()
            count = commits * 10 if mode == "grouped" else commits
            command = [sys.executable, __file__, "--worker", mode, path]
            processes = [
                subprocess.Popen(
                    [*command, name, str(count)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
                )
                for name in "abcdefgh"
            ]
            for process in processes:
                assert process.stdout is not None
                assert process.stdout.readline() == "ready\n"
            began = time.perf_counter()
            for process in processes:
                assert process.stdin is not None
                process.stdin.write("go\n")
                process.stdin.flush()
            failed = [process for process in processes if process.wait() != 0]
            took = time.perf_counter() - began
            driver = open_driver(path)
            ((rows,),) = driver.read(_count)
            driver.close()
            assert rows == 8 * count or failed
            rates.setdefault(mode, []).append(rows / took)
            TOLD.tell(
                f"  {mode:<8} {rows} rows in {took:.1f} s: {rows / took:.0f}/s, {len(failed)} processes failed"
            )
    middle = {mode: statistics.median(found) for mode, found in rates.items()}
    TOLD.tell(
        f"eight processes, one commit a write: {middle['ours'] / middle['busy']:.2f} x SQLite's own waiting",
        name="eight processes",
        commits_a_second=middle,
    )
    TOLD.tell(f"eight processes, grouped writes:     {middle['grouped'] / middle['busy']:.1f} x")


def _count():
    from bethink.storage.work import Statement

    return (yield Statement("select count(*) from tombstones", {}))


# ---- sizes ------------------------------------------------------------------------------------------------------


def sizes(folder: Path, cluster: Cluster | None) -> None:
    """Print what an item, a note and a user take on each store: the files before and after many of them."""
    stores = [("SQLite", str(folder / "sizes.db"))]
    database = ""
    if cluster is not None:
        database = cluster.create()
        stores.append(("PostgreSQL", cluster.url(database)))

    def measure(name: str) -> int:
        if name == "SQLite":
            connection = apsw.Connection(stores[0][1])
            connection.execute("pragma wal_checkpoint(truncate)").fetchall()
            connection.close()
            return Path(stores[0][1]).stat().st_size
        assert cluster is not None
        text = """select sum(pg_total_relation_size(oid))::bigint from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace"""
        return cluster.command(text, database=database)[0][0]

    for name, url in stores:
        driver = open_driver(url)

        def write(unit, driver=driver) -> None:
            job = BlockingJob(unit, write=True)
            driver.start(job)
            job.wait()

        write(lambda: log_append.append(ALICE, "trip", [message("x")], writing=writing()))
        start = measure(name)
        write(lambda: log_append.append(ALICE, "trip", [message(TEXT)] * 20_000, writing=writing()))
        items = measure(name)
        for number in range(2_000):
            write(
                lambda number=number: notes.remember(
                    ALICE, NewNote(text=f"{TEXT[:80]} {number}"), writing=writing()
                )
            )
        kept = measure(name)
        for number in range(1_000):
            who = Namespace(name="concierge", user=f"user-{number}")
            write(lambda who=who: log_append.append(who, "dashboard", [message("x")], writing=writing()))
        users = measure(name)
        TOLD.tell(
            f"{name:<12} item of {len(TEXT)} characters {(items - start) / 20_000:.0f} B, "
            f"note of 85 {(kept - items) / 2_000:.0f} B, user with one session {(users - kept) / 1_000:.0f} B",
            name=name,
            item_bytes=(items - start) / 20_000,
            note_bytes=(kept - items) / 2_000,
            user_bytes=(users - kept) / 1_000,
        )
        driver.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    TOLD.add_option(parser)
    parser.add_argument("--processes", action="store_true")
    parser.add_argument("--sizes", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--calls", type=int, default=40)
    parser.add_argument("--commits", type=int, default=500)
    parser.add_argument("--folder", help="where the files lie: on the disk to be measured")
    parser.add_argument("--worker", nargs=4, metavar=("MODE", "PATH", "NAME", "COUNT"))
    given = parser.parse_args()
    if given.worker:
        mode, path, name, count = given.worker
        MODES[mode](path, name, int(count))
        return
    TOLD.choose(given)
    folder = Path(tempfile.mkdtemp(prefix="bethink-bench-", dir=given.folder))
    cluster = Cluster(durable=True) if available() and not given.processes else None
    try:
        if given.processes:
            eight_processes(folder, min(given.rounds, 3), given.commits)
        elif given.sizes:
            sizes(folder, cluster)
        else:
            side_by_side(folder, cluster, given.rounds, given.calls)
        TOLD.end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if cluster is not None:
            with suppress(OSError):
                cluster.close()


if __name__ == "__main__":
    main()
