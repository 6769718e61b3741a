"""Recall in one large namespace from end to end, by the public face: python bench/recall_large.py [--passages 1000000]

The passages are those of `recall_index.py`. Their blocks are put into the file as they would stand there, since to
analyse a million texts takes minutes; everything else is as it is in use: the log, the look for what is new, the
question's words and vector, the search, the hits read out of the log.
"""

# ruff: noqa: E402  # threads are counted before numpy is loaded
from __future__ import annotations

import argparse
import os
import resource
import tempfile
from dataclasses import replace
from pathlib import Path

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np
from measure import interleaved, row, timed
from recall_index import DIMENSIONS, FREQUENT, ROWS, World

from bethink import Memory
from bethink.models.static import StaticEmbedder
from bethink.recall.passage_blocks import pack
from bethink.recall.transactions import keep_block
from bethink.scope.namespace import Namespace
from bethink.scope.transactions import ScopeRow, find
from bethink.sessions.log_lookup import find_log
from bethink.storage.opening import open_driver
from bethink.storage.stores import BlockingStore, run

USER = "large"


def fill(url: str, passages: int) -> list[str]:
    """Keep the passages, a session for every thousand, with their blocks; return questions."""
    world = World()
    namespace = Namespace(name="default", user=USER)
    blocks = []
    with Memory(url) as memory:
        scope = memory.scope(user=USER)
        for base in range(0, passages, ROWS):
            block, drawn, _ = world.block(base, ROWS)
            texts = [" ".join(world.words[word] for word in line) for line in drawn]
            scope.session(f"s{base}").append([{"role": "user", "content": text} for text in texts])
            content = [world.words[word] for word in drawn[7] if word >= FREQUENT][:5]
            blocks.append((block, " ".join(content)))
    store = BlockingStore(open_driver(url))
    place = run(store.read(find, namespace))
    first = place.revision - len(blocks)
    identity = StaticEmbedder().identity
    for number, (block, _) in enumerate(blocks):
        log = run(store.read(find_log, namespace, f"s{number * ROWS}"))
        held = replace(
            block, owners=np.full(ROWS, log.session), seqs=np.arange(1, ROWS + 1), ats=block.ats % (1 << 40)
        )
        run(
            store.write(
                keep_block,
                ScopeRow(place.tenant, place.scope, first + number + 1),
                after=first + number if number else 0,
                block=number + 1,
                embedder=identity,
                passages=ROWS,
                payload=pack(held),
                without=None,
            )
        )
    store.driver.close()
    return [question for _, question in blocks[:: max(1, len(blocks) // 100)]]


def megabytes() -> float:
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * resource.getpagesize() / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passages", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--folder", type=Path, help="where the file goes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        url = f"{folder}/large.db"
        questions = fill(url, options.passages)
        matrix = np.ones((max(options.passages // 10, 1_000), DIMENSIONS), np.float32)
        with Memory(url) as memory:
            scope = memory.scope(user=USER)
            StaticEmbedder().embed(["words"])
            before = megabytes()
            name = f"recall, {options.passages:,} passages"
            print(f"{name}, cold: {timed(lambda: scope.recall(questions[0])) / 1000:,.0f} ms")
            scope.recall(questions[1])
            print(f"memory that the process grew by: {megabytes() - before:,.0f} MB")
            turns = iter(range(1 << 40))

            def ask(**narrowed: object) -> None:
                scope.recall(questions[next(turns) % len(questions)], **narrowed)

            def append_and_ask() -> None:
                number = f"pebble{next(turns)}"
                scope.session("s0").append([{"role": "user", "content": f"The {number} is here."}])
                assert number in scope.recall(f"where is {number}")[0].text

            def floor() -> None:
                np.vecdot(matrix, matrix[0])

            scanned = f"one scan of {len(matrix):,} vectors"
            for what, call in (
                ("", ask),
                (", one session", lambda: ask(session="s0")),
                (", notes alone", lambda: ask(kinds=("note",))),
            ):
                ours, bare = interleaved(options.rounds, call, floor, warm=10)
                row(name + what, ours, bare, scanned)
            ours, bare = interleaved(20, append_and_ask, floor)
            row(name + ", append first", ours, bare, scanned)


if __name__ == "__main__":
    main()
