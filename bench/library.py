"""The library beside floors measured in the same run: python bench/library.py [--passages 100000] [--folder DIR]

A floor is the least that any implementation has to do: the same rows with a bare driver, the same JSON parsed, the
same number of vector products. Ratios are what to quote: the absolute times are those of the machine of the day.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from pathlib import Path

import apsw
import numpy as np
from measure import TOLD, interleaved, row, timed

from bethink import Memory

WORDS = ("amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "heron", "island", "jasper", "kettle")


def sentences(count: int, seed: int = 7) -> list[str]:
    rng = random.Random(seed)
    nouns = [f"{a}{b}" for a in WORDS for b in ("", "s", "ing", "field", "berg", "ton", "wood")]
    return [
        f"I {rng.choice(['like', 'saw', 'visited', 'bought', 'remember'])} the {rng.choice(nouns)} "
        f"{rng.choice(nouns)} near {rng.choice(nouns)} with {rng.choice(nouns)} number {number}"
        for number in range(count)
    ]


def turn(text: str) -> list[dict[str, object]]:
    return [{"role": "user", "content": text}, {"role": "assistant", "content": text * 3}]


class Floor:
    """The same rows, with nothing around them."""

    def __init__(self, path: Path) -> None:
        self.connection = apsw.Connection(str(path))
        for pragma in ("journal_mode = wal", "synchronous = full"):
            self.connection.execute(f"pragma {pragma}").fetchall()
        self.connection.execute("create table if not exists log (n integer primary key, body text)")

    def append(self, texts: list[str]) -> None:
        self.connection.execute("begin immediate")
        self.connection.executemany("insert into log (body) values (?)", [(text,) for text in texts])
        self.connection.execute("commit")

    def newest(self, count: int) -> list[object]:
        rows = self.connection.execute("select body from log order by n desc limit ?", (count,)).fetchall()
        return [json.loads(body) for (body,) in rows]

    def whole(self) -> list[object]:
        return [json.loads(body) for (body,) in self.connection.execute("select body from log order by n")]


def sessions(memory: Memory, floor: Floor) -> None:
    session = memory.scope(user="sessions").session("long")
    texts = sentences(5_000)
    session.append([item for text in texts for item in turn(text)])
    floor.append([json.dumps(item) for text in texts for item in turn(text)])
    pair = turn("It is late")
    encoded = [json.dumps(item) for item in pair]
    ours, bare = interleaved(200, lambda: session.append(pair), lambda: floor.append(encoded))
    row("append 2 items, durable", ours, bare, "bare driver, same rows")
    ours, bare = interleaved(200, lambda: session.window(messages=50), lambda: floor.newest(50))
    row("window of 50 from 10,000 items", ours, bare, "newest 50 rows, json.loads")
    ours, bare = interleaved(10, session.get_items, floor.whole)
    row("full read of 10,000 items", ours, bare, "all rows, json.loads")


def notes(memory: Memory, floor: Floor) -> None:
    scope = memory.scope(user="notes")
    texts = iter(sentences(100_000, seed=3))
    ours, bare = interleaved(
        200, lambda: scope.remember(next(texts)), lambda: floor.append([json.dumps(next(texts))])
    )
    row("remember, durable", ours, bare, "bare driver, one row")


def recall(memory: Memory, folder: Path, passages: int) -> None:
    scope = memory.scope(user=f"recall-{passages}")
    texts = sentences(passages, seed=passages)
    for start in range(0, passages, 10_000):
        part = [{"role": "user", "content": text} for text in texts[start : start + 10_000]]
        scope.session(f"s{start}").append(part)
    rng = random.Random(1)
    queries = [" ".join(rng.sample(text.split(), 4)) for text in rng.sample(texts, 50)]
    scope.recall(queries[0])
    matrix = np.random.default_rng(0).standard_normal((passages, 256), np.float32)
    vector = matrix[0]
    turns = iter(range(1_000_000))
    ours, bare = interleaved(
        100,
        lambda: scope.recall(queries[next(turns) % len(queries)]),
        lambda: np.argpartition(matrix @ vector, -10),
    )
    row(f"recall, warm, {passages:,} passages", ours, bare, "one vector scan of that size")
    with Memory(str(folder / "library.db")) as other:
        cold = other.scope(user=f"recall-{passages}")
        name = f"recall, cold, {passages:,} passages"
        taken = timed(lambda: cold.recall(queries[0]))
        TOLD.tell(f"{name:<38} {taken / 1000:>10,.0f} ms (once)", name=name, microseconds=taken)


def many_sessions(memory: Memory, floor: Floor) -> None:
    scope = memory.scope(user="many")
    for number in range(10_000):
        scope.session(f"s{number}").append([{"role": "user", "content": "x"}])
    rng = random.Random(2)
    names = [f"s{rng.randrange(10_000)}" for _ in range(1000)]
    turns = iter(range(1_000_000))
    ours, bare = interleaved(
        300,
        lambda: scope.session(names[next(turns) % 1000]).get_items(),
        lambda: floor.newest(1),
    )
    row("fresh handle + read, 10,000 sessions", ours, bare, "one row, json.loads")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, nargs="*", default=[1_000, 10_000, 100_000])
    parser.add_argument(
        "--folder", type=Path, help="where the files go; a folder on a RAM disk shows CPU cost alone"
    )
    parser.add_argument("--sessions", type=int, default=1, help="0 leaves out the 10,000 sessions")
    TOLD.add_option(parser)
    arguments = parser.parse_args()
    TOLD.choose(arguments)
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = Path(name)
        floor = Floor(folder / "floor.db")
        with Memory(str(folder / "library.db")) as memory:
            sessions(memory, floor)
            notes(memory, floor)
            for passages in arguments.passages:
                recall(memory, folder, passages)
            if arguments.sessions:
                many_sessions(memory, floor)
    TOLD.end()


if __name__ == "__main__":
    main()
