"""REST routes of health: liveness, readiness, statistics."""

from __future__ import annotations

from typing import TypedDict

from fastapi import Request

from bethink import __version__
from bethink.health.values import Stats
from bethink.scope.values import Principal
from bethink.server.dependencies import Memory
from bethink.server.json_responses import Answer, answer
from bethink.server.openapi import Router
from bethink.server.options import AuthMode
from bethink.server.services import services

router = Router(tags=["health"])


class Alive(TypedDict):
    """The process runs."""

    status: str
    version: str


class Ready(TypedDict):
    """The server can do its work."""

    status: str


class Whoami(TypedDict):
    """Who the caller is taken for."""

    tenant: str
    principal: Principal | None
    auth: AuthMode


@router.get("/health")
async def health() -> Answer[Alive]:
    """Report that the process is running."""
    return answer({"status": "ok", "version": __version__})


@router.get("/readiness")
async def readiness(request: Request) -> Answer[Ready]:
    """Report that the store responds and callers can be authenticated."""
    await services(request).ready()
    return answer({"status": "ready"})


@router.get("/whoami")
async def whoami(request: Request) -> Answer[Whoami]:
    """Return who the caller is authenticated as."""
    caller = request.state.caller
    auth = services(request).options.auth
    return answer({"tenant": caller.tenant, "principal": caller.principal, "auth": auth})


@router.get("/stats")
async def stats(memory: Memory) -> Answer[Stats]:
    """Count what every scope of the tenant contains; for admins."""
    return answer(await memory.stats())
