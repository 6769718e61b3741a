"""Tasks, their results, and jobs with their leases, as units of work."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

from bethink.ids import to_text
from bethink.scope.units import find, touch
from bethink.server.background.values import Cron, Every, Job, On, Result, Taken, Task, TaskSpec
from bethink.server.mandates import Mandate
from bethink.storage.statements import statements
from bethink.times import to_datetime

if TYPE_CHECKING:
    from bethink.scope.namespace import Namespace
    from bethink.scope.units import Writing
    from bethink.server.background.values import Ended, Schedule
    from bethink.storage.work import Row, Work

sql = statements("bethink.server.background")
_SCHEDULES: dict[str, type[Schedule]] = {"every": Every, "cron": Cron, "on": On}


# ---- tasks --------------------------------------------------------------------------------------------------


def put_task(
    tenant: str,
    fresh: int,
    agent: tuple[str, str],
    name: str,
    mandate: Mandate,
    spec: TaskSpec,
    *,
    now: int,
) -> Work[Task]:
    """Keep a task of an agent (its owner, its name), in place of the one of its name."""
    rows = yield sql.put_task(
        tenant=tenant,
        task=fresh,
        owner=agent[0],
        agent=agent[1],
        name=name,
        **mandate.row,
        spec=_spec_text(spec),
        now=now,
    )
    return _task(rows[0])


def find_task(tenant: str, number: int) -> Work[Task | None]:
    """Find a task by its number."""
    rows = yield sql.find_task(tenant=tenant, task=number)
    return _task(rows[0]) if rows else None


def find_task_by_name(tenant: str, owner: str, agent: str, name: str) -> Work[Task | None]:
    """Find a task of an agent."""
    rows = yield sql.find_task_by_name(tenant=tenant, owner=owner, agent=agent, name=name)
    return _task(rows[0]) if rows else None


def tasks_of(tenant: str, owner: str, agent: str) -> Work[list[Task]]:
    """List the tasks of an agent, by name."""
    return [_task(row) for row in (yield sql.tasks_of(tenant=tenant, owner=owner, agent=agent))]


def all_tasks(tenant: str) -> Work[list[Task]]:
    """List the tasks of a tenant."""
    return [_task(row) for row in (yield sql.all_tasks(tenant=tenant))]


def remove_task(tenant: str, number: int, word: str, namespace: Namespace) -> Work[None]:
    """Forget a task, its job and how it ended."""
    yield sql.remove_task(tenant=tenant, task=number)
    yield sql.remove_job(tenant=tenant, name=word)
    place = yield from find(namespace)
    if place is not None:
        yield sql.remove_result(tenant=place.tenant, scope=place.scope, task=number)


def remove_tasks_of(tenant: str, owner: str, agent: str) -> Work[None]:
    """Forget the tasks of an agent that is no more, and their jobs."""
    for task in (yield from tasks_of(tenant, owner, agent)):
        yield sql.remove_task(tenant=tenant, task=task.id)
        yield sql.remove_job(tenant=tenant, name=to_text("t", task.id))


def put_result(namespace: Namespace, task: int, result: Result, *, writing: Writing) -> Work[None]:
    """Keep how the newest run of a task ended, with the scope that it worked in."""
    place = yield from touch(namespace, writing)
    yield sql.put_result(
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
    rows = yield sql.find_result(tenant=place.tenant, scope=place.scope, task=task)
    if not rows:
        return None
    status, started_at, ended_at, outcome, text = rows[0]
    return Result(
        status=status,
        started_at=to_datetime(started_at),
        ended_at=to_datetime(ended_at),
        outcome=json.loads(outcome),
        text=text,
    )


def _task(row: Row) -> Task:
    number, owner, agent, name, principal, groups, spec, revision, created_at, updated_at = row
    return Task(
        id=number,
        owner=owner,
        agent=agent,
        name=name,
        mandate=Mandate.read(principal, groups),
        spec=_read_spec(spec),
        revision=revision,
        created_at=to_datetime(created_at),
        updated_at=to_datetime(updated_at),
    )


def _spec_text(spec: TaskSpec) -> str:
    kind = next(word for word, known in _SCHEDULES.items() if isinstance(spec.schedule, known))
    return json.dumps({**dataclasses.asdict(spec), "kind": kind})


def _read_spec(text: str) -> TaskSpec:
    told: dict[str, Any] = json.loads(text)
    kind, schedule = told.pop("kind"), told.pop("schedule")
    if kind == "on":
        schedule["events"] = tuple(schedule["events"])
    return TaskSpec(**told, schedule=_SCHEDULES[kind](**schedule))


# ---- jobs ---------------------------------------------------------------------------------------------------


def add_job(tenant: str, name: str, due: int) -> Work[None]:
    """Plan a job, if it is not planned yet."""
    yield sql.add_job(tenant=tenant, name=name, due=due)


def plan_job(tenant: str, name: str, due: int) -> Work[None]:
    """Say when a job is due next."""
    yield sql.plan_job(tenant=tenant, name=name, due=due)


def wake(tenant: str, name: str, *, pause: int, now: int) -> Work[None]:
    """Let a job begin because something happened, `pause` seconds after it ended last at the earliest."""
    rows = yield sql.find_job(
        tenant=tenant, name=name
    )  # held, so that one who finishes it meanwhile comes after
    if rows:
        ended = _job(rows[0]).ended_at
        yield sql.hasten_job(tenant=tenant, name=name, due=max(now, (ended or 0) + pause * 1_000_000))


def remove_job(tenant: str, name: str) -> Work[None]:
    """Give a job up."""
    yield sql.remove_job(tenant=tenant, name=name)


def due_jobs(tenant: str, *, now: int, limit: int) -> Work[list[tuple[str, int]]]:
    """Name the jobs that are due and that nobody is at, each with when it was due."""
    return [(name, due) for name, due in (yield sql.due_jobs(tenant=tenant, now=now, limit=limit))]


def take(tenant: str, name: str, holder: str, *, until: int, now: int) -> Work[Taken | None]:
    """Take a job that is due; None where another worker holds it, or has done it already."""
    rows = yield sql.take_job(tenant=tenant, name=name, holder=holder, until=until, now=now)
    if not rows:
        return None
    due_at, attempts, runs, outcome = rows[0]
    return Taken(name=name, due_at=due_at, attempts=attempts, runs=runs, before=json.loads(outcome))


def renew(tenant: str, name: str, holder: str, *, until: int) -> Work[bool]:
    """Hold a job for longer; False where it was taken over."""
    return bool((yield sql.renew_job(tenant=tenant, name=name, holder=holder, until=until)))


def finish(tenant: str, name: str, holder: str, ended: Ended, *, now: int) -> Work[bool]:
    """Let go of a job; False where it was taken over, so that this run does not count.

    A job that waits for news is due again at once, after its pause, where some came while it ran.
    """
    due = ended.due_at
    if ended.pause is not None:
        yield sql.find_job(tenant=tenant, name=name)  # held: whoever queues news now comes after
        ((heard,),) = yield sql.count_heard(tenant=tenant, target=name)
        due = now + ended.pause * 1_000_000 if heard else due
    rows = yield sql.finish_job(
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
    rows = yield sql.find_job(tenant=tenant, name=name)
    return _job(rows[0]) if rows else None


def all_jobs(tenant: str) -> Work[list[Job]]:
    """List the jobs of a tenant, those that are due next first."""
    return [_job(row) for row in (yield sql.all_jobs(tenant=tenant))]


def _job(row: Row) -> Job:
    name, due_at, holder, until, attempts, runs, started_at, ended_at, status, outcome = row
    return Job(
        name=name,
        due_at=due_at,
        holder=holder,
        until=until,
        attempts=attempts,
        runs=runs,
        started_at=started_at,
        ended_at=ended_at,
        status=status,
        outcome=json.loads(outcome),
    )
