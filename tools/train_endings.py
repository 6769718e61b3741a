"""Train the scores by which consolidation decides whether what is said ends an older note; numpy only.

python tools/train_endings.py [--memorybank FILE] [--keep] [--out src/bethink/models/data]

Three things are fitted, one after the other: which matter a clause speaks of (`training/matters`: labelled clauses of
`training/salience` and lists of words), how far it says that something changed, and whether a newer clause ends an
older one (`training/endings`, the development half of the corrections in `evals/lifecycle/data`, pairs beside the
rules' tests). Clauses of other people on other matters, clauses of one message and, with `--memorybank`, notes of one of
its users are taken to end nothing of each other. `--keep` leaves the files of `KEPT` out, and says what is found of them.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bethink.languages.content_words import code_of
from bethink.languages.loading import CODES, language
from bethink.lifecycle.consolidate.clause_score import (
    BUCKETS,
    MATTERS,
    Model,
    Scored,
    features,
    places,
    score,
)
from bethink.lifecycle.consolidate.endings import gist
from bethink.lifecycle.consolidate.pair_score import alike, signs, weighed
from bethink.lifecycle.distill.clauses import clauses

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bethink.languages.loading import Language
    from bethink.lifecycle.consolidate.endings import Gist

ROOT = Path(__file__).parents[1]
TRAINING = ROOT / "training"
TESTS = ROOT / "tests" / "lifecycle" / "consolidate"
KEPT = ("de-02", "en-04", "es-02", "fr-02", "it-02", "ja-03", "pt-02", "zh-03")
WIDTH = 40  #: numbers that say what a clause speaks of
HIDDEN = 48
RANDOM = 25  #: clauses of others that a clause is compared with
NOTES = 60  #: clauses of others in the memory that the kept files are looked at in
LOOKED = 50  #: clauses of others of which the most alike are taken
MOST = 40  #: older notes of MemoryBank's that a note is compared with


class Said(NamedTuple):
    """A clause, in the language that it is said in."""

    text: str
    lang: str


class Pair(NamedTuple):
    """What is said, and what stood before."""

    new: Said
    old: Said
    ends: bool
    source: str
    case: str
    corrects: bool = False  #: another clause of its message says that something ended
    mends: bool = False  #: its message mends a mistake
    meant: bool = False  #: it was marked as what ends it
    common: frozenset[str] = frozenset()


def lines(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())


# ---- what clauses speak of ------------------------------------------------------------------------------------------


def labelled() -> Iterator[tuple[Said, str]]:
    """Yield the clauses of turns whose matter was labelled."""
    turns = {each["id"]: each for path in (TRAINING / "salience").glob("*.jsonl") for each in lines(path)}
    for path in sorted((TRAINING / "matters").glob("clauses_*.tsv")):
        for line in path.read_text("utf-8").splitlines():
            told, label = line.split("\t")
            turn, _, number = told.rpartition("/L")
            yield Said(turns[turn]["lasting"][int(number)], turns[turn]["lang"]), label
    for path in sorted((TRAINING / "matters").glob("notes_*.tsv")):
        for line in path.read_text("utf-8").splitlines():
            label, text = line.split("\t")
            yield Said(text, path.stem[-2:]), label


def listed_words() -> Iterator[tuple[Said, str]]:
    """Yield words and phrases by the matter that they show."""
    folder = TRAINING / "matters"
    for path in sorted([*folder.glob("words_*.tsv"), *folder.glob("names_*.tsv")]):
        for line in path.read_text("utf-8").splitlines():
            label, told = line.split("\t")
            yield from ((Said(word.strip(), path.stem[-2:]), label) for word in told.split(","))


# ---- pairs --------------------------------------------------------------------------------------------------------


def _holding(span: str, told: Sequence[str], book: Language) -> str:
    """Return the clause that holds a marked span."""
    wanted = set(book.words(span))
    return max(told, key=lambda clause: len(wanted & set(book.words(clause))) - 0.1 * len(book.words(clause)))


def _case(each: dict[str, Any], source: str, name: str) -> Iterator[Pair]:
    """Yield the pairs of one case: any clause of the second message may be the one that ends the older one."""
    book = language(each["lang"])
    asked = {clause.said: clause.question for clause in clauses(each["second"], book)}
    later = [said for said, question in asked.items() if not question]
    earlier = [clause.said for clause in clauses(each["first"], book)]
    beside = [*(_holding(span, earlier, book) for span in each["stands"]), *each.get("beside", ())]
    ended = _holding(each["old"], earlier, book) if each["old"] else None
    turned = [said for said in later if book.phrases("turning", "ended").within(book.words(said))]
    meant = _holding(each["new"], list(asked), book) if each["new"] else ""
    corrects = bool(turned)
    mends = book.phrases("turning", "correcting").within(book.words(each["second"]))
    for new in dict.fromkeys([*later, *([meant] if meant else [])]):
        if ended is not None:
            yield Pair(
                Said(new, each["lang"]),
                Said(ended, each["lang"]),
                True,
                source,
                name,
                corrects,
                mends,
                new == meant,
            )
        for old in beside:
            if old != ended:
                yield Pair(
                    Said(new, each["lang"]), Said(old, each["lang"]), False, source, name, corrects, mends
                )


def cases(*, kept: bool) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield name, source and content of the cases that were written; `kept` says whether of the files kept apart."""
    for path in sorted((TRAINING / "endings").glob("*.jsonl")):
        if (path.stem in KEPT) == kept:
            yield from ((f"{path.stem} {each['id']}", "endings", each) for each in lines(path))
    if not kept:
        for each in lines(ROOT / "src/bethink/evals/lifecycle/data/corrections_development.jsonl"):
            yield each["id"], "development", each


