"""Read what a namespace may still take of models today."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.lifecycle.counts import spend_of
from bethink.lifecycle.token_budget import Budget
from bethink.times import to_datetime

if TYPE_CHECKING:
    from bethink.scope.namespace import Namespace
    from bethink.storage.stores import Store


async def left_today(store: Store, namespace: Namespace, cap: int | None, *, now: int) -> Budget:
    """Return what a cap leaves today; nothing is read where there is none."""
    if cap is None:
        return Budget()
    day = to_datetime(now).date().isoformat()
    rows = await store.read(spend_of, namespace, day)
    return Budget.of(cap, ((read, written) for at, _, _, read, written in rows if at == day))
