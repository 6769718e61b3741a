"""Decide when to compact a session, and prepare the history for the compactor."""

from __future__ import annotations

import inspect
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents.usage import Usage

from bethink.errors import InvalidError, ModelError
from bethink.sessions.compaction.span import candidates, replaceable_items
from bethink.sessions.compaction.values import CompactionRequest

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from agents.memory import OpenAIResponsesCompactionArgs

    from bethink.sessions.compaction.values import Compacted, Compactor, Mode
    from bethink.sessions.values import Body

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


def ten_candidates(context: CompactionContext) -> bool:
    """Compact when ten items would go that are not the user's."""
    return len(context.compaction_candidate_items) >= TRIGGER


class CompactingSession:
    """What every session that is read compacted has, wherever its log and its summaries are."""

    compactor: Compactor
    mode: Mode
    _should_compact: Callable[[CompactionContext], bool | Awaitable[bool]]
    _response_id: str | None
    _unstored: str | None

    async def _compact_for(self, wrapper: Any, mode: Mode, *, force: bool) -> Compacted | None:
        """Summarise in the scope that a run's context chooses."""
        raise NotImplementedError

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
        try:
            taken = await self._compact_for(wrapper, mode, force=bool(given.get("force")))
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

    async def _proposed(
        self, bodies: Sequence[Body], previous: Sequence[Body], mode: Mode, *, force: bool
    ) -> tuple[int, Compacted] | None:
        """Return what stands for how many of the oldest items; None where nothing is to be summarised."""
        count = replaceable_items(bodies, keep_turns=self.compactor.keep_turns)
        part = bodies[:count]
        others = candidates(part)
        if not part:
            log.debug("skip: %d items, none of them settled", len(bodies))
            return None
        if not force:
            decision = self._should_compact(
                CompactionContext(
                    response_id=self._response_id,
                    compaction_mode=mode,
                    compaction_candidate_items=others,
                    session_items=[*previous, *bodies],
                )
            )
            if inspect.isawaitable(decision):
                decision = await decision
            if not decision:
                log.debug("skip: declined, %d candidates of %d items (%s)", len(others), len(bodies), mode)
                return None
        request = CompactionRequest(items=part, previous=previous, mode=mode, response_id=self._response_id)
        return count, await self.compactor.compact(request)

    def _checked(self, mode: str) -> Mode:
        if mode not in _MODES:
            raise InvalidError(f"mode must be one of {', '.join(_MODES)}", argument="mode")
        if mode == "previous_response_id" and not self.compactor.served:
            raise InvalidError(
                f"the compactor {self.compactor.name} reads the items, so it has no server-side history; "
                "choose another mode",
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
            raise InvalidError("previous_response_id needs response_id", argument="response_id")
        if mode != "auto":
            return mode
        stored = self._response_id is not None and self._response_id != self._unstored
        return "previous_response_id" if stored and self.compactor.served else "input"
