"""A compacted session: a summary replaces its older part when it is read; the log keeps everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from agents.memory import OpenAIConversationsSession

from bethink.errors import ConflictError, InvalidError
from bethink.integrations.openai_agents.compaction_foreign_session import ForeignCompactionSession, is_foreign
from bethink.integrations.openai_agents.compaction_trigger import (
    CompactingSession,
    CompactionContext,
    log,
    ten_candidates,
)
from bethink.integrations.openai_agents.compactors import ChatCompactor, ResponsesCompactor, RulesCompactor
from bethink.integrations.openai_agents.session import BethinkSession
from bethink.memory.session import AsyncSession
from bethink.sessions.compaction import transactions

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from agents import RunContextWrapper
    from agents.memory import Session

    from bethink.memory.scope import AsyncScope
    from bethink.sessions.compaction.values import Compacted, Compactor, Mode, Summary
    from bethink.sessions.values import Body

__all__ = [
    "ChatCompactor",
    "CompactionContext",
    "CompactionSession",
    "ResponsesCompactor",
    "RulesCompactor",
]


class CompactionSession(CompactingSession, AsyncSession):
    """A session, read with a summary in the place of its older part.

    Of a session of another make this makes a `ForeignCompactionSession`, which has the same verbs of the SDK. Of one of
    ours nothing is removed: `items()`, `search` and `export` have the log as it was, and undoing into the part that was
    summarised shows it again. A summary is committed whole or not at all, and replaces none before it is.

    Args:
        session: any session of the SDK; one of the Conversations API has its history on the server.
        compactor: `RulesCompactor()`, `ChatCompactor(chat=…)`, `ResponsesCompactor(client, model=…)` or your own.
        mode: how OpenAI's compaction is given the history: `input` sends it, `previous_response_id` names the
            response up to which the server has it, `auto` decides by whether the last response was stored.
        should_compact: decides, in place of "ten items that are not the user's"; it may be awaited. A hook that
            always says no leaves compaction to `run_compaction({"force": True})` between turns, so that no stream
            waits for it.
        keep_in: the scope in which summaries of a session of another make are kept; ours keep them by themselves.

    Raises:
        InvalidError: this is no session, or the compactor cannot do what the mode asks.
    """

    def __new__(cls, session: AsyncSession | Session, **options: Any) -> Self:
        """Choose by the make of the session."""
        theirs = not isinstance(session, AsyncSession | OpenAIConversationsSession)
        if cls is CompactionSession and theirs and is_foreign(session):
            return ForeignCompactionSession(session, **options)  # pyright: ignore[reportReturnType]
        return super().__new__(cls)

    def __init__(  # pyright: ignore[reportInconsistentConstructor]
        self,
        session: AsyncSession | Session,
        *,
        compactor: Compactor | None = None,
        mode: Mode = "auto",
        should_compact: Callable[[CompactionContext], bool | Awaitable[bool]] = ten_candidates,
        keep_in: AsyncScope | None = None,
    ) -> None:
        if isinstance(session, OpenAIConversationsSession):
            raise InvalidError(
                "a session of the Conversations API keeps its history on the server; compact it there",
                argument="session",
            )
        if not isinstance(session, AsyncSession) or isinstance(session, CompactionSession):
            raise InvalidError(
                "session must be a BethinkSession, scope.session(…), or any object with the SDK's four "
                "session methods and a session_id, and not compacted already",
                argument="session",
            )
        if keep_in is not None:
            raise InvalidError(
                "keep_in is not needed here: a Bethink session stores its own summaries", argument="keep_in"
            )
        super().__init__(session._runtime, session.scope, session.session_id, session.session_settings)  # noqa: SLF001
        self.session = session
        self.compactor: Compactor = RulesCompactor() if compactor is None else compactor
        self.mode: Mode = self._checked(mode)
        self._should_compact = should_compact
        self._response_id: str | None = None
        self._unstored: str | None = None

    # ---- a session of the SDK ---------------------------------------------------------------------------------

    def of(self, wrapper: RunContextWrapper[Any] | None) -> CompactionSession:
        """Return the same session in the scope that a run's context chooses."""
        session = self.session.of(wrapper) if isinstance(self.session, BethinkSession) else self.session
        if session is self.session:
            return self
        chosen = CompactionSession(
            session, compactor=self.compactor, mode=self.mode, should_compact=self._should_compact
        )
        chosen._response_id, chosen._unstored = self._response_id, self._unstored
        return chosen

    async def _all_or(self, limit: int | None) -> list[Body]:
        return await self._runtime.read_log(transactions.view, self.scope.namespace, self.session_id, limit)

    async def get_items(self, limit: int | None = None, *, wrapper: Any = None) -> list[Body]:
        """Return the newest items, oldest first; a summary stands for what it was made of."""
        return await AsyncSession.get_items(self.of(wrapper), limit)

    async def add_items(self, items: list[Any], *, wrapper: Any = None) -> None:
        """Add items to the end of the log, all or none."""
        await self.session.add_items(items, wrapper=wrapper)

    async def pop_item(self, *, wrapper: Any = None) -> Body | None:
        """Remove the newest item of the log and return it."""
        return await self.session.pop_item(wrapper=wrapper)

    async def clear_session(self, *, wrapper: Any = None) -> None:
        """Remove every item, and every summary."""
        await self.session.clear_session(wrapper=wrapper)

    # ---- compaction -------------------------------------------------------------------------------------------

    async def _compact_for(self, wrapper: Any, mode: Mode, *, force: bool) -> Compacted | None:
        return await self.of(wrapper)._compact(mode, force=force)  # noqa: SLF001 - of this very class

    async def summaries(self) -> list[Summary]:
        """Return every summary, oldest first, with the `seq` of the items that it stands for."""
        return await self._runtime.read_log(transactions.summaries, self.scope.namespace, self.session_id)

    async def _compact(self, mode: Mode, *, force: bool) -> Compacted | None:
        tail = await self._runtime.read_log(
            transactions.unsummarised_tail, self.scope.namespace, self.session_id
        )
        previous = tail.summary.items if tail.summary else ()
        proposed = await self._proposed(tail.bodies, previous, mode, force=force)
        if proposed is None:
            return None
        count, made = proposed
        try:
            summary = await self._runtime.write(
                "write",
                transactions.store_summary,
                self.scope.namespace,
                self.session_id,
                made.items,
                seqs=(tail.seqs[0], tail.seqs[count - 1]),
                count=tail.rows(count),
                engine=self.compactor.name,
                writing=self._runtime.writing(),
            )
        except ConflictError:
            log.debug("skip: items were removed meanwhile")
            return made
        log.debug(
            "compacted: items %d to %d stand as %d (%s, %s%s)",
            summary.first,
            summary.last,
            len(made.items),
            self.compactor.name,
            mode,
            ", forced" if force else "",
        )
        return made
