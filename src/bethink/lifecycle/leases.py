"""Claim a piece of work of a scope, so that two workers never do it twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.errors import ConflictError
from bethink.lifecycle import transactions
from bethink.storage.holders import is_gone, named
from bethink.times import to_datetime

if TYPE_CHECKING:
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Writing
    from bethink.storage.stores import Store


async def claim(
    store: Store, namespace: Namespace, name: str, *, seconds: int, refusal: str, writing: Writing
) -> str:
    """Take a piece of work for some seconds; return who holds it now, for `transactions.drop_lease`.

    A holder whose process has ended on this machine, as by a kill, loses the work at once.

    Raises:
        ConflictError: somebody else is at it; `until` says how long at most.
    """
    holder = named(str(writing.fresh()))
    until = writing.now + seconds * 1_000_000
    held = await store.write(transactions.take_or_see, namespace, name, holder, until, writing=writing)
    if held is not None and await store.call(is_gone, held.holder):
        await store.write(transactions.drop_lease, namespace, name, held.holder)
        held = await store.write(transactions.take_or_see, namespace, name, holder, until, writing=writing)
    if held is None:
        return holder
    ends = to_datetime(held.until)
    raise ConflictError(
        f"{refusal}; its lease ends by {ends:%Y-%m-%d %H:%M:%S} UTC at the latest",
        reason="leased",
        until=ends,
    )