def diaries(*, kept: bool) -> Iterator[Pair]:
    """Yield the pairs of a year of messages of one person: each message with all that stood before it.

    `kept` says whether of the first person of each file, who is left out where the score is judged.
    """
    people: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for path in sorted((TRAINING / "diaries").glob("*.jsonl")):
        for each in lines(path):
            people[each["person"]].append(each)
    for person, told in people.items():
        if person.endswith("a") == kept:
            yield from _diary(told)


def _diary(told: Sequence[dict[str, Any]]) -> Iterator[Pair]:
    standing: dict[str, str] = {}  # what was said to last, with the clause that holds it
    for each in told:
        lang, book = each["lang"], language(each["lang"])
        found = {clause.said: clause.question for clause in clauses(each["text"], book)}
        news = [said for said, question in found.items() if not question]
        turned = any(book.phrases("turning", "ended").within(book.words(said)) for said in news)
        mends = book.phrases("turning", "correcting").within(book.words(each["text"]))
        ended = {standing[end["old"]] for end in each["ends"] if end["old"] in standing}
        meant = {_holding(end["by"], list(found), book) for end in each["ends"]} if found else set[str]()
        for new in dict.fromkeys([*news, *meant]):
            for old in dict.fromkeys(standing.values()):
                pair = Said(new, lang), Said(old, lang), old in ended
                yield Pair(*pair, "diaries", each["id"], turned, mends, new in meant)
        for end in each["ends"]:
            standing.pop(end["old"], None)
        for span in each["lasting"]:
            standing[span] = _holding(span, list(found), book) if found else span


def pairs_of_notes() -> Iterator[tuple[str, int, str, Said, Said]]:
    """Yield pairs of short notes: the file and the line, what the newer one is to the older, the newer, the older."""
    for path in sorted((TRAINING / "short_notes").glob("*.tsv")):
        for number, line in enumerate(path.read_text("utf-8").splitlines()):
            lang, kind, old, new = line.split("\t")
            yield path.stem, number, kind, Said(new, lang), Said(old, lang)


def short_notes(*, kept: bool) -> Iterator[Pair]:
    """Yield pairs of short notes, of which every fifth is kept apart."""
    for name, number, kind, new, old in pairs_of_notes():
        if (number % 5 == 0) == kept:
            yield Pair(new, old, kind == "ends", "short", f"{name} {number}", meant=kind == "ends")


