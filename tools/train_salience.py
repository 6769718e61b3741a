"""Train the score that tells lasting clauses from passing ones and from nothing; numpy only.

python tools/train_salience.py SENTENCES… [--more FILES] [--memorybank FILE] [--out src/bethink/models/data]

SENTENCES are files of turns with gold spans, one JSON object a line: `text`, `asked`, `lang`, `lasting`, `passing`.
`--more` names such files that count less (`MORE`): there are many of them, and their mix is not that of real talk.
`--memorybank` adds the sentences of MemoryBank's users by the labels in `evals/lifecycle/data`, and says first what is
kept of users that the model has not seen. `--look` does so of messages, which are not trained on. With `--mean` what is
saved is the mean of this model and of one that was saved before.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

import numpy as np

from bethink.evals.lifecycle.cases import Turn
from bethink.evals.lifecycle.dialogues import labels, sentence_checks, sentences
from bethink.evals.lifecycle.distillation import check_chatter, check_message
from bethink.languages.loading import CODES, language
from bethink.lifecycle.distill.clauses import clauses, clauses_of
from bethink.lifecycle.distill.rules import RulesDistiller, question_of
from bethink.lifecycle.distill.salience import BUCKETS, Score, Setting, features, places
from bethink.sessions.values import Item

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from bethink.evals.lifecycle.values import Check
    from bethink.languages.loading import Language
    from bethink.lifecycle.distill.clauses import Clause
    from bethink.lifecycle.distill.salience import Salience
    from bethink.lifecycle.values import Candidate

NOTHING, PASSING, LASTING = range(3)
BATCH = 64  #: clauses that are looked at together
MORE = 0.35  #: how much a clause of the many further turns counts
SHARE = 0.6  #: of the words of a span, or of a clause, that must be the other's

#: from which probability on a clause is kept: for good, for a while, where it stands alone, for this time; and how much
#: of the probability that it is passing counts for the two in the middle
THRESHOLDS = {"core": 0.75, "daily": 0.72, "alone": 0.36, "once": 0.35, "passing": 0.5}

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Model: TypeAlias = tuple[Array, Array]  #: weights, and biases


class Example(NamedTuple):
    places: Array
    label: int
    weight: float  #: how much it counts
    group: str  #: the file, or the user, that it is of


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
        made.append(Example(np.array(places(names)), max(labels, default=NOTHING), 1.0, group))
        before = clause
    return made


class Hashed:
    """The features of rows, one after the other, by which of those that occur they are."""

    def __init__(self, rows: Sequence[Example]) -> None:
        self.length = np.array([len(row.places) for row in rows])
        self.start = np.cumsum(self.length) - self.length
        self.used, self.column = np.unique(np.concatenate([row.places for row in rows]), return_inverse=True)

    def of(self, rows: Array) -> tuple[Array, Array, Array]:
        """Return the features of some rows, where each row begins among them, and what each feature counts."""
        length = self.length[rows]
        begin = np.cumsum(length) - length
        inside = np.arange(int(length.sum())) + np.repeat(self.start[rows] - begin, length)
        return self.column[inside], begin, np.repeat(1 / np.sqrt(length), length)[:, None].astype(np.float32)


def softmax(logits: Array) -> Array:
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def fit(rows: Sequence[Example], *, rounds: int, rate: float, decay: float = 2e-6, seed: int = 3) -> Model:
    """Fit a softmax over hashed features by AdaGrad, a few rows at a time; return the mean of the later rounds."""
    rng, hashed = np.random.default_rng(seed), Hashed(rows)
    weights = np.zeros((len(hashed.used), 3), np.float32)
    squares, mean = np.full_like(weights, 1e-2), np.zeros_like(weights)
    bias, middle = np.zeros(3), np.zeros(3)
    wanted = np.eye(3, dtype=np.float32)[[row.label for row in rows]]
    counts = np.array([row.weight for row in rows], np.float32)
    for turn in range(rounds):
        order = rng.permutation(len(rows))
        for first in range(0, len(order), BATCH):
            some = order[first : first + BATCH]
            columns, begin, values = hashed.of(some)
            logits = np.add.reduceat(weights[columns] * values, begin, axis=0) + bias
            step = (softmax(logits) - wanted[some]) * counts[some, None]
            touched, place = np.unique(columns, return_inverse=True)
            spread = np.repeat(step, hashed.length[some], axis=0) * values
            gradient = np.stack([np.bincount(place, spread[:, kind]) for kind in range(3)], axis=1)
            gradient += decay * len(some) * weights[touched]
            squares[touched] += gradient**2
            weights[touched] -= rate * gradient / np.sqrt(squares[touched])
            bias -= 0.05 / (1 + turn) * step.mean(axis=0)
        if turn >= rounds // 2:
            mean += weights / (rounds - rounds // 2)
            middle += bias / (rounds - rounds // 2)
    whole = np.zeros((BUCKETS, 3), np.float32)
    whole[hashed.used] = mean
    return whole, middle


def load(paths: list[Path], group: str) -> list[Example]:
    found: list[Example] = []
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            if line.strip():
                turn = json.loads(line)
                turn.setdefault("lang", path.stem[-2:])
                turn["lasting"] = lasting(turn)
                turn.setdefault("passing", [])
                found += examples(turn, group or path.stem)
    return found


def lasting(turn: Mapping[str, Any]) -> list[str]:
    """Return the spans to keep: what ends something, too, has to be kept to end it, where nothing takes its place."""
    return [*turn.get("lasting", ()), *(end["by"] for end in turn.get("ends", ()))]


def days(path: Path) -> Iterator[tuple[str, str, str, list[dict[str, str]]]]:
    """Yield the days of MemoryBank's users: the language, the user, the day and its turns."""
    for lang, users in json.loads(path.read_text("utf-8")).items():
        for user, kept in users.items() if lang in CODES else ():
            for day, turns in kept["history"].items():
                yield lang, user, day, turns


