"""Pools and teams: registered memory that several share, and who may do what in it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path
from pydantic import Field
from starlette.responses import Response

from bethink.pages import Page, from_cursor, to_cursor
from bethink.server.asking import Body, Cursor, Limit, Memory, Operation, Word
from bethink.server.rendering import answer, nothing, page

router = APIRouter(tags=["pools and teams"])
Kind = Annotated[Literal["pools", "teams"], Path()]
Name = Annotated[str, Path(max_length=2_048)]
To = Annotated[str, Path(max_length=512, description="A principal's id, group:NAME, or * for everyone.")]


class NewShare(Body):
    """A pool or a team, with its owner; the caller where nobody is named."""

    name: Word
    owner: Word | None = None


class Rights(Body):
    """What the addressee may do, in place of what was granted before; nothing takes it back."""

    rights: Annotated[list[Literal["read", "write", "delete", "admin"]], Field(max_length=4)]


@router.post("/{kind}", status_code=201)
async def create(memory: Memory, kind: Kind, new: NewShare, operation: Operation) -> Response:  # noqa: ARG001
    """Register a pool or a team."""
    principal = memory._runtime.principal  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    caller = "system" if principal is None or principal.id == "noop" else principal.id
    return answer(await _register(memory, kind).create(new.name, owner=new.owner or caller), 201)


@router.get("/{kind}")
async def listing(memory: Memory, kind: Kind, limit: Limit = 100, cursor: Cursor = None) -> Response:
    """List those that the caller may read."""
    found = await _register(memory, kind).all()
    after = from_cursor(cursor, str)[0] if cursor else ""
    rest = [share for share in sorted(found, key=lambda share: share.name) if share.name > after]
    more = to_cursor(rest[limit - 1].name) if len(rest) > limit else None
    return page(Page(tuple(rest[:limit]), len(found), more))


@router.get("/{kind}/{name}")
async def read(memory: Memory, kind: Kind, name: Name) -> Response:
    """Return owner and grants."""
    return answer(await _register(memory, kind).get(name))


@router.delete("/{kind}/{name}")
async def remove(memory: Memory, kind: Kind, name: Name) -> Response:
    """Take a name out of the register, once it holds no memories."""
    await _register(memory, kind).remove(name)
    return nothing()


@router.put("/{kind}/{name}/grants/{to}")
async def grant(memory: Memory, kind: Kind, name: Name, to: To, given: Rights) -> Response:
    """Give rights, in place of those given before."""
    return answer(await _register(memory, kind).grant(name, to, given.rights))


@router.delete("/{kind}/{name}/grants/{to}")
async def withdraw(memory: Memory, kind: Kind, name: Name, to: To) -> Response:
    """Take all rights back."""
    return answer(await _register(memory, kind).grant(name, to, ()))


def _register(memory: Any, kind: str) -> Any:
    return memory.pools if kind == "pools" else memory.teams
