"""What a first answer costs, here and in an earlier revision, each case in a process of its own, in turn.

    python bench/first_recall.py --before 72f3930                 # make bench-first BEFORE=72f3930
    python bench/first_recall.py --before 72f3930 --large         # 100,000 items, too: minutes
    python bench/first_recall.py --only "new process" --rounds 5

Seconds are of the processor, of all threads of the process, since the clock says little on a machine that others use;
megabytes are what the process grew by at its highest, told where there is much to hold. Of several rounds the least is
shown. Messages are drawn from the sentences of `long_chat.py`, sixty words from a user and five hundred and sixty from
an assistant, in turn.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from measure import TOLD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[1]
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
LONG = 200  #: messages of a long chat
THREADS = 8
SHORT = 10_000
MANY = 100_000
FEW = 150
LATER_SECONDS = 2.5
SENTENCES = "BENCH_SENTENCES"  #: where the file of sentences is: those who measure load nothing else


def messages(count: int, words: tuple[int, int] = (60, 560)) -> list[dict[str, str]]:
    """Return messages of a user and of an assistant in turn, each of about so many words."""
    chosen = random.Random(5)
    sentences = json.loads(Path(os.environ[SENTENCES]).read_text("utf-8"))

    def said(most: int) -> str:
        parts: list[str] = []
        while sum(len(part.split()) for part in parts) < most:
            parts.append(chosen.choice(sentences))
        return " ".join(parts)

    roles = ("user", "assistant")
    return [{"role": roles[number % 2], "content": said(words[number % 2])} for number in range(count)]


def short(count: int) -> list[dict[str, str]]:
    """Return short messages, no two alike."""
    plain = messages(2_000, (12, 12))
    return [{"role": "user", "content": f"{plain[n % 2_000]['content']} Number {n}."} for n in range(count)]


def kept(scope: Any, items: list[dict[str, str]]) -> None:
    """Append items, five hundred at a time."""
    for at in range(0, len(items), 500):
        scope.session("talk").append(items[at : at + 500])


# ---- cases: each prepares, and returns what is measured ----------------------------------------------------------


def at_once(memory: Any) -> Callable[[], object]:
    scope = memory.scope(agent="bench", user="long")
    kept(scope, messages(LONG))
    return lambda: scope.recall("what did I say about the noise at night?")


def later(memory: Any) -> Callable[[], object]:
    ask = at_once(memory)
    time.sleep(LATER_SECONDS)
    return ask


def together(memory: Any) -> Callable[[], object]:
    scope = memory.scope(agent="bench", user="together")
    kept(scope, messages(120))

    def ask() -> None:
        threads = [
            threading.Thread(target=scope.recall, args=("what about the noise?",)) for _ in range(THREADS)
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join()

    return ask


def many(memory: Any, count: int = SHORT) -> Callable[[], object]:
    scope = memory.scope(agent="bench", user="many")
    kept(scope, short(count))
    return lambda: scope.recall("what did I say about the noise at night?")


def very_many(memory: Any) -> Callable[[], object]:
    return many(memory, MANY)


CASES: dict[str, Callable[[Any], Callable[[], object]]] = {
    f"first recall at once after {LONG} long messages": at_once,
    f"the same, {LATER_SECONDS} seconds later": later,
    f"{THREADS} threads on a cold namespace of 120 such messages": together,
    f"first recall of {SHORT:,} short items": many,
    f"first recall of {MANY:,} short items": very_many,
}
REOPENED = f"reopening {FEW} items, first recall"
STARTED = f"a new process with {FEW} stored items, to its first answer"
LARGE = {f"first recall of {MANY:,} short items"}
WIDE = {*LARGE, f"first recall of {SHORT:,} short items"}  #: cases whose memory says something


def measured(case: str, folder: str) -> None:
    """Measure one case in this process, and print seconds and megabytes as JSON."""
    from bethink import Memory

    url = str(Path(folder) / "memory.db")
    if case == REOPENED:
        with Memory(url) as memory:
            scope = memory.scope(agent="bench", user="few")
            kept(scope, short(FEW))
            scope.recall("what about the noise?")
            time.sleep(LATER_SECONDS)
    with Memory(url) as memory:
        warm = memory.scope(agent="bench", user="warm")
        warm.session("talk").append(messages(2))
        warm.recall("what about the noise?")  # what a process loads once is no part of it
        if case == REOPENED:
            scope = memory.scope(agent="bench", user="few")
            ask: Callable[[], object] = lambda: scope.recall("what did I say about the noise at night?")  # noqa: E731
        else:
            ask = CASES[case](memory)
        before, began = _highest(), time.process_time()
        ask()
        print(json.dumps([time.process_time() - began, _highest() - before]))


def filled(folder: str) -> None:
    """Fill a store for a process to come."""
    from bethink import Memory

    with Memory(str(Path(folder) / "memory.db")) as memory:
        scope = memory.scope(agent="bench", user="few")
        kept(scope, short(FEW))
        scope.recall("what about the noise?")
        time.sleep(LATER_SECONDS)


#: a process that asks one thing and ends, and loads nothing of its own: all of it is measured, from outside
ONE_QUESTION = """
import sys
from bethink import Memory

