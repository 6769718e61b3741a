"""Measure preference drift end to end: simulated users change their preferences over months, then are asked."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

from bethink.evals.lifecycle.clock import BEGIN
from bethink.evals.lifecycle.text_checks import contains_word, shown_above, unsupported_words
from bethink.evals.lifecycle.values import Check, SuiteResult
from bethink.sessions.token_counts import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bethink.evals.lifecycle.clock import Clock
    from bethink.evals.lifecycle.people import FinalQuestion, SimulatedSession, SimulatedUser
    from bethink.notes.values import Note
    from bethink.sync import Memory, Scope

MONTH: Final = timedelta(days=30)
NOW: Final = "now"  #: the session in which the questions are put
NOT_DISTILLED: Final = "not kept by distillation"
NOT_SHOWN: Final = "kept, and not shown by injection"
NOT_RETIRED: Final = "shown, with an older one that consolidation left"
RIGHT: Final = "shown alone"
STAGES: Final = (RIGHT, NOT_RETIRED, NOT_SHOWN, NOT_DISTILLED)
READERS: Final = (
    "no memory",
    "last session",
    "memories",
    "memories and quotations",
    "whole log",
)


def run(
    memory: Memory,
    clock: Clock,
    persons: Sequence[SimulatedUser],
    *,
    done: Callable[[int], None] = lambda _: None,
) -> SuiteResult:
    """Let every user talk for months, each sitting consolidated when it is over; then ask."""
    checks: list[Check] = []
    firsts: list[float] = []
    lost: Counter[str] = Counter(dict.fromkeys(STAGES, 0))
    for person in persons:
        scope = memory.scope(agent="drift", user=person.id)
        first = _live(person, scope, clock)
        if first is not None:
            firsts.append(first)
            checks.append(Check(metric="drift.turns_to_first", case=person.id, value=first))
        clock.at = BEGIN + MONTH * len(person.sittings)
        notes = list(scope.notes(limit=1000))
        for ask in person.asks:
            text = scope.context(session=NOW, query=ask.question).text
            checks += judge(person.id, ask, text, notes)
            lost[lost_at_stage(ask, text, notes)] += 1
            checks += _readers(person, ask, scope)
        checks += _sources(person, notes)
        done(1)
    counted = {name: value or 0.0 for name, value in memory.stats().metrics.to_dict().items()}
    return SuiteResult(
        checks=tuple(checks),
        tallies={
            "practical metrics, as production counts them": counted,
            "where the newest preference came to": {name: float(count) for name, count in lost.items()},
            "the users": {
                "users": float(len(persons)),
                "turns of a user": fmean(
                    sum(len(sitting.exchanges) for sitting in person.sittings) for person in persons
                ),
                "turns until a preference was applied": fmean(firsts) if firsts else 0.0,
            },
        },
    )


def _live(person: SimulatedUser, scope: Scope, clock: Clock) -> float | None:
    """Talk through the months; return after how many turns a stated preference stood in a new context."""
    turns, first = 0, None
    stated: set[str] = set()
    for number, sitting in enumerate(person.sittings):
        clock.at = BEGIN + MONTH * sitting.month
        session = scope.session(session_name(number))
        session.append(items(sitting), at=clock.at)
        turns += len(sitting.exchanges)
        stated |= {each.needle for each in sitting.exchanges if each.needle and not each.once}
        clock.move(hours=1)
        scope.consolidate(session_name(number))
        if first is None and stated:
            text = scope.context(session=NOW).text
            first = float(turns) if any(contains_word(text, needle) for needle in stated) else None
    return first


def session_name(number: int) -> str:
    """Return the name of a sitting's session."""
    return f"month-{number:02}"


def items(sitting: SimulatedSession) -> list[dict[str, Any]]:
    """Return what is said in a sitting, as a log has it."""
    return [
        item
        for each in sitting.exchanges
        for item in ({"role": "user", "content": each.say}, {"role": "assistant", "content": each.reply})
    ]


