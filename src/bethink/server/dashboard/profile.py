"""The profile page of a namespace: values with provenance and versions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from bethink.errors import ConflictError, InvalidError
from bethink.server.dashboard import urls as to
from bethink.server.dashboard.dependencies import Form, away, html, is_part
from bethink.server.dashboard.notes import around
from bethink.server.dependencies import Memory, Scope
from bethink.state.merge import diff
from bethink.state.values import Profile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.memory.scope import AsyncScope

router = APIRouter(prefix="/memory/{namespace}/profile")
SHOWN = 30  #: versions


@router.get("")
async def read(request: Request, memory: Memory, scope: Scope) -> Response:
    """Show the fields and their history."""
    return await _page(request, memory, scope)


@router.post("")
async def put(request: Request, memory: Memory, scope: Scope, form: Form) -> Response:
    """Set one field."""
    fields = _nested(form["path"].strip(), _value(form["value"], form["as"]))
    return await _change(request, memory, scope, fields, form)


@router.post("/remove")
async def remove(request: Request, memory: Memory, scope: Scope, form: Form) -> Response:
    """Take one field away; the versions before still have it."""
    return await _change(request, memory, scope, _nested(form["path"], None), form)


async def _change(
    request: Request, memory: Memory, scope: AsyncScope, fields: dict[str, Any], form: Form
) -> Response:
    expected = form.number("expected")
    try:
        after = await scope.profile.update(fields, source="user", expected=expected)
    except ConflictError:
        lost = (
            f"“{form['path']}” was not saved: the profile has changed since this page was loaded. Try again."
        )
        return await _page(request, memory, scope, lost, 409)
    if expected is not None and after.version == expected:
        kept = f"“{form['path']}” was not changed: the existing value is newer or more trusted."
        return await _page(request, memory, scope, kept)
    if is_part(request):
        return await _page(request, memory, scope)
    return away(request, to.memory(scope.namespace, "profile"))


async def _page(
    request: Request, memory: Memory, scope: AsyncScope, remark: str = "", status: int = 200
) -> Response:
    versions = await scope.profile.history()
    newest = versions[-1] if versions else Profile()
    values: Any = {
        "namespace": scope.namespace,
        "profile": newest,
        "rows": _rows(newest),
        "versions": _steps(versions),
        "remark": remark,
    }
    if is_part(request):
        return html(request, "_profile.html", status, **values)
    return html(request, "profile.html", status, **values, **await around(memory, scope, "profile"))


def _rows(profile: Profile) -> list[tuple[str, Any, Any]]:
    """Return every value with its path and its provenance."""
    return [
        (change.path, change.after, profile.provenance.get(change.path))
        for change in diff(Profile(), profile)
    ]


def _steps(versions: Sequence[Profile]) -> list[tuple[Profile, Any]]:
    """Return the newest versions with what each of them changed, newest first."""
    before = [Profile(), *versions]
    steps = [(after, diff(earlier, after)) for earlier, after in zip(before, versions, strict=False)]
    return steps[::-1][:SHOWN]


def _nested(path: str, value: Any) -> dict[str, Any]:
    """Return fields with one value at a path, as provenance writes it: `loyalty/hotel`."""
    names = [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")]
    if not all(names):
        raise InvalidError("enter the name of the field, such as home_city or loyalty/hotel", argument="path")
    for name in reversed(names):
        value = {name: value}
    return value


def _value(text: str, kind: str) -> Any:
    if kind != "json":
        if not text.strip():
            raise InvalidError("enter a value; use Remove to delete the field", argument="value")
        return text.strip()
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidError(
            'not valid JSON; enter a value such as 3, true or ["a", "b"], or choose text', argument="value"
        ) from None
