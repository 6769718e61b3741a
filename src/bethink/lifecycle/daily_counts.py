"""Daily counters of the lifecycle and of model tokens, as units of work."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bethink.lifecycle import queries
from bethink.lifecycle.values import ModelUse
from bethink.scope.transactions import find, touch
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bethink.lifecycle.queries import CountRow, SpendRow
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.storage.work import Work


def count(namespace: Namespace, counts: Mapping[str, int], *, writing: Writing) -> Work[None]:
    """Add to the counts of the day."""
    place = yield from touch(namespace, writing)
    yield from add_counts(place, counts, now=writing.now)


def add_counts(place: ScopeRow, counts: Mapping[str, int], *, now: int) -> Work[None]:
    """Add to the counts of the day within a write that is under way."""
    day = to_datetime(now).date().isoformat()
    added: list[queries.CountUp] = [
        {**place.keys, "day": day, "name": name, "value": value} for name, value in counts.items()
    ]
    if added:
        yield from queries.count_up_many(added)


def counts_of(namespace: Namespace) -> Work[list[CountRow]]:
    """List the counts of a scope: day, name, value."""
    place = yield from find(namespace)
    return [] if place is None else (yield from queries.list_counts(**place.keys))


def add_tokens(
    namespace: Namespace, operation: str, *, calls: int, tokens_in: int, tokens_out: int, writing: Writing
) -> Work[None]:
    """Add to the tokens that models took today."""
    place = yield from touch(namespace, writing)
    use = ModelUse(operation=operation, calls=calls, tokens_in=tokens_in, tokens_out=tokens_out)
    yield from add_spent(place, [use], now=writing.now)


def keep_account(namespace: Namespace, used: Sequence[ModelUse], *, writing: Writing) -> Work[None]:
    """Keep what models took today where nothing else is written."""
    place = yield from touch(namespace, writing)
    yield from account_model_use(place, used, now=writing.now)


def account_model_use(place: ScopeRow, used: Sequence[ModelUse], *, now: int) -> Work[None]:
    """Keep what models took today, and count how often rules had to stand in for them."""
    if not used:
        return
    yield from add_spent(place, used, now=now)
    yield from add_counts(
        place, Counter(f"fallback_{use.fell_back}" for use in used if use.fell_back), now=now
    )


def add_spent(place: ScopeRow, used: Sequence[ModelUse], *, now: int) -> Work[None]:
    """Keep what models took today."""
    day = to_datetime(now).date().isoformat()
    for use in used:
        if use.calls:
            yield from queries.add_spend(
                **place.keys,
                day=day,
                operation=use.operation,
                calls=use.calls,
                tokens_in=use.tokens_in,
                tokens_out=use.tokens_out,
            )


def spend_of(namespace: Namespace, since: str = "") -> Work[list[SpendRow]]:
    """List the tokens that models took: day, operation, calls, tokens in, tokens out."""
    place = yield from find(namespace)
    return [] if place is None else (yield from queries.list_spend(**place.keys, since=since))
