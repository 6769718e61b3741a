"""Fit the weights by which consolidation decides whether what is said ends an older note; numpy only.

python tools/train_endings.py [--memorybank FILE] [--threshold 0]

Pairs of what stood and what was said later: the development half of the corrections in `evals/lifecycle/data`, the
pairs of notes and of messages beside the rules' tests, clauses of one message in `training/salience` (which end nothing
of each other) and, with `--memorybank`, notes of one of its users, an older and a newer one (taken to end nothing).
Prints what is found and what is wrongly ended at some thresholds, then the weights for
`lifecycle/consolidate/endings.py`.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bethink.languages.content_words import code_of
from bethink.languages.loading import language
from bethink.lifecycle.consolidate.endings import ENDED, LINKS, Gist, gist, signs
from bethink.lifecycle.distill.clauses import clauses
from bethink.sync import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.languages.loading import Language

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests" / "lifecycle" / "consolidate"
MOST = 200  #: older notes that one of a user's is compared with


class Pair(NamedTuple):
    """What is said, in its message, and what stood before."""

    new: str
    old: str
    message: str
    ends: bool
    source: str
    lang: str
    common: frozenset[str] = frozenset()


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())


def _holding(span: str, told: list[str], book: Language) -> str:
    """Return the clause that holds a marked span."""
    wanted = set(book.words(span))
    return max(told, key=lambda clause: len(wanted & set(book.words(clause))) - 0.1 * len(book.words(clause)))


def corrections() -> Iterator[Pair]:
    """Yield the development pairs; of what is only taken back, every clause of the second message."""
    for each in _lines(ROOT / "src/bethink/evals/lifecycle/data/corrections_development.jsonl"):
        book = language(each["lang"])
        later = [clause.said for clause in clauses(each["second"], book) if not clause.question]
        earlier = [clause.said for clause in clauses(each["first"], book)]
        ended = _holding(each["old"], earlier, book)
        said = [_holding(each["new"], later, book)] if each["new"] else later
        for old in (ended, *(_holding(span, earlier, book) for span in each["stands"])):
            ends = old == ended
            yield from (Pair(new, old, each["second"], ends, "development", each["lang"]) for new in said)


def written() -> Iterator[Pair]:
    """Yield the pairs beside the rules' tests."""
    for part in ("development", "held_out"):
        for each in _lines(TESTS / f"pairs_{part}.jsonl"):
            if each["are"] != "same":
                ends = each["are"] == "conflict"
                yield Pair(each["new"], each["old"], each["new"], ends, "pairs", each["language"])
    for name in ("test_corrections", "test_endings"):
        block = re.search(r'= """\n(.*?)"""', (TESTS / f"{name}.py").read_text("utf-8"), re.DOTALL)
        for row in block[1].strip().splitlines() if block else ():
            *lang, old, beside, new = row.split(" | ")
            code = lang[0] if lang else code_of(new)
            yield Pair(new, old, new, True, "tests", code)
            yield Pair(new, beside, new, False, "tests", code)


def messages() -> Iterator[Pair]:
    """Yield clauses of one message, which end nothing of each other."""
    for path in sorted((ROOT / "training" / "salience").glob("*.jsonl")):
        for turn in _lines(path):
            spans = turn["lasting"]
            yield from (
                Pair(one, other, turn["text"], False, "messages", turn["lang"])
                for one in spans
                for other in spans
                if one != other
            )


def users(path: Path, seed: int = 0) -> Iterator[Pair]:
    """Yield pairs of notes of MemoryBank's users."""
    chance = np.random.default_rng(seed)
    with Memory(":memory:") as memory:
        for lang, people in json.loads(path.read_text("utf-8")).items():
            for name, kept in people.items():
                scope = memory.scope(agent="training", user=f"{lang} {name}")
                notes: list[tuple[str, str]] = []
                for day, turns in kept["history"].items():
                    session = scope.session(day)
                    session.append([{"role": "user", "content": turn["query"]} for turn in turns])
                    said = {item.id: item.body["content"] for item in session.items(limit=1000)}
                    notes += [
                        (each.text, said[each.sources[0]]) for each in scope.distill(day).kept if each.durable
                    ]
                told = Counter(word for text, _ in notes for word in gist(text, code_of(text)).words)
                common = frozenset(word for word, count in told.items() if count > 2)
                for place, (text, message) in enumerate(notes):
                    older = range(place) if place <= MOST else chance.choice(place, MOST, replace=False)
                    for other in older:
                        if notes[other][0] != text:
                            yield Pair(
                                text, notes[other][0], message, False, "MemoryBank", code_of(text), common
                            )


def row(pair: Pair) -> dict[str, float] | None:
    """Return the signs of a pair; nothing where it is not looked at."""
    book = language(pair.lang)
    new: Gist = gist(pair.new, pair.lang)
    if book.phrases("turning", "ended").within(book.words(pair.message)):
        new = new._replace(corrects=True)
    old = gist(pair.old, pair.lang)
    if not (new.turn or new.corrects) or (new.turn == ENDED and old.likes and not new.likes):
        return None
    found = signs(new, old, pair.common)
    return found if any(found[name] for name in LINKS) else None


def fit(rows: Any, gold: Any, weights: Any, decay: float = 1.0) -> Any:
    """Fit a logistic regression by Newton's method."""
    inputs = np.hstack([rows, np.ones((len(rows), 1))])
    found = np.zeros(inputs.shape[1])
    for _ in range(100):
        shares = 1 / (1 + np.exp(-inputs @ found))
        slope = inputs.T @ (weights * (shares - gold)) + decay * np.append(found[:-1], 0)
        curve = (inputs * (weights * shares * (1 - shares))[:, None]).T @ inputs
        step = np.linalg.solve(curve + decay * np.eye(len(found)), slope)
        found -= step
        if np.abs(step).max() < 1e-6:
            break
    return found


SHARES = {"development": 2.0, "pairs": 1.0, "tests": 1.0, "messages": 0.3, "MemoryBank": 0.5}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--memorybank", type=Path)
    parser.add_argument("--threshold", type=float, default=0.0)
    given = parser.parse_args()
    pairs = [*corrections(), *written(), *messages()]
    pairs += users(given.memorybank) if given.memorybank else []
    seen = [(pair, found) for pair in pairs if (found := row(pair)) is not None]
    names = list(seen[0][1])
    rows = np.array([[found[name] for name in names] for _, found in seen])
    gold = np.array([float(pair.ends) for pair, _ in seen])
    weights = np.array([SHARES[pair.source] for pair, _ in seen])
    found = fit(rows, gold, weights)
    score = rows @ found[:-1] + found[-1] - given.threshold
    for source in SHARES:
        of = np.array([pair.source == source for pair, _ in seen])
        whole = sum(pair.ends for pair in pairs if pair.source == source)
        right, wrong = (of & (gold == 1) & (score > 0)).sum(), (of & (gold == 0) & (score > 0)).sum()
        print(
            f"{source:12} ended {right} of {whole}, wrongly {wrong} of {(of & (gold == 0)).sum()} with a link"
        )
    print("bias", round(float(found[-1]) - given.threshold, 2))
    print({name: round(float(value), 2) for name, value in zip(names, found, strict=False)})


if __name__ == "__main__":
    main()
