"""Ask what reckoning nearness from main directions costs in what is found: python bench/one_namespace.py [PATH]

Conversations that are usually kept apart lie in one namespace: those of a LoCoMo file, those beside made-up talks, and
made-up talks alone. The same questions are asked with every vector compared, and with few; *agree* is the share of the
first ten that both have.
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path
from typing import TYPE_CHECKING

from corpus import made_up

from bethink.evals import locomo
from bethink.evals.metrics import ndcg_at, recall_at
from bethink.models.static import StaticEmbedder
from bethink.recall import vector_search
from bethink.recall.namespace_index import NamespaceIndex
from bethink.recall.passage_blocks import block_of
from bethink.recall.passages import of_item

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.evals.cases import Conversation
    from bethink.recall.passages import Passage

TALKS = 40
LIMIT = 10

Key = tuple[int, int]  # of an item: its session and its place there


def laid_out(conversations: Iterable[Conversation]) -> tuple[list[Passage], list[tuple[str, set[Key]]]]:
    """Return the passages of conversations in one namespace, and each question with the keys of what answers it."""
    passages: list[Passage] = []
    asked: list[tuple[str, set[Key]]] = []
    sessions: dict[tuple[int, str], int] = {}
    for number, conversation in enumerate(conversations):
        keys: dict[str, Key] = {}
        for turn in conversation.turns:
            session = sessions.setdefault((number, turn.session), len(sessions) + 1)
            keys[turn.id] = (session, turn.item.seq)
            passages += of_item(turn.item, session)
        asked += [
            (question.text, {keys[one] for one in question.gold}) for question in conversation.questions
        ]
    return passages, [(text, gold) for text, gold in asked if gold]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path, nargs="?", help="a LoCoMo file; without one, talks alone")
    parser.add_argument("--compared", type=int, nargs="*", default=[256, vector_search.COMPARED, 512])
    options = parser.parse_args()
    talks = made_up(TALKS)
    sets: dict[str, tuple[list[Conversation], list[Conversation]]] = {"talks": (talks, [])}
    if options.path:
        said = list(locomo.load(options.path))
        sets = {"LoCoMo": (said, []), "LoCoMo beside talks": (said, talks), **sets}
    embedder = StaticEmbedder()
    print(f"{'':22}{'passages':>9}{'questions':>10}{'compared':>10}{'R@10':>8}{'nDCG@10':>9}{'agree':>8}")
    for name, (conversations, beside) in sets.items():
        passages = laid_out([*conversations, *beside])[0]
        asked = laid_out(conversations)[1]
        block = block_of(passages, embedder.embed([passage.text for passage in passages]))
        vectors = embedder.embed([text for text, _ in asked])
        every: list[list[Key]] = []
        for compared in (None, *options.compared):
            vector_search.WHOLE = len(passages) if compared is None else 0
            vector_search.COMPARED = compared or vector_search.COMPARED
            index = NamespaceIndex()
            index.extend(block)
            found = [
                [(hit.owner, hit.seq) for hit in index.search(text, vector, limit=LIMIT).hits]
                for (text, _), vector in zip(asked, vectors, strict=True)
            ]
            every = every or found
            pairs = list(zip(found, (gold for _, gold in asked), strict=True))
            agree = statistics.mean(
                len(set(few) & set(all_)) / max(len(all_), 1) for few, all_ in zip(found, every, strict=True)
            )
            print(
                f"{name:22}{len(passages):>9,}{len(asked):>10,}{compared or 'all':>10}"
                f"{statistics.mean(recall_at(hits, gold, LIMIT) for hits, gold in pairs):>8.4f}"
                f"{statistics.mean(ndcg_at(hits, gold, LIMIT) for hits, gold in pairs):>9.4f}{agree:>8.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