with Memory(sys.argv[1]) as memory:
    assert len(memory.scope(agent="bench", user="few").recall("what did I say about the noise at night?"))
"""


def _highest() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def write_sentences(file: Path) -> None:
    """Keep the sentences of the long chats, each once."""
    from long_chat import long_chats

    texts = [str(turn.item.body["content"]) for chat in long_chats() for turn in chat.turns]
    found = sorted({each for text in texts for each in re.split(r"(?<=[.!?])\s+", text)})
    file.write_text(json.dumps(found), encoding="utf-8")
    os.environ[SENTENCES] = str(file)


# ---- both revisions, in turn -------------------------------------------------------------------------------------


def run(source: Path, *arguments: str) -> tuple[str, float]:
    """Run Python over some sources; return what it printed, and its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **ONE_THREAD, "PYTHONPATH": str(source)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def figures(source: Path, case: str) -> tuple[float, float | None]:
    """Return seconds and megabytes of a case."""
    with tempfile.TemporaryDirectory() as folder:
        if case == STARTED:
            run(source, __file__, "--folder", folder)
            return run(source, "-c", ONE_QUESTION, str(Path(folder) / "memory.db"))[1], None
        printed, _ = run(source, __file__, "--case", case, "--folder", folder)
        seconds, megabytes = json.loads(printed)
        return seconds, megabytes


def sources(before: str | None, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield what is compared: an earlier revision, taken out of the repository, and what stands here."""
    if before is not None:
        archive = subprocess.run(
            ["git", "archive", before, "src"], cwd=ROOT, stdout=subprocess.PIPE, check=True
        ).stdout
        subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
        yield "before", folder / "src"
    yield "now", ROOT / "src"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--before", metavar="REVISION", help="an earlier revision to measure beside")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--large", action="store_true", help=f"{MANY:,} items, too")
    parser.add_argument("--only", default="", help="cases with these words in their name")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    TOLD.add_option(parser)
    given = parser.parse_args()
    if given.case:
        measured(given.case, given.folder)
    elif given.folder:
        filled(given.folder)
    else:
        compare(given)


def compare(given: argparse.Namespace) -> None:
    """Measure the cases of both, in turn, and tell the least of each."""
    TOLD.choose(given)
    chosen = [each for each in (*CASES, REOPENED, STARTED) if given.only in each]
    with tempfile.TemporaryDirectory() as folder:
        write_sentences(Path(folder) / "sentences.json")
        both = list(sources(given.before, Path(folder)))
        TOLD.tell("| | " + " | ".join(f"{name}: s | MB" for name, _ in both) + " | time | memory |")
        TOLD.tell("|---|" + "---|" * (2 * len(both) + 2))
        for case in chosen:
            if case in LARGE and not given.large:
                continue
            found: dict[str, list[tuple[float, float | None]]] = {name: [] for name, _ in both}
            for _ in range(given.rounds):
                for name, source in both:
                    found[name].append(figures(source, case))
            least = {name: min(rows) for name, rows in found.items()}
            then, now = least.get("before"), least["now"]
            ratio = "" if then is None else f"{now[0] / then[0]:.3f}"
            wide = case in WIDE
            cells = [f"{seconds:.4f} | {f'{mb:.0f}' if wide else ''}" for seconds, mb in least.values()]
            space = f"{now[1] / then[1]:.2f}" if wide and then else ""
            TOLD.tell(
                f"| {case} | {' | '.join(cells)} | {ratio} | {space} |",
                case=case,
                **{name: {"seconds": row[0], "megabytes": row[1]} for name, row in least.items()},
            )
    TOLD.end()


if __name__ == "__main__":
    main()
