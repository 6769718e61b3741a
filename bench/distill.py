"""Precision, recall and speed of the rules that find statements, by language, on each part of the test turns.

python bench/distill.py [--json]
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from measure import TOLD

from bethink.lifecycle.distill import RulesDistiller
from bethink.sessions.values import Item

TURNS = Path(__file__).parent.parent / "tests" / "lifecycle" / "distill"
LANGUAGES = ("en", "de", "fr", "es", "ja", "zh")
PARTS = ("development", "held_out", "later", "once")
TODAY = date(2026, 3, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How the rules did on one part in one language; every note that was not expected counts as wrong."""

    turns: int
    right: int
    wrong: int
    missed: int
    kinds: int  #: of the right ones, those with the expected kind
    milliseconds: float  #: per turn

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong or 1)

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed or 1)


def turns(part: str, language: str) -> list[dict[str, Any]]:
    """Return the turns of one part with what is expected of them; none where the part lacks the language."""
    path = TURNS / f"{part}_{language}.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def score(part: str, language: str) -> Score:
    """Distill each turn as a session of its own and compare."""
    distiller = RulesDistiller()
    right = wrong = missed = kinds = 0
    cases = turns(part, language)
    spent = 0.0
    for index, case in enumerate(cases):
        item = Item(
            id=str(index), session="s", seq=index, body={"role": "user", "content": case["text"]}, at=None
        )
        start = time.perf_counter()
        kept = distiller.distill([item], today=TODAY).kept
        spent += time.perf_counter() - start
        expected = list(case.get("keep", ()))
        for note in kept:
            folded = note.text.casefold()
            fits = [
                want
                for want in expected
                if want["durable"] == note.durable
                and all(part.casefold() in folded for part in want["must_contain"])
            ]
            if fits:
                expected.remove(fits[0])
                right += 1
                kinds += fits[0]["kind"] == note.kind
            else:
                wrong += 1
        missed += len(expected)
    return Score(
        turns=len(cases),
        right=right,
        wrong=wrong,
        missed=missed,
        kinds=kinds,
        milliseconds=1000 * spent / (len(cases) or 1),
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    TOLD.add_option(parser)
    TOLD.choose(parser.parse_args())
    TOLD.tell(f"{'part':12} lang turns right wrong missed precision recall kind  ms/turn")
    for part in PARTS:
        for language in LANGUAGES:
            score(part, language)  # the first run compiles the patterns
            done = score(part, language)
            if done.turns:
                TOLD.tell(
                    f"{part:12} {language:4} {done.turns:5} {done.right:5} {done.wrong:5} {done.missed:6}"
                    f" {done.precision:9.2f} {done.recall:6.2f}"
                    f" {done.kinds / (done.right or 1):4.2f} {done.milliseconds:8.2f}",
                    part=part,
                    language=language,
                    precision=done.precision,
                    recall=done.recall,
                    **asdict(done),
                )
    TOLD.end()


if __name__ == "__main__":
    main()
