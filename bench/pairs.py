"""How often the rules see that two notes say the same or cannot both hold, and how often they are wrong.

    python bench/pairs.py [development|held_out] [--misses]

A pair is an older and a newer note. `held_out` was written before the rules for everyday facts and is not tuned on;
`development` is. To merge or to replace what only looks alike is the one mistake that loses something.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from bethink.languages.content_words import code_of
from bethink.lifecycle.consolidate.attributes import read
from bethink.lifecycle.consolidate.duplicates_and_conflicts import conflicting, likeness
from bethink.lifecycle.consolidate.endings import ends, gist
from bethink.lifecycle.consolidate.words import canonical

PAIRS = Path(__file__).parents[1] / "tests" / "lifecycle" / "consolidate"
PARTS = ("development", "held_out")
LANGUAGES = ("en", "de", "fr", "es", "ja", "zh")
KINDS = ("same", "conflict", "apart")


def pairs(part: str) -> list[dict[str, str]]:
    """Return the pairs of one part."""
    lines = (PAIRS / f"pairs_{part}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def seen(old: str, new: str) -> str:
    """Return what the rules take two notes for: the same, a conflict, or apart."""
    earlier, later = read(canonical(old)), read(canonical(new))
    if conflicting(later, earlier):
        return "conflict"
    if likeness(later, earlier) is not None:
        return "same"
    ended = later.subject == earlier.subject and ends(gist(new, code_of(new)), gist(old, code_of(old)))
    return "conflict" if ended else "apart"


def main() -> None:
    misses = "--misses" in sys.argv
    for part in [each for each in sys.argv[1:] if not each.startswith("-")] or PARTS:
        found: Counter[tuple[str, str, str]] = Counter()
        for pair in pairs(part):
            taken = seen(pair["old"], pair["new"])
            found[pair["language"], pair["are"], taken] += 1
            if misses and taken != pair["are"]:
                print(f"    {pair['are']:8} taken for {taken:8} {pair['old']} | {pair['new']}")
        print(f"{part:12} lang  same found  conflicts found  apart left alone  precision")
        for language in (*LANGUAGES, "all"):
            print(f"{'':12} {language:4} {_line(found, language)}")


def _line(found: Counter[tuple[str, str, str]], language: str) -> str:
    def count(are: str, taken: tuple[str, ...] = KINDS) -> int:
        return sum(
            number
            for (spoken, meant, got), number in found.items()
            if language in {spoken, "all"} and meant == are and got in taken
        )

    right = count("same", ("same",)) + count("conflict", ("conflict",))
    wrong = sum(count(are, tuple({"same", "conflict"} - {are})) for are in KINDS)
    parts = [f"{count(are, (are,)):4}/{count(are):<4}" for are in KINDS]
    return f"{parts[0]:>11} {parts[1]:>16} {parts[2]:>17} {right / (right + wrong or 1):10.3f}"


if __name__ == "__main__":
    main()
