"""Writes a second when 1, 8 and 32 callers wait at once, beside a bare loop of the same statements through psycopg.

    python bench/callers.py [--verb remember] [--seconds 2] [--rounds 3]
    python bench/callers.py --verb recall

Each caller appends an item, or keeps a note, at a time for a user of their own. The bare loop sends what one such write
sends, with its parameters: BEGIN, the tenant, the statements with their rows, COMMIT; each of its callers is a thread
with a connection of its own, eight at most. Ours and the bare loop take turns in one run; read the ratio, not the rate.

With `recall` they ask one namespace of 500 notes in a file, as threads and as tasks of one event loop: what is told is
how many times the median the slowest of a hundred takes, from when a caller wants to ask.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import threading
import time
from pathlib import Path

import psycopg
from server import NOTES, WORDS

from bethink import AsyncMemory, Memory
from bethink.ids import Ids
from bethink.lifecycle.capture import admit, store_admitted
from bethink.lifecycle.guard import RulesGuard
from bethink.lifecycle.guard.cached_guard import CachedGuard
from bethink.notes.values import NewNote
from bethink.scope.namespace import Namespace
from bethink.scope.transactions import Writing
from bethink.sessions import log_append
from bethink.storage.postgresql_dialect import POSTGRESQL
from bethink.testing.postgresql import Cluster
from bethink.testing.writings import message

IDS, GUARD = Ids(), CachedGuard(RulesGuard())
TEXT = "I would rather sit at the window this time, if that is possible at all. " * 3
THREADS = 8
QUESTIONS = [f"where is a {words}" for words in WORDS]


async def ours(url: str, verb: str, callers: int, seconds: float) -> float:
    """Return writes a second through the library."""
    async with AsyncMemory(url, embedder=None) as memory:
        end, count = time.perf_counter() + seconds, 0

        async def caller(number: int) -> None:
            nonlocal count
            scope = memory.scope(agent="bot", user=f"user-{number}")
            session = scope.session("s")
            while time.perf_counter() < end:
                if verb == "append":
                    await session.append([{"role": "user", "content": TEXT}])
                else:
                    await scope.remember(TEXT)
                count += 1

        await memory.scope(agent="bot", user="first").session("s").append([{"role": "user", "content": TEXT}])
        began = time.perf_counter()
        await asyncio.gather(*(caller(number) for number in range(callers)))
        return count / (time.perf_counter() - began)


def one(connection: psycopg.Connection, verb: str, namespace: Namespace) -> None:
    """Send what one write sends."""
    writing = Writing(now=time.time_ns() // 1000, fresh=IDS)
    if verb == "append":
        work = log_append.append(namespace, "s", [message(TEXT)], writing=writing)
    else:
        work = store_admitted(namespace, admit(NewNote(text=TEXT), GUARD), writing=writing)
    connection.execute("begin isolation level read committed read write", prepare=False)
    connection.execute("set local bethink.tenant_id to 'default'", prepare=False)
    rows = None
    try:
        while True:
            statement = work.send(rows)
            text = POSTGRESQL.prepare(statement.sql)
            if statement.many is not None:
                cursor = connection.cursor(binary=True)
                cursor.executemany(text, statement.many)
                rows = []
                continue
            cursor = connection.cursor(binary=True).execute(text, statement.params)
            rows = cursor.fetchall() if cursor.description else []
    except StopIteration:
        connection.execute("commit", prepare=False)


def bare(url: str, verb: str, callers: int, seconds: float) -> float:
    """Return writes a second by plain connections."""
    counts, threads = [0] * callers, min(callers, THREADS)
    begin = threading.Barrier(threads + 1)

    def caller(number: int) -> None:
        with psycopg.connect(url, autocommit=True, prepare_threshold=3) as connection:
            namespace = Namespace(name="bare", user=f"user-{number}")
            one(connection, verb, namespace)
            begin.wait()
            end = time.perf_counter() + seconds
            while time.perf_counter() < end:
                one(connection, verb, namespace)
                counts[number] += 1

    working = [threading.Thread(target=caller, args=(number,)) for number in range(threads)]
    for each in working:
        each.start()
    begin.wait()
    began = time.perf_counter()
    for each in working:
        each.join()
    return sum(counts) / (time.perf_counter() - began)


def asked_by_threads(path: str, callers: int, seconds: float) -> list[float]:
    """Return how long each recall took, in seconds, where threads ask."""
    took: list[float] = []
    begin = threading.Barrier(callers)
    with Memory(path) as memory:
        scope = memory.scope(agent="bot", user="known")
        scope.recall("aisle")

        def caller(number: int) -> None:
            own: list[float] = []
            begin.wait()
            end = time.perf_counter() + seconds
            while (began := time.perf_counter()) < end:
                scope.recall(QUESTIONS[(number + len(own)) % len(QUESTIONS)])
                own.append(time.perf_counter() - began)
            took.extend(own)

        working = [threading.Thread(target=caller, args=(number,)) for number in range(callers)]
        for each in working:
            each.start()
        for each in working:
            each.join()
    return took


async def asked_by_tasks(path: str, callers: int, seconds: float) -> list[float]:
    """Return how long each recall took, in seconds, where tasks ask; the wait for the event loop counts."""
    took: list[float] = []
    async with AsyncMemory(path) as memory:
        scope = memory.scope(agent="bot", user="known")
        await scope.recall("aisle")
        end = time.perf_counter() + seconds

        async def caller(number: int) -> None:
            while (began := time.perf_counter()) < end:
                await asyncio.sleep(0)
                await scope.recall(QUESTIONS[(number + len(took)) % len(QUESTIONS)])
                took.append(time.perf_counter() - began)

        await asyncio.gather(*(caller(number) for number in range(callers)))
    return took


def asked_of_loop(path: str, callers: int, seconds: float) -> list[float]:
    """Do what `asked_by_tasks` does, on an event loop of its own."""
    return asyncio.run(asked_by_tasks(path, callers, seconds))


def slowness(took: list[float]) -> tuple[float, float, float]:
    """Return the median, the slowest of a hundred, and how many times the one the other is."""
    took = sorted(took)
    middle, slow = took[len(took) // 2], took[int(len(took) * 0.99)]
    return middle, slow, slow / middle


def recalls(seconds: float, rounds: int) -> None:
    """Tell how slow recalls are when some callers ask at once: the middle of the rounds."""
    print("| callers | kind | recalls /s | p50 ms | p99 ms | p99 of p50 |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "m.db")
        with Memory(path) as memory:
            scope = memory.scope(agent="bot", user="known")
            for number in range(NOTES):
                wish = WORDS[number % len(WORDS)]
                scope.remember(f"On trip {number} asked for {wish} in city {number % 40}.")
        for callers in (1, 8, 32):
            for kind, ask in (("sync", asked_by_threads), ("async", asked_of_loop)):
                found = [ask(path, callers, seconds) for _ in range(rounds)]
                rate = statistics.median(map(len, found)) / seconds
                columns = zip(*map(slowness, found), strict=True)
                middle, slow, times = (statistics.median(column) for column in columns)
                shown = f"{rate:.0f} | {middle * 1e3:.2f} | {slow * 1e3:.2f} | {times:.1f}"
                print(f"| {callers} | {kind} | {shown} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--verb", choices=("append", "remember", "recall"), default="append")
    given = parser.parse_args()
    if given.verb == "recall":
        recalls(given.seconds, given.rounds)
        return
    cluster = Cluster(durable=True)
    try:
        url = cluster.url(cluster.create())
        print("| callers | SQLite /s | PostgreSQL /s | bare psycopg /s | of bare |\n|---|---|---|---|---|")
        for callers in (1, 8, 32):
            found: dict[str, list[float]] = {"file": [], "ours": [], "bare": []}
            for _ in range(given.rounds):
                with tempfile.TemporaryDirectory() as folder:
                    found["file"].append(
                        asyncio.run(ours(str(Path(folder) / "m.db"), given.verb, callers, given.seconds))
                    )
                found["ours"].append(asyncio.run(ours(url, given.verb, callers, given.seconds)))
                found["bare"].append(bare(url, given.verb, callers, given.seconds))
            file, own, floor = (statistics.median(found[name]) for name in ("file", "ours", "bare"))
            print(f"| {callers} | {file:.0f} | {own:.0f} | {floor:.0f} | {own / floor:.2f} |", flush=True)
    finally:
        cluster.close()


if __name__ == "__main__":
    main()
