"""Time the search of one namespace in memory, and reading it from packed blocks; no embedding is timed.

    python bench/recall_index.py [--sizes 1000,10000,100000,1000000] [--queries 100] [--notes]

Passages are made up: twenty words from a Zipf distribution, sessions of 25 items two minutes apart, vectors of 256
numbers in clusters. A query takes five words of some passage that are no stop words, and a vector near its own.
Filters let through a tenth of the sessions, or one session; with `--notes` all passages are notes, and filters let
through one of ten categories, or one of a hundred cities. Beside each size stands a floor of the same minute: one scan
of a tenth of the vectors as 32-bit floats, with numpy.
"""

# ruff: noqa: E402  # threads are counted before numpy is loaded
from __future__ import annotations

import argparse
import os
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np
from measure import TOLD

from bethink.recall.filter_columns import FilterFields
from bethink.recall.namespace_index import NamespaceIndex, SearchFilter
from bethink.recall.passage_blocks import LONGEST, Block, pack, quantise, unpack
from bethink.recall.tokenizer import terms

WORDS = 30_000
FREQUENT = 20  # words that stand for stop words
DIMENSIONS = 256
ROWS = 1_000  # passages a block


class World:
    """What passages are made of."""

    def __init__(self, seed: int = 0) -> None:
        self.chance = np.random.default_rng(seed)
        self.words = [f"w{number}" for number in range(WORDS)]
        self.hashes = np.array([terms(word)[0] for word in self.words], np.uint64)
        weights = 1 / (np.arange(WORDS) + 10.0)
        self.shares = weights / weights.sum()
        self.centres = self.chance.standard_normal((200, DIMENSIONS)).astype(np.float32)

    def block(self, base: int, rows: int, *, notes: bool = False) -> tuple[Block, np.ndarray, np.ndarray]:
        chance = self.chance
        drawn = chance.choice(WORDS, (rows, 20), p=self.shares)
        keys, repeats = np.unique(
            drawn.astype(np.int64) * rows + np.arange(rows)[:, None], return_counts=True
        )
        word, row = keys // rows, keys % rows
        order = np.lexsort((row, self.hashes[word]))
        vocabulary, counts = np.unique(self.hashes[word], return_counts=True)
        vectors = self.centres[chance.integers(0, 200, rows)]
        vectors = vectors + 1.2 * chance.standard_normal((rows, DIMENSIONS)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        quantised, scales = quantise(vectors)
        numbers = base + np.arange(rows)
        block = Block(
            kinds=np.full(rows, not notes, np.uint8),
            owners=numbers if notes else numbers // 25,
            seqs=numbers * 0 if notes else numbers % 25,
            chunks=np.zeros(rows, np.uint16),
            ats=numbers * 120_000_000,
            roles=(numbers % 2).astype(np.uint8),
            speakers=np.zeros(rows, np.uint64),
            questions=np.zeros(rows, np.uint64),
            words=np.full(rows, 20, np.uint16),
            lengths=np.minimum((drawn >= FREQUENT).sum(1), LONGEST).astype(np.uint16),
            asks=(chance.random(rows) < 0.2).astype(np.uint8),
            wishes=np.zeros(rows, np.uint8),
            vocabulary=vocabulary,
            counts=counts.astype(np.uint32),
            rows=row[order].astype(np.uint32),
            repeats=repeats[order].astype(np.uint8),
            vectors=quantised,
            scales=scales,
        )
        return block, drawn, vectors


def marks_of(base: int) -> dict[int, FilterFields]:
    return {
        number: FilterFields(f"category {number % 10}", metadata=f'{{"city": "City {number % 100}"}}')
        for number in range(base, base + ROWS)
    }


def measure(size: int, queries: int, *, notes: bool) -> None:
    world = World()
    payloads: list[bytes] = []
    asked: list[tuple[str, np.ndarray]] = []
    for base in range(0, size, ROWS):
        block, drawn, vectors = world.block(base, min(ROWS, size - base), notes=notes)
        payloads.append(pack(block))
        if len(asked) < queries:
            for row in world.chance.integers(0, len(block), max(1, queries * ROWS // size)):
                content = [int(word) for word in drawn[row] if word >= FREQUENT][:5]
                vector = vectors[row] + 0.05 * world.chance.standard_normal(DIMENSIONS)
                text = " ".join(world.words[word] for word in content)
                asked.append((text, (vector / np.linalg.norm(vector)).astype(np.float32)))
    asked = asked[:queries]
    start = time.perf_counter()
    index = NamespaceIndex()
    for base, payload in enumerate(payloads):
        index.extend(unpack(payload), marks_of(base * ROWS) if notes else None)
    loaded = time.perf_counter()
    index.search("w1 w2", None)
    settled = time.perf_counter()
    index.search(*asked[0])
    first = time.perf_counter()
    spent = timed(index, asked)
    words = timed(index, [(text, None) for text, _ in asked])
    if notes:
        filters = {
            "a category": SearchFilter(categories={"category 3"}, items=False),
            "a city": SearchFilter(where={"city": "City 7"}, items=False),
        }
    else:
        filters = {
            "a tenth": SearchFilter(sessions=range(max(1, size // 250)), notes=()),
            "a session": SearchFilter(sessions=[3], notes=()),
        }
    filtered = {name: timed(index, asked, allow=allow) for name, allow in filters.items()}
    scanned = np.ones((max(size // 10, 100), DIMENSIONS), np.float32)
    floor: list[float] = []
    for _ in range(20):
        begin = time.perf_counter()
        np.vecdot(scanned, asked[0][1])
        floor.append((time.perf_counter() - begin) * 1e3)
    appended: list[float] = []
    for number in range(20):
        block, *_ = world.block(size + number, 1, notes=notes)
        begin = time.perf_counter()
        index.extend(block)
        index.search(*asked[0])
        appended.append(time.perf_counter() - begin)
    TOLD.tell(
        f"{size:>9,}  warm min {spent.min():6.2f} p50 {np.median(spent):6.2f} p95 {np.percentile(spent, 95):6.2f}"
        f"  words only {np.median(words):6.2f}"
        + "".join(f"  {name} {np.median(times):6.2f}" for name, times in filtered.items())
        + f"  floor min {min(floor):6.2f} p50 {np.median(floor):6.2f}"
        f"  append + search {np.median(appended) * 1e3:6.2f}"
        f"  cold: read {(loaded - start) * 1e3:8.1f} + order {(settled - loaded) * 1e3:7.1f}"
        f" + first {(first - settled) * 1e3:7.1f} ms"
        f"  blocks {sum(map(len, payloads)) / size:5.0f} B/row, memory {index.nbytes / size:6.0f} B/row",
        size=size,
        milliseconds=float(np.median(spent)),
        least=float(spent.min()),
        words_only=float(np.median(words)),
        **{name.replace(" ", "_"): float(np.median(times)) for name, times in filtered.items()},
        append_and_search=float(np.median(appended)) * 1e3,
        cold=(first - start) * 1e3,
        bytes_a_row=sum(map(len, payloads)) / size,
        memory_a_row=index.nbytes / size,
    )


def timed(index: NamespaceIndex, asked: list, **options: object) -> np.ndarray:
    spent = []
    for _ in range(2):
        for text, vector in asked:
            begin = time.perf_counter()
            index.search(text, vector, limit=10, **options)
            spent.append(time.perf_counter() - begin)
    return np.array(spent[len(asked) :]) * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default="1000,10000,100000,1000000")
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--notes", action="store_true", help="notes in place of items")
    TOLD.add_option(parser)
    options = parser.parse_args()
    TOLD.choose(options)
    TOLD.tell("milliseconds, one thread")
    for size in options.sizes.split(","):
        measure(int(size), options.queries, notes=options.notes)
    TOLD.end()


if __name__ == "__main__":
    main()
