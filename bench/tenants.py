"""Many tenants in one server process: the first and the later calls of each, beside those of one tenant alone.

    python bench/tenants.py                     # a file and PostgreSQL; 1, 200 and 1,000 tenants, 16 clients
    python bench/tenants.py --tenants 1 50

Each loop of a client is of the next tenant: a note, an item, a recall that has to find the tenant's own number.
The memories are lent as the server lends them; there is no HTTP in between.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from bethink.server.options import Options, Work
from bethink.server.tenants import Tenants
from bethink.testing.faces import HashingEmbedder
from bethink.testing.postgresql import Cluster, available

CLIENTS = 16


async def loops(url: str, count: int, rounds: int) -> tuple[list[float], list[float], float, int]:
    """Return the times of notes and of recalls, the loops a second, and how many found another's number."""
    tenants = Tenants(Options(db=url, embedder=HashingEmbedder(), work=Work(here=False)))
    async with tenants.using("default") as memory:
        await memory.scopes()  # the database is open: what is measured is what tenants cost
    turn, notes, recalls, wrong = iter(range(rounds)), [], [], 0

    async def client() -> None:
        nonlocal wrong
        for number in turn:
            tenant = f"tenant-{number % count}"
            began = time.perf_counter()
            async with tenants.using(tenant) as memory:
                scope = memory.scope(agent="bot", user="alice")
                await scope.remember(f"The number of {tenant} is {number % count}.", key="number")
            notes.append(time.perf_counter() - began)
            async with tenants.using(tenant) as memory:
                scope = memory.scope(agent="bot", user="alice")
                await scope.session("s").append([{"role": "user", "content": f"Round {number}."}])
                began = time.perf_counter()
                found = await scope.recall("which number", limit=3, kinds=("note",))
            recalls.append(time.perf_counter() - began)
            wrong += [hit.text for hit in found] != [f"The number of {tenant} is {number % count}."]

    began = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(CLIENTS)))
    seconds = time.perf_counter() - began
    await tenants.close()
    return notes, recalls, rounds / seconds, wrong


def shown(times: list[float]) -> str:
    ordered = sorted(times)
    return f"{statistics.median(ordered) * 1000:.1f} | {ordered[int(len(ordered) * 0.99)] * 1000:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tenants", type=int, nargs="+", default=[1, 200, 1_000])
    parser.add_argument("--rounds", type=int, default=1_500, help="loops a run")
    given = parser.parse_args()
    print("| store | tenants | note p50 ms | p99 | recall p50 ms | p99 | loops/s | wrong |")
    print("|---|---|---|---|---|---|---|---|")
    cluster = Cluster(durable=True) if available() else None
    try:
        for count in given.tenants:
            with tempfile.TemporaryDirectory() as folder:
                stores = [("SQLite", str(Path(folder) / "memory.db"))]
                if cluster is not None:
                    stores.append(("PostgreSQL", cluster.url(cluster.create())))
                for name, url in stores:
                    notes, recalls, rate, wrong = asyncio.run(loops(url, count, given.rounds))
                    print(
                        f"| {name} | {count} | {shown(notes)} | {shown(recalls)} | {rate:.0f} | {wrong} |",
                        flush=True,
                    )
    finally:
        if cluster is not None:
            cluster.close()


if __name__ == "__main__":
    main()
