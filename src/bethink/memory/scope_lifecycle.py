"""Lifecycle verbs of a scope: context, distill, consolidate, undo."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bethink.errors import InvalidError
from bethink.ids import to_number
from bethink.memory.scope_handle import ScopeHandle
from bethink.memory.scope_recall import MAX_QUERY
from bethink.notes.checks import check_key, check_text, parse_categories
from bethink.notes.values import withheld_text
from bethink.pages import Page, check_limit, from_cursor, to_cursor
from bethink.scope.labels import label
from bethink.sessions.log_lookup import END
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.lifecycle.inject.values import Context, Strategy
    from bethink.lifecycle.plans import Plan
    from bethink.lifecycle.service import Run
    from bethink.lifecycle.values import Distilled
    from bethink.notes.values import Note
    from bethink.sessions.windows import Limits

MAX_TOKENS = 1_000_000  #: of a context
MAX_NOTES = 1_000  #: of a context
MAX_TURNS = 10_000  #: of the window of its session


class LifecycleVerbs(ScopeHandle):
    """Lifecycle verbs of a scope: context, distill, consolidate, plans, undo."""

    async def context(
        self,
        *,
        session: str | None = None,
        query: str | None = None,
        tokens: int | None = None,
        strategy: Strategy = "relevance+recency",
        items: str = "session",
        turns: int | None = None,
        policy: str | None = None,
        without: str | Iterable[str] = (),
        max_notes: int | None = None,
        max_session_notes: int | None = None,
    ) -> Context:
        """Return the text to put before a conversation: profile, memories and how to use them.

        Policy, profile, standing wishes and the newest core notes, at most `max_notes` (6), do not depend on the
        query: they are `prefix`, and stay the same from turn to turn of `session`. With a `query`, the notes that bear
        on it come after them, within two fifths of the budget at least, and what was said earlier about it is quoted:
        in this session where its window has lost something, or with `items="all"` in every session. These are
        `suffix`, with what was written since the conversation began. `text` is both in one.

        The notes of `session`, at most `max_session_notes` (8), are shown when its window has lost something, so that
        they are not lost with it. `turns` is the window's, where it is trimmed by turns. `without` names categories of
        notes that are left out. Reading writes nothing.

        Args:
            session: The current session.
            query: What the user asks now.
            tokens: The token budget.
            strategy: relevance+recency, relevance or recency.
            items: Quote items of this session, or of all sessions.
            turns: The number of turns that the agent sees, if the session is trimmed by turns.
            policy: A text in place of the default memory policy.
            without: Categories of notes to leave out.
            max_notes: Maximum number of global notes.
            max_session_notes: Maximum number of notes of the session.

        Raises:
            InvalidError: a value is not acceptable.
        """
        from bethink.lifecycle.inject import service as inject

        if strategy not in {"relevance+recency", "relevance", "recency"}:
            raise InvalidError(
                "strategy must be 'relevance+recency', 'relevance' or 'recency'", argument="strategy"
            )
        if items not in {"session", "all"}:
            raise InvalidError("items must be 'session' or 'all'", argument="items")
        await self._runtime.check("read", self.namespace)
        runtime = self._runtime
        writing = runtime.writing()
        place = await runtime.place_on_time(self.namespace, writing)
        settings = runtime.settings
        limits: Limits = {
            "messages": settings.window_messages,
            "turns": None if turns is None else _count(turns, 0, "turns", least=1, most=MAX_TURNS),
            "block": settings.window_block if turns is None else None,
        }
        wanted = inject.ContextRequest(
            session=None if session is None else label(session, argument="session"),
            query=None if query is None else check_text(query, "query", MAX_QUERY),
            tokens=settings.context_tokens
            if tokens is None
            else check_limit(tokens, MAX_TOKENS, argument="tokens"),
            max_global=_count(max_notes, settings.context_notes, "max_notes"),
            max_session=_count(max_session_notes, settings.context_session_notes, "max_session_notes"),
            strategy=strategy,
            everywhere=items == "all",
            limits=limits,
            policy=policy,
            hidden=runtime.schema.hidden,
            without=parse_categories(without) or frozenset(),
        )
        return await inject.context(
            runtime.store,
            runtime.indexes,
            self.namespace,
            wanted,
            guard=runtime.guard,
            now=to_datetime(writing.now),
            count_tokens=runtime.count_tokens,
            place=place,
        )

    async def distill(self, session: str, *, dry_run: bool = False) -> Distilled:
        """Stage what is worth keeping from a session, and say why the rest is not.

        The answer says what was kept, and what was not, clause by clause with the reason; nothing kept is an outcome
        too. With `dry_run` the whole session is read from its beginning, and nothing is written.

        Args:
            session: The session to read.
            dry_run: Read the whole session, and write nothing.

        Raises:
            NotFoundError: there is no such session.
            ConflictError: somebody else distilled the session at the same time.
        """
        from bethink.lifecycle.service import distill

        run = await self._run(dry_run=dry_run)
        return await distill(run, label(session, argument="session"), dry_run=dry_run)

    async def consolidate(self, session: str | None = None, *, dry_run: bool = False) -> Plan:
        """Distill new items, then merge session notes into the lasting memory; undo restores the earlier state.

        Duplicates are merged, the newer wins a conflict, what was for this time only goes; each change has its
        reason and its sources, and `undo(plan.id)` restores exactly what stood before. `print(plan)` is a diff.
        With `dry_run` nothing is written. Where there is nothing to change, the plan's state is `empty`, and it is not
        kept.

        Args:
            session: Only this session.
            dry_run: Show what would change without writing anything.

        Raises:
            NotFoundError: there is no such session.
            ConflictError: another worker is at it.
        """
        from bethink.lifecycle.service import consolidate

        run = await self._run(dry_run=dry_run)
        chosen = None if session is None else label(session, argument="session")
        return await consolidate(run, chosen, dry_run=dry_run)

    async def _consolidate_idle(self, since: int) -> Plan:
        """Consolidate what nobody wrote to since an instant."""
        from bethink.lifecycle.service import consolidate

        return await consolidate(await self._run(dry_run=False), None, dry_run=False, idle_since=since)

    async def _run(self, *, dry_run: bool) -> Run:
        """Return what a distillation or a consolidation runs with, once it may, and what is overdue is removed."""
        runtime = self._runtime
        for right in (
            ("read",) if dry_run else ("read", "write")
        ):  # its answer quotes the session, or the notes
            await runtime.check(right, self.namespace)
        writing = runtime.writing()
        await runtime.on_time(self.namespace, writing=writing)
        return runtime.lifecycle(self.namespace, writing)

    async def plans(self, *, limit: int = 20, cursor: str | None = None) -> Page[Plan]:
        """List the applied plans, newest first.

        Args:
            limit: Maximum number of results.
            cursor: The `next` of the previous page.
        """
        from bethink.lifecycle import plan_history

        below = from_cursor(cursor, int)[0] if cursor is not None else END
        found, total = await self._runtime.read(
            plan_history.list_plans, self.namespace, limit=check_limit(limit), below=below
        )
        more = to_number("p", found[-1].id) if len(found) == limit and total > limit else None
        return Page(tuple(found), total, to_cursor(more) if more else None)

    async def undo(self, id: str) -> Plan | Note:  # noqa: A002
        """Undo a plan, or the latest change of a note.

        Without the right to read, the answer says what was undone, and nothing of what it says.

        Args:
            id: The id of a plan or of a note.

        Raises:
            NotFoundError: there is no such plan or note, or the note was never changed.
            ConflictError: what the plan touched was changed since, or the note's key is another note's by now.
        """
        from bethink.lifecycle.undo import take_back

        return await self._runtime.answer(
            "write",
            take_back,
            self.namespace,
            _withheld,
            check_key(id),
            writing=self._runtime.writing(),
        )


def _count(given: int | None, usual: int, argument: str, *, least: int = 0, most: int = MAX_NOTES) -> int:
    if given is None:
        return usual
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError(
            f"{argument} must be an int from {least} to {most}, got {given!r}",
            argument=argument,
            actual=given,
        )
    return given


def _withheld(undone: Plan | Note) -> Plan | Note:
    from bethink.lifecycle.plans import Plan

    if isinstance(undone, Plan):
        nothing: dict[str, Any] = {"changes": (), "fields": (), "texts": {}, "staged": (), "remarks": ()}
        return replace(undone, **nothing)
    return withheld_text(undone)
