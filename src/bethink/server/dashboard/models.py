"""Show which model answers for an agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bethink.server.problems import HttpError
from bethink.server.services import services

if TYPE_CHECKING:
    from fastapi import Request

    from bethink.server.agents import Agent


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweringModel:
    """Who answers."""

    name: str
    offline: bool = False
    missing: str = ""  #: what has to be installed before anybody does


def answering(request: Request, agent: Agent) -> AnsweringModel:
    """Return who answers for an agent."""
    try:
        name, offline = services(request).chat.model(agent)
    except HttpError as error:
        return AnsweringModel(name="nobody", missing=str(error))
    return AnsweringModel(name=name, offline=offline)
