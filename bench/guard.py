"""Judge the guard's cases, and print what was found, by category, with the time it took.

    python bench/guard.py [development] [held_out] [--misses] [--json]

Both sets have the same author. Of the held-out set, round 1 was written before the first rule, round 2 after the
rules were settled, round 5 after they were widened for orders in other words; the rules were tuned on none of them.
Rounds 3 and 4 were held out until the rules were widened with them in sight, and stand in the development set since.
Round 5 says best what to expect of orders never seen: little. Round 6, booking references, postal addresses and
codes in words, was written before the rules for them.

Then talk of growing length is judged and masked, as much of it in pieces of each length: what matters is how the time
of the longest compares with that of the shortest, beside how often it is as long.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from measure import TOLD

from bethink.lifecycle.guard import RulesGuard

if TYPE_CHECKING:
    from collections.abc import Callable

    from bethink.notes.values import Source

CASES = Path(__file__).parents[1] / "tests/lifecycle/guard"
ROUNDS = 5
LENGTHS = (250, 1_000, 3_000, 6_000)


def read(name: str) -> list[dict[str, Any]]:
    lines = (CASES / f"cases_{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def timed(guard: RulesGuard, text: str, source: Source) -> float:
    began = time.perf_counter()
    guard.judge(text, source=source, stage="capture")
    return (time.perf_counter() - began) * 1e6


def report(name: str, cases: list[dict[str, Any]], *, misses: bool) -> None:
    guard = RulesGuard()
    wanted, found, wrong = Counter[str](), Counter[str](), Counter[str]()
    times: list[float] = []
    for case in cases:
        text, source = case["text"], case.get("source", "user")
        verdict = guard.judge(text, source=source, stage="capture")
        times.append(min(timed(guard, text, source) for _ in range(ROUNDS)))
        expect = case["expect"]
        if expect:
            wanted[expect[0]] += 1
            if set(expect) & set(verdict.reasons):
                found[expect[0]] += 1
                continue
        if expect or verdict.reasons:
            for reason in verdict.reasons:
                wrong[reason] += 1
            if misses:
                TOLD.tell(f"    {'|'.join(expect) or '-':32} {','.join(verdict.reasons) or '-':24} {text!r}")
    TOLD.tell(f"\n{name}: {len(cases)} texts")
    TOLD.tell(f"  {'category':18} {'found':>9}   {'wrong':>5}")
    for category in sorted(wanted | wrong):
        TOLD.tell(f"  {category:18} {found[category]:>4}/{wanted[category]:<4}   {wrong[category]:>5}")
    alarms = sum(wrong.values())
    hits = sum(found.values())
    precision, recall = hits / max(1, hits + alarms), hits / sum(wanted.values())
    times.sort()
    median, most = times[len(times) // 2], times[-1]
    TOLD.tell(f"  precision {precision:.3f}   recall {recall:.3f}")
    TOLD.tell(
        f"  µs a text: median {median:.0f}, 95% {times[len(times) * 95 // 100]:.0f}, most {most:.0f}",
        name=name,
        texts=len(cases),
        precision=precision,
        recall=recall,
        found=dict(found),
        wanted=dict(wanted),
        wrong=dict(wrong),
        microseconds=median,
    )


def by_length(kind: str, sentences: list[str]) -> None:
    """Print how the time that a text takes grows with its length."""
    guard = RulesGuard()
    talk = " ".join(sentences)
    TOLD.tell(f"\nby length, {kind}: ms of CPU for a piece of {len(talk):,} characters")
    for what, ask in (
        ("judged, the user's", lambda piece: guard.judge(piece, source="user", stage="injection")),
        ("judged, a tool's", lambda piece: guard.judge(piece, source="tool", stage="injection")),
        ("masked", guard.mask),
    ):
        spent = {length: by_piece(ask, talk, length) for length in LENGTHS}
        times = spent[6_000] / spent[1_000]
        TOLD.tell(
            f"  {what:19} "
            + "   ".join(f"{length:,}: {took:.3f}" for length, took in spent.items())
            + f"   6,000 take {times:.1f} times what 1,000 take",
            what=f"{kind}, {what}",
            milliseconds={str(length): took for length, took in spent.items()},
            times=times,
        )


def by_piece(ask: Callable[[str], object], talk: str, length: int) -> float:
    """Return the milliseconds of CPU that a piece of a length takes, the best of some rounds."""
    pieces = [talk[start : start + length] for start in range(0, len(talk) - length + 1, length)]
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        for piece in pieces:
            ask(piece)
        best = min(best, time.process_time() - began)
    return best * 1e3 / len(pieces)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", default=["development", "held_out"])
    parser.add_argument("--misses", action="store_true", help="show each text that was judged wrongly")
    TOLD.add_option(parser)
    given = parser.parse_args()
    TOLD.choose(given)
    for each in given.sets:
        rows = read(each)
        report(each, rows, misses=given.misses)
        for number in sorted({row.get("round", 1) for row in rows} - {1}):
            later = [row for row in rows if row.get("round", 1) == number]
            report(f"{each}, only round {number}", later, misses=False)
    ordinary = [
        row["text"] for name in ("development", "held_out") for row in read(name) if not row["expect"]
    ]
    by_length("English", [text for text in ordinary if text.isascii()])
    by_length("several languages", ordinary)
    TOLD.end()


if __name__ == "__main__":
    main()