def judge(case: str, ask: FinalQuestion, text: str, notes: Sequence[Note]) -> Iterator[Check]:
    """Look at what a new context shows of a preference, and at what is kept of it."""
    case = f"{case}/{ask.topic}"
    shown = [line for line in text.splitlines() if line.startswith("- ")]
    of_it = [
        line
        for line in shown
        if any(contains_word(line, each) for each in (ask.needle, *ask.older, *ask.once))
    ]
    got = " / ".join(of_it) or "nothing of it"
    wanted = f"{ask.needle}, not {', '.join(ask.older)}"
    if ask.older:
        right = shown_above(text, ask.needle, ask.older)
        yield Check(metric="drift.recency", case=case, value=float(right), wanted=wanted, got=got)
        stale = _beside(text, ask)
        yield Check(metric="drift.stale", case=case, value=float(stale), wanted=wanted, got=got)
    if ask.repeats:
        same = [note.text for note in notes if contains_word(note.text, ask.needle)]
        yield Check(
            metric="drift.repeats", case=case, value=float(len(same) == 1),
            wanted=f"one note of {ask.needle}", got=" / ".join(same) or "none",
        )  # fmt: skip
    for needle in ask.once:
        leaked = [note.text for note in notes if contains_word(note.text, needle)]
        yield Check(
            metric="drift.over_influence", case=case, value=float(bool(leaked)),
            wanted=f"no lasting note of {needle}", got=" / ".join(leaked),
        )  # fmt: skip


def lost_at_stage(ask: FinalQuestion, text: str, notes: Sequence[Note]) -> str:
    """Name the stage at which a preference was lost, or that it was not."""
    if not any(contains_word(note.text, ask.needle) for note in notes):
        return NOT_DISTILLED
    if not contains_word(text, ask.needle):
        return NOT_SHOWN
    return NOT_RETIRED if _beside(text, ask) else RIGHT


def _beside(text: str, ask: FinalQuestion) -> bool:
    """Tell whether a line has something older, and not the newest with it."""
    return any(
        contains_word(line, older) and not contains_word(line, ask.needle)
        for line in text.splitlines()
        for older in ask.older
    )


def _readers(person: SimulatedUser, ask: FinalQuestion, scope: Scope) -> Iterator[Check]:
    """Give the same traces to readers with and without memory, and look for the answer in what they are given."""
    question = ask.question
    last = scope.session(session_name(len(person.sittings) - 1))
    whole = [items(sitting) for sitting in person.sittings]
    given: Mapping[str, str] = {
        "no memory": question,
        "last session": f"{_transcript(last.window())}\n{question}",
        "memories": f"{scope.context(session=NOW, query=question).text}\n{question}",
        "memories and quotations": (
            f"{scope.context(session=NOW, query=question, items='all').text}\n{question}"
        ),
        "whole log": f"{_transcript([item for log in whole for item in log])}\n{question}",
    }
    for reader in READERS:
        text = given[reader]
        case = f"{person.id}/{ask.topic}"
        there = contains_word(text, ask.needle)
        is_reported = reader == "memories"  # the others are there for comparison
        yield Check(
            metric="drift.answerable", case=f"{case}, {reader}", group=reader, value=float(there),
            wanted=f"{ask.needle} ({question})" if is_reported else "", got="not there",
        )  # fmt: skip
        yield Check(
            metric="drift.unmixed", case=f"{case}, {reader}", group=reader,
            value=float(there and not _beside(text, ask)), wanted=f"{ask.needle} alone" if is_reported else "",
            got=f"beside {', '.join(ask.older)}" if there else "not there",
        )  # fmt: skip
        yield Check(metric="drift.tokens", case=case, group=reader, value=float(estimate_tokens(text)))


def _transcript(bodies: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(
        body["content"] if isinstance(body.get("content"), str) else json.dumps(dict(body)) for body in bodies
    )


def _sources(person: SimulatedUser, notes: Sequence[Note]) -> Iterator[Check]:
    """Compare every global note with all that its user said."""
    statements = [each.say for sitting in person.sittings for each in sitting.exchanges]
    for note in notes:
        odd = [word for word in unsupported_words(note.text, statements) if word != "(denial)"]
        nearest = max(statements, key=lambda text: -len(unsupported_words(note.text, [text])))
        odd += [word for word in unsupported_words(note.text, [nearest]) if word == "(denial)"]
        yield Check(
            metric="drift.non_invention", case=f"{person.id}/{note.id}", value=float(not odd),
            wanted=nearest, got=f"{note.text} ({', '.join(odd)})",
        )  # fmt: skip
