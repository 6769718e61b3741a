"""Measure context injection: which notes are shown, for how many tokens, and how conflicts are resolved."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

from bethink.evals.lifecycle.text_checks import contains_word, shown_above
from bethink.evals.lifecycle.values import Check, SuiteResult
from bethink.sessions.token_counts import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bethink.evals.lifecycle.cases import Talk, Topic
    from bethink.evals.lifecycle.clock import Clock
    from bethink.lifecycle.inject.values import Context, Strategy
    from bethink.sync import Memory, Scope

STRATEGIES: Final[tuple[Strategy, ...]] = ("recency", "relevance", "relevance+recency")
BUDGETS: Final = (100, 200, 400, 800, 1200)
WINDOW: Final = 4  #: turns that the model sees of a long session
LATER: Final = 8  #: turns of small talk after a wish


def run(
    memory: Memory,
    clock: Clock,
    topics: Sequence[Topic],
    talk: Talk,
    others: Sequence[str],
    *,
    done: Callable[[int], None] = lambda _: None,
) -> SuiteResult:
    """Fill a memory with overlapping notes, ask with every strategy and budget; then overrule memories for once."""
    checks: list[Check] = []
    scope = memory.scope(agent="inject", user="full")
    _fill(scope, clock, topics, others)
    found: dict[str, dict[str, float]] = {}
    for strategy in STRATEGIES:
        share: list[float] = []
        for topic in topics:
            context = scope.context(query=topic.question, strategy=strategy)
            of_it = list(judge(topic, context, group=strategy))
            share += [check.value for check in of_it if check.metric == "injection.found"]
            checks += of_it
        found.setdefault("answers found, by strategy", {})[strategy] = fmean(share)
    for budget in BUDGETS:
        share = []
        for topic in topics:
            context = scope.context(query=topic.question, tokens=budget)
            share.append(float(contains_word(_memories(context), topic.values[-1].needle)))
            checks += token_shares(topic, context, budget)
        found.setdefault("answers found, by tokens of budget", {})[str(budget)] = fmean(share)
    done(1)
    for topic in topics:
        if topic.once is not None:
            checks += _overruled(memory.scope(agent="inject", user=topic.name), clock, topic, talk)
            done(1)
    return SuiteResult(checks=tuple(checks), tallies=found)


def _fill(scope: Scope, clock: Clock, topics: Sequence[Topic], others: Sequence[str]) -> None:
    """Keep every value of every topic as it came, none retired: what injection makes of overlap is its own."""
    needles = [value.needle for topic in topics for value in topic.values]
    apart = [
        text for text in dict.fromkeys(others) if not any(contains_word(text, needle) for needle in needles)
    ]
    rest = iter(apart)
    for place in range(max(len(topic.values) for topic in topics)):
        for topic in topics:
            if place < len(topic.values):
                scope.remember(topic.values[place].say[0])
                clock.move(days=2)
            other = next(rest, None)
            if other is not None:
                scope.remember(other)
                clock.move(days=1)
        clock.move(days=60)


def judge(topic: Topic, context: Context, group: str = "") -> Iterator[Check]:
    """Look for the newest answer to a question, and for older ones, among the memories of a context."""
    newest, older = topic.values[-1].needle, [value.needle for value in topic.values[:-1]]
    text = _memories(context)
    there = contains_word(text, newest)
    old = [
        line
        for line in text.splitlines()
        if any(contains_word(line, each) for each in older) and not contains_word(line, newest)
    ]
    case, got = f"{topic.name}, {group}", text or "no memory"

    def check(metric: str, value: float, wanted: str) -> Check:
        return Check(
            metric=f"injection.{metric}", case=case, group=group, value=float(value), wanted=wanted, got=got
        )

    yield check("found", there, f"{newest}: {topic.question}")
    if there or old:
        yield check("recency", shown_above(text, newest, older), f"{newest} above {', '.join(older)}")
    yield check("stale", bool(old), f"no {', '.join(older)}")


def token_shares(topic: Topic, context: Context, budget: int) -> Iterator[Check]:
    """Count how the tokens of a context were used."""
    group = f"{budget} tokens"
    size = estimate_tokens(context.text)
    useful = sum(
        part.tokens
        for part in context.parts
        if part.kind != "policy"
        and any(contains_word(part.text, value.needle) for value in topic.values[-1:])
    )
    memories = sum(part.tokens for part in context.parts if part.kind != "policy")
    case = f"{topic.name}, {group}"
    yield Check(metric="injection.within_budget", case=case, group=group, value=float(size <= budget),
                wanted=f"at most {budget}", got=str(size))  # fmt: skip
    if memories:
        yield Check(metric="injection.token_efficiency", case=case, group=group, value=useful / memories,
                    wanted="a memory that bears on the question", got=_memories(context))  # fmt: skip
    yield Check(metric="injection.useful_of_budget", case=case, group=group, value=useful / budget,
                wanted="a memory that bears on the question", got=_memories(context))  # fmt: skip


def _memories(context: Context) -> str:
    return "\n".join(part.text for part in context.parts if part.kind != "policy")


def _overruled(scope: Scope, clock: Clock, topic: Topic, talk: Talk) -> Iterator[Check]:
    """State a preference, wish for something else once, talk on, and look whether the memory overrules the wish."""
    wish = topic.once
    if wish is None:
        return
    usual = topic.values[0]
    scope.remember(usual.say[0])
    clock.move(days=20)
    session = scope.session("trip")
    session.append(_turn(wish.say[0], talk.replies[0]))
    yield influence(topic, "wish in sight", scope.context(session="trip", query=topic.question, turns=WINDOW),
                    session.window(turns=WINDOW))  # fmt: skip
    scope.distill("trip")
    for say, reply in talk.small[:LATER]:
        clock.move(minutes=2)
        session.append(_turn(say, reply))
    window = session.window(turns=WINDOW)
    asked = scope.context(session="trip", query=topic.question, turns=WINDOW)
    yield influence(topic, "wish trimmed away, asked", asked, window)
    unasked = scope.context(session="trip", turns=WINDOW)
    yield influence(topic, "wish trimmed away, unasked", unasked, window)
    scope.consolidate("trip")
    clock.move(days=20)
    later = scope.context(session="another", query=topic.question).text
    yield Check(metric="injection.leak", case=topic.name, value=float(contains_word(later, wish.needle)),
                wanted=f"no {wish.needle} any more", got=later)  # fmt: skip


def influence(topic: Topic, group: str, context: Context, window: Sequence[Mapping[str, Any]]) -> Check:
    """Tell whether a memory speaks against a wish that the model does not see."""
    wish = topic.once.needle if topic.once is not None else ""
    seen = "\n".join(str(body.get("content", "")) for body in window)
    session = "\n".join(part.text for part in context.parts if part.kind in {"session", "recalled"})
    against = "\n".join(part.text for part in context.parts if part.kind in {"global", "profile"})
    contradicted = any(contains_word(against, value.needle) for value in topic.values)
    unopposed = contradicted and not contains_word(seen, wish) and not contains_word(session, wish)
    return Check(
        metric="injection.over_influence", case=f"{topic.name}, {group}", group=group, value=float(unopposed),
        wanted=f"{wish} beside {topic.values[0].needle}", got=_memories(context),
    )  # fmt: skip


def _turn(say: str, reply: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": say}, {"role": "assistant", "content": reply}]
