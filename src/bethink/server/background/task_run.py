"""Run a task once, in a scope of its own of which only the result is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bethink.errors import BethinkError, NotFoundError
from bethink.ids import note_id
from bethink.server.agents import Agents, namespace_of
from bethink.server.background import transactions
from bethink.server.background.schedules import NEVER, next_due
from bethink.server.background.values import JobOutcome, On, Result
from bethink.server.webhooks import transactions as letters
from bethink.times import to_datetime

if TYPE_CHECKING:
    from bethink.memory.memory import AsyncMemory
    from bethink.server.background.values import ClaimedJob, Task
    from bethink.server.chat.runtime import ChatRuntime
    from bethink.server.options import AuthMode
    from bethink.server.webhooks.values import Delivery

MAX_EVENTS: Final = 100  #: maximum events passed to one run
MAX_TEXT: Final = 20_000  #: characters that are kept of an answer
_END: Final = (1 << 63) - 1


async def run_task(
    chat: ChatRuntime, auth: AuthMode, memory: AsyncMemory, number: int, taken: ClaimedJob
) -> JobOutcome:
    """Run a task once, and keep how it ended where its owner sees it."""
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    tenant = runtime.tenant
    task = await runtime.store.read(transactions.find_task, tenant, number)
    if task is None or not task.spec.enabled:
        return JobOutcome(status="done", due_at=NEVER)
    deliveries, _ = await runtime.store.read(
        letters.deliveries_to, tenant, taken.name, state="heard", limit=MAX_EVENTS, below=_END
    )
    began = runtime.now()
    text: str | None = None
    outcome: dict[str, Any]
    try:
        own = task.delegation.check(auth).over(memory)
        agents = Agents(own, entrusted=(task.owner, task.agent))
        agent = await agents.get(task.agent, owner=task.owner)
        reply = await chat.background(agents, agent, prompt_of(task, deliveries))
    except BethinkError as error:
        failures = int(taken.before.get("failures", 0)) + 1
        outcome = {"error": type(error).__name__, "failures": failures}
    else:
        text = reply.text[:MAX_TEXT] if task.spec.keep_text else None
        outcome = {
            "model": reply.model,
            "tools": [each.name for each in reply.tools],
            "characters": len(reply.text),
            "news": len(deliveries),
        }
        await runtime.store.write(letters.remove_received, tenant, deliveries)
    status = "failed" if "error" in outcome else "done"
    now = runtime.now()
    result = Result(
        status=status, started_at=to_datetime(began), ended_at=to_datetime(now), outcome=outcome, text=text
    )
    await _keep(memory, task, result)
    schedule = task.spec.schedule
    pause = schedule.pause if isinstance(schedule, On) else None
    return JobOutcome(status=status, outcome=outcome, due_at=next_turn(task, taken, now), pause=pause)


def next_turn(task: Task, taken: ClaimedJob, now: int) -> int:
    """Return when a task is due next; what was missed meanwhile is not made up for."""
    if not task.spec.enabled:
        return NEVER
    return next_due(task.spec.schedule, taken.due_at, now)


def prompt_of(task: Task, deliveries: list[Delivery]) -> str:
    """Return what the agent is told: its prompt, and what happened, by ids and kinds alone."""
    if not deliveries:
        return task.spec.prompt
    lines = [
        " ".join(
            [
                "-",
                each.kind,
                *([note_id(each.note)] if each.note is not None else []),
                *(str(each.subject[name]) for name in ("plan", "session", "note") if name in each.subject),
                f"in {each.subject['namespace']}" if "namespace" in each.subject else "",
                f"at {to_datetime(each.at).isoformat(timespec='seconds')}",
            ]
        )
        for each in reversed(deliveries)
    ]
    return "\n".join([task.spec.prompt, "", "What happened:", *lines])


async def _keep(memory: AsyncMemory, task: Task, result: Result) -> None:
    """Keep how a run ended with the scope that it worked in, so that it is erased with that."""
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    try:
        agent = await Agents(memory).get(task.agent, owner=task.owner)
    except NotFoundError:
        return  # the agent is no more, and so is its task
    namespace = namespace_of(agent, task.delegation.who, tenant=runtime.tenant)
    await runtime.store.write(transactions.put_result, namespace, task.id, result, writing=runtime.writing())
