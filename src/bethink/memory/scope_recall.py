"""Recall verbs of a scope: recall, timeline, and why something was not found."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from bethink.errors import InvalidError
from bethink.memory.scope_handle import ScopeHandle
from bethink.memory.scope_notes import every_note
from bethink.notes.checks import check_text, parse_categories
from bethink.notes.filters import check_where
from bethink.pages import Page, check_limit, from_cursor, to_cursor
from bethink.recall.service import RecallRequest, find_lost, recall, recall_among
from bethink.scope.labels import label
from bethink.times import optional_micros

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from bethink.notes.values import Note
    from bethink.recall.values import Recall, TimelineEntry, WhyNot

MAX_QUERY = 4_000  #: characters of a question
MAX_HITS = 1_000
WIDER = 3  #: times as many hits are ordered by a model as are asked for
MAX_ENTRIES = 200  #: of a timeline at once
MAX_SESSIONS = 100
_KINDS = ("note", "item")
_ROLES = ("user", "assistant", "tool")


class RecallVerbs(ScopeHandle):
    """Recall verbs of a scope."""

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
        session: str | Collection[str] | None = None,
        roles: Collection[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        rerank: bool = False,
        pending: bool = False,
        answering: str | None = None,
    ) -> Recall:
        """Find the notes and conversation items that answer a question, best first.

        Everything that was acknowledged is searched. Filters hold before the best are chosen. With `explain`,
        each hit names the words that it shares with the question; `why` says what each leg gave in any case.
        `session` looks at the items of one session or of some alone, `roles` at what some of "user", "assistant" and
        "tool" said; `since` and `until` at what was said, or notes that hold, from the one instant on and before the
        other. A hit on a user's message brings the reply to it, and the other way round: `hit.exchange`.
        The notes of a session are found where `session` names it; notes that wait for the user's word only with
        `pending`, and their `status` marks them.
        The very question, asked before and never answered, is no hit; nor is the turn that the session `answering`
        ends with, while it has no reply.
        With `rerank`, the memory's chat model orders what was found; where it does not, `degraded` says why.

        Args:
            query: A question, or words to search for.
            limit: Maximum number of results.
            kinds: What to search: note, item, or both.
            category: Only notes of this category, or of any of several.
            where: A filter by metadata, such as `{"stars": {"$gte": 4}}`.
            as_of: Return the state at this time.
            explain: Explain each score.
            session: Only items of this session, or of any of several.
            roles: Only items of these roles: user, assistant, tool.
            since: Only what was said or became true at this time or later.
            until: Only what was said or became true before this time.
            rerank: Let the chat model reorder the hits.
            pending: Also return notes that wait for the user's word.
            answering: The session that is being answered; its current turn is not a hit.

        Raises:
            InvalidError: a filter, a limit or a kind is not acceptable, or there is no model to rerank.
        """
        runtime = self._runtime
        if rerank and runtime.engines.reranker is None:
            raise InvalidError("rerank needs a chat model; open the memory with chat=…", argument="rerank")
        ask = self._ask(
            query,
            limit,
            kinds,
            category,
            where,
            as_of,
            explain=explain,
            session=session,
            roles=roles,
            since=since,
            until=until,
            answering=answering,
        )
        if rerank:
            ask = ask._replace(limit=min(ask.limit * WIDER, MAX_HITS))
        await self._runtime.check("read", self.namespace)
        writing = runtime.writing()
        place = await runtime.place_on_time(self.namespace, writing)
        notes: list[Note] | None = None
        if as_of is not None and ask.notes:
            notes = await every_note(runtime, self.namespace, None, "active", as_of)
        found = await recall(
            runtime.indexes, runtime.store, self.namespace, ask, now=writing.now, notes=notes, place=place
        )
        if ask.notes and ask.as_of is None and (pending or ask.session is not None):
            found = await self._with_others(found, ask, pending=pending, now=writing.now)
        if not rerank:
            return found
        from bethink.lifecycle.service import rerank as reranked

        return await reranked(runtime.lifecycle(self.namespace, writing), found, limit)

    async def _with_others(self, found: Recall, ask: RecallRequest, *, pending: bool, now: int) -> Recall:
        """Add what the index does not hold: the notes of the sessions that are named, and those that wait."""
        runtime = self._runtime
        named = (ask.session,) if isinstance(ask.session, str) else ask.session or ()
        beside: list[Note] = []
        for session in named if ask.roles is None else ():
            beside += await every_note(runtime, self.namespace, session, "active", None)
        if pending:
            waiting = await every_note(runtime, self.namespace, None, "pending", None, everywhere=True)
            beside += [note for note in waiting if not named or note.session in named]
        others = await recall_among(runtime.indexes, runtime.store, self.namespace, ask, beside, now=now)
        if not others:
            return found
        some = others[: max(1, ask.limit // 2, ask.limit - len(found.hits))]
        hits = (*found.hits[: ask.limit - len(some)], *some)
        return replace(found, hits=hits, empty_because=None)

    async def timeline(
        self,
        query: str | None = None,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 20,
        cursor: str | None = None,
        kinds: Collection[str] = _KINDS,
        category: str | Iterable[str] | None = None,
        where: Mapping[str, Any] | None = None,
        session: str | Collection[str] | None = None,
        roles: Collection[str] | None = None,
    ) -> Page[TimelineEntry]:
        """List what was said and learned about a topic in chronological order.

        Without a query it lists everything.

        Ten hits cannot say how something went over months: this gives everything that is about it, oldest first, page
        by page, each with its note or item. What says the same again is folded into where it was said first. What
        assistants and tools said is left out unless `roles` asks for it; the other filters are those of `recall`.

        Args:
            query: The topic; without it, everything.
            since: Only what was said or became true at this time or later.
            until: Only what was said or became true before this time.
            limit: Maximum number of results.
            cursor: The `next` of the previous page.
            kinds: What to search: note, item, or both.
            category: Only notes of this category, or of any of several.
            where: A filter by metadata, such as `{"stars": {"$gte": 4}}`.
            session: Only items of this session, or of any of several.
            roles: Only items of these roles: user, assistant, tool.

        Raises:
            InvalidError: a filter, a limit or a cursor is not acceptable.
        """
        ask = self._ask(
            query or "",
            check_limit(limit, MAX_ENTRIES),
            kinds,
            category,
            where,
            None,
            explain=False,
            session=session,
            roles=roles,
            since=since,
            until=until,
            whole=True,
        )
        after = None if cursor is None else from_cursor(cursor, int, int, int, int)
        await self._runtime.check("read", self.namespace)
        runtime = self._runtime
        writing = runtime.writing()
        await runtime.on_time(self.namespace, writing=writing)
        from bethink.recall.namespace_index import HitTime
        from bethink.recall.timelines import timeline

        found = await timeline(
            runtime.indexes,
            runtime.store,
            self.namespace,
            ask,
            now=writing.now,
            after=None if after is None else HitTime(*after),
        )
        return Page(found.entries, found.total, None if found.next is None else to_cursor(*found.next))

    async def why_not(
        self,
        query: str,
        id: str,  # noqa: A002
        *,
        limit: int = 10,
        kinds: Collection[str] = _KINDS,
        category: str | Iterable[str] | None = None,
        where: Mapping[str, Any] | None = None,
        session: str | Collection[str] | None = None,
        roles: Collection[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> WhyNot:
        """Explain why a note or an item was not found.

        Args:
            query: A question, or words to search for.
            id: The id of a note or of an item.
            limit: Maximum number of results.
            kinds: What to search: note, item, or both.
            category: Only notes of this category, or of any of several.
            where: A filter by metadata, such as `{"stars": {"$gte": 4}}`.
            session: Only items of this session, or of any of several.
            roles: Only items of these roles: user, assistant, tool.
            since: Only what was said or became true at this time or later.
            until: Only what was said or became true before this time.

        Raises:
            NotFoundError: this is no id of a note or an item.
        """
        ask = self._ask(
            query,
            limit,
            kinds,
            category,
            where,
            None,
            explain=True,
            session=session,
            roles=roles,
            since=since,
            until=until,
        )
        await self._runtime.check("read", self.namespace)
        runtime = self._runtime
        await runtime.on_time(self.namespace)
        return await find_lost(runtime.indexes, runtime.store, self.namespace, ask, id, now=runtime.now())

    async def index(self, *, seconds: float | None = None) -> int:
        """Build the search index of everything written to this scope.

        Passages and vectors are kept; how many notes and items were indexed is returned.

        They are made in the background a moment after a write, and by whoever asks first. A process that ends at once
        calls this before, so that the next one need not make them. With `seconds`, it stops after the piece at which
        so much time is over: what is made is kept, and the next call goes on from there.

        Args:
            seconds: Stop after this time.
        """
        runtime = self._runtime
        end = None if seconds is None else monotonic() + seconds
        await runtime.check("read", self.namespace)
        await runtime.on_time(self.namespace)
        held = await runtime.store.call(
            runtime.indexes.bring_up,
            runtime.store.driver,
            self.namespace,
            least=1,
            stopped=lambda: end is not None and monotonic() > end,
        )
        return 0 if held is None else len(held.index)

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
        session: str | Collection[str] | None = None,
        roles: Collection[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        answering: str | None = None,
        whole: bool = False,
    ) -> RecallRequest:
        _check_selection(kinds, _KINDS, "kinds")
        if roles is not None:
            _check_selection(roles, _ROLES, "roles")
        check_where(where)
        return RecallRequest(
            query=check_text(query, "query", MAX_QUERY) if query or not whole else "",
            limit=check_limit(limit, MAX_HITS),
            notes="note" in kinds,
            items="item" in kinds,
            category=parse_categories(category),
            where=where,
            session=_labels(session),
            roles=None if roles is None else frozenset(roles),
            since=optional_micros(since, "since"),
            until=optional_micros(until, "until"),
            as_of=optional_micros(as_of, "as_of"),
            explain=explain,
            answering=None if answering is None else label(answering, argument="answering"),
        )


def _check_selection(given: Collection[str], known: tuple[str, ...], argument: str) -> None:
    named = isinstance(given, Collection) and not isinstance(given, str)  # pyright: ignore[reportUnnecessaryIsInstance]
    if not named or not given or any(one not in known for one in given):
        listed = ", ".join(f"'{one}'" for one in known[:-1])
        raise InvalidError(f"{argument} must be one or more of {listed} and '{known[-1]}'", argument=argument)


def _labels(session: str | Collection[str] | None) -> tuple[str, ...] | None:
    if session is None:
        return None
    if isinstance(session, str) or not isinstance(session, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        return (label(session, argument="session"),)
    named = tuple(session)
    if not 0 < len(named) <= MAX_SESSIONS:
        raise InvalidError(
            f"session must be one session, or up to {MAX_SESSIONS} sessions",
            argument="session",
            limit=MAX_SESSIONS,
            actual=len(named),
        )
    return tuple(label(one, argument="session") for one in named)
