"""Find duplicate and contradictory notes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bethink.health.condition.values import Finding
from bethink.lifecycle.consolidate.attributes import read
from bethink.lifecycle.consolidate.candidates import Candidates, labels
from bethink.lifecycle.consolidate.duplicates_and_conflicts import conflicting, likeness
from bethink.lifecycle.consolidate.words import canonical, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bethink.health.condition.values import Entry
    from bethink.lifecycle.consolidate.attributes import Reading

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def compare_notes(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Compare the notes of one owner: of two that say the same the later is too much, of two that conflict the earlier.

    By the rules that consolidation goes by, so that what it would not touch is not held against a memory.
    """
    known: list[tuple[Entry, Reading, str]] = []
    candidates = Candidates()
    for entry in sorted(entries, key=lambda each: (each.since or _LONG_AGO, each.id)):
        reading, plain = read(canonical(entry.text), entry.keywords), _plain(entry.text)
        labelled = labels(words(entry.text))
        again = False
        for place in sorted(set(candidates.near(labelled))):
            other, its, text = known[place]
            if plain == text or likeness(reading, its) is not None:
                if not again:
                    yield _finding("duplicate", entry, f"{other.id} says the same")
                again = True
            elif conflicting(reading, its):
                yield _finding("contradiction", other, f"{entry.id} is later and says otherwise")
        if not again:
            known.append((entry, reading, plain))
            candidates.add(labelled)


def _finding(ailment: str, entry: Entry, reason: str) -> Finding:
    return Finding(ailment=ailment, id=entry.id, owner=entry.owner, reason=reason)  # pyright: ignore[reportArgumentType]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!。！ ")
