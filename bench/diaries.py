"""What a memory keeps over a year of messages of one person: what lasts, what was ended, what is still there.

    python bench/diaries.py                    # everybody of training/diaries
    python bench/diaries.py --people kept      # the first person of each file, of whom nobody read a line
    python bench/diaries.py --failures         # what goes wrong with the others

Each message is appended to a session of its own day, distilled and consolidated by rules before the next one.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bethink.evals.lifecycle.clock import Clock
from bethink.evals.lifecycle.text_checks import covers
from bethink.sync import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bethink.sync import Scope

DIARIES = Path(__file__).resolve().parent.parent / "training/diaries"
PEOPLE = ("kept", "others", "all")


def is_kept(person: str) -> bool:
    """Tell whether somebody is the first of a file, of whom nobody reads a line."""
    return person.endswith("a")


def people(which: str) -> Iterator[list[dict[str, Any]]]:
    """Yield the messages of each person."""
    for path in sorted(DIARIES.glob("*.jsonl")):
        found: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for line in path.read_text("utf-8").splitlines():
            each = json.loads(line)
            found[each["person"]].append(each)
        for person, told in found.items():
            if which == "all" or (which == "kept") == is_kept(person):
                yield told


def standing(scope: Scope) -> list[str]:
    """Return the texts of all notes that stand."""
    return [note.text for note in scope.notes(limit=1000)]


def says(notes: Sequence[str], span: str) -> bool:
    return any(covers(text, span) for text in notes)


def followed(scope: Scope, clock: Clock, told: Sequence[dict[str, Any]]) -> Iterator[tuple[str, bool, str]]:
    """Yield what is right or wrong after each message of a person: what, whether, and in which words."""
    held: dict[str, bool] = {}  # what was said to last and stands, with whether a note says it
    day = datetime.fromisoformat(told[0]["day"]).replace(tzinfo=UTC)
    for each in told:
        now = datetime.fromisoformat(each["day"]).replace(tzinfo=UTC)
        clock.move(days=max((now - day) // timedelta(days=1), 0))
        day = max(day, now)
        scope.consolidate()
        before = standing(scope)
        for span in [span for span, known in held.items() if known and not says(before, span)]:
            held[span] = False
            yield "still there before the next message", False, span
        if each["asked"]:
            scope.session(each["id"]).append([{"role": "assistant", "content": each["asked"]}])
        scope.session(each["id"]).append([{"role": "user", "content": each["text"]}])
        scope.consolidate()
        after = standing(scope)
        new = [text for text in after if text not in before]
        ended = {end["old"]: end["by"] for end in each["ends"]}
        for span in ended.keys() & held.keys():
            if held.pop(span):
                old = [text for text in after if not covers(text, ended[span])]
                yield "ended", not says(old, span), f"{span} | {each['text']}"
        for span, known in held.items():
            if known:
                stays = says(after, span)
                held[span] = stays
                yield "left alone", stays, f"{span} | {each['text']}"
        for span in each["lasting"]:
            held[span] = says(after, span)
            yield "kept when it is said", held[span], span
        if not each["lasting"] and not each["passing"] and not each["ends"]:
            yield "nothing kept of nothing", not new, f"{new} | {each['text']}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--people", choices=PEOPLE, default="all")
    parser.add_argument("--failures", action="store_true")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for told in people(given.people):
        clock = Clock()
        with Memory(":memory:", clock=clock) as memory:
            scope = memory.scope(agent="diaries", user=told[0]["person"])
            for name, good, words in followed(scope, clock, told):
                total[name] += 1
                right[name] += good
                if given.failures and not good and not is_kept(told[0]["person"]):
                    print(f"{name}: {words}")
    if given.json:
        print(json.dumps({name: {"right": right[name], "of": total[name]} for name in total}))
        return
    for name in total:
        print(f"  {name:36}{right[name]:6} of {total[name]:6}  {right[name] / total[name]:.3f}")


if __name__ == "__main__":
    main()
