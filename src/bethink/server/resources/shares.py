"""REST routes of pools and teams as shared memory: registration and grants."""

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
from bethink.server.dependencies import Body, Cursor, Label, Limit, Memory
from bethink.server.json_responses import Answer, answer, nothing, page
from bethink.server.openapi import Router, of
from bethink.server.services import services
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
    @of("shares.create")
    async def create(
        request: Request,
        memory: Memory,
        new: NewShare,
    ) -> Answer[Share]:
        creation, one = services(request).options.creation, SINGULAR[kind]
        return answer(await register(memory, one, new.name, owner=new.owner, creation=creation), 201)

    @router.get("")
    @of("shares.all")
    async def listing(memory: Memory, limit: Limit = 100, cursor: Cursor = None) -> Answer[Page[Share]]:
        found = await _register(memory, kind).all()
        after = from_cursor(cursor, str)[0] if cursor else ""
        rest = [share for share in sorted(found, key=lambda share: share.name) if share.name > after]
        more = to_cursor(rest[limit - 1].name) if len(rest) > limit else None
        return page(Page(tuple(rest[:limit]), len(found), more))

    @router.get("/{name}")
    @of("shares.get")
    async def read(memory: Memory, name: Name) -> Answer[Share]:
        return answer(await _register(memory, kind).get(name))

    @router.delete("/{name}", status_code=204)
    @of("shares.remove")
    async def remove(memory: Memory, name: Name) -> Response:
        await _register(memory, kind).remove(name)
        return nothing()

    @router.put("/{name}/grants/{to}")
    @of("shares.grant")
    async def grant(memory: Memory, name: Name, to: To, given: GivenRights) -> Answer[Share]:
        return answer(await _register(memory, kind).grant(name, to, given.rights))

    @router.delete("/{name}/grants/{to}")
    async def withdraw(memory: Memory, name: Name, to: To) -> Answer[Share]:
        """Revoke all rights."""
        return answer(await _register(memory, kind).grant(name, to, ()))

    return router


def _register(memory: AsyncMemory, kind: Kind) -> AsyncShares:
    return memory.pools if kind == "pools" else memory.teams


router = Router()
for each in ("pools", "teams"):
    router.include_router(_routes(each))
