"""Recall over a project's memory and the user's own, merged into one ranking."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from bethink.errors import NotFoundError
from bethink.pages import Page

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bethink.lifecycle.inject.values import Context
    from bethink.lifecycle.review_reasons import Waiting
    from bethink.memory.documents import AsyncDocuments
    from bethink.memory.scope import AsyncScope
    from bethink.notes.values import Note
    from bethink.recall.values import Hit, Recall, TimelineEntry
    from bethink.sync import Scope


def recall(own: Scope, project: Scope | None, query: str, limit: int) -> list[Hit]:
    """Return the best of both: each answer weighs as much as it is likely to hold one, and the same is said once."""
    answers = [scope.recall(query, limit=limit) for scope in (project, own) if scope is not None]
    return best_of(answers, limit)


def best_of(answers: Iterable[Recall], limit: int) -> list[Hit]:
    """Return the best hits of several answers, the same text once."""
    found: dict[str, tuple[float, Hit]] = {}
    for answer in answers:
        best = max((hit.score for hit in answer.hits), default=1.0) or 1.0
        for hit in answer.hits:
            weight = answer.relevance * hit.score / best
            if hit.text not in found or found[hit.text][0] < weight:
                found[hit.text] = (weight, hit)
    return [hit for _, hit in sorted(found.values(), key=lambda each: -each[0])][:limit]


class ProjectAndUserScope:
    """A project's memory with the user's own behind it, as tools see a scope: what is written goes to the project."""

    def __init__(self, project: AsyncScope, own: AsyncScope) -> None:
        self._project = project
        self._own = own

    async def remember(self, text: str, **more: Any) -> Note:
        """Keep a note of the project."""
        return await self._project.remember(text, **more)

    async def propose(self, text: str, **more: Any) -> Note:
        """Hand in a note of the project that a model wrote."""
        return await self._project.propose(text, **more)

    @property
    def documents(self) -> AsyncDocuments:
        """Return the documents of the project."""
        return self._project.documents

    async def get(self, key_or_id: str) -> Note | None:
        """Return a note of the project, else of the user."""
        return await self._project.get(key_or_id) or await self._own.get(key_or_id)

    async def notes(self, *, session: str | None = None, limit: int = 100) -> Page[Note]:
        """List the notes of both, those of the project first; those of a session are the project's."""
        if session is not None:
            return await self._project.notes(session=session, limit=limit)
        first, second = await self._project.notes(limit=limit), await self._own.notes(limit=limit)
        return Page(tuple(chain(first.entries, second.entries))[:limit], first.total + second.total, None)

    async def recall(self, query: str, *, limit: int = 10, **more: Any) -> Recall:
        """Find what answers a question in either."""
        answers = [await scope.recall(query, limit=limit, **more) for scope in (self._project, self._own)]
        best = max(answers, key=lambda answer: answer.relevance)
        degraded = tuple(dict.fromkeys(chain.from_iterable(answer.degraded for answer in answers)))
        scanned = sum(answer.scanned for answer in answers)
        return replace(best, hits=tuple(best_of(answers, limit)), degraded=degraded, scanned=scanned)

    async def timeline(self, query: str | None = None, **more: Any) -> Page[TimelineEntry]:
        """List what was said in the project, in the order of time."""
        return await self._project.timeline(query, **more)

    async def review(self, **more: Any) -> Page[Waiting]:
        """List the notes of the project that wait for a decision."""
        return await self._project.review(**more)

    async def forget(self, key_or_id: str) -> Note:
        """Hide a note of the project, else of the user."""
        try:
            return await self._project.forget(key_or_id)
        except NotFoundError:
            return await self._own.forget(key_or_id)

    async def stand_ins(self) -> Sequence[Any]:
        """Return nothing: what stands behind the project is asked in any case."""
        return ()

    async def context(self) -> Context:
        """Compose what is told of the project before a conversation."""
        return await self._project.context()
