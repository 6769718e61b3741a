"""Say what each microsecond of a warm recall is spent on: python bench/recall_profile.py [--passages 10000]

Every stage is timed from outside, without what it calls in turn, so that the rows add up to the whole. Beside it
stands a floor of the same run: one scan of a matrix of that size with numpy. The watch itself costs about a third of
a microsecond a call; the last lines are the whole without it, with nothing between two questions and with that scan.
"""

from __future__ import annotations

import argparse
import inspect
import random
import statistics
import tempfile
import time
from collections import defaultdict
from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np
from library import sentences
from measure import interleaved, row

from bethink import Memory
from bethink.memory import scope_recall
from bethink.memory.scope import AsyncScope
from bethink.models.static import StaticEmbedder
from bethink.recall import namespace_index as index_of
from bethink.recall import scoring, service, transactions
from bethink.recall.index_cache import Indexes
from bethink.recall.namespace_index import NamespaceIndex
from bethink.recall.scoring import Scorer
from bethink.recall.vector_search import VectorSearch
from bethink.storage import sqlite

if TYPE_CHECKING:
    from collections.abc import Callable

#: what is timed: where it is found, its name there, and the row of the table that it belongs to
STAGES: tuple[tuple[Any, str, str], ...] = (
    (AsyncScope, "recall", "the face: arguments checked, rights, the clock"),
    (scope_recall, "recall", "the service: what calls what"),
    (Indexes, "current", "is there anything new?"),
    (sqlite, "run_reading", "the store: begin, statements, commit"),
    (transactions, "fetch", "the unit that reads the hits: rows to values"),
    (StaticEmbedder, "embed", "the vector of the question"),
    (index_of, "query_terms", "the words of the question"),
    (NamespaceIndex, "search", "the index: filter, choice of the best"),
    (NamespaceIndex, "_best", "the index: filter, choice of the best"),
    (NamespaceIndex, "_hits", "the index: what each leg gave the best"),
    (NamespaceIndex, "_judged", "how likely an answer is"),
    (Scorer, "find", "words: look-up of postings"),
    (Scorer, "_words", "words: BM25"),
    (VectorSearch, "of_all", "meaning"),
    (Scorer, "score", "legs added up"),
    (Scorer, "_sought", "words: look-up of postings"),
    (Scorer, "_around", "legs added up"),
    (Scorer, "_join", "legs added up"),
    (scoring, "cover", "coverage"),
    (scoring, "smooth", "neighbours"),
    (Scorer, "_episodes", "episodes"),
    (service, "_fetch", "hits: text out of JSON, guard, values"),
)


class Watch:
    """Counts the time of nested calls, each without its inner ones."""

    def __init__(self) -> None:
        self.spent: dict[str, int] = defaultdict(int)
        self._inner = [0]

    def over(self, call: Callable[..., Any], name: str) -> Callable[..., Any]:
        def end(start: int) -> None:
            whole = time.perf_counter_ns() - start
            self.spent[name] += whole - self._inner.pop()
            self._inner[-1] += whole

        @wraps(call)
        def timed(*args: Any, **kwargs: Any) -> Any:
            self._inner.append(0)
            start = time.perf_counter_ns()
            try:
                return call(*args, **kwargs)
            finally:
                end(start)

        @wraps(call)
        async def timed_async(*args: Any, **kwargs: Any) -> Any:  # over a file it never suspends
            self._inner.append(0)
            start = time.perf_counter_ns()
            try:
                return await call(*args, **kwargs)
            finally:
                end(start)

        return timed_async if inspect.iscoroutinefunction(call) else timed


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=400)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Memory(f"{folder}/profile.db") as memory:
        scope = memory.scope(user="profile")
        texts = sentences(options.passages)
        for start in range(0, len(texts), 1_000):
            part = [{"role": "user", "content": text} for text in texts[start : start + 1_000]]
            scope.session(f"s{start}").append(part)
        rng = random.Random(1)
        queries = [" ".join(rng.sample(text.split(), 4)) for text in rng.sample(texts, 50)]
        matrix = np.random.default_rng(0).standard_normal((options.passages, 256), np.float32)
        turns = iter(range(1 << 40))

        def ask() -> object:
            return scope.recall(queries[next(turns) % len(queries)])

        (alone,) = interleaved(options.rounds, ask, warm=60)
        whole, floor = interleaved(options.rounds, ask, lambda: np.vecdot(matrix, matrix[0]), warm=60)
        watch = Watch()
        kept = [(place, name, getattr(place, name)) for place, name, _ in STAGES]
        for place, name, stage in STAGES:
            setattr(place, name, watch.over(getattr(place, name), stage))
        rounds: list[dict[str, int]] = []
        for _ in range(options.rounds):
            watch.spent.clear()
            ask()
            rounds.append(dict(watch.spent))
        for place, name, call in kept:
            setattr(place, name, call)
    print(f"{'stage':<52}{'p50 µs':>9}{'min µs':>9}{'share':>8}")
    names = list(dict.fromkeys(stage for _, _, stage in STAGES))
    medians = {name: statistics.median(each.get(name, 0) for each in rounds) / 1000 for name in names}
    for name in names:
        least = min(each.get(name, 0) for each in rounds) / 1000
        print(f"{name:<52}{medians[name]:>9.0f}{least:>9.0f}{medians[name] / sum(medians.values()):>8.0%}")
    print(f"{'together':<52}{sum(medians.values()):>9.0f}")
    print(f"recall, one question after the other   {alone.median:>10,.0f} µs  {alone.least:>10,.0f} min")
    row(f"recall, {options.passages:,} passages, unwatched", whole, floor, "one scan of such a matrix")


if __name__ == "__main__":
    main()
