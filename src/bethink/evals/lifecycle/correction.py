"""Measure corrections, requests to forget, and a month of daily use."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import TYPE_CHECKING

from bethink.errors import RefusedError
from bethink.evals.lifecycle.text_checks import covers
from bethink.evals.lifecycle.values import Check, SuiteResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bethink.evals.lifecycle.cases import Correction, Day, Request
    from bethink.evals.lifecycle.clock import Clock
    from bethink.sync import Memory, Scope

MONTHS_APART = 90  #: days


def run(
    memory: Memory,
    clock: Clock,
    corrections: Sequence[Correction],
    requests: Sequence[Request],
    days: Sequence[Day],
    *,
    done: Callable[[int], None] = lambda _: None,
) -> SuiteResult:
    """Let each case happen in a memory of its own, through the public face."""
    checks: list[Check] = []
    for case in corrections:
        checks += check_correction(memory, clock, case)
        done(1)
    for case in requests:
        checks += check_forgotten(memory, clock, case)
        done(1)
    checks += check_month(memory, clock, days)
    done(1)
    return SuiteResult(checks=tuple(checks))


def check_correction(memory: Memory, clock: Clock, case: Correction) -> Iterator[Check]:
    """Say whether what no longer holds is gone, and what stands is still there."""
    scope = memory.scope(agent="correct", user=case.id)
    for name, statement in (("march", case.first), ("june", case.second)):
        _say(scope, name, statement)
        scope.consolidate()
        clock.move(days=MONTHS_APART)
    texts = [note.text for note in scope.notes(limit=100)]
    stale = [text for text in texts if covers(text, case.old) and not (case.new and covers(text, case.new))]
    held = case.new is None or any(covers(text, case.new) for text in texts)
    got = "; ".join(texts) or "nothing"
    yield Check(
        metric="correct.superseded",
        case=case.id,
        group=case.language,
        value=float(not stale and held),
        wanted=f"{case.new or 'nothing'} in place of: {case.old}",
        got=got,
    )
    for span in case.stands:
        kept = any(covers(text, span) for text in texts)
        yield Check(
            metric="correct.stands",
            case=case.id,
            group=case.language,
            value=float(kept),
            wanted=span,
            got=got,
        )


def check_forgotten(memory: Memory, clock: Clock, case: Request) -> Iterator[Check]:
    """Say whether just what was asked to be forgotten is gone; nothing where the guard keeps a note out."""
    scope = memory.scope(agent="forget", user=case.id)
    try:
        notes = [scope.remember(text) for text in case.stored]
    except RefusedError:
        return
    clock.move(days=1)
    _say(scope, "later", case.text)
    scope.consolidate()
    left = {note.id for note in scope.notes(limit=100)}
    gone = [place for place, note in enumerate(notes) if note.id not in left]
    wanted = [] if case.forget is None else [case.forget]
    yield Check(
        metric="forget.right",
        case=case.id,
        group=case.language,
        value=float(gone == wanted),
        wanted=f"{wanted} gone after: {case.text}",
        got=f"{gone} gone",
    )


def check_month(memory: Memory, clock: Clock, days: Sequence[Day]) -> Iterator[Check]:
    """Say what of the notes that stand after a month of daily use was worth keeping, and what was found."""
    scope = memory.scope(agent="month", user="somebody")
    marked: list[str] = []
    lasting: list[str] = []
    for day in days:
        clock.at = max(clock.at, datetime.combine(day.day, time(9), UTC))
        for turn in day.turns:
            scope.session(day.day.isoformat()).append([
                {"role": "user", "content": turn.text},
                {"role": "assistant", "content": "Done."},
            ])  # fmt: skip
            clock.move(minutes=20)
            marked += [*turn.lasting, *turn.passing]
            lasting += turn.lasting
        scope.consolidate()
    texts = [note.text for note in scope.notes(limit=1000)]
    for text in texts:
        useful = any(covers(text, span) for span in marked)
        yield Check(
            metric="month.useful",
            case=text,
            value=float(useful),
            wanted="something said of oneself",
            got=text,
        )
    for span in lasting:
        found = any(covers(text, span) for text in texts)
        yield Check(metric="month.found", case=span, value=float(found), wanted=span, got="")


def _say(scope: Scope, session: str, text: str) -> None:
    scope.session(session).append([
        {"role": "user", "content": text},
        {"role": "assistant", "content": "Thank you for telling me."},
    ])  # fmt: skip
