"""Measure consolidation: duplicates, contradictions, and notes that merely look alike."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, Any

from bethink.evals.lifecycle.text_checks import contains_word, unsupported_words
from bethink.evals.lifecycle.values import Check, SuiteResult

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from bethink.evals.lifecycle.clock import Clock
    from bethink.notes.values import Note
    from bethink.sync import Memory, Scope

_ADDED, _RETIRED = "notes added or revised", "notes retired"
_KINDS = ("duplicates", "conflicts", "distinct", "fleeting")


def run(
    memory: Memory,
    clock: Clock,
    cases: Mapping[str, Sequence[Mapping[str, Any]]],
    *,
    done: Callable[[int], None] = lambda _: None,
) -> SuiteResult:
    """Put each pair into a memory of its own, alone and among others; consolidate, look, and undo."""
    checks: list[Check] = []
    changed: dict[str, list[int]] = {_ADDED: [], _RETIRED: []}
    for crowd in ("alone", "in a crowd"):
        for kind in _KINDS:
            for case in cases[kind]:
                scope = memory.scope(agent=crowd.replace(" ", "-"), user=case["id"])
                around = cases["crowd"] if crowd == "in a crowd" else ()
                checks += _one(scope, clock, kind, case, around, crowd, changed)
                done(1)
    averages = {name: fmean(numbers) for name, numbers in changed.items()}
    return SuiteResult(checks=tuple(checks), tallies={"consolidation, on average over plans": averages})


def _one(
    scope: Scope,
    clock: Clock,
    kind: str,
    case: Mapping[str, Any],
    around: Collection[Any],
    crowd: str,
    changed: Mapping[str, list[int]],
) -> Iterator[Check]:
    for text in around:
        scope.remember(text, source="import")
    if "old" in case:
        scope.remember(case["old"])
    clock.move(days=40)
    scope.session("talk").remember(case["new"])
    clock.move(hours=1)
    before = _state(scope)
    plan = scope.consolidate("talk")
    changed[_ADDED].append(sum(each.kind in {"add", "revise"} for each in plan.changes))
    changed[_RETIRED].append(sum(each.kind == "retire" for each in plan.changes))
    live = [note for note in scope.notes(limit=1000) if note.text not in around]
    yield judge(kind, case, live, crowd)
    gone = sorted(set(around) - {note.text for note in scope.notes(limit=1000)})
    if gone:
        yield _check("consolidation.distinct", case, right=False, group=crowd, wanted="all others stay",
                     got=f"gone: {'; '.join(gone)}")  # fmt: skip
    sources = [text for text in (case.get("old"), case["new"]) if text]
    for note in live:
        odd = unsupported_words(note.text, sources)
        yield _check("consolidation.non_invention", case, right=not odd, group=crowd,
                     wanted=" / ".join(sources), got=f"{note.text} ({', '.join(odd)})")  # fmt: skip
    for note in scope.notes(session="talk", status=None):
        yield _check("consolidation.closed", case, right=note.outcome is not None, group=crowd,
                     wanted="an outcome", got=f"{note.status}: {note.text}")  # fmt: skip
    if plan.state == "applied":
        scope.undo(plan.id)
    yield _check("consolidation.undo", case, right=_state(scope) == before, group=crowd,
                 wanted="what stood before", got="something else")  # fmt: skip


def _state(scope: Scope) -> list[tuple[str, str, str, str | None]]:
    notes = [*scope.notes(status=None, limit=1000), *scope.notes(session="talk", status=None, limit=1000)]
    return sorted((note.id, note.text, note.status, note.outcome) for note in notes)


def judge(kind: str, case: Mapping[str, Any], live: Sequence[Note], group: str = "") -> Check:
    """Compare the global notes that are left with what should be."""
    texts = [note.text for note in live]
    whole = " \n".join(texts)
    got = " / ".join(texts) or "no note"
    match kind:
        case "duplicates":
            right = len(texts) == 1 and all(contains_word(whole, each) for each in case["needles"])
            wanted = f"one of: {case['old']} / {case['new']}"
        case "conflicts":
            wins = any(
                contains_word(text, case["wins"]) or (case["wins"] == "not" and "n't" in text)
                for text in texts
            )
            lost = case["loses"] is None or not any(contains_word(text, case["loses"]) for text in texts)
            right = wins and lost and len(texts) == 1
            wanted = f"{case['new']} in the place of: {case['old']}"
        case "distinct":
            right = len(texts) >= 2 and all(contains_word(whole, each) for each in case["needles"])  # noqa: PLR2004
            wanted = f"both: {case['old']} / {case['new']}"
        case _:
            right = not any(contains_word(text, case["needle"]) for text in texts)
            wanted = f"no lasting note of: {case['new']}"
    return _check(f"consolidation.{kind}", case, right=right, group=group, wanted=wanted, got=got)


def _check(metric: str, case: Mapping[str, Any], *, right: bool, group: str, wanted: str, got: str) -> Check:
    return Check(metric=metric, case=case["id"], group=group, value=float(right), wanted=wanted, got=got)
