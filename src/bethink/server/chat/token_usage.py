"""Record the token usage of chats: in the session, and in the daily counters."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from bethink.errors import NotFoundError
from bethink.integrations.openai_agents.runs import note_usage
from bethink.lifecycle.daily_counts import add_tokens
from bethink.lifecycle.spend_cap import left_today

if TYPE_CHECKING:
    from agents.usage import Usage

    from bethink.memory.scope import AsyncScope
    from bethink.memory.session import AsyncSession

OPERATION = "chat"  #: the name of chats in the daily counters


async def record_usage(scope: AsyncScope, session: AsyncSession | None, usage: Usage) -> None:
    """Note what a run took, whether it succeeded or not."""
    if not usage.requests:
        return
    runtime = scope._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    await runtime.write(
        "write",
        add_tokens,
        scope.namespace,
        OPERATION,
        calls=usage.requests,
        tokens_in=usage.input_tokens,
        tokens_out=usage.output_tokens,
        writing=runtime.writing(),
    )
    if session is not None:
        with suppress(NotFoundError):  # a first turn that failed made no session
            await note_usage(session, usage)


async def used_up(scope: AsyncScope) -> bool:
    """Tell whether a namespace has taken all the tokens that it may take of models today."""
    runtime = scope._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    cap = runtime.settings.daily_tokens
    if cap is None:
        return False
    return (await left_today(runtime.store, scope.namespace, cap, now=runtime.now())).tokens == 0
