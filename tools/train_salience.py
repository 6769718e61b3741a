"""Train the score that tells lasting clauses from passing ones and from nothing; numpy only.

python tools/train_salience.py SENTENCES… [--memorybank FILE] [--out src/bethink/models/data]

SENTENCES are files of turns with gold spans, one JSON object a line: `text`, `asked`, `lang`, `lasting`, `passing`.
`--memorybank` adds the sentences of MemoryBank's users by the labels in `evals/lifecycle/data`, and says first what a
model finds of users that it has not seen.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bethink.evals.lifecycle.dialogues import labels, sentences
from bethink.languages.loading import CODES, language
from bethink.lifecycle.distill.clauses import clauses, clauses_of
from bethink.lifecycle.distill.rules import question_of
from bethink.lifecycle.distill.salience import BUCKETS, Setting, features, places

NOTHING, PASSING, LASTING = range(3)
SHARE = 0.6  #: of the words of a span, or of a clause, that must be the other's


class Example(NamedTuple):
    places: np.ndarray[Any, np.dtype[np.int64]]
    label: int
    weight: float
    lang: str
    text: str
    group: str


def overlap(words: tuple[str, ...], span: list[str]) -> bool:
    """Tell whether a clause and a gold span are mostly the same words."""
    if not words or not span:
        return False
    common = len(set(words) & set(span))
    return common >= SHARE * len(set(span)) or common >= 0.8 * len(set(words))


def examples(turn: dict[str, Any], group: str) -> list[Example]:
    """Return the clauses of a turn, labelled by the spans that they overlap."""
    book = language(turn["lang"])
    made: list[Example] = []
    found = clauses(turn["text"], book)
    asking = any(each.question for each in found)
    message = tuple(dict.fromkeys(word for each in found for word in each.words))
    gold = [(LASTING, book.words(span)) for span in turn["lasting"]]
    gold += [(PASSING, book.words(span)) for span in turn["passing"]]
    kept = [
        (LASTING if each["durable"] else PASSING, [word.casefold() for word in each["must_contain"]])
        for each in turn.get("keep", ())
    ]
    before = None
    for clause in found:
        setting = Setting(
            before=before, asked=turn.get("asked") or "", first=before is None, asking=asking, message=message
        )
        labels = [label for label, span in gold if overlap(clause.words, span)]
        labels += [
            label for label, needles in kept if all(each in clause.said.casefold() for each in needles)
        ]
        names = features(clause, setting, book)
        made.append(
            Example(
                np.array(places(names)), max(labels, default=NOTHING), 1.0, turn["lang"], clause.said, group
            )
        )
        before = clause
    return made


def fit(
    rows: list[Example], *, rounds: int = 12, rate: float = 0.6, decay: float = 2e-6, seed: int = 3
) -> Any:
    """Fit a softmax over hashed features by stochastic gradients with AdaGrad."""
    rng = np.random.default_rng(seed)
    weights = np.zeros((BUCKETS, 3), np.float32)
    squares = np.full((BUCKETS, 3), 1e-2, np.float32)
    bias = np.zeros(3, np.float32)
    for turn in range(rounds):
        for index in rng.permutation(len(rows)):
            row = rows[index]
            value = 1 / len(row.places) ** 0.5
            logits = weights[row.places].sum(axis=0) * value + bias
            shares = np.exp(logits - logits.max())
            shares /= shares.sum()
            shares[row.label] -= 1
            step = shares * row.weight
            gradient = step * value + decay * weights[row.places]
            squares[row.places] += gradient**2
            weights[row.places] -= rate * gradient / np.sqrt(squares[row.places])
            bias -= 0.05 / (1 + turn) * step
    return weights, bias


def predict(model: Any, rows: list[Example]) -> np.ndarray[Any, Any]:
    weights, bias = model
    out = np.empty((len(rows), 3))
    for index, row in enumerate(rows):
        logits = weights[row.places].sum(axis=0) / len(row.places) ** 0.5 + bias
        shares = np.exp(logits - logits.max())
        out[index] = shares / shares.sum()
    return out


def load(paths: list[Path], group: str) -> list[Example]:
    found: list[Example] = []
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            if line.strip():
                turn = json.loads(line)
                turn.setdefault("lang", path.stem[-2:])
                turn.setdefault("lasting", [])
                turn.setdefault("passing", [])
                found += examples(turn, group or path.stem)
    return found


def curve(rows: list[Example], shares: np.ndarray[Any, Any]) -> None:
    """Print precision and recall of the lasting clauses at several thresholds, and by language at one."""
    gold = np.array([row.label for row in rows])
    for threshold in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        taken = shares[:, LASTING] >= threshold
        right = (taken & (gold == LASTING)).sum()
        print(
            f"  lasting >= {threshold}: P {right / max(1, taken.sum()):.3f} R {right / max(1, (gold == LASTING).sum()):.3f}"
        )
    for lang in sorted({row.lang for row in rows}):
        of = np.array([row.lang == lang for row in rows])
        taken = of & (shares[:, LASTING] >= 0.5)
        right = (taken & (gold == LASTING)).sum()
        print(
            f"    {lang}: P {right / max(1, taken.sum()):.3f} R {right / max(1, (of & (gold == LASTING)).sum()):.3f}"
        )


def memorybank(path: Path) -> list[Example]:
    """Return the clauses of MemoryBank's users, each with the label of its sentence where both labels agree."""
    found: list[Example] = []
    named, gold = {"L": LASTING, "W": PASSING, "N": NOTHING}, labels()
    for lang, users in json.loads(path.read_text("utf-8")).items():
        if lang not in CODES:
            continue
        book = language(lang)
        for user, kept in users.items():
            for day, turns in kept["history"].items():
                asked = ""
                for number, turn in enumerate(turns):
                    before = None
                    message = tuple(dict.fromkeys(book.words(turn["query"])))
                    asking = "?" in turn["query"] or "？" in turn["query"]
                    for place, sentence in enumerate(sentences(turn["query"])):
                        one, other = gold[f"{lang}|{user}|{day}|{number}|{place}"]
                        for clause in clauses_of(sentence, book):
                            setting = Setting(
                                before=before,
                                asked=asked if before is None else "",
                                first=before is None,
                                asking=asking,
                                message=message,
                            )
                            names = features(clause, setting, book)
                            before = clause
                            if one == other:
                                told = (
                                    np.array(places(names)),
                                    named[one],
                                    1.0,
                                    lang,
                                    clause.said,
                                    f"{lang} {user}",
                                )
                                found.append(Example(*told))
                    asked = question_of(turn["response"])
    return found


