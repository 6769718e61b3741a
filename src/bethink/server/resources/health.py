"""Health: whether the server runs, whether it can do its work, and what a tenant holds."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from bethink import __version__
from bethink.server.asking import Memory
from bethink.server.rendering import answer

router = APIRouter(tags=["health"])


@router.get("/health")
async def health() -> Response:
    """Say that the process runs."""
    return answer({"status": "ok", "version": __version__})


@router.get("/readiness")
async def readiness(request: Request) -> Response:
    """Say that the store answers and that callers can be told apart."""
    await request.app.state.ready()
    return answer({"status": "ready"})


@router.get("/whoami")
async def whoami(request: Request) -> Response:
    """Say who the caller is taken for."""
    caller = request.state.caller
    auth = request.app.state.options.auth
    return answer({"tenant": caller.tenant, "principal": caller.principal, "auth": auth})


@router.get("/stats")
async def stats(memory: Memory) -> Response:
    """Count what every scope of the tenant holds; for admins."""
    return answer(await memory.stats())
