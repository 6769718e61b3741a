"""Ask whether notes that were made out of conversations push the conversations out of recall.

    python bench/beside_notes.py PATH [--keep 1,2]

Every question of a LoCoMo file is asked through the public face before there are notes, and again beside them:
those that the rules distil and consolidate, and those that the file says were observed, as a good model would write
them. An answer is found *verbatim* where its turn is among the ten hits, *found* where its turn is, or a note that was
made of it. Both are shares of the turns that answer, the mean over all questions.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
from pathlib import Path
from typing import TYPE_CHECKING

from bethink import Memory
from bethink.evals import locomo
from bethink.evals.metrics import bootstrap
from bethink.evals.runs import append_conversation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bethink.evals.cases import Conversation
    from bethink.sync import Scope

    Told = Mapping[str, frozenset[str]]  #: the turns that a note was made of, by its id

LIMIT = 10
ENTRY = re.compile(r"D\d+:\d+")


def by_rules(scope: Scope, conversation: Conversation, places: Mapping[tuple[str, int], str]) -> Told:
    """Let the rules learn from every session, as they do when a session ends; say what each note comes from."""
    told: dict[str, frozenset[str]] = {}
    for session in dict.fromkeys(turn.session for turn in conversation.turns):
        scope.consolidate(session)
        turns = {item.id: places[session, item.seq] for item in scope.session(session).items(limit=1000)}
        for note in scope.notes(session=session, status=None, limit=1000):
            told[note.id] = frozenset(turns[source] for source in note.sources if source in turns)
    for note in scope.notes(limit=1000):
        merged = {source for version in scope.history(note.id) for source in version.note.sources}
        told[note.id] = frozenset().union(*(told.get(source, ()) for source in {*note.sources, *merged}))
    return told


def as_observed(entry: dict[str, dict[str, dict[str, list[list[str]]]]], scope: Scope) -> Told:
    """Remember what the file says was observed in each session."""
    told: dict[str, frozenset[str]] = {}
    for facts in (facts for session in entry["observation"].values() for facts in session.values()):
        for text, evidence in facts:
            told[scope.remember(text, source="agent").id] = frozenset(ENTRY.findall(str(evidence)))
    return told


def asked(
    scope: Scope,
    conversation: Conversation,
    places: Mapping[tuple[str, int], str],
    told: Told,
    kinds: tuple[str, ...],
) -> list[tuple[float, float, int]]:
    """Return for every question the share that is there verbatim, the share found, and the notes among the hits."""
    answers: list[tuple[float, float, int]] = []
    for question in conversation.questions:
        hits = scope.recall(question.text, limit=LIMIT, kinds=kinds)
        there = {places[hit.item.session, hit.item.seq] for hit in hits if hit.item is not None}
        notes = [hit.note.id for hit in hits if hit.note is not None]
        known = there.union(*(told.get(note, frozenset()) for note in notes))
        gold = question.gold
        answers.append((len(there & gold) / len(gold), len(known & gold) / len(gold), len(notes)))
    return answers


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path)
    parser.add_argument("--keep", default="", help="conversations to use, counted from 1")
    options = parser.parse_args()
    chosen = {int(number) - 1 for number in options.keep.split(",") if number}
    entries = json.loads(options.path.read_text(encoding="utf-8"))
    makers: dict[str, Callable[..., Told]] = {"rules": by_rules, "observed": as_observed}
    rows: dict[str, list[tuple[float, float, int]]] = {}
    notes = dict.fromkeys(makers, 0)
    for at, (conversation, entry) in enumerate(zip(locomo.load(options.path), entries, strict=True)):
        if chosen and at not in chosen:
            continue
        for name, make in makers.items():
            with Memory(":memory:") as memory:
                scope = memory.scope(agent="beside", user="notes")
                places = append_conversation(conversation, scope)
                if name == "rules":
                    before = asked(scope, conversation, places, {}, ("item",))
                    rows.setdefault("items, before there are notes", []).extend(before)
                    told = make(scope, conversation, places)
                else:
                    told = make(entry, scope)
                notes[name] += scope.notes(limit=1).total
                for kinds in (("item",), ("note", "item")):
                    row = f"{' and '.join(f'{kind}s' for kind in kinds)}, beside notes: {name}"
                    rows.setdefault(row, []).extend(asked(scope, conversation, places, told, kinds))
    print(f"notes: {', '.join(f'{count} by {name}' for name, count in notes.items())}")
    print(f"{'R@10':<44}{'verbatim':>24}{'found':>24}{'notes a question':>18}")
    for name, answers in rows.items():
        verbatim, found = (bootstrap([answer[part] for answer in answers]) for part in (0, 1))
        print(f"{name:<44}{verbatim!s:>24}{found!s:>24}{statistics.mean(each[2] for each in answers):>18.2f}")


if __name__ == "__main__":
    main()