def save(model: Any, folder: Path, thresholds: dict[str, float]) -> None:
    """Write the model as bytes of weights and a scale."""
    weights, bias = model
    scale = float(np.abs(weights).max() / 127)
    np.save(folder / "salience.npy", np.round(weights / scale).astype(np.int8))
    plain = {"scale": scale, "bias": [float(each) for each in bias], "thresholds": thresholds}
    (folder / "salience.json").write_text(json.dumps(plain) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sentences", nargs="*", type=Path)
    parser.add_argument("--memorybank", type=Path)
    parser.add_argument("--look", nargs="*", type=Path, default=[], help="turns that are only looked at")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--core", type=float, default=0.78)
    parser.add_argument("--daily", type=float, default=0.36)
    parser.add_argument("--once", type=float, default=0.35)
    given = parser.parse_args()
    rows = load(given.sentences, "")
    if given.memorybank:
        others = memorybank(given.memorybank)
        users = sorted({row.group for row in others})
        shares = np.zeros((len(others), 3))
        for fold in range(5):
            held = set(users[fold::5])
            model = fit([*rows, *(row for row in others if row.group not in held)])
            where = [place for place, row in enumerate(others) if row.group in held]
            shares[where] = predict(model, [others[place] for place in where])
        print("MemoryBank, users left out in turn")
        curve(others, shares)
        rows += others
    print(len(rows), "clauses", np.bincount([row.label for row in rows]).tolist())
    model = fit(rows)
    for path in given.look:
        looked = load([path], "")
        print(path.name)
        curve(looked, predict(model, looked))
    if given.out:
        save(model, given.out, {"core": given.core, "daily": given.daily, "once": given.once})


if __name__ == "__main__":
    main()