def memorybank(path: Path, weight: float) -> list[Example]:
    """Return the clauses of MemoryBank's users, each with the label of its sentence where both labels agree."""
    found: list[Example] = []
    named, gold = {"L": LASTING, "W": PASSING, "N": NOTHING}, labels()
    for lang, user, day, turns in days(path):
        asked, book = "", language(lang)
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
                    where = np.array(places(features(clause, setting, book)))
                    before = clause
                    if one == other:
                        found.append(Example(where, named[one], weight, f"{lang} {user}"))
            asked = question_of(turn["response"])
    return found


class Remembered(Score):
    """A score that works out the features of a clause once, however often and by which model it is asked."""

    places: ClassVar[dict[tuple[str, Clause, Setting], list[int]]] = {}

    def __call__(self, clause: Clause, setting: Setting, book: Language) -> Salience:
        key = book.code, clause, setting
        if key not in self.places:
            self.places[key] = places(features(clause, setting, book))
        return self.of(self.places[key])


class Measured:
    """What a model keeps as it ships: its weights rounded, after the vetoes, beside what else is said."""

    def __init__(self, model: Model, thresholds: Mapping[str, float]) -> None:
        whole, scale = rounded(model)
        self.distiller = RulesDistiller(Remembered(whole, scale, model[1], thresholds))

    def kept(self, said: Iterable[tuple[str, str]]) -> Sequence[Candidate]:
        """Return what is kept of a talk: pairs of a role and what it says."""
        items = [
            Item(id=f"i1.{seq}", session="talk", seq=seq, body={"role": role, "content": text}, at=None)
            for seq, (role, text) in enumerate(said, 1)
        ]
        return self.distiller.distill(items).kept

    def users(self, path: Path, users: Collection[str]) -> Iterator[Check]:
        """Judge what is kept of some users of MemoryBank, sentence by sentence, day by day."""
        gold = labels()
        for lang, user, day, turns in days(path):
            if f"{lang} {user}" not in users:
                continue
            pairs = [(("user", turn["query"]), ("assistant", turn["response"])) for turn in turns]
            kept = self.kept(said for pair in pairs for said in pair)
            for number, turn in enumerate(turns):
                for place, sentence in enumerate(sentences(turn["query"])):
                    one, other = gold[f"{lang}|{user}|{day}|{number}|{place}"]
                    if one == other:
                        yield from sentence_checks(f"{user} {day}", lang, sentence, one, kept)

    def messages(self, path: Path) -> Iterator[Check]:
        """Judge what is kept of messages, as `bethink eval lifecycle` does."""
        for line in path.read_text("utf-8").splitlines():
            plain = json.loads(line)
            turn = Turn(
                id=plain["id"],
                language=plain["lang"],
                text=plain["text"],
                asked=plain.get("asked"),
                lasting=tuple(lasting(plain)),
                passing=tuple(plain.get("passing", ())),
            )
            asked = [("assistant", turn.asked)] if turn.asked else []
            kept = self.kept([*asked, ("user", turn.text)])
            yield from check_message(turn, kept) if "lasting" in plain else check_chatter(turn, kept)


