"""Values of teams: a team, its runs, and the workers' findings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from bethink.server.chat.values import Usage

if TYPE_CHECKING:
    from datetime import datetime

    from bethink.server.teams.specs import TeamSpec

RunState: TypeAlias = Literal[
    "running",
    "done",
    "failed",
    "cancelled",
    "lost",  #: the process that played it is gone
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """A team, registered."""

    name: str
    owner: str
    spec: TeamSpec
    revision: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What one worker was to do, and what came of it."""

    worker: str
    task: str
    text: str | None = None  #: what was found; None where it failed
    error: str | None = None  #: why not, in a word: timeout, model, …


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRun:
    """One run of a team, for one caller."""

    run: str
    team: str
    owner: str
    state: RunState
    message: str
    text: str | None = None
    tasks: tuple[Task, ...] = ()
    usage: Usage = field(default_factory=Usage)
    offline: bool = False
    error: str | None = None  #: why it failed, in a word
    created_at: datetime
    updated_at: datetime
    repeated: bool = False  #: the request repeats an operation id; this is the stored outcome
