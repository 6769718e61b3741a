"""The spend cap: how many model tokens a namespace may use per day, and how many are left."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bethink.lifecycle.daily_counts import spend_of
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.lifecycle.values import ModelUse
    from bethink.scope.namespace import Namespace
    from bethink.storage.stores import Store

MAX_CALLS = 10  #: of one distillation or consolidation: a lease has to outlast them


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Tokens and calls that are left; it is read before a stage, and what the stage used is written with its result."""

    tokens: int | None = None  #: tokens left today; None is unlimited
    cap: int | None = None  #: of the day
    calls: int = MAX_CALLS

    @classmethod
    def of(cls, cap: int | None, taken: Iterable[tuple[int, int]]) -> Budget:
        """Return what a cap leaves, after the tokens in and out that were taken today."""
        left = None if cap is None else max(0, cap - sum(read + written for read, written in taken))
        return cls(tokens=left, cap=cap)

    def after(self, used: Iterable[ModelUse]) -> Budget:
        """Return what is left when a stage has run."""
        taken = tuple(used)
        if not taken:
            return self
        tokens = sum(each.tokens_in + each.tokens_out for each in taken)
        return replace(
            self,
            tokens=None if self.tokens is None else max(0, self.tokens - tokens),
            calls=max(0, self.calls - sum(each.calls for each in taken)),
        )


async def left_today(store: Store, namespace: Namespace, cap: int | None, *, now: int) -> Budget:
    """Return what a cap leaves today; nothing is read where there is none."""
    if cap is None:
        return Budget()
    day = to_datetime(now).date().isoformat()
    rows = await store.read(spend_of, namespace, day)
    return Budget.of(cap, ((read, written) for at, _, _, read, written in rows if at == day))
