"""Time the default embedder on one core: a batch, one text, and the first text of a process.

python bench/embedder.py [--texts 20000]
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time

from measure import TOLD

from bethink.models.static import StaticEmbedder

OPENERS = ("I went", "She said that we go", "They would rather drive", "Tomorrow he flies", "You should come")
PLACES = (
    "to the museum",
    "to a small café near the station",
    "up the coast",
    "home",
    "to her sister's wedding",
)
THINGS = ("because the exhibition closes soon", "with two old friends", "and then we cooked lasagna together")
NAMES = ("Caroline", "Priya", "Zoë", "Takumi", "Oluwaseun", "Margarethe")


def message(random_: random.Random) -> str:
    """Make a message of about 40 words."""
    parts = [
        f"{random_.choice(OPENERS)} {random_.choice(PLACES)} {random_.choice(THINGS)}, said {random_.choice(NAMES)}."
        for _ in range(3)
    ]
    return f"[{random_.randint(1, 28)} May 2023] {' '.join(parts)} #{random_.randint(0, 9999)}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--texts", type=int, default=20_000)
    TOLD.add_option(arguments)
    chosen = arguments.parse_args()
    TOLD.choose(chosen)
    random_ = random.Random(1)
    texts = [message(random_) for _ in range(chosen.texts)]
    words = sum(len(text.split()) for text in texts) / len(texts)

    embedder = StaticEmbedder()
    embedder.embed(texts[:100])
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        embedder.embed(texts)
        best = min(best, time.perf_counter() - start)
    TOLD.tell(f"{embedder.identity}, {embedder.dimensions} dimensions")
    TOLD.tell(
        f"batch   {len(texts) / best:>10,.0f} texts/s   ({len(texts):,} texts of {words:.0f} words, best of 5)",
        name="batch",
        texts_a_second=len(texts) / best,
    )

    spent: list[int] = []
    for text in texts[:5000]:
        start_ns = time.perf_counter_ns()
        embedder.embed([text])
        spent.append(time.perf_counter_ns() - start_ns)
    spent.sort()
    middle, slow = spent[len(spent) // 2] / 1e6, spent[len(spent) * 99 // 100] / 1e6
    TOLD.tell(
        f"single  {middle:>10.4f} ms p50   {slow:.4f} ms p99, warm",
        name="single",
        milliseconds=middle,
        p99=slow,
    )

    code = (
        "import time; a = time.perf_counter(); import numpy; b = time.perf_counter();"
        "from bethink.models.static import StaticEmbedder; StaticEmbedder().embed(['hello there']);"
        "c = time.perf_counter(); print(1e3 * (c - b), 1e3 * (b - a))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    first, numpy = (float(each) for each in done.stdout.split())
    TOLD.tell(f"first   {first:10.1f} ms, after {numpy:.1f} ms for numpy", name="first", milliseconds=first)
    TOLD.end()


if __name__ == "__main__":
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    main()
