"""Pools and teams: registered memory that several share, and who may do what in it."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Path, Request
from pydantic import Field
from starlette.responses import Response

from bethink.memory.memory import AsyncMemory
from bethink.memory.shares import AsyncShares
from bethink.pages import Page, from_cursor, to_cursor
from bethink.scope.namespace import POOL_BYTES
from bethink.scope.shares import Share
from bethink.server.dependencies import Body, Cursor, Label, Limit, Memory, Operation
from bethink.server.openapi import Router
from bethink.server.rendering import Answer, answer, nothing, page
from bethink.server.shared_names import SharedKind, register

Kind = Literal["pools", "teams"]
SINGULAR: dict[Kind, SharedKind] = {"pools": "pool", "teams": "team"}
Name = Annotated[str, Path(min_length=1, max_length=POOL_BYTES, description="A pool's: 512 bytes.")]
To = Annotated[
    str, Path(min_length=1, max_length=134, description="A principal's id, group:NAME, or * for everyone.")
]


class NewShare(Body):
    """A pool or a team, with its owner; the caller where nobody is named."""

    name: Annotated[
        str, Field(min_length=1, max_length=POOL_BYTES, description="A pool's: 512 bytes as it is written.")
    ]
    owner: Label | None = None


class GivenRights(Body):
    """What the addressee may do, in place of what was granted before; nothing takes it back."""

    rights: Annotated[list[Literal["read", "write", "delete", "admin"]], Field(max_length=4)]


def _routes(kind: Kind) -> Router:
    router = Router(prefix=f"/{kind}", tags=[kind])

    @router.post("", status_code=201)
    async def create(
        request: Request,
        memory: Memory,
        new: NewShare,
        operation: Operation,  # noqa: ARG001
    ) -> Answer[Share]:
        """Register a name."""
        creation, one = request.app.state.options.creation, SINGULAR[kind]
        return answer(await register(memory, one, new.name, owner=new.owner, creation=creation), 201)

    @router.get("")
    async def listing(memory: Memory, limit: Limit = 100, cursor: Cursor = None) -> Answer[Page[Share]]:
        """List those that the caller may read."""
        found = await _register(memory, kind).all()
        after = from_cursor(cursor, str)[0] if cursor else ""
        rest = [share for share in sorted(found, key=lambda share: share.name) if share.name > after]
        more = to_cursor(rest[limit - 1].name) if len(rest) > limit else None
        return page(Page(tuple(rest[:limit]), len(found), more))

    @router.get("/{name}")
    async def read(memory: Memory, name: Name) -> Answer[Share]:
        """Return owner and grants."""
        return answer(await _register(memory, kind).get(name))

    @router.delete("/{name}", status_code=204)
    async def remove(memory: Memory, name: Name) -> Response:
        """Take a name out of the register, once it holds no memories."""
        await _register(memory, kind).remove(name)
        return nothing()

    @router.put("/{name}/grants/{to}")
    async def grant(memory: Memory, name: Name, to: To, given: GivenRights) -> Answer[Share]:
        """Give rights, in place of those given before."""
        return answer(await _register(memory, kind).grant(name, to, given.rights))

    @router.delete("/{name}/grants/{to}")
    async def withdraw(memory: Memory, name: Name, to: To) -> Answer[Share]:
        """Take all rights back."""
        return answer(await _register(memory, kind).grant(name, to, ()))

    return router


def _register(memory: AsyncMemory, kind: Kind) -> AsyncShares:
    return memory.pools if kind == "pools" else memory.teams


router = Router()
for each in ("pools", "teams"):
    router.include_router(_routes(each))
