"""FastAPI dependencies of the dashboard: the agent of the path, form fields."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Path, Request
from starlette.responses import Response

from bethink.server.agents import Agent
from bethink.server.dashboard import rendering
from bethink.server.dashboard.urls import label_of
from bethink.server.dependencies import Registered
from bethink.server.resources.teams import Registered as TeamsThere
from bethink.server.teams.values import Team


class Fields:
    """The fields of a form, as text; lines end as they do everywhere else."""

    def __init__(self, given: Any) -> None:
        self._given = given

    def __getitem__(self, name: str) -> str:
        value = self._given.get(name)
        return value.replace("\r\n", "\n") if isinstance(value, str) else ""

    def all(self, name: str) -> list[str]:
        """Return every text that was given for a field that may be given more than once."""
        return [each for each in self._given.getlist(name) if isinstance(each, str)]

    def word(self, name: str) -> str | None:
        """Return a field without the space around it; None where nothing is in it."""
        return self[name].strip() or None

    def number(self, name: str) -> int | None:
        """Return a field that is a number; None where it is none."""
        text = self[name].strip()
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None  # noqa: PLR2004


async def _fields(request: Request) -> Fields:
    return Fields(await request.form())


async def _agent(
    agents: Registered,
    owner: Annotated[str, Path(max_length=2_048)],
    name: Annotated[str, Path(max_length=2_048)],
) -> Agent:
    return await agents.get(label_of(name, argument="agent"), owner=label_of(owner, argument="owner"))


async def _team(
    teams: TeamsThere,
    owner: Annotated[str, Path(max_length=2_048)],
    name: Annotated[str, Path(max_length=2_048)],
) -> Team:
    return await teams.get(label_of(name, argument="team"), owner=label_of(owner, argument="owner"))


async def _session(session: Annotated[str, Path(max_length=2_048)]) -> str:
    return label_of(session, argument="session")


Form = Annotated[Fields, Depends(_fields)]
Chosen = Annotated[Agent, Depends(_agent)]
ChosenTeam = Annotated[Team, Depends(_team)]
Talk = Annotated[str, Depends(_session)]


def html(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """Return a page, or a part of one."""
    return rendering.html(request.scope, template, status, **values)


def away(request: Request, to: str) -> Response:
    """Redirect to another page."""
    return rendering.away(request.headers, to)


def is_part(request: Request) -> bool:
    """Tell whether htmx asks, for a part of a page."""
    return rendering.is_part(request.headers)
