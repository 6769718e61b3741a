"""Run an agent transactionally: one run a session at a time, stored when it succeeded, with its token usage."""

from __future__ import annotations

import copy
import inspect
import logging
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from agents import ItemHelpers, RunConfig, RunHooks, Runner, RunState
from agents.result import RunResultBase

from bethink.errors import InvalidError, NotFoundError
from bethink.integrations.openai_agents.context_injection import memory_input
from bethink.integrations.openai_agents.run_queue import TIMEOUT, WAITING, exclusive
from bethink.integrations.openai_agents.usage_hooks import UsageHooks

if TYPE_CHECKING:
    from agents import Agent, RunResult
    from agents.items import TResponseInputItem
    from agents.usage import Usage

    from bethink.integrations.openai_agents.session import BethinkSession
    from bethink.memory.session import AsyncSession
    from bethink.memory.turn import AsyncTurn
    from bethink.sessions.values import TurnUsage

log = logging.getLogger("bethink.openai_agents")


async def run(
    agent: Agent[Any],
    input: str | list[TResponseInputItem] | RunState[Any],  # noqa: A002 - as the SDK's Runner has it
    *,
    session: AsyncSession,
    waiting: int = WAITING,
    timeout: float = TIMEOUT,  # noqa: ASYNC109 - it is an error of ours that it raises
    hooks: RunHooks[Any] | None = None,
    run_config: RunConfig | None = None,
    conversation_id: str | None = None,
    previous_response_id: str | None = None,
    **options: Any,
) -> RunResult:
    """Run an agent on a session: after the runs before it, in one turn, and with its usage noted.

    A run that fails leaves nothing in the log but the note of an attempt; one that waits for an approval is
    stored, and its state is passed here again to go on. A session that compacts does so after the turn. What
    `memory_instructions` found for the latest message is sent behind the history (`memory_input`). Whatever else
    `Runner.run` takes may be given as well.

    With `conversation_id` or `previous_response_id` the server has the history: what is new is sent, the session
    keeps the log. If the callback drops everything that is new, it is sent all the same, with a warning.

    Raises:
        InvalidError: a state is resumed with the id of a conversation.
        LimitError: too many runs wait for this session, or it took too long.
        ConflictError: another process wrote to the session meanwhile; nothing of this run was stored.
    """
    meter = UsageHooks(hooks)
    served = conversation_id is not None or previous_response_id is not None
    async with exclusive(session, waiting=waiting, timeout=timeout) as alone:
        try:
            async with alone.turn() as turn:
                if served:
                    result = await _served(
                        agent,
                        input,
                        turn,
                        hooks=meter,
                        run_config=run_config or RunConfig(),
                        conversation_id=conversation_id,
                        previous_response_id=previous_response_id,
                        **options,
                    )
                else:
                    result = await Runner.run(
                        agent,
                        input,
                        session=cast("Any", turn),
                        hooks=meter,
                        run_config=_injecting(run_config),
                        **options,
                    )
        finally:
            if meter.usage.requests:
                with suppress(NotFoundError):  # a first run that stored nothing made no session
                    await note_usage(alone, meter.usage)
        compact = getattr(alone, "run_compaction", None)
        if compact is not None and not result.interruptions and not served:
            response_id = result.last_response_id
            await compact({"response_id": response_id} if response_id else {})
    return result


def _injecting(run_config: RunConfig | None) -> RunConfig:
    """Return the configuration of a run in which what memory was asked for goes behind the history."""
    given = run_config or RunConfig()
    return replace(given, call_model_input_filter=memory_input(given.call_model_input_filter))


async def _served(
    agent: Agent[Any],
    given: str | list[TResponseInputItem] | RunState[Any],
    turn: AsyncTurn,
    *,
    run_config: RunConfig,
    **options: Any,
) -> RunResult:
    """Run with a history that the server keeps, and write down beside it what was said."""
    if isinstance(given, RunState):
        raise InvalidError(
            "the state already has its conversation; continue with Runner.run", argument="input"
        )
    new = ItemHelpers.input_to_new_input_list(given)
    sent: list[TResponseInputItem] = new
    callback = run_config.session_input_callback
    if callback is not None:
        history = cast("list[TResponseInputItem]", await turn.get_items())
        known = {id(item) for item in history}
        answer = callback(list(history), copy.deepcopy(new))
        if inspect.isawaitable(answer):
            answer = await answer
        sent = [item for item in answer if id(item) not in known]
        if not sent:
            log.warning("the input callback dropped all %d new items: they are sent all the same", len(new))
            sent = new
    await turn.add_items(list(sent))
    result = await Runner.run(agent, sent, run_config=run_config, **options)
    await turn.add_items(
        [item.to_input_item() for item in result.new_items if item.type != "tool_approval_item"]
    )
    return result


async def note_usage(session: AsyncSession | BethinkSession, taken: RunResultBase | Usage) -> TurnUsage:
    """Keep beside the log what a run took, as its result says, or a usage that was added up elsewhere.

    Raises:
        NotFoundError: nothing was appended to the session yet.
    """
    usage = taken.context_wrapper.usage if isinstance(taken, RunResultBase) else taken
    return await session.add_usage(
        requests=usage.requests,
        tokens_in=usage.input_tokens,
        tokens_out=usage.output_tokens,
        tokens_cached=usage.input_tokens_details.cached_tokens or 0,
        tokens_reasoning=usage.output_tokens_details.reasoning_tokens or 0,
    )
