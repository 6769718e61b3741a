"""LangGraph's store and saver over Bethink, beside LangGraph's own SQLite ones."""

from __future__ import annotations

import asyncio
import hashlib
from contextlib import AsyncExitStack
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

from in_turn import awaited, compare, head

from bethink import AsyncMemory, Memory
from bethink.integrations.langgraph import BethinkSaver, BethinkStore

if TYPE_CHECKING:
    from collections.abc import Callable

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


def measure(folder: Path, rounds: int) -> None:
    """Do each step with both in turn."""
    with (
        Memory(str(folder / "plain.db")) as memory,
        SqliteStore.from_conn_string(str(folder / "store.db")) as store,
        SqliteSaver.from_conn_string(str(folder / "saver.db")) as saver,
    ):
        store.setup()
        head("The store, without an index")
        stores(BethinkStore(memory, index=False), store, rounds, indexed=False)
        head("The saver")
        savers(BethinkSaver(memory), saver, rounds)
    with_vectors(folder, rounds)
    asyncio.run(on_a_loop(folder, rounds))
    bytes_of_a_thread(folder)
