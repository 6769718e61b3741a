"""Values of background work: tasks, jobs and outcomes."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.server.delegation import Delegation
    from bethink.server.webhooks.values import EventKind

Status: TypeAlias = Literal["done", "failed", "abandoned"]  #: abandoned: whoever was at it vanished too often


@dataclass(frozen=True, slots=True, kw_only=True)
class Every:
    """A heartbeat: again and again, in the same rhythm."""

    seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cron:
    """When a clock on the wall shows it."""

    expression: str  #: five fields: minute, hour, day, month, day of the week
    timezone: str = "UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class On:
    """When something happens."""

    events: tuple[EventKind, ...]
    pause: int = 60  #: seconds from one run to the next; what happens meanwhile is told at once


Schedule: TypeAlias = Every | Cron | On


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSpec:
    """What an agent does by itself."""

    prompt: str
    schedule: Schedule
    enabled: bool = True
    keep_text: bool = False  #: whether the text of the latest run is stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A task, registered."""

    id: int
    owner: str  #: the agent's owner
    agent: str
    name: str
    delegation: Delegation
    spec: TaskSpec
    revision: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How the newest run of a task ended."""

    status: Status
    started_at: datetime
    ended_at: datetime
    outcome: Mapping[str, Any] = field(default_factory=dict[str, Any])  #: counts and names, no words
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Work that is due at an instant."""

    name: str
    due_at: int  #: microseconds
    holder: str | None
    until: int  #: when others may take it over
    attempts: int  #: attempts that did not finish
    runs: int
    started_at: int | None
    ended_at: int | None
    status: Status | None
    outcome: Mapping[str, Any]

    def running(self, now: int) -> bool:
        """Tell whether somebody is at it."""
        return self.holder is not None and self.until > now


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedJob:
    """A job that this worker holds."""

    name: str
    due_at: int
    attempts: int  #: this one included: those before were never finished
    runs: int  #: finished runs
    before: Mapping[str, Any]  #: the outcome of the newest of them


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOutcome:
    """How one run of a job went."""

    status: Status
    outcome: Mapping[str, Any] = field(default_factory=dict[str, Any])  #: counts and names, no words
    due_at: int  #: when it is due next, in microseconds
    pause: int | None = None  #: seconds, where it waits for news
