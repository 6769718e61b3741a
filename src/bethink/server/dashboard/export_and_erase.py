"""The export and erase pages of a namespace, with the erasure receipt."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from bethink.errors import InvalidError
from bethink.plain import plain
from bethink.server.dashboard.dependencies import Form, html
from bethink.server.dashboard.namespaces import places
from bethink.server.dashboard.notes import MAX_SESSIONS, around
from bethink.server.dashboard.rendering import PRIVATE
from bethink.server.dependencies import Memory, Scope

if TYPE_CHECKING:
    from bethink.lifecycle.erase.values import Receipt

router = APIRouter()


@router.get("/memory")
async def index(request: Request, memory: Memory) -> Response:
    """List the namespaces that the caller may see, with how much each holds."""
    scopes = await memory.scopes()
    counts = {str(scope.namespace): (await scope.notes(limit=1)).total for scope in scopes}
    return html(request, "memory.html", places=await places(memory), counts=counts, place=None)


@router.get("/memory/{namespace}/export")
async def export(scope: Scope) -> Response:
    """Return everything that is kept in a namespace as a file."""
    body = json.dumps(plain(await scope.export()), indent=2).encode("ascii")
    name = re.sub(r"[^A-Za-z0-9]+", "-", str(scope.namespace)).strip("-") or "memory"
    disposition = f'attachment; filename="{name}.json"'
    return Response(
        body, media_type="application/json", headers={**PRIVATE, "content-disposition": disposition}
    )


@router.get("/memory/{namespace}/erase")
async def ask(request: Request, memory: Memory, scope: Scope) -> Response:
    """Ask what is to be destroyed, and whether that is meant."""
    values: Any = {"namespace": scope.namespace, "sessions": await scope.sessions(limit=MAX_SESSIONS)}
    return html(request, "erase.html", **values, **await around(memory, scope, "erase"))


@router.post("/memory/{namespace}/erase")
async def erase(request: Request, memory: Memory, scope: Scope, form: Form) -> Response:
    """Destroy a session or everything, and show the receipt."""
    _check(form["confirm"], str(scope.namespace))
    receipt = await scope.erase(session=form.word("session"))
    return shown_receipt(
        request, receipt, place_of=str(scope.namespace), **await around(memory, scope, "erase")
    )


@router.get("/account")
async def account(request: Request) -> Response:
    """Show who the caller is, and what they may do with all that is theirs."""
    return html(request, "account.html")


@router.post("/account/erase")
async def erase_user(request: Request, memory: Memory, form: Form) -> Response:
    """Destroy everything of the user who asks, and show the receipt."""
    principal = request.state.caller.principal
    if principal is None:
        raise InvalidError("no user is signed in; erase the namespaces one by one", argument="user")
    _check(form["confirm"], principal.id)
    return shown_receipt(request, await memory.erase(user=principal.id), place_of=principal.id, place=None)


def shown_receipt(request: Request, receipt: Receipt, **values: Any) -> Response:
    """Show what an erasure destroyed, and whether anything is left."""
    text = receipt.to_json(indent=2)
    return html(request, "receipt.html", receipt=receipt, text=text, **values)


def _check(given: str, name: str) -> None:
    if given.strip() != name:
        raise InvalidError(f"nothing was erased; type {name} to confirm", argument="confirm")
