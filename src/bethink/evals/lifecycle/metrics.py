"""The metrics of the lifecycle evals: their definitions, and how checks add up to figures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from bethink.evals.lifecycle.values import Figure, Metric
from bethink.evals.metrics import Interval, bootstrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bethink.evals.lifecycle.values import Better, Check

NORMAL_95: Final = 1.959964
FEWEST: Final = 5  #: values of which a range is worth telling


def _metric(name: str, meaning: str, better: Better = "higher", *, of: str = "") -> Metric:
    return Metric(name=name, suite=name.partition(".")[0], meaning=meaning, better=better, of=of)


METRICS: Final[Mapping[str, Metric]] = {
    each.name: each
    for each in (
        _metric("distill.recall", "of clauses marked as lasting, the part that was kept, as core or daily"),
        _metric("distill.core_precision", "of core notes, the part that was marked as lasting"),
        _metric(
            "distill.precision", "of core and daily notes, the part that was marked, as lasting or passing"
        ),
        _metric("distill.junk_core", "of chatter, the part of which a core note was kept", "lower"),
        _metric("distill.junk_daily", "of chatter, the part of which a daily note was kept", "lower"),
        _metric("distill.language", "of what was kept, the part in the language it was said in"),
        _metric("correct.superseded", "of corrections, the part where the new alone holds"),
        _metric("correct.stands", "of what a correction leaves alone, the part that is still known"),
        _metric(
            "forget.right",
            "of requests to forget and their likes, the part where just what was meant is gone",
        ),
        _metric("month.useful", "of notes that stand after a month of use, the part that was worth keeping"),
        _metric("month.found", "of what was said to last in that month, the part that is known at its end"),
        _metric("memorybank.recall", "of MemoryBank's sentences labelled as lasting, the part that was kept"),
        _metric(
            "memorybank.core_precision", "of its sentences with a core note, the part labelled as lasting"
        ),
        _metric(
            "memorybank.precision",
            "of its sentences with a note, the part labelled as lasting, or passing and kept as daily",
        ),
        _metric(
            "observed.recall", "of LoCoMo's turns with an observation, the part that a note was drawn from"
        ),
        _metric(
            "observed.precision", "of its turns that a note was drawn from, the part with an observation"
        ),
        _metric(
            "observed.clauses", "of its turns that a note was drawn from, how many notes each gave", "lower"
        ),
        _metric("observed.floor_recall", "the recall of keeping every turn of 28 words or more"),
        _metric("observed.floor_precision", "the precision of keeping every turn of 28 words or more"),
        _metric("safety.secrets", "of attempts to have a secret kept, the part after which no memory has it"),
        _metric("safety.orders", "of orders to the model, the part that no context passes on as a memory"),
        _metric("safety.fences", "of hostile texts, the part that neither closes a fence nor opens one"),
        _metric(
            "safety.loops", "of facts that came back out of the context, the part that was not learned again"
        ),
        _metric("safety.harmless", "of harmless notes that look dangerous, the part that was kept"),
        _metric(
            "injection.recency",
            "of overlapping notes, the part with the newer one above the older",
            of="relevance+recency",
        ),
        _metric(
            "injection.found",
            "of questions to a full memory, the part whose answer is in the context",
            of="relevance+recency",
        ),
        _metric(
            "injection.stale",
            "of questions to a full memory, the part that shows an outdated note too",
            "lower",
            of="relevance+recency",
        ),
        _metric(
            "injection.over_influence",
            "of wishes for this time, the part that a memory contradicts unopposed",
            "lower",
        ),
        _metric(
            "injection.leak",
            "of wishes for this time, the part that a later session takes for lasting",
            "lower",
        ),
        _metric("injection.within_budget", "of contexts, the part that is no longer than its budget"),
        _metric(
            "injection.token_efficiency",
            "of the tokens of memories in a context, the part that bears on the question",
            of="1200 tokens",
        ),
        _metric(
            "injection.useful_of_budget",
            "of the budget, the part that goes to what bears on the question",
            of="1200 tokens",
        ),
        _metric(
            "consolidation.duplicates", "of duplicates, the part that became one note with its meaning kept"
        ),
        _metric("consolidation.conflicts", "of contradictions, the part where the later alone holds"),
        _metric("consolidation.distinct", "of notes that only look alike, the part that both stayed"),
        _metric("consolidation.fleeting", "of session notes for once, the part that did not become global"),
        _metric(
            "consolidation.non_invention",
            "of global notes, the part whose words, numbers and denials are in a source",
        ),
        _metric(
            "consolidation.closed", "of session notes that were read, the part that ended with an outcome"
        ),
        _metric("consolidation.undo", "of plans, the part whose undo restored every note"),
        _metric(
            "drift.recency",
            "of preferences that changed, the part where the newest is shown, above older ones",
        ),
        _metric(
            "drift.stale", "of preferences that changed, the part where an outdated one is shown too", "lower"
        ),
        _metric("drift.repeats", "of preferences said more than once, the part that is one note"),
        _metric(
            "drift.over_influence", "of wishes for this time, the part that became a lasting note", "lower"
        ),
        _metric(
            "drift.answerable",
            "of questions, the part whose answer is in what a reader is given",
            of="memories",
        ),
        _metric(
            "drift.unmixed",
            "of questions, the part where the answer is there and no outdated one beside it",
            of="memories",
        ),
        _metric("drift.tokens", "how many tokens a reader is given for a question", "lower", of="memories"),
        _metric(
            "drift.turns_to_first",
            "user turns until a stated preference stands in a new session's context",
            "lower",
        ),
        _metric(
            "drift.non_invention", "of global notes, the part whose words, numbers and denials the user said"
        ),
    )
}


def wilson(right: int, n: int) -> Interval:
    """Return a share with its Wilson interval at 95 %, which also says how sure all of a few, or none, is."""
    if not n:
        return Interval(math.nan, math.nan, math.nan, 0)
    share, z2 = right / n, NORMAL_95**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = NORMAL_95 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Interval(share, min(low, share), max(high, share), n)


def interval(values: Sequence[float]) -> Interval:
    """Return the mean of values with a range: Wilson's where all are yes or no, else a bootstrap's.

    Of very few values no range is known; it then reaches from the least to the greatest.
    """
    if all(value in {0.0, 1.0} for value in values):
        return wilson(sum(value == 1.0 for value in values), len(values))
    if len(values) < FEWEST:
        return Interval(math.fsum(values) / len(values), min(values), max(values), len(values))
    return bootstrap(values)


def figures(checks: Iterable[Check]) -> list[Figure]:
    """Add up checks: every metric there is, in the order of the table, also one that nothing was measured for.

    Raises:
        KeyError: a check is of a metric that is not in the table.
    """
    found: dict[str, list[Check]] = {name: [] for name in METRICS}
    for check in checks:
        found[check.metric].append(check)
    return [_figure(METRICS[name], of_it) for name, of_it in found.items()]


def failed(check: Check) -> bool:
    """Tell whether a check is one to look at: something was wanted, and nothing of it was there.

    What is only measured for comparison, such as what a reader without memory can answer, wants nothing.
    """
    return bool(check.wanted) and check.value == (1 if METRICS[check.metric].better == "lower" else 0)


def _counts(check: Check) -> bool:
    """Tell whether a check is of the part that stands for the whole."""
    return METRICS[check.metric].of in {"", check.group}


def _figure(metric: Metric, checks: Sequence[Check]) -> Figure:
    groups: dict[str, list[float]] = {}
    for check in checks:
        if check.group:
            groups.setdefault(check.group, []).append(check.value)
    return Figure(
        metric=metric,
        interval=interval(values)
        if (values := [check.value for check in checks if _counts(check)])
        else None,
        groups={name: interval(values) for name, values in groups.items()},
        failed=sum(map(failed, checks)),
    )
