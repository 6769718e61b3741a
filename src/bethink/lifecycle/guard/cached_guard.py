"""A cache of guard verdicts, because texts that are recalled or injected often are judged again and again."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bethink.lifecycle.guard import Guard

MAX = 20_000  #: texts


class CachedGuard:
    """Asks another guard, which says the same of the same text, and keeps its newest answers in memory."""

    def __init__(self, guard: Guard) -> None:
        self.judge = lru_cache(maxsize=MAX)(guard.judge)
        self.mask = lru_cache(maxsize=MAX)(guard.mask)
        self.judge_keywords = guard.judge_keywords

    def forget(self) -> None:
        """Let go of every text that was judged: some of them were erased."""
        self.judge.cache_clear()
        self.mask.cache_clear()
