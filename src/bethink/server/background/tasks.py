"""The tasks of an agent, managed by their owner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypedDict

from bethink.errors import InvalidError, NotFoundError
from bethink.ids import to_text
from bethink.scope.labels import label
from bethink.server.agents import namespace_of
from bethink.server.background import transactions
from bethink.server.background.schedules import NEVER, check, first_due
from bethink.server.background.values import Cron, Every, On, TaskSpec
from bethink.server.delegation import Delegation
from bethink.server.webhooks.event_recording import begin
from bethink.times import to_datetime

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bethink.memory.memory import AsyncMemory
    from bethink.scope.namespace import Namespace
    from bethink.server.agents import Agent, Agents
    from bethink.server.background.values import Job, Result, Schedule, Task
    from bethink.server.webhooks.values import EventKind
    from bethink.storage.work import Work

MAX_TASKS: Final = 100  #: maximum tasks per agent


class ScheduleShown(TypedDict, total=False):
    """When a task is due: one of `every`, `cron` and `on`."""

    every: int
    cron: str
    timezone: str
    on: Sequence[EventKind]
    pause: int


class TaskShown(TypedDict):
    """What an owner sees of a task; its words are for whoever it works for."""

    name: str
    id: str
    agent: str
    owner: str
    acts_for: str | None
    prompt: str | None
    schedule: ScheduleShown
    enabled: bool
    keep_text: bool
    running: bool
    next_at: datetime | None
    last: Result | None
    revision: int
    created_at: datetime
    updated_at: datetime


class Tasks:
    """The tasks of the agents of a tenant, as one caller may see them."""

    def __init__(self, memory: AsyncMemory, agents: Agents) -> None:
        self._runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        self._agents = agents

    async def put(self, name: str, task: str, spec: TaskSpec, *, owner: str | None = None) -> TaskShown:
        """Let an agent do something by itself from now on, for whoever registers it.

        Raises:
            InvalidError: the schedule cannot be kept, or the agent has as many tasks as it may.
            DeniedError: the agent is somebody else's.
        """
        agent, task = await self._agents.owned(name, owner=owner), label(task, argument="task")
        check(spec.schedule)
        known = await self._runtime.store.read(
            transactions.tasks_of, self._runtime.tenant, agent.owner, agent.name
        )
        if len(known) >= MAX_TASKS and task not in {each.name for each in known}:
            raise InvalidError(f"an agent may have at most {MAX_TASKS} tasks; remove one", argument="task")
        now = self._runtime.now()
        kept = await self._runtime.store.write(
            _put,
            self._runtime.tenant,
            self._runtime.fresh(),
            agent,
            task,
            Delegation.of(self._runtime.principal),
            spec,
            now=now,
        )
        return await self.show(kept)

    async def all(self, name: str, *, owner: str | None = None) -> list[Task]:
        """Return the tasks of an agent, by name.

        Raises:
            DeniedError: the agent is somebody else's.
        """
        agent = await self._agents.owned(name, owner=owner)
        return await self._runtime.store.read(
            transactions.tasks_of, self._runtime.tenant, agent.owner, agent.name
        )

    async def get(self, name: str, task: str, *, owner: str | None = None) -> Task:
        """Return a task of an agent.

        Raises:
            NotFoundError: the agent has no such task.
            DeniedError: the agent is somebody else's.
        """
        agent = await self._agents.owned(name, owner=owner)
        found = await self._runtime.store.read(
            transactions.find_task_by_name, self._runtime.tenant, agent.owner, agent.name, task
        )
        if found is None:
            raise NotFoundError("this agent has no such task", kind="task", id=task)
        return found

    async def remove(self, name: str, task: str, *, owner: str | None = None) -> None:
        """Forget a task, and how it ended."""
        found = await self.get(name, task, owner=owner)
        namespace = await self._namespace(found)
        await self._runtime.store.write(
            transactions.remove_task, self._runtime.tenant, found.id, word_of(found), namespace
        )

    async def run(self, name: str, task: str, *, owner: str | None = None) -> TaskShown:
        """Run a task as soon as a worker is free."""
        found = await self.get(name, task, owner=owner)
        await self._runtime.store.write(
            transactions.plan_job, self._runtime.tenant, word_of(found), self._runtime.now()
        )
        return await self.show(found)

    async def show(self, task: Task) -> TaskShown:
        """Return what an owner sees of a task; how it ended is for whoever it works for."""
        tenant, own = self._runtime.tenant, Delegation.of(self._runtime.principal).id == task.delegation.id
        job: Job | None = await self._runtime.store.read(transactions.find_job, tenant, word_of(task))
        result: Result | None = None
        if own:
            result = await self._runtime.store.read(
                transactions.find_result, await self._namespace(task), task.id
            )
        return {
            "name": task.name,
            "id": word_of(task),
            "agent": task.agent,
            "owner": task.owner,
            "acts_for": task.delegation.id or None,
            "prompt": task.spec.prompt if own else None,
            "schedule": schedule_json(task.spec.schedule),
            "enabled": task.spec.enabled,
            "keep_text": task.spec.keep_text,
            "running": job is not None and job.running(self._runtime.now()),
            "next_at": None if job is None else due_json(job.due_at),
            "last": result,
            "revision": task.revision,
            "created_at": task.created_at,
            "updated_at": task.updated_at,
        }

    async def _namespace(self, task: Task) -> Namespace:
        """Return the scope that a task works in: what the agent knows of whoever registered it."""
        agent = await self._agents.get(task.agent, owner=task.owner)
        return namespace_of(agent, task.delegation.who, tenant=self._runtime.tenant)


def word_of(task: Task) -> str:
    """Return the name of a task's job."""
    return to_text("t", task.id)


def schedule_json(schedule: Schedule) -> ScheduleShown:
    """Return a schedule as it is shown."""
    match schedule:
        case Every():
            return {"every": schedule.seconds}
        case Cron():
            return {"cron": schedule.expression, "timezone": schedule.timezone}
        case On():
            return {"on": schedule.events, "pause": schedule.pause}


def due_json(due: int) -> datetime | None:
    """Return an instant as it is shown; None where it waits for something to happen."""
    return None if due >= NEVER else to_datetime(due)


def _put(
    tenant: str, fresh: int, agent: Agent, name: str, delegation: Delegation, spec: TaskSpec, *, now: int
) -> Work[Task]:
    task = yield from transactions.put_task(
        tenant, fresh, (agent.owner, agent.name), name, delegation, spec, now=now
    )
    yield from transactions.plan_job(
        tenant, word_of(task), first_due(spec.schedule, now) if spec.enabled else NEVER
    )
    if isinstance(spec.schedule, On):
        yield from begin(tenant, now=now)
    return task
