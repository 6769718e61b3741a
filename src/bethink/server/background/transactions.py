"""Tasks, task results, jobs and their leases as units of work."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any, cast

from bethink.ids import to_text
from bethink.scope.transactions import find, touch
from bethink.server.background import queries
from bethink.server.background.values import ClaimedJob, Cron, Every, Job, On, Result, Task, TaskSpec
from bethink.server.delegation import Delegation
from bethink.server.webhooks.transactions import has_waiting_events
from bethink.times import to_datetime

if TYPE_CHECKING:
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import Writing
    from bethink.server.background.queries import JobRow, TaskRow
    from bethink.server.background.values import JobOutcome, Schedule, Status
    from bethink.storage.work import Work

_SCHEDULES: dict[str, type[Schedule]] = {"every": Every, "cron": Cron, "on": On}


# ---- tasks --------------------------------------------------------------------------------------------------


def put_task(
    tenant: str,
    fresh: int,
    agent: tuple[str, str],
    name: str,
    delegation: Delegation,
    spec: TaskSpec,
    *,
    now: int,
) -> Work[Task]:
    """Keep a task of an agent (its owner, its name), in place of the one of its name."""
    rows = yield from queries.put_task(
        tenant=tenant,
        task=fresh,
        owner=agent[0],
        agent=agent[1],
        name=name,
        **delegation.row,
        spec=_spec_text(spec),
        now=now,
    )
    return _task(rows[0])


def find_task(tenant: str, number: int) -> Work[Task | None]:
    """Find a task by its number."""
    rows = yield from queries.find_task(tenant=tenant, task=number)
    return _task(rows[0]) if rows else None


def find_task_by_name(tenant: str, owner: str, agent: str, name: str) -> Work[Task | None]:
    """Find a task of an agent."""
    rows = yield from queries.find_task_by_name(tenant=tenant, owner=owner, agent=agent, name=name)
    return _task(rows[0]) if rows else None


def tasks_of(tenant: str, owner: str, agent: str) -> Work[list[Task]]:
    """List the tasks of an agent, by name."""
    return [_task(row) for row in (yield from queries.tasks_of(tenant=tenant, owner=owner, agent=agent))]


def all_tasks(tenant: str) -> Work[list[Task]]:
    """List the tasks of a tenant."""
    return [_task(row) for row in (yield from queries.all_tasks(tenant=tenant))]


def remove_task(tenant: str, number: int, word: str, namespace: Namespace) -> Work[None]:
    """Forget a task, its job and how it ended."""
    yield from queries.remove_task(tenant=tenant, task=number)
    yield from queries.remove_job(tenant=tenant, name=word)
    place = yield from find(namespace)
    if place is not None:
        yield from queries.remove_result(tenant=place.tenant, scope=place.scope, task=number)


def remove_tasks_of(tenant: str, owner: str, agent: str) -> Work[None]:
    """Forget the tasks of an agent that is no more, and their jobs."""
    for task in (yield from tasks_of(tenant, owner, agent)):
        yield from queries.remove_task(tenant=tenant, task=task.id)
        yield from queries.remove_job(tenant=tenant, name=to_text("t", task.id))


def put_result(namespace: Namespace, task: int, result: Result, *, writing: Writing) -> Work[None]:
    """Keep how the newest run of a task ended, with the scope that it worked in."""
    place = yield from touch(namespace, writing)
    yield from queries.put_result(
        tenant=place.tenant,
        scope=place.scope,
        task=task,
        status=result.status,
        started=round(result.started_at.timestamp() * 1_000_000),
        ended=round(result.ended_at.timestamp() * 1_000_000),
        outcome=json.dumps(dict(result.outcome)),
        text=result.text,
    )


def find_result(namespace: Namespace, task: int) -> Work[Result | None]:
    """Find how the newest run of a task ended."""
    place = yield from find(namespace)
    if place is None:
        return None
    rows = yield from queries.find_result(tenant=place.tenant, scope=place.scope, task=task)
    if not rows:
        return None
    (row,) = rows
    return Result(
        status=cast("Status", row.status),
        started_at=to_datetime(row.started_at),
        ended_at=to_datetime(row.ended_at),
        outcome=json.loads(row.outcome),
        text=row.text,
    )


def _task(row: TaskRow) -> Task:
    return Task(
        id=row.task_id,
        owner=row.agent_owner,
        agent=row.agent,
        name=row.name,
        delegation=Delegation.read(row.principal, row.principal_groups),
        spec=_read_spec(row.spec),
        revision=row.revision,
        created_at=to_datetime(row.created_at),
        updated_at=to_datetime(row.updated_at),
    )


def _spec_text(spec: TaskSpec) -> str:
    kind = next(word for word, known in _SCHEDULES.items() if isinstance(spec.schedule, known))
    return json.dumps({**dataclasses.asdict(spec), "kind": kind})


def _read_spec(text: str) -> TaskSpec:
    spec: dict[str, Any] = json.loads(text)
    kind, schedule = spec.pop("kind"), spec.pop("schedule")
    if kind == "on":
        schedule["events"] = tuple(schedule["events"])
    return TaskSpec(**spec, schedule=_SCHEDULES[kind](**schedule))


# ---- jobs ---------------------------------------------------------------------------------------------------


def add_job(tenant: str, name: str, due: int) -> Work[None]:
    """Plan a job, if it is not planned yet."""
    yield from queries.add_job(tenant=tenant, name=name, due=due)


def plan_job(tenant: str, name: str, due: int) -> Work[None]:
    """Say when a job is due next."""
    yield from queries.plan_job(tenant=tenant, name=name, due=due)


def wake_job(tenant: str, name: str, *, pause: int, now: int) -> Work[None]:
    """Let a job begin because something happened, `pause` seconds after it ended last at the earliest."""
    rows = yield from queries.find_job(
        tenant=tenant, name=name
    )  # held, so that one who finishes it meanwhile comes after
    if rows:
        ended = _job(rows[0]).ended_at
        yield from queries.hasten_job(
            tenant=tenant, name=name, due=max(now, (ended or 0) + pause * 1_000_000)
        )


def remove_job(tenant: str, name: str) -> Work[None]:
    """Give a job up."""
    yield from queries.remove_job(tenant=tenant, name=name)


def due_jobs(tenant: str, *, now: int, limit: int) -> Work[list[tuple[str, int]]]:
    """Name the jobs that are due and that nobody is at, each with when it was due."""
    rows = yield from queries.due_jobs(tenant=tenant, now=now, limit=limit)
    return [(row.name, row.due_at) for row in rows]


def claim_job(tenant: str, name: str, holder: str, *, until: int, now: int) -> Work[ClaimedJob | None]:
    """Take a job that is due; None where another worker holds it, or has done it already."""
    rows = yield from queries.take_job(tenant=tenant, name=name, holder=holder, until=until, now=now)
    if not rows:
        return None
    (row,) = rows
    return ClaimedJob(
        name=name, due_at=row.due_at, attempts=row.attempts, runs=row.runs, before=json.loads(row.outcome)
    )


def renew_job(tenant: str, name: str, holder: str, *, until: int) -> Work[bool]:
    """Hold a job for longer; False where it was taken over."""
    return bool((yield from queries.renew_job(tenant=tenant, name=name, holder=holder, until=until)))


def release_job(tenant: str, name: str, holder: str, ended: JobOutcome, *, now: int) -> Work[bool]:
    """Let go of a job; False where it was taken over, so that this run does not count.

    A job that waits for news is due again at once, after its pause, where some came while it ran.
    """
    due = ended.due_at
    if ended.pause is not None:
        yield from queries.find_job(tenant=tenant, name=name)  # held: whoever queues news now comes after
        waiting = yield from has_waiting_events(tenant, name)
        due = now + ended.pause * 1_000_000 if waiting else due
    rows = yield from queries.finish_job(
        tenant=tenant,
        name=name,
        holder=holder,
        now=now,
        status=ended.status,
        outcome=json.dumps(dict(ended.outcome)),
        due=due,
    )
    return bool(rows)


def find_job(tenant: str, name: str) -> Work[Job | None]:
    """Find a job."""
    rows = yield from queries.find_job(tenant=tenant, name=name)
    return _job(rows[0]) if rows else None


def all_jobs(tenant: str) -> Work[list[Job]]:
    """List the jobs of a tenant, those that are due next first."""
    return [_job(row) for row in (yield from queries.all_jobs(tenant=tenant))]


def _job(row: JobRow) -> Job:
    return Job(
        name=row.name,
        due_at=row.due_at,
        holder=row.holder,
        until=row.until,
        attempts=row.attempts,
        runs=row.runs,
        started_at=row.started_at,
        ended_at=row.ended_at,
        status=cast("Status | None", row.status),
        outcome=json.loads(row.outcome),
    )