def written() -> Iterator[Pair]:
    """Yield pairs of short notes, as tools write them, and the pairs beside the rules' tests."""
    for line in (TRAINING / "endings" / "notes.tsv").read_text("utf-8").splitlines():
        lang, kind, old, new = line.split("\t")
        yield Pair(Said(new, lang), Said(old, lang), kind == "ends", "pairs", f"{lang} {new}")
    for part in ("development", "held_out"):
        for number, each in enumerate(lines(TESTS / f"pairs_{part}.jsonl")):
            new, old = Said(each["new"], each["language"]), Said(each["old"], each["language"])
            yield Pair(new, old, each["are"] == "conflict", "pairs", f"{part} {number}")
    for name in ("test_corrections", "test_endings"):
        block = re.search(r'= """\n(.*?)"""', (TESTS / f"{name}.py").read_text("utf-8"), re.DOTALL)
        for row in block[1].strip().splitlines() if block else ():
            *lang, old, beside, new = row.split(" | ")
            code = lang[0] if lang else code_of(new)
            yield Pair(Said(new, code), Said(old, code), True, "pairs", row)
            yield Pair(Said(new, code), Said(beside, code), False, "pairs", row)


def messages() -> Iterator[Pair]:
    """Yield clauses of one message, which end nothing of each other."""
    for path in sorted((TRAINING / "salience").glob("*.jsonl")):
        for turn in lines(path):
            spans = [Said(span, turn["lang"]) for span in turn["lasting"]]
            for one in spans:
                yield from (
                    Pair(one, other, False, "messages", f"{turn['id']} {one}")
                    for other in spans
                    if one != other
                )


def strangers(pairs: Sequence[Pair], known: dict[Said, str], draw: Any) -> Iterator[Pair]:
    """Yield clauses with clauses of others on other matters, the same for all clauses of a case."""
    by_lang: dict[str, list[Said]] = defaultdict(list)
    for said in known:
        by_lang[said.lang].append(said)
    news: dict[str, dict[Said, tuple[bool, bool]]] = defaultdict(dict)
    for pair in pairs:
        news[pair.case][pair.new] = pair.corrects, pair.mends
    for case, clauses_of_it in news.items():
        lang = next(iter(clauses_of_it)).lang
        for place in draw.integers(0, len(by_lang[lang]), RANDOM):
            old = by_lang[lang][place]
            for new, (corrects, mends) in clauses_of_it.items():
                yield Pair(new, old, False, "cases", case, corrects, mends)
    for new, label in known.items():
        others = by_lang[new.lang]
        for place in draw.integers(0, len(others), 3):
            if label != known[others[place]]:
                yield Pair(new, others[place], False, "strangers", f"{new}")


def idle() -> list[Said]:
    """Return clauses of turns that state nothing of their author to keep."""
    found: dict[Said, None] = {}
    for path in sorted((TRAINING / "salience").glob("*.jsonl")):
        for turn in lines(path):
            if not turn["lasting"] and not turn["passing"]:
                book = language(turn["lang"])
                found |= dict.fromkeys(
                    Said(clause.said, turn["lang"]) for clause in clauses(turn["text"], book)
                )
    return list(found)


def lookalikes(
    news: Sequence[Said], known: dict[Said, str], scores: dict[Said, Scored], draw: Any
) -> Iterator[Pair]:
    """Yield clauses that end nothing with themselves, and with those of some others that are most like them.

    A clause that tells of a change may end what is on its matter: with it go only clauses on others, or any where it
    states nothing of its author.
    """
    by_lang: dict[str, list[Said]] = defaultdict(list)
    for said in known:
        by_lang[said.lang].append(said)
    for new in news:
        others = by_lang[new.lang]
        some = [others[place] for place in draw.integers(0, len(others), LOOKED)]
        if gist_of(new).turn:
            some = [old for old in some if known.get(new) != known[old]]
        some.sort(key=lambda old: -alike(scores[new], scores[old]))
        for old in dict.fromkeys([new, *some[:5], *some[-2:]]):
            yield Pair(new, old, False, "lookalikes", f"{new}")


