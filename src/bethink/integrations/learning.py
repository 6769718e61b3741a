"""Learn from conversations that nobody closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.errors import ConflictError
from bethink.lifecycle.transactions import left

if TYPE_CHECKING:
    from datetime import timedelta

    from bethink.memory.scope import AsyncScope


async def consolidate_left(scope: AsyncScope, idle: timedelta) -> None:
    """Consolidate the sessions of a scope that nobody wrote to for a while; where nothing was left, nothing is written.

    A session that another worker is at is left to that worker.
    """
    runtime = scope._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    since = runtime.now() - int(idle.total_seconds() * 1_000_000)
    if not await runtime.read(left, scope.namespace, idle_since=since):
        return
    try:
        await scope._consolidate(None, idle_since=since)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    except ConflictError:
        return
