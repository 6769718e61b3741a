"""What each peer finds of the same conversations, and how long it takes: every question goes to all of them in turn.

    python bench/compare.py                                   # conversations that are made up (bench/corpus.py)
    python bench/compare.py --data long                       # a chat with long answers (bench/long_chat.py)
    python bench/compare.py --data locomo:locomo10.json       # or longmemeval:, beam:, convomem:
    python bench/compare.py --only chroma --limit 100 --json

Peers get the vectors of MiniLM, made beforehand, by text: their times have no embedding in them. Bethink embeds by
itself, and its times have it in them. Nobody has a network.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import corpus
import long_chat
from driving import PeerFailedError, Worker, machine, say, working
from environments import ENVIRONMENTS, HOME, OURS, PEERS, add_choice, chosen, minilm
from peers import vectors

from bethink.evals.cases import Dataset
from bethink.evals.scores import Scored, score, summary
from bethink.recall.passages import date_in_words, said_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bethink.evals.cases import Conversation, Question, Turn
    from bethink.models.embedding import Embedder

DEPTH = 50
NAMES = (*PEERS, "bethink_onnx")


def data_named(name: str) -> Dataset:
    """Return conversations: made up, or read from a file that somebody has."""
    kind, _, path = name.partition(":")
    if kind == "made-up":
        return Dataset(name=name, conversations=corpus.made_up(int(path or 6)))
    if kind == "long":
        return Dataset(name=name, conversations=long_chat.long_chat())
    return import_module(f"bethink.evals.{kind}").read(Path(path))


def memory(one: Turn) -> dict[str, Any]:
    """Return a turn as peers get it: `said` as it was said, `text` with who said it and when in its words."""
    said = said_in(one.item.body)
    words = said.text if said else ""
    lead = f"{one.item.speaker}: " if one.item.speaker else ""
    when = f"[{date_in_words(one.item.at)}] " if one.item.at else ""
    return {
        "id": one.id,
        "session": one.session,
        "role": one.item.body["role"],
        "speaker": one.item.speaker,
        "at": one.item.at.isoformat() if one.item.at else None,
        "said": words,
        "text": f"{when}{lead}{words}",
    }


def prepared(embedder: Embedder, texts: Sequence[str]) -> Path:
    """Return a folder with the vectors of texts; it is kept, and found again by what is in it."""
    digest = vectors.key("\n".join([embedder.identity, *texts]))
    folder = HOME / "vectors" / f"{digest:016x}"
    if not (folder / "rows.npy").exists():
        say(f"embedding {len(texts):,} texts with {embedder.identity}")
        vectors.save(folder, texts, embedder.embed(texts))
    return folder


def minilm_embedder() -> Embedder:
    from bethink.models.onnx import OnnxEmbedder

    return OnnxEmbedder(minilm())


class Tally:
    """What was seen of one peer."""

    def __init__(self) -> None:
        self.scored: list[Scored] = []
        self.spent: list[float] = []
        self.kept = 0.0
        self.memories = 0


class Asking:
    """Every peer keeps each conversation and answers each question, in an order that turns from one to the next."""

    def __init__(self, workers: dict[str, Worker]) -> None:
        self.workers = workers
        self.tallies = {name: Tally() for name in workers}
        self._order = list(workers)

    def all(self, conversations: Iterable[Conversation], limit: int | None) -> None:
        left = limit
        for number, one in enumerate(conversations):
            self._keep(f"space-{number}", one)
            say(
                f"conversation {number + 1}, {one.id}: {len(one.turns)} turns, {len(one.questions)} questions"
            )
            for question in one.questions[:left]:
                self._ask(f"space-{number}", one, question)
            left = None if left is None else left - len(one.questions[:left])
            if left == 0:
                return

    def _keep(self, space: str, one: Conversation) -> None:
        for _, group in groupby(one.turns, key=lambda each: each.session):
            part = [memory(each) for each in group]
            for name, answer in self._each(do="add", space=space, memories=part):
                self.tallies[name].kept += answer["seconds"]
                self.tallies[name].memories += len(part)
        first = one.questions[0].text  # what was put off to the first question belongs to the keeping
        for name, answer in self._each(do="find", space=space, query=first, limit=1):
            self.tallies[name].kept += answer["seconds"]

    def _ask(self, space: str, one: Conversation, question: Question) -> None:
        session_of = {each.id: each.session for each in one.turns}
        for name, answer in self._each(do="find", space=space, query=question.text, limit=DEPTH):
            self.tallies[name].spent.append(answer["seconds"])
            self.tallies[name].scored.append(score(answer["ids"], question, session_of, conversation=one.id))

    def _each(self, **request: Any) -> Iterator[tuple[str, dict[str, Any]]]:
        """Ask every peer in turn; who fails is named, and takes no further part."""
        self._order = [*self._order[1:], *self._order[:1]]
        for name in list(self._order):
            try:
                answer = self.workers[name].ask(**request)
            except PeerFailedError as error:
                say(f"left out from here on: {error}")
                self._order.remove(name)
                del self.tallies[name]
                continue
            yield name, answer


def account(name: str, tally: Tally, worker: Worker, apart: frozenset[str]) -> dict[str, Any]:
    """Return what is told of one peer."""
    resident = worker.ask(do="memory")["resident"]
    closed = worker.ask(do="close")
    spent = sorted(each * 1000 for each in tally.spent)
    return {
        "title": ENVIRONMENTS[name].title,
        "query_ms": statistics.median(spent),
        "query_ms_slow": spent[int(len(spent) * 0.95)],
        "add_ms": 1000 * tally.kept / tally.memories,
        "bytes": closed["bytes"],
        "resident": resident,
        "groups": {
            group: {
                "questions": len(members),
                "metrics": {metric: [each.mean, each.low, each.high] for metric, each in found.items()},
            }
            for group, (members, found) in summary(tally.scored, apart).items()
        },
    }


def compare(names: Sequence[str], dataset: Dataset, limit: int | None) -> dict[str, Any]:
    """Measure the peers on a data set."""
    conversations = list(dataset.conversations)
    embedder = minilm_embedder()
    texts = [memory(each)["text"] for one in conversations for each in one.turns]
    texts += [question.text for one in conversations for question in one.questions]
    made = prepared(embedder, list(dict.fromkeys(texts)))
    extra = {"bethink_onnx": {"BENCH_ONNX": str(minilm())}}
    with (
        tempfile.TemporaryDirectory(prefix="bethink-bench-") as folder,
        working(names, Path(folder), made, extra) as workers,
    ):
        asking = Asking(workers)
        asking.all(conversations, limit)
        tallies = asking.tallies
        peers = {name: account(name, tally, workers[name], dataset.apart) for name, tally in tallies.items()}
    return {
        "what": "compare",
        "data": dataset.name,
        "machine": machine(),
        "conversations": len(conversations),
        "memories": next(iter(tallies.values())).memories,
        "questions": len(next(iter(tallies.values())).scored),
        "peers": peers,
    }


def show(found: dict[str, Any]) -> str:
    """Return the table of one comparison."""
    ours = found["peers"][OURS]
    size = f"{found['conversations']} conversations, {found['memories']:,} memories, {found['questions']} questions"
    heads = f"{'R@5':>7}{'R@10':>16}{'all@10':>8}{'nDCG@10':>9}{'MRR':>7}{'session R@5':>13}"
    lines = [f"{found['data']}: {size}", f"{'':26}{heads}{'query ms':>10}{'×':>6}{'add ms':>9}{'×':>7}"]
    for peer in found["peers"].values():
        metrics = {name: each[0] for name, each in peer["groups"]["all"]["metrics"].items()}
        _, low, high = peer["groups"]["all"]["metrics"]["R@10"]
        lines.append(
            f"{peer['title']:26}{metrics['R@5']:7.3f}{metrics['R@10']:8.3f} ±{(high - low) / 2:.3f} "
            f"{metrics['all@10']:8.3f}{metrics['nDCG@10']:9.3f}{metrics['MRR']:7.3f}{metrics['session R@5']:13.3f}"
            f"{peer['query_ms']:10.2f}{peer['query_ms'] / ours['query_ms']:6.1f}"
            f"{peer['add_ms']:9.2f}{peer['add_ms'] / ours['add_ms']:7.1f}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", default="made-up", help="made-up[:N], long, locomo:FILE, longmemeval:FILE …"
    )
    parser.add_argument("--limit", type=int, help="questions")
    parser.add_argument("--out", type=Path, help="where the result goes, as JSON")
    parser.add_argument("--json", action="store_true")
    add_choice(parser)
    given = parser.parse_args()
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    names = chosen(NAMES, given.only, given.skip)
    found = compare(names, data_named(given.data), given.limit)
    text = json.dumps(found, indent=1)
    if given.out:
        given.out.write_text(text + "\n")
    print(text if given.json else show(found))


if __name__ == "__main__":
    main()