def show(
    name: str, thresholds: Mapping[str, float], checks: Callable[[Mapping[str, float]], list[Check]]
) -> None:
    """Print what is found and how much of it is right, at the thresholds given and around them."""
    print(name)
    around = [dict(thresholds)]
    around += [{**thresholds, "core": core} for core in (0.6, 0.7, 0.8)]
    around += [{**thresholds, "daily": daily} for daily in (0.5, 0.6, 0.7, 0.8)]
    for each in around:
        found: dict[str, list[float]] = {}
        for check in checks(each):
            found.setdefault(check.metric.partition(".")[2], []).append(check.value)
        told = ", ".join(
            f"{key} {sum(found[key]) / len(found[key]):.3f} of {len(found[key])}" for key in sorted(found)
        )
        print(f"  core {each['core']}, daily {each['daily']}: {told}", flush=True)


def left_out(
    rows: list[Example], others: list[Example], parts: int, how: Mapping[str, Any]
) -> list[tuple[set[str], Model]]:
    """Return models of all users but a part of them, with the users that each has not seen."""
    users = sorted({row.group for row in others})
    folds = [set(users[part::parts]) for part in range(parts)]
    return [(held, fit([*rows, *(row for row in others if row.group not in held)], **how)) for held in folds]


def rounded(model: Model) -> tuple[Array, float]:
    """Return the weights as bytes, and their scale."""
    scale = float(np.abs(model[0]).max() / 127)
    return np.round(model[0] / scale).astype(np.int8), scale


def save(model: Model, folder: Path, thresholds: Mapping[str, float]) -> None:
    """Write the model as bytes of weights and a scale."""
    weights, scale = rounded(model)
    np.save(folder / "salience.npy", weights)
    plain = {"scale": scale, "bias": [float(each) for each in model[1]], "thresholds": dict(thresholds)}
    (folder / "salience.json").write_text(json.dumps(plain) + "\n", "utf-8")


def mean_of(model: Model, folder: Path) -> Model:
    """Return the mean of a model and of one that was saved."""
    plain = json.loads((folder / "salience.json").read_text("utf-8"))
    weights = np.load(folder / "salience.npy").astype(np.float32) * plain["scale"]
    return (model[0] + weights) / 2, (model[1] + np.array(plain["bias"])) / 2


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sentences", nargs="*", type=Path)
    parser.add_argument("--more", nargs="*", type=Path, default=[], help="turns that count less")
    parser.add_argument("--memorybank", type=Path)
    parser.add_argument("--weight", type=float, default=9.0, help="how much a clause of MemoryBank counts")
    parser.add_argument("--parts", type=int, default=5, help="of its users, each left out once; 0 for none")
    parser.add_argument("--look", nargs="*", type=Path, default=[], help="messages that are only looked at")
    parser.add_argument(
        "--mean", type=Path, help="the folder of a model with whose weights the mean is taken"
    )
    parser.add_argument("--out", type=Path)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--rate", type=float, default=0.2)
    for name, value in THRESHOLDS.items():
        parser.add_argument(f"--{name}", type=float, default=value)
    return parser.parse_args()


def main() -> None:
    given = options()
    how = {"rounds": given.rounds, "rate": given.rate}
    thresholds = {name: getattr(given, name) for name in THRESHOLDS}
    rows = load(given.sentences, "") + [row._replace(weight=MORE) for row in load(given.more, "")]
    if given.memorybank:
        others = memorybank(given.memorybank, given.weight)
        folds = left_out(rows, others, given.parts, how)
        if folds:
            show(
                "MemoryBank, by sentences, users left out in turn",
                thresholds,
                lambda limits: [
                    check
                    for held, model in folds
                    for check in Measured(model, limits).users(given.memorybank, held)
                ],
            )
        rows += others
    print(len(rows), "clauses", np.bincount([row.label for row in rows]).tolist())
    model = fit(rows, **how)
    for path in given.look:
        show(path.name, thresholds, lambda limits: list(Measured(model, limits).messages(path)))  # noqa: B023
    if given.mean:
        model = mean_of(model, given.mean)
    if given.out:
        given.out.mkdir(parents=True, exist_ok=True)
        save(model, given.out, thresholds)


if __name__ == "__main__":
    main()
