"""The protocols of the lifecycle's engines, and the set of engines that a memory runs with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date, datetime

    from bethink.lifecycle.model.rerank import Reranked
    from bethink.lifecycle.spend_cap import Budget
    from bethink.lifecycle.values import Distilled, Proposal
    from bethink.models.embedding import Embedder
    from bethink.notes.values import Note
    from bethink.recall.values import Hit
    from bethink.sessions.values import Item

RULES_LEASE_SECONDS = 120


class Distiller(Protocol):
    """Finds what is worth keeping in a part of a session."""

    def distill(
        self,
        items: Sequence[Item],
        *,
        known: Sequence[Note] = (),
        injected: Collection[str] = (),
        today: date | None = None,
    ) -> Distilled:
        """Return the statements worth keeping, and why the others were not."""
        ...


class Consolidator(Protocol):
    """Decides what becomes of session notes, and of global notes beside them."""

    def propose(
        self,
        session_notes: Sequence[Note],
        global_notes: Sequence[Note],
        *,
        now: datetime,
        settled: datetime | None = None,
    ) -> Proposal:
        """Return the changes, each with its reason and its sources.

        Global notes that were written before `settled` were compared with each other already.
        """
        ...


class Reranker(Protocol):
    """Orders what was recalled."""

    def rerank(self, query: str, hits: Sequence[Hit]) -> Reranked:
        """Return the same hits, best first."""
        ...


class Engines(Protocol):
    """What runs the stages of one memory."""

    @property
    def metered(self) -> bool:
        """Tell whether they take tokens of a model: only then a ledger is read and kept."""
        ...

    @property
    def lease_seconds(self) -> int:
        """Return how long one consolidation may take at most."""
        ...

    def within(self, budget: Budget) -> Engines:
        """Return the same engines, bound to what may be spent."""
        ...

    @property
    def distiller(self) -> Distiller:
        """Return what finds statements worth keeping."""
        ...

    @property
    def consolidator(self) -> Consolidator:
        """Return what decides the fate of session notes."""
        ...

    @property
    def reranker(self) -> Reranker | None:
        """Return what orders hits, where there is something that can."""
        ...


class RulesEngines:
    """The engines that need no model; each is made when it is first used."""

    metered = False
    lease_seconds = RULES_LEASE_SECONDS
    reranker = None

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._distiller: Distiller | None = None
        self._consolidator: Consolidator | None = None

    def within(self, budget: Budget) -> RulesEngines:  # noqa: ARG002 - rules cost nothing
        """Return themselves: rules spend nothing."""
        return self

    @property
    def distiller(self) -> Distiller:
        """Return what finds statements worth keeping, by the rules of several languages."""
        if self._distiller is None:
            from bethink.lifecycle.distill.rules import RulesDistiller

            self._distiller = RulesDistiller()
        return self._distiller

    @property
    def consolidator(self) -> Consolidator:
        """Return what decides the fate of session notes, attribute by attribute."""
        if self._consolidator is None:
            from bethink.lifecycle.consolidate.rules import RulesConsolidator

            self._consolidator = RulesConsolidator(self._embedder)
        return self._consolidator
