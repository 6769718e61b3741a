"""REST routes of scheduled tasks and background jobs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, TypedDict

from fastapi import Depends
from pydantic import Field, model_validator
from starlette.responses import Response

from bethink.server.background import transactions
from bethink.server.background.tasks import Tasks, TaskShown, due_json
from bethink.server.background.values import Cron, Every, Job, On, Schedule, Status, TaskSpec
from bethink.server.dependencies import Body, Memory, Owner, PartOfPath, Registered
from bethink.server.json_responses import Answer, Entries, answer, nothing
from bethink.server.openapi import Router
from bethink.server.webhooks.values import EVENTS, EventKind
from bethink.times import optional_datetime

router = Router(tags=["tasks"])
Name = PartOfPath
YEAR = 366 * 24 * 3_600


class NewTask(Body):
    """What an agent does by itself, and when: one of `every`, `cron` and `on`."""

    prompt: Annotated[str, Field(min_length=1, max_length=20_000)]
    every: Annotated[int, Field(ge=10, le=YEAR)] | None = Field(default=None, description="Seconds.")
    cron: Annotated[str, Field(max_length=256)] | None = Field(default=None, description="Five fields.")
    timezone: Annotated[str, Field(max_length=64)] = Field(default="UTC", description="That cron goes by.")
    on: Annotated[list[EventKind], Field(min_length=1, max_length=len(EVENTS))] | None = Field(
        default=None, description="What it begins by."
    )
    pause: Annotated[int, Field(ge=1, le=24 * 3_600)] = Field(
        default=60, description="Seconds from one run by events to the next."
    )
    enabled: bool = True
    keep_text: bool = Field(default=False, description="Whether the words of the newest run are kept.")

    @model_validator(mode="after")
    def _one_schedule(self) -> NewTask:
        if sum(each is not None for each in (self.every, self.cron, self.on)) != 1:
            raise ValueError("exactly one of every, cron and on is required")
        return self

    @property
    def schedule(self) -> Schedule:
        """Return when it is due."""
        if self.every is not None:
            return Every(seconds=self.every)
        if self.cron is not None:
            return Cron(expression=self.cron, timezone=self.timezone)
        return On(events=tuple(dict.fromkeys(self.on or ())), pause=self.pause)


class JobShown(TypedDict):
    """What ran, when, for how long and how it went, and when it is due next."""

    name: str
    running: bool
    worker: str | None
    attempts: int
    runs: int
    started_at: datetime | None
    ended_at: datetime | None
    seconds: float | None
    status: Status | None
    outcome: Mapping[str, Any]
    next_at: datetime | None


async def _tasks(memory: Memory, agents: Registered) -> Tasks:
    return Tasks(memory, agents)


Own = Annotated[Tasks, Depends(_tasks)]


@router.get("/agents/{name}/tasks")
async def listing(own: Own, name: Name, owner: Owner = None) -> Answer[Entries[TaskShown]]:
    """List the tasks of an agent, each with the result of its latest run."""
    found = await own.all(name, owner=owner)
    return answer({"entries": [await own.show(each) for each in found]})


@router.put("/agents/{name}/tasks/{task}")
async def put(own: Own, name: Name, task: Name, new: NewTask, owner: Owner = None) -> Answer[TaskShown]:
    """Schedule a task that an agent runs for the caller, each time with an empty history."""
    spec = TaskSpec(prompt=new.prompt, schedule=new.schedule, enabled=new.enabled, keep_text=new.keep_text)
    made = await own.put(name, task, spec, owner=owner)
    return answer(made, revision=made["revision"])


@router.get("/agents/{name}/tasks/{task}")
async def read(own: Own, name: Name, task: Name, owner: Owner = None) -> Answer[TaskShown]:
    """Return a task, with the result of its latest run and its next due time."""
    found = await own.get(name, task, owner=owner)
    return answer(await own.show(found), revision=found.revision)


@router.delete("/agents/{name}/tasks/{task}", status_code=204)
async def remove(own: Own, name: Name, task: Name, owner: Owner = None) -> Response:
    """Delete a task and its results."""
    await own.remove(name, task, owner=owner)
    return nothing()


@router.post("/agents/{name}/tasks/{task}/run", status_code=202)
async def run(
    own: Own,
    name: Name,
    task: Name,
    owner: Owner = None,
) -> Answer[TaskShown]:
    """Run a task as soon as a worker is free."""
    return answer(await own.run(name, task, owner=owner), 202)


@router.get("/jobs")
async def jobs(memory: Memory) -> Answer[Entries[JobShown]]:
    """List the background jobs: what ran, when, how long, the result, and what is next; for admins."""
    memory._check_whole()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    found = await runtime.store.read(transactions.all_jobs, runtime.tenant)
    now = runtime.now()
    return answer({"entries": [shown(each, now) for each in found]})


def shown(each: Job, now: int) -> JobShown:
    """Return what is seen of a job: counts and times, no words."""
    seconds = None
    if each.started_at is not None and each.ended_at is not None and each.ended_at >= each.started_at:
        seconds = (each.ended_at - each.started_at) / 1_000_000
    return {
        "name": each.name,
        "running": each.running(now),
        "worker": each.holder if each.running(now) else None,
        "attempts": each.attempts,
        "runs": each.runs,
        "started_at": optional_datetime(each.started_at),
        "ended_at": optional_datetime(each.ended_at),
        "seconds": seconds,
        "status": each.status,
        "outcome": each.outcome,
        "next_at": due_json(each.due_at),
    }
