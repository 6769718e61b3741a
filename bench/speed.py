"""How long each peer takes to keep and to find, and what it takes on disk and in memory, from 1,000 memories on.

    python bench/speed.py [--sizes 1000,10000,100000,1000000] [--rounds 100] [--budget 300] [--json]

All memories lie in one namespace. Peers work in turn: a thousand memories each while they are loaded, then one each,
one question each. Vectors are made beforehand, and are the same for all, but Bethink makes its own, in the time that is
counted: `kept` is what a memory takes among a thousand until it can be found, the work that is put off to the first
question included; `one` is what one takes by itself, `cold` what it takes from the start of a process to its first
answer. Beyond 10,000, who would need more than `--budget` seconds of its own to keep all memories of a size is stopped,
and takes no part in larger sizes. What is printed is the median; × is how many times as long as Bethink it takes.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compare import prepared
from corpus import sentences
from driving import PeerFailedError, Worker, machine, say, working
from environments import ENVIRONMENTS, OURS, PEERS, add_choice, chosen

from bethink.models.static import StaticEmbedder

if TYPE_CHECKING:
    from collections.abc import Iterable

STEP = 1_000
SPACE = "all"
EXTRA = 200  #: memories that are kept one at a time
ALWAYS = 10_000  #: a size up to which nobody is stopped
ENOUGH = 3_000  #: memories after which it can be told how long all will take
MAX = {"langgraph": 100_000}  #: it holds 8 kB of Python floats a memory, and this machine has other work
LEAST = 5  #: questions that are asked however slow a peer is; beyond, a fifth of the budget
COLD = 3  #: times that a fresh process is started


def record(number: int, text: str) -> dict[str, Any]:
    return {
        "id": str(number),
        "session": f"s{number // STEP}",
        "role": "user",
        "speaker": None,
        "at": None,
        "said": text,
        "text": text,
    }


def questions(texts: list[str], count: int) -> list[tuple[str, str]]:
    """Return questions with the memory that each is about: four of its words, in their order."""
    chance = random.Random(1)
    found = []
    for number in chance.sample(range(len(texts)), count):
        words = texts[number].split()
        found.append(
            (" ".join(words[place] for place in sorted(chance.sample(range(len(words)), 4))), str(number))
        )
    return found


class Race:
    """Peers that do the same thing in turn; who fails or runs out of time is named, and goes on no further."""

    def __init__(self, workers: dict[str, Worker]) -> None:
        self.workers = dict(workers)
        self.found: dict[str, dict[str, Any]] = {
            name: {"title": ENVIRONMENTS[name].title, "begun": worker.begun}
            for name, worker in workers.items()
        }
        self._order = list(workers)

    def each(self, *, but: Iterable[str] = (), **request: Any) -> dict[str, dict[str, Any]]:
        self._order = [*self._order[1:], *self._order[:1]]
        answers = {}
        for name in [name for name in self._order if name not in but]:
            try:
                answers[name] = self.workers[name].ask(**request)
            except PeerFailedError as error:
                self.stop(name, str(error).splitlines()[-1])
        return answers

    def stop(self, name: str, why: str) -> None:
        say(f"{ENVIRONMENTS[name].title} goes no further: {why}")
        self.found[name]["stopped"] = why
        self._order.remove(name)

    @property
    def running(self) -> list[str]:
        return list(self._order)


def load(race: Race, memories: list[dict[str, Any]], budget: float) -> None:
    """Keep all memories, a thousand at a time."""
    spent = dict.fromkeys(race.running, 0.0)
    for start in range(0, len(memories), STEP):
        for name, answer in race.each(do="add", space=SPACE, memories=memories[start : start + STEP]).items():
            spent[name] += answer["seconds"]
            kept = start + STEP
            expected = spent[name] / kept * len(memories)
            if len(memories) > ALWAYS and kept >= ENOUGH and expected > budget:
                race.stop(name, f"it would need {expected / 60:.0f} minutes or more")
    for name in race.running:
        race.found[name]["add_ms"] = 1000 * spent[name] / len(memories)


def measure(names: list[str], size: int, rounds: int, budget: float) -> dict[str, Any]:
    """Measure one size."""
    texts = sentences(size + EXTRA, seed=size)
    asked = questions(texts[:size], min(rounds, size))
    alone = names == [OURS]  # nobody else wants vectors
    made = None if alone else prepared(StaticEmbedder(), [*texts, *(text for text, _ in asked)])
    memories = [record(number, text) for number, text in enumerate(texts)]
    with tempfile.TemporaryDirectory(prefix="bethink-bench-") as folder:
        with working(names, Path(folder), made) as workers:
            race = Race(workers)
            say(f"{size:,} memories: keeping")
            load(race, memories[:size], budget)
            for name, answer in race.each(do="find", space=SPACE, query=asked[0][0], limit=10).items():
                race.found[name]["first_ms"] = answer["seconds"] * 1000
            say(f"{size:,} memories: asking")
            spent: dict[str, list[float]] = {name: [] for name in race.running}
            hits = dict.fromkeys(race.running, 0)
            for text, wanted in asked:
                enough = [n for n, each in spent.items() if len(each) >= LEAST and sum(each) > budget * 200]
                for name, answer in race.each(
                    but=enough, do="find", space=SPACE, query=text, limit=10
                ).items():
                    spent[name].append(answer["seconds"] * 1000)
                    hits[name] += wanted in answer["ids"]
            singly: dict[str, list[float]] = {name: [] for name in race.running}
            for one in memories[size : size + min(EXTRA, rounds)]:
                for name, answer in race.each(do="add", space=SPACE, memories=[one]).items():
                    singly[name].append(answer["seconds"] * 1000)
            for name, answer in race.each(do="memory").items():
                race.found[name]["resident"] = answer["resident"]
            for name in race.running:
                race.found[name].update(
                    query_ms=statistics.median(spent[name]),
                    query_ms_slow=sorted(spent[name])[int(len(spent[name]) * 0.95)],
                    found=hits[name] / len(spent[name]),
                    kept_ms=race.found[name]["add_ms"] + race.found[name]["first_ms"] / size,
                    one_ms=statistics.median(singly[name]),
                )
            for name, answer in race.each(do="close").items():
                race.found[name]["bytes"] = answer["bytes"]
            kept = [name for name in race.running if race.found[name].get("bytes")]
        cold(race, kept, Path(folder), made, asked[0][0])
    return {"size": size, "machine": machine(), "peers": race.found}


def cold(race: Race, names: list[str], folder: Path, vectors: Path | None, query: str) -> None:
    """Time from the start of a process to its first answer, on what was kept."""
    taken: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(COLD):
        for name in list(taken):
            try:
                with Worker(name, folder / name, vectors) as worker:
                    found = worker.ask(do="find", space=SPACE, query=query, limit=10)
                    taken[name].append((worker.begun["start"] + found["seconds"]) * 1000)
            except PeerFailedError as error:
                say(f"not started again: {error}")
                del taken[name]
    for name, times in taken.items():
        race.found[name]["cold_ms"] = statistics.median(times)


def earlier(path: Path | None, sizes: list[int]) -> list[dict[str, Any]]:
    """Return what a file has of other sizes: they stay in it."""
    if path is None or not path.exists():
        return []
    return [part for part in json.loads(path.read_text())["sizes"] if part["size"] not in sizes]


def show(found: dict[str, Any]) -> str:
    """Return a table for each size."""
    heads = {
        "kept_ms": "kept ms",
        "one_ms": "one ms",
        "query_ms": "query ms",
        "query_ms_slow": "p95 ms",
        "cold_ms": "cold ms",
    }
    lines = []
    for part in found["sizes"]:
        lines.append(f"\n{part['size']:,} memories")
        lines.append(
            f"{'':26}" + "".join(f"{head:>11}{'×':>7}" for head in heads.values()) + f"{'found':>7}{'MB':>8}"
        )
        ours = part["peers"][OURS]
        for peer in part["peers"].values():
            if "query_ms" not in peer:
                lines.append(f"{peer['title']:26}{peer.get('stopped', '')}")
                continue
            cells = [
                f"{peer[name]:11.2f}{peer[name] / ours[name]:7.1f}" if name in peer else f"{'–':>11}{'':7}"
                for name in heads
            ]
            size = f"{peer['bytes'] / 1e6:8.1f}" if peer["bytes"] else f"{'memory':>8}"
            lines.append(f"{peer['title']:26}{''.join(cells)}{peer['found']:7.2f}{size}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default="1000,10000,100000,1000000")
    parser.add_argument("--rounds", type=int, default=100, help="questions, and memories kept one at a time")
    parser.add_argument(
        "--budget", type=float, default=300.0, help="seconds that a peer may take to keep a size"
    )
    parser.add_argument("--out", type=Path, help="where the result goes, as JSON; other sizes stay in it")
    parser.add_argument("--json", action="store_true")
    add_choice(parser)
    given = parser.parse_args()
    names = chosen(PEERS, given.only, given.skip)
    sizes = sorted(int(each) for each in given.sizes.split(","))
    found: dict[str, Any] = {"what": "speed", "sizes": earlier(given.out, sizes)}
    for size in sizes:
        part = measure(names, size, given.rounds, given.budget)
        found["sizes"] = sorted([*found["sizes"], part], key=lambda each: each["size"])
        names = [name for name in names if "query_ms" in part["peers"].get(name, {})]
        names = [name for name in names if size < MAX.get(name, size + 1)]
        if given.out:
            given.out.write_text(json.dumps(found, indent=1) + "\n")
    print(json.dumps(found, indent=1) if given.json else show(found))


if __name__ == "__main__":
    main()
