"""Compute the health score of a set of notes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from bethink.health.condition.duplicates_and_contradictions import compare_notes
from bethink.health.condition.junk import junk_reason
from bethink.health.condition.languages import wrong_language
from bethink.health.condition.staleness import UNTOUCHED, stale_reason
from bethink.health.condition.values import Condition, Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime, timedelta

    from bethink.health.condition.values import Ailment, Entry
    from bethink.lifecycle.guard import Guard

#: how much of a note is lost by what ails it
WEIGHTS: Final[Mapping[Ailment, float]] = {
    "secret": 1.0,
    "hostile": 1.0,
    "junk": 1.0,
    "contradiction": 0.6,
    "duplicate": 0.6,
    "stale": 0.5,
    "unfindable": 0.4,
    "language": 0.3,
}
SEARCHED: Final = 500  #: notes that are looked for by their own words; of more, every so many-th
MAX_QUERY_WORDS: Final = 6  #: words of a note that must lead to it
_HOSTILE: Final = frozenset({"instruction", "hidden_text", "encoded_text"})
_WORD: Final = re.compile(r"[^\W_]+")


def assess(
    entries: Sequence[Entry],
    *,
    now: datetime,
    guard: Guard,
    found: Callable[[Entry, str], bool] | None = None,
    texts: bool = False,
    untouched: timedelta = UNTOUCHED,
) -> Condition:
    """Examine notes; `found` tells whether a question leads to a note, where there is something to ask.

    The score is 100 × (1 − Σ w / n): n notes, and for each the weight w of the gravest thing that ails it, 0 where
    nothing does. Weights: secret, hostile and junk 1; contradiction and duplicate 0.6; stale 0.5; unfindable 0.4;
    language 0.3. So 100 is a memory with nothing to complain of, and 0 one that had better be empty. It measures
    form and consistency by rules; it cannot tell whether a note is true.

    No log says what was ever recalled, for reading writes nothing. In place of "never recalled" stands "unfindable":
    a note that is not among the first hits for its own most telling words will hardly be found by other words. In a
    large memory only a sample is looked for, and only what was found missing in it lowers the score.
    """
    findings = list(_each(entries, now, guard, untouched))
    for _, owned in _by_owner(entries):
        findings += compare_notes(owned)
        findings += wrong_language(owned)
    looked_for: Sequence[Entry] = _sample(entries) if found is not None else ()
    for entry in looked_for:
        words = query_words(entry.text)
        if found is not None and words and not found(entry, words):
            findings.append(_finding("unfindable", entry, "its own most telling words do not lead to it"))
    return _condition(entries, _once(findings), len(looked_for), texts=texts)


def query_words(text: str) -> str:
    """Return the words of a note by which it should be found: the longest, in their order."""
    words = list(dict.fromkeys(_WORD.findall(text)))
    chosen = set(sorted(words, key=len, reverse=True)[:MAX_QUERY_WORDS])
    return " ".join(word[:40] for word in words if word in chosen)


def score(notes: int, gravest: Mapping[tuple[str, str], float]) -> float | None:
    """Return 100 × (1 − Σ w / n)."""
    return round(100 * (1 - sum(gravest.values()) / notes), 1) if notes else None


def _each(entries: Sequence[Entry], now: datetime, guard: Guard, untouched: timedelta) -> Iterator[Finding]:
    for entry in entries:
        verdict = guard.judge(entry.text, source=entry.source, stage="consolidation")
        secrets = [each.category for each in verdict.findings if each.action in {"redact", "block"}]
        hostile = [each.category for each in verdict.findings if each.category in _HOSTILE]
        if secrets:
            yield _finding("secret", entry, f"it holds: {', '.join(dict.fromkeys(secrets))}")
        if hostile:
            yield _finding("hostile", entry, f"it holds: {', '.join(dict.fromkeys(hostile))}")
        if (reason := junk_reason(entry.text)) is not None:
            yield _finding("junk", entry, reason)
        if (reason := stale_reason(entry, now, untouched=untouched)) is not None:
            yield _finding("stale", entry, reason)


def _by_owner(entries: Sequence[Entry]) -> Iterator[tuple[str, list[Entry]]]:
    owned: dict[str, list[Entry]] = {}
    for entry in entries:
        owned.setdefault(entry.owner, []).append(entry)
    yield from owned.items()


def _sample(entries: Sequence[Entry]) -> Sequence[Entry]:
    return entries[:: -(-len(entries) // SEARCHED)] if len(entries) > SEARCHED else entries


def _once(findings: Sequence[Finding]) -> list[Finding]:
    """Return one finding of a kind for each note: the first."""
    return list({(each.owner, each.id, each.ailment): each for each in reversed(findings)}.values())[::-1]


def _condition(
    entries: Sequence[Entry], findings: Sequence[Finding], searched: int, *, texts: bool
) -> Condition:
    gravest: dict[tuple[str, str], float] = {}
    for each in findings:
        key = (each.owner, each.id)
        gravest[key] = max(gravest.get(key, 0.0), WEIGHTS[each.ailment])
    counted = Counter(each.ailment for each in findings)
    of = {ailment: searched if ailment == "unfindable" else len(entries) for ailment in WEIGHTS}
    words = {(entry.owner, entry.id): entry.text for entry in entries} if texts else {}
    order = list(WEIGHTS)
    ordered = sorted(findings, key=lambda each: (order.index(each.ailment), each.owner, each.id))
    return Condition(
        score=score(len(entries), gravest),
        notes=len(entries),
        ailing=len(gravest),
        searched=searched,
        rates={
            ailment: round(counted[ailment] / of[ailment], 4) if of[ailment] else 0.0 for ailment in order
        },
        findings=tuple(chain(replace(each, text=words.get((each.owner, each.id))) for each in ordered)),
    )


def _finding(ailment: Ailment, entry: Entry, reason: str) -> Finding:
    return Finding(ailment=ailment, id=entry.id, owner=entry.owner, reason=reason)
