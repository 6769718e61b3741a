"""The model engines, each with the rules engine that it falls back to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.lifecycle.model.consolidate import ModelConsolidator
from bethink.lifecycle.model.distill import ModelDistiller
from bethink.lifecycle.model.rerank import ModelReranker
from bethink.lifecycle.spend_cap import Budget
from bethink.sessions.token_counts import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from bethink.lifecycle.engines import Consolidator, Distiller, Engines, Reranker
    from bethink.lifecycle.model.prompt_examples import Example
    from bethink.models.chat import Chat

LEASE_SECONDS = 900  #: how long a consolidation with as many calls as a budget has may take


class ModelEngines:
    """Distill, consolidate and rerank by a chat model, each with rules that stand in for it.

    Args:
        rules: the engines that need no model.
        chat: the model.
        count_tokens: counts the tokens of a text, for the budget.
        mask: puts secrets out of sight before a text leaves the process.
        distill_examples, consolidate_examples, rerank_examples: shown to the model after our own instructions.
        budget: what may be spent; a memory binds it to the namespace and the day.
    """

    metered = True
    lease_seconds = LEASE_SECONDS

    def __init__(
        self,
        rules: Engines,
        chat: Chat,
        *,
        count_tokens: Callable[[str], int] = estimate_tokens,
        mask: Callable[[str], str] = str,
        distill_examples: Sequence[Example] = (),
        consolidate_examples: Sequence[Example] = (),
        rerank_examples: Sequence[Example] = (),
        budget: Budget | None = None,
    ) -> None:
        self._rules = rules
        self._chat = chat
        self._examples = (tuple(distill_examples), tuple(consolidate_examples), tuple(rerank_examples))
        self._count_tokens = count_tokens
        self._mask = mask
        self._budget = budget or Budget()

    def within(self, budget: Budget) -> ModelEngines:
        """Return the same engines, bound to what may be spent."""
        distill, consolidate, rerank = self._examples
        return ModelEngines(
            self._rules,
            self._chat,
            count_tokens=self._count_tokens,
            mask=self._mask,
            distill_examples=distill,
            consolidate_examples=consolidate,
            rerank_examples=rerank,
            budget=budget,
        )

    def _options(self, stage: int) -> dict[str, Any]:
        return {
            "count_tokens": self._count_tokens,
            "mask": self._mask,
            "examples": self._examples[stage],
            "budget": self._budget,
        }

    @property
    def distiller(self) -> Distiller:
        """Return what finds statements worth keeping."""
        return ModelDistiller(self._chat, rules=self._rules.distiller, **self._options(0))

    @property
    def consolidator(self) -> Consolidator:
        """Return what decides the fate of session notes."""
        return ModelConsolidator(self._chat, rules=self._rules.consolidator, **self._options(1))

    @property
    def reranker(self) -> Reranker:
        """Return what orders hits."""
        return ModelReranker(self._chat, **self._options(2))