def users(path: Path, draw: Any) -> Iterator[Pair]:
    """Yield pairs of notes of MemoryBank's users."""
    from bethink.sync import Memory

    with Memory(":memory:") as memory:
        for lang, people in json.loads(path.read_text("utf-8")).items():
            for name, kept in people.items():
                scope = memory.scope(agent="training", user=f"{lang} {name}")
                notes: list[str] = []
                for day, turns in kept["history"].items():
                    if not turns:
                        continue
                    scope.session(day).append([{"role": "user", "content": turn["query"]} for turn in turns])
                    notes += [each.text for each in scope.distill(day).kept if each.durable]
                for place, text in enumerate(notes):
                    older = range(place) if place <= MOST else draw.choice(place, MOST, replace=False)
                    for other in older:
                        if notes[other] != text:
                            new, old = Said(text, code_of(text)), Said(notes[other], code_of(notes[other]))
                            yield Pair(new, old, False, "MemoryBank", f"{name} {place}")


# ---- fitting ------------------------------------------------------------------------------------------------------


class Rows:
    """Features of texts at their places, with what each weighs."""

    def __init__(self, told: Sequence[Said], rarity: Any) -> None:
        at, lengths = [], []
        for said in told:
            found = np.array([place for place in _found(said) if rarity[place] > 0], np.int64)
            at.append(found)
            lengths.append(len(found))
        self.at = np.concatenate(at)
        self.row = np.repeat(np.arange(len(told)), lengths)
        weights = rarity[self.at]
        norms = np.sqrt(np.bincount(self.row, weights**2, len(told)))
        self.values = (weights / np.maximum(norms, 1e-6)[self.row]).astype(np.float32)
        self.count = len(told)
        self.order = np.argsort(self.at, kind="stable")
        self.used, self.starts = np.unique(self.at[self.order], return_index=True)
        self.begins = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        self.empty = np.array(lengths) == 0

    def times(self, table: Any) -> Any:
        """Return the sum of a table's rows for each text."""
        found = np.add.reduceat(
            table[self.at] * self.values[:, None], np.minimum(self.begins, len(self.at) - 1)
        )
        found[self.empty] = 0
        return found

    def spread(self, slopes: Any) -> Any:
        """Return the slope of each used row of a table."""
        return np.add.reduceat((slopes[self.row] * self.values[:, None])[self.order], self.starts)


_known: dict[Said, list[int]] = {}


def _found(said: Said) -> list[int]:
    if said not in _known:
        _known[said] = places(features(said.text, language(said.lang)))
    return _known[said]


class Adam:
    """Steps of Adam over some arrays."""

    def __init__(self, arrays: Sequence[Any], rate: float, rounds: int) -> None:
        self.arrays, self.rate, self.rounds, self.round = arrays, rate, rounds, 0
        self.first = [np.zeros_like(each) for each in arrays]
        self.second = [np.zeros_like(each) for each in arrays]

    def step(self, slopes: Sequence[Any], at: Sequence[Any]) -> None:
        """Take one step; `at` says which rows of each array the slopes are of."""
        self.round += 1
        rate = self.rate * (1 - (self.round - 1) / self.rounds)
        for array, one, two, slope, rows in zip(
            self.arrays, self.first, self.second, slopes, at, strict=True
        ):
            one[rows] = 0.9 * one[rows] + 0.1 * slope
            two[rows] = 0.98 * two[rows] + 0.02 * slope**2
            mean = one[rows] / (1 - 0.9**self.round)
            array[rows] -= rate * mean / (np.sqrt(two[rows] / (1 - 0.98**self.round)) + 1e-8)


