"""A guard that remembers what it said: what is recalled or injected often is judged once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bethink.lifecycle.guard import Guard
    from bethink.lifecycle.values import Stage, Verdict
    from bethink.notes.values import Source

MAX = 20_000  #: texts


class CachedGuard:
    """Asks another guard, which says the same of the same text, and keeps its newest answers in memory."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._judge = lru_cache(maxsize=MAX)(self._ask)
        self.mask = lru_cache(maxsize=MAX)(guard.mask)

    def judge(self, text: str, *, source: Source, stage: Stage) -> Verdict:
        """Say whether a text may be remembered or shown, and what to keep of it."""
        return self._judge(text, source, stage)

    def forget(self) -> None:
        """Let go of every text that was judged: some of them were erased."""
        self._judge.cache_clear()
        self.mask.cache_clear()

    def _ask(self, text: str, source: Source, stage: Stage) -> Verdict:
        return self._guard.judge(text, source=source, stage=stage)

    def judge_keywords(
        self, keywords: Iterable[str], *, source: Source, stage: Stage
    ) -> Mapping[str, Verdict]:
        """Judge each keyword."""
        return self._guard.judge_keywords(keywords, source=source, stage=stage)
