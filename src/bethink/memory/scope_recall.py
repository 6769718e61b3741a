"""What a scope answers to a question, and why not otherwise."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bethink.errors import InvalidError
from bethink.memory.place import Place
from bethink.memory.scope_notes import every_note
from bethink.notes.categories import parse_categories
from bethink.notes.checks import check_text
from bethink.notes.filters import check_where
from bethink.pages import check_limit
from bethink.recall.service import Ask, find_lost, recall
from bethink.scope.labels import label
from bethink.times import optional_micros

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from bethink.notes.values import Note
    from bethink.recall.values import Recall, WhyNot

MOST_QUERY = 4_000  #: characters of a question
MOST_HITS = 1_000
WIDER = 3  #: times as many hits are ordered by a model as are asked for
_KINDS = ("note", "item")


class RecallVerbs(Place):
    """The verbs of recall."""

    async def recall(
        self,
        query: str,
        *,
        limit: int = 10,
        kinds: Collection[str] = _KINDS,
        category: str | Iterable[str] | None = None,
        where: Mapping[str, Any] | None = None,
        as_of: datetime | None = None,
        explain: bool = False,
        session: str | None = None,
        rerank: bool = False,
    ) -> Recall:
        """Find the notes and the conversation items that answer a question, best first.

        Everything that was acknowledged is searched. Filters hold before the best are chosen. With `explain`,
        each hit names the words that it shares with the question; `why` says what each leg gave in any case.
        `session` looks at the items of one session alone. With `rerank`, the memory's chat model orders what was
        found; where it does not, `degraded` says why.

        Raises:
            InvalidError: a filter, a limit or a kind is not acceptable, or there is no model to rerank.
        """
        runtime = self._runtime
        if rerank and runtime.engines.reranker is None:
            raise InvalidError("rerank needs a model: open the memory with chat=…", argument="rerank")
        ask = self._ask(query, limit, kinds, category, where, as_of, explain=explain, session=session)
        if rerank:
            ask = replace(ask, limit=min(ask.limit * WIDER, MOST_HITS))
        await self._runtime.check("read", self.namespace)
        notes: list[Note] | None = None
        if as_of is not None and ask.notes:
            notes = await every_note(runtime, self.namespace, None, "active", as_of)
        found = await recall(
            runtime.indexes, runtime.store, self.namespace, ask, now=runtime.now(), notes=notes
        )
        if not rerank:
            return found
        from bethink.lifecycle.service import rerank as reranked

        return await reranked(
            runtime.store,
            self.namespace,
            found,
            limit,
            engines=runtime.engines,
            writing=runtime.writing(),
            daily_tokens=runtime.settings.daily_tokens,
        )

    async def why_not(
        self,
        query: str,
        id: str,  # noqa: A002
        *,
        limit: int = 10,
        kinds: Collection[str] = _KINDS,
        category: str | Iterable[str] | None = None,
        where: Mapping[str, Any] | None = None,
    ) -> WhyNot:
        """Say at which stage an expected note or item was lost on the way to the answer.

        Raises:
            NotFoundError: this is no id of a note or an item.
        """
        ask = self._ask(query, limit, kinds, category, where, None, explain=True, session=None)
        await self._runtime.check("read", self.namespace)
        runtime = self._runtime
        return await find_lost(runtime.indexes, runtime.store, self.namespace, ask, id, now=runtime.now())

    def _ask(
        self,
        query: str,
        limit: int,
        kinds: Collection[str],
        category: str | Iterable[str] | None,
        where: Mapping[str, Any] | None,
        as_of: datetime | None,
        *,
        explain: bool,
        session: str | None,
    ) -> Ask:
        named = isinstance(kinds, Collection) and not isinstance(kinds, str)  # pyright: ignore[reportUnnecessaryIsInstance]
        if not named or not kinds or any(kind not in _KINDS for kind in kinds):
            raise InvalidError("kinds is a selection of 'note' and 'item'", argument="kinds")
        check_where(where)
        return Ask(
            query=check_text(query, "query", MOST_QUERY),
            limit=check_limit(limit, MOST_HITS),
            notes="note" in kinds,
            items="item" in kinds,
            category=parse_categories(category),
            where=where,
            session=None if session is None else label(session, argument="session"),
            as_of=optional_micros(as_of, "as_of"),
            explain=explain,
        )