def softmax(logits: Any) -> Any:
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def fit_matters(rows: Rows, labels: Any, weights: Any, *, rounds: int = 80, decay: float = 4e-6) -> Any:
    """Fit a softmax whose weights are a product of two narrow tables."""
    draw = np.random.default_rng(1)
    table = draw.normal(0, 0.1, (BUCKETS, WIDTH)).astype(np.float32)
    mixing = draw.normal(0, 0.5, (WIDTH, len(MATTERS))).astype(np.float32)
    gold = np.eye(len(MATTERS), dtype=np.float32)[labels]
    bias = np.log((gold * weights[:, None]).sum(axis=0) / weights.sum() + 1e-4).astype(np.float32)
    share = (weights / weights.sum()).astype(np.float32)[:, None]
    steps = Adam((table, mixing, bias), 0.05, rounds)
    everywhere = slice(None)
    for _ in range(rounds):
        summed = rows.times(table)
        slope = (softmax(summed @ mixing + bias) - gold) * share
        down = rows.spread(slope @ mixing.T) + decay * table[rows.used]
        steps.step(
            (down, summed.T @ slope + 1e-4 * mixing, 0.2 * slope.sum(axis=0)),
            (rows.used, everywhere, everywhere),
        )
    unseen = np.ones(BUCKETS, bool)
    unseen[rows.used] = False
    table[unseen] = 0
    return table, mixing, bias


def fit_change(rows: Rows, gold: Any, weights: Any, *, rounds: int = 60, decay: float = 1e-4) -> Any:
    """Fit a logistic regression that tells the clauses that end something."""
    table, bias = np.zeros((BUCKETS, 1), np.float32), np.zeros(1, np.float32)
    share = (weights / weights.sum()).astype(np.float32)
    steps = Adam((table, bias), 0.1, rounds)
    for _ in range(rounds):
        slope = ((1 / (1 + np.exp(-(rows.times(table)[:, 0] + bias[0])))) - gold) * share
        down = rows.spread(slope[:, None]) + decay * table[rows.used]
        steps.step((down, slope.sum(keepdims=True)), (rows.used, slice(None)))
    return table[:, 0], bias


def fit_pairs(
    signs_of: Any, gold: Any, group: Any, weights: Any, *, rounds: int = 150, decay: float = 1e-3
) -> tuple[Any, Any]:
    """Fit a small network over the signs of pairs: of the pairs of a case one is right, or none.

    `weights` are of the cases, `group` says of which case a pair is. The signs are brought to one scale, which goes
    into the weights that are returned.
    """
    draw = np.random.default_rng(2)
    middle, scale = signs_of.mean(axis=0), 0.5 / (signs_of.std(axis=0) + 1e-3)
    inputs = np.hstack([(signs_of - middle) * scale, np.ones((len(signs_of), 1), np.float32)])
    hidden = draw.normal(0, 0.15, (inputs.shape[1], HIDDEN)).astype(np.float32)
    hidden[-1] = 0
    out = draw.normal(0, 0.3, HIDDEN + 1).astype(np.float32)
    out[-1] = -3
    count = len(weights)
    share = (weights / weights.sum()).astype(np.float32)[group]
    decided = np.bincount(group, gold, count)[group] > 0
    steps = Adam((hidden, out), 0.03, rounds)
    for _ in range(rounds):
        inner = np.tanh(inputs @ hidden)
        told = np.exp(np.minimum(inner @ out[:-1] + out[-1], 30))
        of_right = np.bincount(group, told * gold, count)[group]
        slope = told / (1 + np.bincount(group, told, count)[group])
        slope = (slope - np.where(decided, told * gold / np.maximum(of_right, 1e-9), 0)) * share
        slope = slope.astype(np.float32)
        back = (slope[:, None] * out[:-1]) * (1 - inner**2)
        outer = np.append(slope @ inner, slope.sum()) + 2 * decay * np.append(out[:-1], 0)
        down = inputs.T @ back
        down[:-1] += 2 * decay * hidden[:-1]
        steps.step((down, outer.astype(np.float32)), (slice(None), slice(None)))
    whole = hidden[:-1] * scale[:, None]
    return np.vstack([whole, hidden[-1] - middle @ whole]).astype(np.float32), out


