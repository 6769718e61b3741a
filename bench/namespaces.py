"""Recall in one namespace while others fill the file: python bench/namespaces.py [--others 0,1000,100000] [--hot 1000]

The namespace asked has 1,000 passages; each of the others has one note. `--hot` asks so many of the others once before,
so that their indexes are in memory too. A floor stands beside each row: a scan of so many vectors, and a look-up of one
row in a table of the same file.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from pathlib import Path

import numpy as np
from library import sentences
from measure import interleaved, row

from bethink import AsyncMemory, Memory

PASSAGES = 1_000
AT_ONCE = 1_000


def fill(url: str, first: int, last: int) -> None:
    """Remember one note in each of many namespaces; writes that wait together commit together."""

    async def remember() -> None:
        async with AsyncMemory(url) as memory:
            for start in range(first, last, AT_ONCE):
                users = range(start, min(start + AT_ONCE, last))
                await asyncio.gather(
                    *(
                        memory.scope(user=f"other-{user}").remember(f"Number {user} likes tea.")
                        for user in users
                    )
                )

    asyncio.run(remember())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--others", default="0,1000,100000")
    parser.add_argument("--hot", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--folder", type=Path, help="where the file goes")
    options = parser.parse_args()
    texts = sentences(PASSAGES)
    rng = random.Random(1)
    queries = [" ".join(rng.sample(text.split(), 4)) for text in rng.sample(texts, 50)]
    matrix = np.random.default_rng(0).standard_normal((PASSAGES, 256), np.float32)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        url = f"{folder}/namespaces.db"
        with Memory(url) as memory:
            part = [{"role": "user", "content": text} for text in texts]
            memory.scope(user="asked").session("s").append(part)
        filled = 0
        for others in map(int, options.others.split(",")):
            fill(url, filled, others)
            filled = max(filled, others)
            with Memory(url) as memory:
                for user in range(min(options.hot, others)):
                    memory.scope(user=f"other-{user}").recall("tea")
                scope = memory.scope(user="asked")
                turns = iter(range(1 << 40))

                def ask(scope=scope, turns=turns) -> None:
                    scope.recall(queries[next(turns) % len(queries)])

                def insert_and_ask(scope=scope, turns=turns) -> None:
                    number = next(turns)
                    scope.remember(f"A pebble of sort {number} lies here.")
                    assert any(str(number) in hit.text for hit in scope.recall(f"pebble sort {number}"))

                warm, floor = interleaved(
                    options.rounds, ask, lambda: np.vecdot(matrix, matrix[0]), warm=len(queries)
                )
                fresh, _ = interleaved(options.rounds // 6, insert_and_ask, lambda: None)
            row(f"recall, {others:,} other namespaces", warm, floor, "one vector scan")
            row(f"remember + recall, {others:,} others", fresh, floor, "one vector scan")


if __name__ == "__main__":
    main()
