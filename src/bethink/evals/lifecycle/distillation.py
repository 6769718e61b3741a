"""Measure what is kept of what people say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.evals.lifecycle.values import Check, Found
from bethink.evals.lifecycle.words import mentions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bethink.evals.lifecycle.cases import Said
    from bethink.evals.lifecycle.clock import Clock
    from bethink.lifecycle.values import Candidate
    from bethink.sync import Memory

REPLY = "Certainly, let me look into that for you."
_NOTHING = "nothing"


def run(
    memory: Memory, clock: Clock, cases: Sequence[Said], *, done: Callable[[int], None] = lambda _: None
) -> Found:
    """Say each message to a memory of its own, and look at what distillation keeps."""
    checks: list[Check] = []
    for case in cases:
        clock.move(minutes=5)
        scope = memory.scope(agent="distill", user=case.id)
        scope.session("talk").append([
            {"role": "user", "content": case.say},
            {"role": "assistant", "content": REPLY},
        ])  # fmt: skip
        checks += judge(case, scope.distill("talk").kept)
        done(1)
    return Found(checks=tuple(checks))


def judge(case: Said, kept: Sequence[Candidate]) -> Iterator[Check]:
    """Compare what was kept of a message with what should have been."""
    got = "; ".join(f"{each.text} [{'lasting' if each.durable else 'once'}]" for each in kept) or _NOTHING
    for each in kept:
        right = case.scope == "lasting" and mentions(each.text, case.needles)
        if each.durable:
            yield _check("distill.precision", case, right, f"{case.scope}: {case.say}", got)
        yield _check(
            "distill.language", case, each.language == case.language, case.language, f"{each.language}: {got}"
        )
    lasting = any(each.durable and mentions(each.text, case.needles) for each in kept)
    once = any(not each.durable and mentions(each.text, case.needles) for each in kept)
    match case.scope:
        case "lasting":
            yield _check("distill.recall", case, lasting, case.say, got)
        case "once":
            yield _check("distill.once", case, once and not lasting, case.say, got)
        case "nothing":
            yield _check("distill.silence", case, not kept, f"nothing of: {case.say}", got)


def _check(metric: str, case: Said, right: bool, wanted: str, got: str) -> Check:
    return Check(metric=metric, case=case.id, group=case.language, value=float(right), wanted=wanted, got=got)