SHARES = {
    "endings": 1.0, "development": 1.0, "pairs": 6.0, "messages": 0.03, "strangers": 0.03, "lookalikes": 0.05,
    "MemoryBank": 0.2, "diaries": 0.6, "short": 0.6,
}  # fmt: skip


def rarities(told: Sequence[Said]) -> Any:
    """Return what the features at each place weigh, by how few texts have them; 0 of what one text has."""
    counts = np.bincount(np.concatenate([_found(said) for said in told]), minlength=BUCKETS)
    return np.where(counts > 1, np.log(len(told) / np.maximum(counts, 1)), 0).astype(np.float32)


def listed_changes() -> Iterator[tuple[Said, bool]]:
    """Yield phrases that say that something ended, and phrases that say that it stands."""
    for line in (TRAINING / "endings" / "words.tsv").read_text("utf-8").splitlines():
        lang, kind, told = line.split("\t")
        yield from ((Said(phrase.strip(), lang), kind == "ends") for phrase in told.split(","))


def changes(pairs: Sequence[Pair], known: Sequence[Said]) -> dict[Said, tuple[float, float, str]]:
    """Return clauses with whether they end something, what they weigh and their case."""
    found: dict[Said, tuple[float, float, str]] = {
        said: (0.0, 0.05, str(place)) for place, said in enumerate(known)
    }
    found |= {said: (float(ends), 1.0, "listed") for said, ends in listed_changes()}
    for pair in pairs:
        found.setdefault(pair.old, (0.0, 0.3, pair.case))
    for pair in pairs:
        before = found.get(pair.new, (0.0, 0.0, ""))
        weight = 1.0 if pair.meant or not pair.ends else 0.5
        found[pair.new] = (
            max(before[0], float(pair.ends)),
            weight if pair.ends or not before[0] else before[1],
            pair.case,
        )
    return found


def scores_of(told: Sequence[Said], model: Model) -> dict[Said, Scored]:
    return {said: score(_found(said), model) for said in dict.fromkeys(told)}


@cache
def gist_of(said: Said) -> Gist:
    return gist(said.text, said.lang)


def matrix(pairs: Sequence[Pair], scores: dict[Said, Scored]) -> Any:
    """Return the signs of pairs, a row each; pairs of one newer clause are looked at together."""
    alike: dict[Any, list[int]] = defaultdict(list)
    for place, pair in enumerate(pairs):
        alike[pair.new, pair.corrects, pair.mends, pair.common].append(place)
    found: Any = None
    for (said, corrects, mends, common), at in alike.items():
        new = gist_of(said)
        new = new._replace(corrects=corrects, mends=new.mends or mends)
        olds = [(gist_of(pairs[place].old), scores[pairs[place].old]) for place in at]
        told = signs(new, olds, scores[said], common)
        found = np.empty((len(pairs), told.shape[1]), np.float32) if found is None else found
        found[at] = told
    return found


def packed(table: Any, change: Any, mixing: Any, bias: Any, of_change: Any, rarity: Any) -> Model:
    """Return a model whose table is bytes; that of pairs is empty yet."""
    whole = np.hstack([table, change[:, None]])
    scales = np.maximum(np.abs(whole).max(axis=0) / 127, 1e-9).astype(np.float32)
    whole = np.round(whole / scales).astype(np.int8)
    nothing = np.zeros(0, np.float32)
    return Model(rarity, whole, scales, mixing, np.concatenate([bias, of_change]), nothing, nothing)


