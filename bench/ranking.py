"""Rank the turns of a LoCoMo file with the pure pipeline, and print what was found.

python bench/ranking.py PATH|long|long5 [--embedder none|static|wordllama] [--keep 1,2]
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from long_chat import long_chat, long_chats
from measure import TOLD

from bethink.evals import locomo
from bethink.evals.scores import score, summary
from bethink.recall.fusion import DEFAULT, Weights
from bethink.recall.namespace_index import NamespaceIndex
from bethink.recall.passage_blocks import block_of, pack, unpack
from bethink.recall.passage_vectors import vectors_of
from bethink.recall.passages import Passage, of_item
from bethink.sessions.token_counts import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bethink.evals.cases import Conversation, Turn
    from bethink.evals.scores import Scored
    from bethink.models.embedding import Embedder

SHOWN = ("R@5", "R@10", "R@20", "nDCG@10", "session R@5")


class WordLlamaEmbedder:
    """The vectors of the wordllama package, where it is installed."""

    def __init__(self) -> None:
        import wordllama

        home = Path(wordllama.__file__).parent
        self._model = wordllama.WordLlama.load(cache_dir=home, disable_download=True)
        self.identity = "wordllama"
        self.dimensions = 256

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raw = np.nan_to_num(np.asarray(self._model.embed([text or " " for text in texts]), np.float32))
        return raw / np.maximum(np.linalg.norm(raw, axis=1, keepdims=True), 1e-9)


def embedder_named(name: str) -> Embedder | None:
    if name == "none":
        return None
    if name == "wordllama":
        return WordLlamaEmbedder()
    from bethink.models.static import StaticEmbedder

    return StaticEmbedder()


def index_of(
    conversation: Conversation,
    embedder: Embedder | None,
    notes: Sequence[str] = (),
    weights: Weights = DEFAULT,
) -> tuple[NamespaceIndex, dict[tuple[int, int], str]]:
    keys = {
        name: number
        for number, name in enumerate(dict.fromkeys(turn.session for turn in conversation.turns), 1)
    }
    passages = [passage for turn in conversation.turns for passage in of_item(turn.item, keys[turn.session])]
    passages += [
        Passage(kind="note", owner=key, text=text, words=len(text.split())) for key, text in enumerate(notes)
    ]
    vectors = vectors_of(passages, embedder) if embedder else None
    index = NamespaceIndex(weights=weights)
    index.extend(unpack(pack(block_of(passages, vectors))))
    return index, {(keys[turn.session], turn.item.seq): turn.id for turn in conversation.turns}


def counted(conversation: Conversation) -> dict[str, int]:
    """Return how many tokens each turn takes."""
    return {turn.id: estimate_tokens(str(turn.item.body["content"])) for turn in conversation.turns}


def exchanged(ranked: Sequence[str], order: Sequence[Turn], tokens: dict[str, int], budget: int) -> set[str]:
    """Return what a reader of exchanges is handed: each hit with its reply, or with what it replies to, as they fit."""
    place = {turn.id: at for at, turn in enumerate(order)}
    read: set[str] = set()
    for each in ranked:
        if each not in place:
            continue
        at = place[each]
        other = at + 1 if order[at].item.body["role"] == "user" else at - 1
        pair = [each]
        if (
            0 <= other < len(order)
            and order[other].session == order[at].session
            and (order[other].item.body["role"] != order[at].item.body["role"])
        ):
            pair.append(order[other].id)
        for one in pair:
            if one not in read and tokens[one] <= budget:
                budget -= tokens[one]
                read.add(one)
        if budget <= 0:
            break
    return read


def observed(path: Path) -> dict[str, list[str]]:
    """Read what a LoCoMo file says was observed, by conversation."""
    found: dict[str, list[str]] = {}
    for entry in json.loads(path.read_text(encoding="utf-8")):
        sessions = entry["observation"].values()
        found[entry["sample_id"]] = [
            fact[0] for session in sessions for facts in session.values() for fact in facts
        ]
    return found


def conversations_of(path: Path) -> list[Conversation]:
    """Return the conversations of a file, or made-up ones: `long`, `long5`."""
    match str(path):
        case "long":
            return long_chat()
        case "long5":
            return long_chats()
        case _:
            return locomo.load(path)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path)
    parser.add_argument("--embedder", default="none", choices=("none", "static", "wordllama"))
    parser.add_argument("--keep", default="", help="conversations to use, counted from 1")
    parser.add_argument(
        "--notes", action="store_true", help="remember the file's observations beside the items"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="WEIGHT=VALUE",
        help="another weight than the chosen one",
    )
    parser.add_argument(
        "--tokens", type=int, help="how much a reader of exchanges is handed; else what ten turns take"
    )
    TOLD.add_option(parser)
    options = parser.parse_args()
    TOLD.choose(options)
    embedder = embedder_named(options.embedder)
    conversations = conversations_of(options.path)
    notes = observed(options.path) if options.notes else {}
    if options.keep:
        conversations = [conversations[int(number) - 1] for number in options.keep.split(",")]
    weights = DEFAULT._replace(
        **{name: float(value) for name, _, value in (one.partition("=") for one in options.set)}
    )
    scored: list[Scored] = []
    spent: list[float] = []
    handed: list[int] = []
    paired: list[float] = []
    for conversation in conversations:
        index, ids = index_of(conversation, embedder, notes.get(conversation.id, ()), weights)
        order, tokens = list(conversation.turns), counted(conversation)
        session_of = {turn.id: turn.session for turn in conversation.turns}
        for question in conversation.questions:
            vector = embedder.embed([question.text])[0] if embedder else None
            start = time.perf_counter()
            ranking = index.search(question.text, vector, limit=50)
            spent.append(time.perf_counter() - start)
            ranked = [
                ids[hit.owner, hit.seq] if hit.kind == "item" else f"N{hit.owner}:0" for hit in ranking.hits
            ]
            handed.append(sum(tokens[each] for each in ranked[:10] if each in tokens))
            read = exchanged(ranked, order, tokens, options.tokens or handed[-1])
            paired.append(len(read & question.gold) / max(len(question.gold), 1))
            scored.append(score(ranked, question, session_of, conversation=conversation.id))
    words = [len(str(turn.item.body["content"]).split()) for one in conversations for turn in one.turns]
    TOLD.tell(f"{len(words)} items of {np.mean(words):.0f} words, the longest {max(words)}")
    TOLD.tell(f"{len(conversations)} conversations, {len(scored)} questions, embedder {options.embedder}")
    TOLD.tell(f"{'':22}{'n':>5}  " + "".join(f"{metric:>24}" for metric in SHOWN))
    for name, (group, metrics) in summary(scored, apart={"adversarial"}).items():
        cells = "".join(f"{metrics[m]!s:>24}" for m in SHOWN)
        means = {metric: each.mean for metric, each in metrics.items()}
        TOLD.tell(f"{name:22}{len(group):5}  {cells}", name=name, questions=len(group), **means)
    middle, most = np.median(spent) * 1e3, max(spent) * 1e3
    TOLD.tell(
        f"ms per query, without embedding: p50 {middle:.2f}, max {most:.2f}",
        name="query",
        milliseconds=middle,
    )
    budget = options.tokens or "as many"
    TOLD.tell(
        f"exchanges in {budget} tokens (ten turns take {np.mean(handed):.0f}): {np.mean(paired):.3f}",
        name="exchanges",
        found=float(np.mean(paired)),
        tokens=float(np.mean(handed)),
    )
    TOLD.end()


if __name__ == "__main__":
    main()
