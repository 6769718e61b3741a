"""LangGraph's store and saver over Bethink, beside LangGraph's own SQLite ones, in one interleaved run.

    make conformance ONLY=langgraph                                       # makes an environment that has both
    .conformance/langgraph/bin/python bench/frameworks.py [--folder /dev/shm] [--rounds 30]

Each step is done by both in turn, round by round, so that a machine whose speed wanders treats both alike. What is
printed is the CPU of the whole process, threads and all; × is how many times as much as ours theirs took in the same
round, the median of the rounds. On a RAM disk it is what they cost beside the disk. Both write through (FULL).
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from functools import partial
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

try:
    from langgraph.checkpoint.sqlite import SqliteSaver
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
    from langgraph.graph import END, START, StateGraph
    from langgraph.store.sqlite import AsyncSqliteStore, SqliteStore
except ImportError as missing:
    raise SystemExit(f"{missing.name} is missing: run `make conformance ONLY=langgraph`") from missing

from bethink import AsyncMemory, Memory
from bethink.integrations.langgraph import BethinkSaver, BethinkStore

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    Step = Callable[[Any, int], Any]

ITEMS = 1_000
DIMS = 256


class State(TypedDict):
    steps: Annotated[list[str], add]
    big: str


def embed(texts: list[str]) -> list[list[float]]:
    """Make vectors of texts without a model, the same for both."""
    rows: list[list[float]] = []
    for text in texts:
        row = [0.0] * DIMS
        for word in text.split():
            row[int.from_bytes(hashlib.blake2s(word.encode(), digest_size=2).digest()) % DIMS] += 1.0
        rows.append(row)
    return rows


def value(number: int) -> dict[str, Any]:
    return {"text": f"The ferry number {number} leaves at noon. " * 6, "n": number, "odd": number % 2}


def graph(saver: Any) -> Any:
    made = StateGraph(State)
    for number in range(3):
        made.add_node(f"step{number}", lambda state: {"steps": [f"step {len(state['steps'])}"]})
    made.add_edge(START, "step0")
    made.add_edge("step0", "step1")
    made.add_edge("step1", "step2")
    made.add_edge("step2", END)
    return made.compile(checkpointer=saver)


def thread(name: str) -> dict[str, Any]:
    return {"configurable": {"thread_id": name}}


def one_round(act: Callable[[], Any]) -> tuple[float, float]:
    cpu, wall = time.process_time_ns(), time.perf_counter_ns()
    act()
    return (time.process_time_ns() - cpu) / 1000, (time.perf_counter_ns() - wall) / 1000


def compare(name: str, ours: Callable[[int], Any], theirs: Callable[[int], Any], rounds: int) -> None:
    """Do a step with both in turn, and print what it took."""
    for warm in range(3):
        ours(-1 - warm)
        theirs(-1 - warm)
    took: list[tuple[float, float, float, float]] = []
    for number in range(rounds):
        pair = (ours, theirs) if number % 2 else (theirs, ours)
        found = {act: one_round(partial(act, number)) for act in pair}
        took.append((*found[ours], *found[theirs]))
    middle = [statistics.median(each) for each in zip(*took, strict=True)]
    ratio = statistics.median(each[2] / each[0] for each in took)
    print(
        f"| {name} | {middle[0]:,.0f} | {middle[2]:,.0f} | {ratio:.2f} | {middle[1]:,.0f} | {middle[3]:,.0f} |"
    )


def head(title: str) -> None:
    print(
        f"\n{title}\n\n| step | ours, µs CPU | theirs | × | ours, µs wall | theirs |\n|---|---|---|---|---|---|"
    )


def stores(ours: Any, theirs: Any, rounds: int, *, indexed: bool) -> None:
    def both(name: str, step: Step) -> None:
        compare(name, lambda number: step(ours, number), lambda number: step(theirs, number), rounds)

    for store in (ours, theirs):
        for start in range(0, ITEMS, 100):
            from langgraph.store.base import PutOp

            store.batch([PutOp(("docs", str(n % 10)), f"k{n}", value(n)) for n in range(start, start + 100)])
    both("put one", lambda store, number: store.put(("docs", "new"), f"k{number}", value(number)))
    if indexed:
        both(
            "search by a query, 10 of 1,000", lambda store, _: store.search(("docs",), query="ferry number 7")
        )
        return
    both("get one", lambda store, number: store.get(("docs", str(abs(number) % 10)), f"k{abs(number)}"))
    both("search by a filter, 10 of 1,000", lambda store, _: store.search(("docs",), filter={"odd": 1}))
    both("the newest 10 of 1,000", lambda store, _: store.search(("docs",)))
    both("the newest 10 of a namespace of 100", lambda store, _: store.search(("docs", "3")))
    both("list namespaces", lambda store, _: store.list_namespaces(prefix=("docs",)))


def savers(ours: Any, theirs: Any, rounds: int) -> None:
    def both(name: str, step: Step) -> None:
        compare(name, lambda number: step(ours, number), lambda number: step(theirs, number), rounds)

    both("run a graph of 3 steps", lambda saver, n: graph(saver).invoke({"steps": []}, thread(f"t{n}")))
    for saver in (ours, theirs):
        for _ in range(10):
            graph(saver).invoke({"steps": [], "big": "x" * 20_000}, thread("long"))
    both("read the newest checkpoint, 20 kB", lambda saver, _: saver.get_tuple(thread("long")))
    both("list 10 checkpoints, 20 kB each", lambda saver, _: list(saver.list(thread("long"), limit=10)))
    both("go on with the thread", lambda saver, _: graph(saver).invoke({"steps": []}, thread("long")))


async def awaited(
    ours: Any, theirs: Any, rounds: int, steps: dict[str, Callable[[Any, int], Awaitable[Any]]]
) -> None:
    """Do steps that are awaited with both in turn."""
    for name, step in steps.items():
        took: list[tuple[float, float, float, float]] = []
        for number in range(-3, rounds):
            found: dict[int, tuple[float, float]] = {}
            for which in (0, 1) if number % 2 else (1, 0):
                cpu, wall = time.process_time_ns(), time.perf_counter_ns()
                await step((ours, theirs)[which], number)
                found[which] = (
                    (time.process_time_ns() - cpu) / 1000,
                    (time.perf_counter_ns() - wall) / 1000,
                )
            if number >= 0:
                took.append((*found[0], *found[1]))
        middle = [statistics.median(each) for each in zip(*took, strict=True)]
        ratio = statistics.median(each[2] / each[0] for each in took)
        print(
            f"| {name} | {middle[0]:,.0f} | {middle[2]:,.0f} | {ratio:.2f} | {middle[1]:,.0f} | {middle[3]:,.0f} |"
        )


async def on_a_loop(folder: Path, rounds: int) -> None:
    async with AsyncExitStack() as stack:
        memory = await stack.enter_async_context(AsyncMemory(str(folder / "awaited.db")))
        store = await stack.enter_async_context(AsyncSqliteStore.from_conn_string(str(folder / "store2.db")))
        await store.setup()
        saver = await stack.enter_async_context(AsyncSqliteSaver.from_conn_string(str(folder / "saver2.db")))

        async def thirty_two(store: Any, number: int) -> None:
            await asyncio.gather(*(store.aput(("docs",), f"{number}-{n}", value(n)) for n in range(32)))

        head("On a loop")
        await awaited(
            BethinkStore(memory, index=False),
            store,
            rounds,
            {
                "put one": lambda store, number: store.aput(("docs",), f"k{number}", value(number)),
                "get one": lambda store, number: store.aget(("docs",), f"k{number}"),
                "put 32 at once": thirty_two,
            },
        )
        await awaited(
            BethinkSaver(memory),
            saver,
            rounds,
            {
                "run a graph of 3 steps": lambda saver, n: graph(saver).ainvoke(
                    {"steps": []}, thread(f"t{n}")
                ),
                "read the newest checkpoint": lambda saver, n: saver.aget_tuple(thread(f"t{n}")),
            },
        )


def bytes_of_a_thread(folder: Path) -> None:
    """Print how a thread grows whose state is large and changes little."""
    print("\nBytes of the file after 100 runs of 3 steps, with 100 kB of state that does not change\n")
    for name, keep in (("ours", None), ("ours, keep=10", 10)):
        path = folder / f"grown-{keep}.db"
        with Memory(str(path)) as memory:
            grow(BethinkSaver(memory, keep=keep))
        print(f"* {name}: {path.stat().st_size / 1e6:,.1f} MB")
    path = folder / "grown-theirs.db"
    with SqliteSaver.from_conn_string(str(path)) as saver:
        grow(saver)
    print(f"* theirs: {path.stat().st_size / 1e6:,.1f} MB")


def grow(saver: Any) -> None:
    made = graph(saver)
    made.invoke({"steps": [], "big": "x" * 100_000}, thread("t"))
    for _ in range(99):
        made.invoke({"steps": []}, thread("t"))


def with_vectors(folder: Path, rounds: int) -> None:
    index: Any = {"dims": DIMS, "embed": embed, "fields": ["text"]}
    theirs: Any = {**index, "text_fields": ["text"]}
    with (
        Memory(str(folder / "found.db")) as memory,
        SqliteStore.from_conn_string(str(folder / "found-theirs.db"), index=theirs) as store,
    ):
        try:
            store.setup()
        except AttributeError:
            print("\nThis Python loads no extensions of SQLite: theirs finds nothing by vectors here.")
            return
        head("The store, with an embedder of the caller's")
        stores(BethinkStore(memory, index=index), store, rounds, indexed=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", help="where the files are: /dev/shm leaves the disk out")
    parser.add_argument("--rounds", type=int, default=30)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=chosen.folder) as name:
        folder = Path(name)
        with (
            Memory(str(folder / "plain.db")) as memory,
            SqliteStore.from_conn_string(str(folder / "store.db")) as store,
            SqliteSaver.from_conn_string(str(folder / "saver.db")) as saver,
        ):
            store.setup()
            head("The store, without an index")
            stores(BethinkStore(memory, index=False), store, chosen.rounds, indexed=False)
            head("The saver")
            savers(BethinkSaver(memory), saver, chosen.rounds)
        with_vectors(folder, chosen.rounds)
        asyncio.run(on_a_loop(folder, chosen.rounds))
        bytes_of_a_thread(folder)


if __name__ == "__main__":
    main()
