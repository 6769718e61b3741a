"""The grants of a pool or a team: add and revoke."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from bethink.errors import InvalidError
from bethink.server.dashboard import urls as to
from bethink.server.dashboard.dependencies import Form, away, html
from bethink.server.dashboard.notes import around
from bethink.server.dependencies import Memory, Scope
from bethink.server.services import services
from bethink.server.shared_names import SharedKind, register

if TYPE_CHECKING:
    from bethink.memory.memory import AsyncMemory
    from bethink.memory.shares import AsyncShares
    from bethink.scope.namespace import Namespace

router = APIRouter(prefix="/memory")
RIGHTS: Final = ("read", "write", "delete", "admin")


@router.post("")
async def make(request: Request, memory: Memory, form: Form) -> Response:
    """Register a pool or a team, in the caller's own name."""
    kind: SharedKind = "team" if form["kind"] == "team" else "pool"
    creation = services(request).options.creation
    share = await register(memory, kind, form["name"].strip(), creation=creation)
    handle = memory.pool(share.name) if kind == "pool" else memory.team(share.name)
    return away(request, to.memory(handle.namespace, "grants"))


@router.get("/{namespace}/grants")
async def listing(request: Request, memory: Memory, scope: Scope) -> Response:
    """Show whose a pool or a team is, and who may do what in it."""
    share = await _register(memory, scope.namespace).get(scope.namespace.name)
    values = await around(memory, scope, "grants")
    return html(request, "grants.html", namespace=scope.namespace, share=share, rights=RIGHTS, **values)


@router.post("/{namespace}/grants")
async def grant(request: Request, memory: Memory, scope: Scope, form: Form) -> Response:
    """Give rights to somebody, in place of those given before; without any they are taken back."""
    rights = [right for right in RIGHTS if form[right] == "yes"]
    await _register(memory, scope.namespace).grant(scope.namespace.name, form["to"].strip(), rights)
    return away(request, to.memory(scope.namespace, "grants"))


@router.post("/{namespace}/unregister")
async def remove(request: Request, memory: Memory, scope: Scope) -> Response:
    """Take the name out of the register, once nothing is kept under it."""
    await _register(memory, scope.namespace).remove(scope.namespace.name)
    return away(request, "/memory")


def _register(memory: AsyncMemory, namespace: Namespace) -> AsyncShares:
    """Return the register that a namespace is in.

    Raises:
        InvalidError: it is a private one.
    """
    if namespace.kind == "agent":
        raise InvalidError(
            "private memory cannot be shared; share a pool or a team instead", argument="namespace"
        )
    return memory.pools if namespace.kind == "pool" else memory.teams
