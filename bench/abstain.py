"""Measure whether `relevance` tells answers from nothing, and draw its risk over coverage.

    python bench/abstain.py PATH [--fit] [--sizes] [--svg docs/abstention.svg]

Every question of a LoCoMo file is asked where it belongs, and every third one of each other conversation too, with
the names of its two speakers put in place of those who talk here, so that names give nothing away: nothing here
answers it. Questions about a made-up chat stand for what is wholly unrelated. Where the file says a question has no
answer (adversarial: what one speaker did, asked of the other), it is shown apart. `--fit` fits the two numbers anew on
each half of the conversations and tries them on the other. `--sizes` asks memories of many sizes, notes and items,
and prints which share of the right first answers a threshold keeps, and which of the questions from elsewhere it lets
through: eight notes and more of made-up people who are asked in other words (`few_facts.py`), and stretches of the
conversations, as turns and as the notes that the file says were observed.
"""

from __future__ import annotations

import argparse
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from few_facts import PEOPLE
from ranking import embedder_named, index_of, long_chat

from bethink.evals import locomo
from bethink.recall.namespace_index import NamespaceIndex
from bethink.recall.passage_blocks import block_of
from bethink.recall.passage_vectors import vectors_of
from bethink.recall.passages import Passage, of_item
from bethink.recall.relevance import relevance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.evals.cases import Conversation
    from bethink.models.embedding import Embedder
    from bethink.recall.namespace_index import Ranking

