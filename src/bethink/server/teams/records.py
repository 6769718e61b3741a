"""Store team runs as sessions of the caller: request, findings, outcome."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Final

from pydantic import Field, ValidationError

from bethink.errors import NotFoundError
from bethink.pages import Page
from bethink.server.chat.values import Usage
from bethink.server.specs import Strict
from bethink.server.teams.values import RunState, Task, TeamRun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.memory.scope import AsyncScope
    from bethink.server.teams.values import Team
    from bethink.sessions.values import SessionInfo

ORIGIN: Final = "team"
MARK: Final = "team_run"  #: the field of a session's metadata that holds what became of the run
MAX_ITEMS: Final = 100


async def begin(scope: AsyncScope, run: str, message: str) -> None:
    """Keep what was asked."""
    session = scope.session(run)
    await session.append([{"role": "user", "content": message}], origin=ORIGIN)
    await session.annotate(metadata={MARK: {"state": "running"}})


async def finish(
    scope: AsyncScope,
    run: str,
    *,
    team: str,
    state: RunState,
    text: str | None,
    tasks: Sequence[Task],
    usage: Usage,
    offline: bool,
    error: str | None,
) -> None:
    """Keep what became of a run; what the workers found is kept beside the answer, under their names."""
    session = scope.session(run)
    answers = [(each.worker, each.text) for each in tasks if each.text is not None]
    if text is not None:
        answers.append((team, text))
    items = [{"role": "assistant", "content": words} for _, words in answers]
    await session.append(items, speaker=[name for name, _ in answers], origin=ORIGIN)
    mark = {
        "state": state,
        "error": error,
        "offline": offline,
        "usage": asdict(usage),
        "tasks": [{"worker": each.worker, "task": each.task, "error": each.error} for each in tasks],
    }
    await session.annotate(metadata={MARK: mark})


async def read(scope: AsyncScope, team: Team, run: str) -> TeamRun:
    """Return a run of the caller.

    Raises:
        NotFoundError: there is none, or it is another caller's.
    """
    info = await scope.session(run).info()
    if info is None or MARK not in info.metadata:
        raise NotFoundError("no such run of this team, or it is not yours", kind="run", id=run)
    items = [item.body for item in await scope.session(run).items(limit=MAX_ITEMS)]
    found = _run(team, info)
    words = [str(item.get("content", "")) for item in items]
    answers = iter(words[1:])
    tasks = tuple(
        each if each.error is not None else replace(each, text=next(answers, None)) for each in found.tasks
    )
    return replace(found, message=words[0] if words else "", tasks=tasks, text=next(answers, None))


async def listing(scope: AsyncScope, team: Team, limit: int, cursor: str | None) -> Page[TeamRun]:
    """List the caller's runs, the newest first, without their words."""
    page = await scope.sessions(limit=limit, cursor=cursor)
    return Page(tuple(_run(team, info) for info in page), page.total, page.next)


class _Task(Strict):
    worker: str
    task: str
    error: str | None = None


class _Mark(Strict):
    """What became of a run, as its session keeps it."""

    state: RunState = "lost"
    error: str | None = None
    offline: bool = False
    usage: Usage = Field(default_factory=Usage)
    tasks: list[_Task] = Field(default_factory=list[_Task])


def _marked(info: SessionInfo) -> _Mark:
    """Read what became of a run; the owner of a session may have written anything there."""
    try:
        return _Mark.model_validate(info.metadata.get(MARK, {}))
    except ValidationError:
        return _Mark()


def _run(team: Team, info: SessionInfo) -> TeamRun:
    mark = _marked(info)
    return TeamRun(
        run=info.id,
        team=team.name,
        owner=team.owner,
        state=mark.state,
        message="",
        tasks=tuple(Task(worker=each.worker, task=each.task, error=each.error) for each in mark.tasks),
        usage=mark.usage,
        offline=mark.offline,
        error=mark.error,
        created_at=info.created_at,
        updated_at=info.updated_at,
    )