def train(pairs: list[Pair], others: Sequence[Pair], *, folds: int = 4) -> Model:
    """Fit all three; `others` are pairs of real users."""
    draw = np.random.default_rng(0)
    known = dict(labelled())
    words = list(listed_words())
    told = [*known, *(said for said, _ in words)]
    phrases = [said for said, _ in listed_changes()]
    rarity = rarities(
        [*told, *phrases, *dict.fromkeys(said for pair in pairs for said in (pair.new, pair.old))]
    )
    labels = np.array([MATTERS.index(label) for label in [*known.values(), *(label for _, label in words)]])
    weights = np.array([1.0] * len(known) + [0.6] * len(words), np.float32)
    table, mixing, bias = fit_matters(Rows(told, rarity), labels, weights)
    quiet = idle()
    marked = changes(pairs, [*known, *quiet])
    said = list(marked)
    gold, share = (np.array([marked[each][place] for each in said], np.float32) for place in (0, 1))
    rows = Rows(said, rarity)
    change, of_change = fit_change(rows, gold, share)
    model = packed(table, change, mixing, bias, of_change, rarity)
    pairs = [*pairs, *strangers(pairs, known, draw), *messages(), *others]
    scores = scores_of([*(each for pair in pairs for each in (pair.new, pair.old)), *known, *quiet], model)
    pairs += lookalikes([*known, *quiet], known, scores, draw)
    fold_of = {
        case: number % folds for number, case in enumerate(dict.fromkeys(marked[each][2] for each in said))
    }
    where = np.array([fold_of[marked[each][2]] for each in said])
    for fold in range(folds):  # what a clause says of change is told by a model that has not seen it
        part = np.flatnonzero(where != fold)
        seen = fit_change(Rows([said[place] for place in part], rarity), gold[part], share[part])
        unseen = packed(table, seen[0], mixing, bias, seen[1], rarity)
        for place in np.flatnonzero(where == fold):
            each = said[place]
            if each in scores:
                found = score(_found(each), unseen)
                scores[each] = scores[each]._replace(change=found.change)
    signs_of = matrix(pairs, scores)
    gold = np.array([pair.ends for pair in pairs], np.float32)
    sources: dict[str, str] = {}
    for pair in pairs:
        sources.setdefault(pair.case, pair.source)
    numbers = {case: number for number, case in enumerate(sources)}
    group = np.array([numbers[pair.case] for pair in pairs])
    share = np.array([SHARES[source] for source in sources.values()], np.float32)
    hidden, out = fit_pairs(signs_of, gold, group, share)
    return model._replace(hidden=hidden, out=out.astype(np.float32))


def looked_at(model: Model, rules: Any = None) -> None:
    """Print what is ended of the files kept apart, each case in a memory of notes of others on other matters."""
    draw = np.random.default_rng(5)
    known = dict(labelled())
    found: list[tuple[str, bool, list[float], list[float], list[float]]] = []
    for name, _, each in cases(kept=True):
        pairs = list(_case(each, "endings", name))
        if not pairs:  # all of it is a question
            found.append((each["lang"], bool(each["old"]), [0.0] * bool(each["old"]), [], []))
            continue
        right = {pair.old for pair in pairs if pair.ends}
        beside = {pair.old for pair in pairs} - right
        scores = scores_of([said for pair in pairs for said in (pair.new, pair.old)], model)
        near = {MATTERS[int(place)] for said in scores for place in np.argsort(-scores[said].matters)[:2]}
        others = [said for said in known if said.lang == each["lang"] and known[said] not in near]
        olds = list(right | beside | {others[place] for place in draw.integers(0, len(others), NOTES)})
        scores |= scores_of([old for old in olds if old not in scores], model)
        news = {(pair.new, pair.corrects, pair.mends) for pair in pairs}
        told = dict.fromkeys(olds, 0.0)
        for new, corrects, mends in news:
            if rules is None:
                weights = weighed(
                    matrix([Pair(new, old, False, "", "", corrects, mends) for old in olds], scores),
                    model,
                )
                shares = weights / (1 + weights.sum())
            else:
                shares = np.array([float(rules(new, old, corrects)) for old in olds])
            told = {old: max(told[old], float(share)) for old, share in zip(olds, shares, strict=True)}
        far = [told[old] for old in olds if old not in right and old not in beside]
        found.append(
            (each["lang"], bool(right), [told[old] for old in right], [told[old] for old in beside], far)
        )
    for least in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        print(f"  over {least}: {_summary(found, least)}")
    for lang in CODES:
        print(f"    {lang} over 0.7: {_summary([each for each in found if each[0] == lang], 0.7)}")