STYLE = """<style>
text { font: 13px system-ui, sans-serif; fill: #334155 } line { stroke: #cbd5e1 } rect { fill: #ffffff }
path { fill: none; stroke: #1d4ed8; stroke-width: 2 } circle { fill: #1d4ed8 }
@media (prefers-color-scheme: dark) {
  text { fill: #cbd5e1 } line { stroke: #334155 } rect { fill: #0f172a }
}
</style>"""
OWN, FOREIGN, UNRELATED, ADVERSARIAL = "own", "of another conversation", "unrelated", "adversarial"
SIZES = (8, 16, 32, 64, 128, 256, 10_000)  #: the last is all there is
STRETCHES = 3  #: of a size, from one conversation
THRESHOLDS = (0.2, 0.25, 0.3, 0.5)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question put to one conversation."""

    conversation: int
    sort: str
    answered: bool  #: a turn that answers is among the ten hits
    relevance: float
    covered: float
    nearest: float


def names(conversation: Conversation) -> tuple[str, ...]:
    return tuple(dict.fromkeys(turn.item.speaker or "" for turn in conversation.turns))


def renamed(text: str, those: Sequence[str], these: Sequence[str]) -> str:
    for that, this in zip(those, these, strict=True):
        text = re.sub(rf"\b{re.escape(that)}\b", this, text)
    return text


def ask_all(path: Path) -> list[Asked]:
    embedder = embedder_named("static")
    conversations = locomo.load(path)
    elsewhere = [question.text for one in long_chat() for question in one.questions]
    asked: list[Asked] = []
    for number, conversation in enumerate(conversations):
        index, ids = index_of(conversation, embedder)

        def ask(text: str, sort: str, gold: frozenset[str] = frozenset()) -> None:
            found = index.search(text, embedder.embed([text])[0], limit=10)  # noqa: B023 - called at once
            turns = {ids[hit.owner, hit.seq] for hit in found.hits}  # noqa: B023
            values = (relevance(found), found.covered, found.nearest or 0.0)
            asked.append(Asked(number, sort, bool(turns & gold), *values))  # noqa: B023

        for question in conversation.questions:
            ask(question.text, ADVERSARIAL if question.category == "adversarial" else OWN, question.gold)
        for other in conversations:
            if other is not conversation:
                for question in other.questions[::3]:
                    ask(renamed(question.text, names(other), names(conversation)), FOREIGN)
        for text in elsewhere:
            ask(text, UNRELATED)
    return asked


def auroc(with_answer: Sequence[float], without: Sequence[float]) -> float:
    """Return how often one with an answer is valued above one without."""
    high, low = np.asarray(with_answer)[:, None], np.asarray(without)[None, :]
    return float(((high > low) + 0.5 * (high == low)).mean())


def weighed(asked: Sequence[Asked]) -> np.ndarray:
    """Weigh each question so that as many have an answer here as have none."""
    answered = np.array([one.answered for one in asked])
    return np.where(answered, 0.5 / max(answered.sum(), 1), 0.5 / max((~answered).sum(), 1))


def risk_over_coverage(asked: Sequence[Asked]) -> list[tuple[float, float, float]]:
    """Return, from the most relevant on: the threshold, the share answered, and how much of that is wrong."""
    ordered = sorted(asked, key=lambda one: -one.relevance)
    weights = weighed(ordered)
    wrong = np.array([not one.answered for one in ordered])
    covered = np.cumsum(weights)
    risk = np.cumsum(weights * wrong) / covered
    return [(one.relevance, float(c), float(r)) for one, c, r in zip(ordered, covered, risk, strict=True)]


def fitted(asked: Sequence[Asked]) -> np.ndarray:
    """Fit weight of what is covered, weight of nearness and a constant, by logistic regression."""
    x = np.array([[one.covered, one.nearest, 1.0] for one in asked])
    y = np.array([one.answered for one in asked], float)
    weights, found = weighed(asked), np.zeros(3)
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ found))
        slope = x.T @ ((p - y) * weights) + 1e-4 * found
        found -= np.linalg.solve((x * (weights * p * (1 - p))[:, None]).T @ x + 1e-4 * np.eye(3), slope)
    return found


def report(asked: Sequence[Asked]) -> None:
    def of(sort: str) -> list[float]:
        return [one.relevance for one in asked if one.sort == sort]

    own = of(OWN)
    found = [one.relevance for one in asked if one.sort == OWN and one.answered]
    for sort in (FOREIGN, UNRELATED, ADVERSARIAL):
        of_all, of_found = auroc(own, of(sort)), auroc(found, of(sort))
        print(f"AUROC against {sort:<24} {of_all:.3f}, where the answer was found {of_found:.3f}")
    judged = [one for one in asked if one.sort in {OWN, FOREIGN}]
    weights = weighed(judged)
    values = np.array([one.relevance for one in judged])
    answered = np.array([one.answered for one in judged])
    print(f"\n{'relevance':<12}{'questions':>10}{'said':>8}{'true':>8}")
    bins = np.minimum((values * 5).astype(int), 4)
    error = 0.0
    for each in range(5):
        inside = bins == each
        share = weights[inside].sum()
        said = float((weights * values)[inside].sum() / share)
        true = float((weights * answered)[inside].sum() / share)
        error += share * abs(said - true)
        print(f"{each / 5:.1f} to {(each + 1) / 5:.1f}  {inside.sum():>10}{said:>8.2f}{true:>8.2f}")
    print(f"expected calibration error {error:.3f}\n")
    print(f"{'threshold':<12}{'own answered':>14}{'foreign answered':>18}{'unrelated answered':>20}")
    for threshold in (0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7):
        shares = [np.mean(np.array(of(sort)) >= threshold) for sort in (OWN, FOREIGN, UNRELATED)]
        print(f"{threshold:<12}{shares[0]:>14.2f}{shares[1]:>18.2f}{shares[2]:>20.2f}")
    curve = risk_over_coverage(judged)
    area = float(np.trapezoid([risk for _, _, risk in curve], [share for _, share, _ in curve]))
    print(f"\narea under risk over coverage {area:.3f} (answering everything: {curve[-1][2]:.3f})")


@dataclass(slots=True)
class Sized:
    """What memories of one kind and size made of questions."""

    kind: str
    size: int
    right: list[Ranking]  #: where the first hit answers
    elsewhere: list[Ranking]  #: where nothing does


def _notes(texts: Sequence[str]) -> list[Passage]:
    return [
        Passage(kind="note", owner=key, text=text, words=len(text.split())) for key, text in enumerate(texts)
    ]


def _asked_of(
    passages: Sequence[Passage],
    own: Sequence[tuple[str, set[tuple[int, int]]]],
    elsewhere: Sequence[str],
    embedder: Embedder,
    into: Sized,
) -> None:
    """Ask a memory its own questions, each with the owners and places that answer it, and others."""
    index = NamespaceIndex()
    index.extend(block_of(passages, vectors_of(passages, embedder)))
    for text, gold in own:
        found = index.search(text, embedder.embed([text])[0], limit=10)
        if found.hits and (found.hits[0].owner, found.hits[0].seq) in gold:
            into.right.append(found)
    into.elsewhere += [index.search(text, embedder.embed([text])[0], limit=10) for text in elsewhere]


def people(embedder: Embedder) -> list[Sized]:
    """Ask about one, two and four made-up people at once, in other words."""
    found: list[Sized] = []
    for together in (1, 2, 4):
        into = Sized("notes, in other words", 8 * together, [], [])
        for first in range(0, len(PEOPLE), together):
            group = PEOPLE[first : first + together]
            texts = [text for person in group for text in person.notes]
            own = [
                (text, {(8 * number + place, 0)})
                for number, person in enumerate(group)
                for text, place in person.asked
            ]
            others = [text for person in group for text in person.unanswered]
            _asked_of(_notes(texts), own, others, embedder, into)
        found.append(into)
    return found


def _observed(path: Path) -> dict[str, list[tuple[str, set[str]]]]:
    """Read what a LoCoMo file says was observed, with the turns it was seen in, by conversation."""
    found: dict[str, list[tuple[str, set[str]]]] = {}
    for entry in json.loads(path.read_text(encoding="utf-8")):
        facts = [
            fact for session in entry["observation"].values() for told in session.values() for fact in told
        ]
        found[entry["sample_id"]] = [
            (str(text), set(re.findall(r"D\d+:\d+", str(seen)))) for text, seen in facts
        ]
    return found


def stretches(path: Path, embedder: Embedder) -> list[Sized]:
    """Ask stretches of conversations, as turns and as notes, what belongs to them and what does not."""
    conversations, observed = locomo.load(path), _observed(path)
    found: list[Sized] = []
    for kind in ("notes", "turns"):
        for size in SIZES:
            into = Sized(kind, size, [], [])
            for one in conversations:
                others = [
                    renamed(question.text, names(other), names(one))
                    for other in conversations
                    if other is not one
                    for question in other.questions[::9]
                ]
                units = (
                    [(_notes([text]), seen) for text, seen in observed[one.id]]
                    if kind == "notes"
                    else [(of_item(turn.item, 1), {turn.id}) for turn in one.turns]
                )
                most = len(units) - size
                for first in dict.fromkeys(max(0, most * at // (STRETCHES - 1)) for at in range(STRETCHES)):
                    part = units[first : first + size]
                    passages = [
                        passage._replace(owner=place, seq=0)
                        for place, (made, _) in enumerate(part)
                        for passage in made
                    ]
                    own = [
                        (
                            question.text,
                            {(place, 0) for place, (_, seen) in enumerate(part) if seen & question.gold},
                        )
                        for question in one.questions
                        if question.category != "adversarial"
                    ]
                    _asked_of(passages, own, others, embedder, into)
            found.append(into)
    return found


def table_of_sizes(path: Path) -> None:
    """Print what each threshold keeps, and what it lets through."""
    embedder = embedder_named("static")
    heads = "".join(f"{f'at {threshold}':>16}" for threshold in THRESHOLDS)
    print(f"{'memory':<24}{'size':>6}{'right':>7}{heads}   kept / let through")
    for each in [*people(embedder), *stretches(path, embedder)]:
        right, elsewhere = (
            np.array([relevance(found) for found in some]) for some in (each.right, each.elsewhere)
        )
        cells = "".join(
            f"{f'{np.mean(right >= t):.2f} / {np.mean(elsewhere >= t):.2f}':>16}" for t in THRESHOLDS
        )
        size = "all" if each.size == SIZES[-1] else each.size
        print(f"{each.kind:<24}{size:>6}{len(right):>7}{cells}")


def picture(asked: Sequence[Asked]) -> str:
    """Draw risk over coverage, with the thresholds that one may choose."""
    curve = risk_over_coverage([one for one in asked if one.sort in {OWN, FOREIGN}])

    def at(coverage: float, risk: float) -> str:
        return f"{60 + 560 * coverage:.1f},{290 - 250 * risk / 0.6:.1f}"

    step = max(1, len(curve) // 200)
    way = " L".join(at(share, risk) for _, share, risk in [*curve[20::step], curve[-1]])
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 660 345" role="img" aria-label="Risk over coverage">',
        STYLE,
        '<rect width="660" height="345"/>',
        '<text x="60" y="22" font-weight="600">Answers that are wrong, over the share of questions answered</text>',
    ]
    for tenth in range(0, 7, 2):
        y = 290 - 250 * tenth / 6
        parts.append(f'<line x1="60" x2="620" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="52" y="{y + 4:.1f}" text-anchor="end">{tenth / 10:.1f}</text>')
    parts += [
        f'<text x="{60 + 112 * fifth}" y="310" text-anchor="middle">{fifth / 5:.1f}</text>'
        for fifth in range(6)
    ]
    parts.append('<text x="340" y="335" text-anchor="middle">share answered, the most relevant first</text>')
    parts.append(f'<path d="M{way}"/>')
    for threshold in (0.8, 0.6, 0.5, 0.4, 0.2):
        _, share, risk = [each for each in curve if each[0] >= threshold][-1]
        x, y = at(share, risk).split(",")
        parts.append(f'<circle cx="{x}" cy="{y}" r="4"/>')
        parts.append(f'<text x="{x}" y="{float(y) - 9:.1f}" text-anchor="end">≥ {threshold}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path)
    parser.add_argument("--fit", action="store_true", help="fit anew on halves, and try on the others")
    parser.add_argument("--sizes", action="store_true", help="ask memories of many sizes, notes and items")
    parser.add_argument("--svg", type=Path, help="where the picture goes")
    options = parser.parse_args()
    if options.sizes:
        table_of_sizes(options.path)
        return
    asked = ask_all(options.path)
    report(asked)
    if options.fit:
        judged = [one for one in asked if one.sort in {OWN, FOREIGN}]
        half = max(one.conversation for one in judged) / 2
        for first in (True, False):
            seen = [one for one in judged if (one.conversation < half) == first]
            held = [one for one in judged if (one.conversation < half) != first]
            found = fitted(seen)
            values = [float(np.dot(found, (one.covered, one.nearest, 1.0))) for one in held]
            yes = [value for one, value in zip(held, values, strict=True) if one.answered]
            no = [value for one, value in zip(held, values, strict=True) if one.sort == FOREIGN]
            print(f"fitted on a half {np.round(found, 2)}: AUROC of the other {auroc(yes, no):.3f}")
        print(f"fitted on all {np.round(fitted(judged), 2)}")
    if options.svg:
        options.svg.write_text(picture(asked), encoding="utf-8")


if __name__ == "__main__":
    main()
