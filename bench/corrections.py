"""How many corrections that others wrote take the place of what stood, and what stands beside them is still known.

    python bench/corrections.py                 # training/corrections, both halves
    python bench/corrections.py --half kept     # the half of which nobody read a line while rules were written
    python bench/corrections.py --failures      # what goes wrong in the half that was read

Each case is a memory of its own: two messages, two days apart, each distilled and consolidated by rules.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bethink.evals.lifecycle.clock import Clock
from bethink.evals.lifecycle.text_checks import covers
from bethink.sync import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.sync import Scope

CASES = Path(__file__).resolve().parent.parent / "training/corrections"
HALVES = ("development", "kept")


def cases(half: str) -> Iterator[dict[str, Any]]:
    """Yield the cases of a half: every other line of each file."""
    for path in sorted(CASES.glob("pairs-*.jsonl")):
        lines = path.read_text("utf-8").splitlines()
        yield from map(json.loads, lines[HALVES.index(half) :: 2])


def say(scope: Scope, session: str, text: str) -> list[str]:
    """Say something in a session of its own; return the notes that stand after it."""
    scope.session(session).append(
        [
            {"role": "user", "content": text},
            {"role": "assistant", "content": "Thank you for telling me."},
        ]
    )
    scope.consolidate()
    return [note.text for note in scope.notes(limit=100)]


def judged(scope: Scope, clock: Clock, case: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """Yield what is right or wrong of a case."""
    first = say(scope, "first", case["first"])
    clock.move(days=2)
    notes = say(scope, "second", case["second"])
    old, new = case["old"], case["new"]
    if old:
        held = new is None or any(covers(text, new) for text in notes)
        stale = any(covers(text, old) and not (new and covers(text, new)) for text in notes)
        yield "superseded", held and not stale
        yield "kept what stood first", any(covers(text, old) for text in first)
        yield "kept what holds instead", held
    for span in case["stands"]:
        if any(covers(text, span) for text in first):
            kept = any(covers(text, span) for text in notes)
            yield ("stands beside a correction" if old else "stands where nothing ends"), kept


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--failures", action="store_true")
    given = parser.parse_args()
    clock = Clock()
    with Memory(":memory:", clock=clock) as memory:
        for half in [given.half] if given.half else HALVES:
            found: dict[str, list[bool]] = defaultdict(list)
            for case in cases(half):
                scope = memory.scope(agent="corrections", user=case["id"])
                for name, right in judged(scope, clock, case):
                    found[name].append(right)
                    if name == "superseded":
                        found[f"  {case['lang']}"].append(right)
                    if given.failures and not right and half == "development":
                        print(f"{case['id']} {name}: {case['first']} | {case['second']}")
            print(half)
            for name, values in found.items():
                print(f"  {name:28}{sum(values):5} of {len(values):4}  {sum(values) / len(values):.3f}")


if __name__ == "__main__":
    main()
