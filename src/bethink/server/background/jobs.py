"""The jobs that are to be done: those of every tenant, and the tasks of its agents."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import StorageError
from bethink.ids import to_number
from bethink.recall.transactions import has_other_vectors
from bethink.scope.transactions import scopes_of
from bethink.server.background import transactions
from bethink.server.background.schedules import NEVER, SECOND
from bethink.server.background.task_run import next_turn, run_task
from bethink.server.background.values import JobOutcome
from bethink.server.webhooks import transactions as letters
from bethink.server.webhooks.event_recording import DELIVER, has_nothing_due, is_recording

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from bethink.memory.memory import AsyncMemory
    from bethink.server.background.values import ClaimedJob
    from bethink.server.chat.runtime import ChatRuntime
    from bethink.server.options import Options
    from bethink.server.webhooks.dispatcher import Dispatcher

DAY: Final = 24 * 3_600
DELIVERED_DAYS: Final = 3  #: how long finished deliveries are kept
DEAD_DAYS: Final = 30  #: and of one that was given up
LISTENED_SECONDS: Final = 60  #: interval at which events are looked for in any case


@dataclass(frozen=True, slots=True, kw_only=True)
class JobContext:
    """What jobs are done with."""

    options: Options
    chat: ChatRuntime
    dispatcher: Dispatcher


async def plan_jobs(memory: AsyncMemory, options: Options) -> None:
    """Plan the jobs that every tenant has, where they are not planned yet; make vectors anew for another embedder."""
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    tenant, now = runtime.tenant, runtime.now()
    for name in EVERY:
        if name != "mirror" or options.work.mirror is not None:
            due = now if name != DELIVER or await runtime.store.read(is_recording, tenant) else NEVER
            await runtime.store.write(transactions.add_job, tenant, name, due)
    job = await runtime.store.read(transactions.find_job, tenant, "embed")
    if job is not None and job.outcome.get("embedder", runtime.indexes.identity) != runtime.indexes.identity:
        await runtime.store.write(transactions.plan_job, tenant, "embed", now)


async def run_job(context: JobContext, memory: AsyncMemory, taken: ClaimedJob) -> JobOutcome:
    """Do a job."""
    number = to_number("t", taken.name)
    if number is not None:
        return await run_task(context.chat, context.options.auth, memory, number, taken)
    if taken.name not in _WORKS:  # of another version: it is left to that one
        return JobOutcome(status="done", due_at=NEVER)
    outcome = await _WORKS[taken.name](context, memory, taken)
    due = await next_due(memory, taken)
    if taken.name == DELIVER:
        due = await _next_delivery(memory, outcome, due)
    return JobOutcome(status="done", outcome=outcome, due_at=due)


async def next_due(memory: AsyncMemory, taken: ClaimedJob) -> int:
    """Return when a job is due next, if all goes well."""
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    number = to_number("t", taken.name)
    if number is not None:
        task = await runtime.store.read(transactions.find_task, runtime.tenant, number)
        return NEVER if task is None else next_turn(task, taken, runtime.now())
    seconds = EVERY.get(taken.name)
    return NEVER if seconds is None else runtime.now() + seconds * SECOND


async def nothing_to_do(memory: AsyncMemory, name: str, due: int) -> bool:
    """Tell, by reading alone, that a job need not be taken: who listens asks often, and seldom hears something."""
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    now = runtime.now()
    if name != DELIVER or now - due > LISTENED_SECONDS * SECOND:
        return False
    return await runtime.store.read(has_nothing_due, runtime.tenant, now)


async def _consolidate(context: JobContext, memory: AsyncMemory, _: ClaimedJob) -> dict[str, Any]:
    plans = await memory.consolidate_idle(after=timedelta(minutes=context.options.work.idle_minutes))
    return {"plans": len(plans), "changes": sum(len(plan.changes) for plan in plans)} if plans else {}


async def _deliver(context: JobContext, memory: AsyncMemory, _: ClaimedJob) -> dict[str, Any]:
    scopes, more = await context.dispatcher.listen(memory)
    sent = await context.dispatcher.deliver(memory)
    return {**({"scopes": scopes} if scopes else {}), **sent, **({"more": True} if more else {})}


async def _next_delivery(memory: AsyncMemory, outcome: Mapping[str, Any], due: int) -> int:
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    if not await runtime.store.read(is_recording, runtime.tenant):
        return NEVER
    soonest = await runtime.store.read(letters.next_due, runtime.tenant)
    now = runtime.now()
    return (
        now if outcome.get("more") or (soonest is not None and soonest <= now) else min(due, soonest or due)
    )


async def _clean(_: JobContext, memory: AsyncMemory, __: ClaimedJob) -> dict[str, Any]:
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    now = runtime.now()
    gone = await runtime.store.write(
        letters.remove_old_deliveries,
        runtime.tenant,
        delivered_before=now - DELIVERED_DAYS * DAY * SECOND,
        dead_before=now - DEAD_DAYS * DAY * SECOND,
    )
    return {"deliveries": gone} if gone else {}


async def _expire(_: JobContext, memory: AsyncMemory, __: ClaimedJob) -> dict[str, Any]:
    """Remove the items that are kept no longer."""
    scopes = await memory.purge()
    return {"scopes": scopes} if scopes else {}


async def _embed(_: JobContext, memory: AsyncMemory, __: ClaimedJob) -> dict[str, Any]:
    """Make the vectors of whole namespaces anew where another embedder made them."""
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    indexes, done = runtime.indexes, 0
    if indexes.analysis.embedder is not None:
        for namespace, _place in await runtime.store.read(scopes_of, runtime.tenant):
            if await runtime.store.read(has_other_vectors, namespace, indexes.identity):
                await indexes.current(runtime.store, namespace)
                await runtime.store.call(indexes.wait)
                done += 1
    return {"embedder": indexes.identity, **({"namespaces": done} if done else {})}


async def _mirror(_: JobContext, memory: AsyncMemory, taken: ClaimedJob) -> dict[str, Any]:
    """Copy sessions to their files; into a database that knows nothing yet, bring them back first."""
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    counts = {"restored": 0, "copied": 0}
    for mirror in runtime.mirrors:
        try:
            if not taken.runs:
                counts["restored"] += await mirror.restore()
            counts["copied"] += await mirror.sync()
        except OSError as error:
            raise StorageError(
                "the mirror does not respond", reason=type(error).__name__, outcome="none"
            ) from error
    return {name: count for name, count in counts.items() if count}


_WORKS: Final[dict[str, Callable[[JobContext, AsyncMemory, ClaimedJob], Awaitable[dict[str, Any]]]]] = {
    "consolidate": _consolidate,
    DELIVER: _deliver,
    "clean": _clean,
    "expire": _expire,
    "embed": _embed,
    "mirror": _mirror,
}
#: seconds from one run to the next
EVERY: Final[Mapping[str, int]] = {
    "consolidate": 300,
    DELIVER: 5,
    "clean": DAY,
    "expire": 60,
    "embed": DAY,
    "mirror": 300,
}