def followed(model: Model) -> None:
    """Print what is ended, message by message, in the diaries of the people who were left out."""
    pairs = list(diaries(kept=True))
    scores = scores_of([said for pair in pairs for said in (pair.new, pair.old)], model)
    told: dict[str, dict[Said, float]] = defaultdict(lambda: defaultdict(float))
    right: dict[str, set[Said]] = defaultdict(set)
    by_new: dict[tuple[str, Said], list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_new[pair.case, pair.new].append(pair)
        if pair.ends:
            right[pair.case].add(pair.old)
    for (case, _), group in by_new.items():
        weights = weighed(matrix(group, scores), model)
        for pair, weight in zip(group, weights / (1 + weights.sum()), strict=True):
            told[case][pair.old] = max(told[case][pair.old], float(weight))
    wanted = sum(map(len, right.values()))
    print(f"diaries left out: {len(told)} messages, {wanted} endings")
    for least in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        found = [(case, old) for case, olds in told.items() for old, share in olds.items() if share > least]
        good = sum(old in right[case] for case, old in found)
        print(f"  over {least}: ended {good} of {wanted}, wrongly {len(found) - good}")


def noted(model: Model) -> None:
    """Print what is ended of the short notes that were kept apart, each beside notes of others on other matters."""
    draw = np.random.default_rng(6)
    pairs = list(short_notes(kept=True))
    olds_of: dict[str, list[Said]] = defaultdict(list)
    for pair in pairs:
        olds_of[pair.old.lang].append(pair.old)
    scores = scores_of([said for pair in pairs for said in (pair.new, pair.old)], model)
    found: list[tuple[bool, float, list[float]]] = []
    for pair in pairs:
        others = olds_of[pair.old.lang]
        some = [others[place] for place in draw.integers(0, len(others), NOTES)]
        olds = list(dict.fromkeys([pair.old, *some]))
        weights = weighed(matrix([pair._replace(old=old) for old in olds], scores), model)
        shares = weights / (1 + weights.sum())
        found.append((pair.ends, float(shares[0]), shares[1:].tolist()))
    wanted = sum(ends for ends, _, _ in found)
    print(f"short notes left out: {len(found)}, {wanted} endings")
    for least in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        good = sum(ends and share > least for ends, share, _ in found)
        near = sum(not ends and share > least for ends, share, _ in found)
        far = sum(share > least for _, _, shares in found for share in shares)
        print(
            f"  over {least}: ended {good} of {wanted}, wrongly {near} of {len(found) - wanted} near, {far} others"
        )


def _summary(found: Sequence[Any], least: float) -> str:
    right, wanted, near, far = (
        sum(value > least for each in found for value in each[2]), sum(len(each[2]) for each in found),
        sum(value > least for each in found for value in each[3]), sum(value > least for each in found for value in each[4]),
    )  # fmt: skip
    exact = sum(
        all(v > least for v in each[2]) and not any(v > least for v in [*each[3], *each[4]])
        for each in found
        if each[1]
    )
    return (
        f"ended {right} of {wanted} ({right / max(1, wanted):.3f}), wrongly {near} of those beside and {far} of others,"
        f" precision {right / max(1, right + near + far):.3f}, exactly right {exact}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--memorybank", type=Path)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    pairs = [pair for name, source, each in cases(kept=False) for pair in _case(each, source, name)]
    pairs += diaries(kept=False)
    if not given.keep:
        pairs += [pair for name, source, each in cases(kept=True) for pair in _case(each, source, name)]
        pairs += diaries(kept=True)
    pairs += short_notes(kept=False)
    if not given.keep:
        pairs += short_notes(kept=True)
    pairs += written()
    others = list(users(given.memorybank, np.random.default_rng(4))) if given.memorybank else []
    model = train(pairs, others)
    print(Counter(pair.source for pair in pairs), len(others))
    if given.keep:
        looked_at(model)
        followed(model)
        noted(model)
    if given.out:
        np.savez_compressed(given.out / "endings.npz", **model._asdict())


if __name__ == "__main__":
    main()
