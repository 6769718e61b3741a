"""A session that is read compacted: a summary stands for its older part, and the log keeps all of it."""

from __future__ import annotations

import inspect
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents.memory import OpenAIConversationsSession
from agents.usage import Usage

from bethink.errors import ConflictError, InvalidError, ModelError
from bethink.integrations.openai_agents.compactors import ChatCompactor, ResponsesCompactor, RulesCompactor
from bethink.integrations.openai_agents.session import BethinkSession
from bethink.memory.session import AsyncSession
from bethink.sessions.compaction import units
from bethink.sessions.compaction.span import candidates, span
from bethink.sessions.compaction.values import CompactionRequest

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from agents import RunContextWrapper
    from agents.memory import OpenAIResponsesCompactionArgs

    from bethink.sessions.compaction.values import Compacted, Compactor, Mode, Summary
    from bethink.sessions.values import Body

__all__ = [
    "ChatCompactor",
    "CompactionContext",
    "CompactionSession",
    "ResponsesCompactor",
    "RulesCompactor",
]

TRIGGER = 10  #: items that are not the user's, in the part that would be summarised
_MODES = ("auto", "input", "previous_response_id")

log = logging.getLogger("bethink.openai_agents.compaction")


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionContext:
    """What a hook decides by."""

    response_id: str | None
    compaction_mode: Mode  #: never `auto`: it is settled by now
    compaction_candidate_items: Sequence[
        Mapping[str, Any]
    ]  #: what would be summarised, but for the user's words
    session_items: Sequence[Mapping[str, Any]]  #: the session as it is read now


def enough(context: CompactionContext) -> bool:
    """Compact when ten items would go that are not the user's."""
    return len(context.compaction_candidate_items) >= TRIGGER


class CompactionSession(AsyncSession):
    """One of our sessions, read with a summary in the place of its older part.

    Nothing is removed: `items()`, `search` and `export` have the log as it was, and undoing into the part that was
    summarised shows it again. A summary is committed whole or not at all, and replaces none before it is.

    Args:
        session: any session of Bethink; one of the Conversations API has its history on the server.
        compactor: `RulesCompactor()`, `ChatCompactor(chat=…)`, `ResponsesCompactor(client, model=…)` or your own.
        mode: how OpenAI's compaction is given the history: `input` sends it, `previous_response_id` names the
            response up to which the server has it, `auto` decides by whether the last response was stored.
        should_compact: decides, in place of "ten items that are not the user's"; it may be awaited. A hook that
            always says no leaves compaction to `run_compaction({"force": True})` between turns, so that no stream
            waits for it.

    Raises:
        InvalidError: the session is none of ours, or the compactor cannot do what the mode asks.
    """

    def __init__(
        self,
        session: AsyncSession,
        *,
        compactor: Compactor | None = None,
        mode: Mode = "auto",
        should_compact: Callable[[CompactionContext], bool | Awaitable[bool]] = enough,
    ) -> None:
        if isinstance(session, OpenAIConversationsSession):
            raise InvalidError(
                "a session of the Conversations API has its history on the server: it compacts there",
                argument="session",
            )
        if not isinstance(session, AsyncSession) or isinstance(session, CompactionSession):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidError(
                "a session of Bethink is compacted: BethinkSession, MemorySession or scope.session(…)",
                argument="session",
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
        return await self._runtime.read_log(units.view, self.scope.namespace, self.session_id, limit)

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

    async def run_compaction(
        self, args: OpenAIResponsesCompactionArgs | None = None, *, wrapper: Any = None
    ) -> None:
        """Summarise the older part of the session if there is enough of it; the SDK calls this after each turn.

        Args:
            args: `response_id` of the last response, `compaction_mode` for this call, `store`: whether that
                response was stored, `force` to compact whatever the hook says.
            wrapper: the run's context, as the Runner passes it: what a model takes is added to its usage, and a
                model that does not answer is no failure of the run.

        Raises:
            InvalidError: the mode is none, or wants a response id that is not there.
            ModelError: the model did not answer; the session is as it was.
        """
        given: Mapping[str, Any] = args or {}
        self._response_id = given.get("response_id") or self._response_id
        mode = self._settled(self._checked(given.get("compaction_mode") or self.mode), given.get("store"))
        target = self.of(wrapper)
        force = bool(given.get("force"))
        try:
            taken = await target._compact(mode, force=force)  # noqa: SLF001
        except ModelError as error:
            if wrapper is None:
                raise
            log.warning("the compactor %s did not answer (%s)", self.compactor.name, error.reason)
            return
        if taken is not None and wrapper is not None and taken.requests:
            wrapper.usage.add(
                Usage(
                    requests=taken.requests,
                    input_tokens=taken.tokens_in,
                    output_tokens=taken.tokens_out,
                    total_tokens=taken.tokens_in + taken.tokens_out,
                )
            )

    async def summaries(self) -> list[Summary]:
        """Return every summary, oldest first, with the `seq` of the items that it stands for."""
        return await self._runtime.read_log(units.summaries, self.scope.namespace, self.session_id)

    async def _compact(self, mode: Mode, *, force: bool) -> Compacted | None:
        tail = await self._runtime.read_log(units.tail, self.scope.namespace, self.session_id)
        count = span(tail.bodies, keep_turns=self.compactor.keep_turns)
        part = tail.bodies[:count]
        others = candidates(part)
        if not part:
            log.debug("skip: %d items, none of them settled", len(tail.bodies))
            return None
        previous = tail.summary.items if tail.summary else ()
        if not force:
            decision = self._should_compact(
                CompactionContext(
                    response_id=self._response_id,
                    compaction_mode=mode,
                    compaction_candidate_items=others,
                    session_items=[*previous, *tail.bodies],
                )
            )
            if inspect.isawaitable(decision):
                decision = await decision
            if not decision:
                log.debug(
                    "skip: declined, %d candidates of %d items (%s)", len(others), len(tail.bodies), mode
                )
                return None
        made = await self.compactor.compact(
            CompactionRequest(items=part, previous=previous, mode=mode, response_id=self._response_id)
        )
        try:
            summary = await self._runtime.write(
                "write",
                units.keep,
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

    def _checked(self, mode: str) -> Mode:
        if mode not in _MODES:
            raise InvalidError(f"the mode is one of {', '.join(_MODES)}", argument="mode")
        if mode == "previous_response_id" and not self.compactor.served:
            raise InvalidError(
                f"the compactor {self.compactor.name} reads the items: it has no history on a server",
                argument="mode",
            )
        return mode  # pyright: ignore[reportReturnType]

    def _settled(self, mode: Mode, store: bool | None) -> Mode:
        """Decide between sending the items and naming the response after which the server has them."""
        if store is False:
            self._unstored = self._response_id
        elif store is True and self._unstored == self._response_id:
            self._unstored = None
        if mode == "previous_response_id" and self._response_id is None:
            raise InvalidError("previous_response_id needs the id of a response", argument="response_id")
        if mode != "auto":
            return mode
        stored = self._response_id is not None and self._response_id != self._unstored
        return "previous_response_id" if stored and self.compactor.served else "input"
