"""Measure distillation on everyday messages, and on chatter of which nothing should be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.evals.lifecycle.text_checks import covers
from bethink.evals.lifecycle.values import Check, SuiteResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bethink.evals.lifecycle.cases import Turn
    from bethink.evals.lifecycle.clock import Clock
    from bethink.lifecycle.values import Candidate
    from bethink.sync import Memory

REPLY = "Certainly, let me look into that for you."
_NOTHING = "nothing"


def run(
    memory: Memory,
    clock: Clock,
    turns: Sequence[Turn],
    chatter: Sequence[Turn],
    *,
    done: Callable[[int], None] = lambda _: None,
) -> SuiteResult:
    """Say each message to a memory of its own, and look at what distillation keeps."""
    checks: list[Check] = []
    for judge, part in ((check_message, turns), (check_chatter, chatter)):
        for turn in part:
            clock.move(minutes=5)
            checks += judge(turn, _kept(memory, turn))
            done(1)
    return SuiteResult(checks=tuple(checks))


def _kept(memory: Memory, turn: Turn) -> Sequence[Candidate]:
    scope = memory.scope(agent="distill", user=turn.id)
    question: list[dict[str, Any]] = [{"role": "assistant", "content": turn.asked}] if turn.asked else []
    messages = [*question, {"role": "user", "content": turn.text}, {"role": "assistant", "content": REPLY}]
    scope.session("talk").append(messages)
    return scope.distill("talk").kept


def check_message(turn: Turn, kept: Sequence[Candidate]) -> Iterator[Check]:
    """Compare what was kept of a message with the clauses that its author marked."""
    got = _listed(kept)
    core = [each.text for each in kept if each.durable and each.salience == "core"]
    daily = [each.text for each in kept if each.durable and each.salience == "daily"]
    for span in turn.lasting:
        found = any(covers(text, span) for text in (*core, *daily))
        yield _check("distill.recall", turn, found, span, got)
    for text in core:
        right = any(covers(text, span) for span in turn.lasting)
        yield _check("distill.core_precision", turn, right, f"nothing of: {turn.text}", text)
        yield _check("distill.precision", turn, right, f"nothing of: {turn.text}", text)
    for text in daily:
        right = any(covers(text, span) for span in (*turn.lasting, *turn.passing))
        yield _check("distill.precision", turn, right, f"nothing of: {turn.text}", text)
    for each in kept:
        yield _check("distill.language", turn, each.language == turn.language, turn.language, got)


def check_chatter(turn: Turn, kept: Sequence[Candidate]) -> Iterator[Check]:
    """Say whether something was kept of a message in which nothing is worth remembering."""
    got = _listed(kept)
    for name in ("core", "daily"):
        found = any(each.durable and each.salience == name for each in kept)
        wanted = f"nothing of: {turn.text}"
        yield Check(
            metric=f"distill.junk_{name}",
            case=turn.id,
            group=turn.language,
            value=float(found),
            wanted=wanted,
            got=got,
        )


def _listed(kept: Sequence[Candidate]) -> str:
    return (
        "; ".join(f"{each.text} [{each.salience if each.durable else 'once'}]" for each in kept) or _NOTHING
    )


def _check(metric: str, turn: Turn, right: bool, wanted: str, got: str) -> Check:
    return Check(metric=metric, case=turn.id, group=turn.language, value=float(right), wanted=wanted, got=got)
