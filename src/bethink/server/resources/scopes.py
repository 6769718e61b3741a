"""REST routes of scopes: list, export, import, erase."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from bethink.errors import InvalidError
from bethink.lifecycle.erase.values import Receipt
from bethink.pages import Page, check_limit, from_cursor, to_cursor
from bethink.server.dependencies import (
    Body,
    Cursor,
    Instant,
    Label,
    Limit,
    Memory,
    PartOfPath,
    Scope,
    Word,
)
from bethink.server.json_responses import Answer, Entries, answer, page
from bethink.server.openapi import Router, of
from bethink.state.transactions import Record

router = Router(tags=["scopes"])


class Erase(Body):
    """What of a scope is destroyed: one note, one session, or everything."""

    note: Word | None = None
    session: Label | None = None
    items: bool = False
    everything: bool = Field(default=False, description="Must be true if neither note nor session is given.")


class EraseWhole(Body):
    """Whose memory is destroyed: a user's, or the whole tenant's."""

    user: Label | None = None
    tenant: Label | None = None


@router.get("/namespaces")
@of("memory.scopes")
async def namespaces(memory: Memory, limit: Limit = 100, cursor: Cursor = None) -> Answer[Page[str]]:
    texts = sorted(str(scope.namespace) for scope in await memory.scopes())
    after = from_cursor(cursor, str)[0] if cursor else ""
    rest = [text for text in texts if text > after]
    more = to_cursor(rest[limit - 1]) if len(rest) > check_limit(limit) else None
    return page(Page(tuple(rest[:limit]), len(texts), more))


@router.get("/scopes/{namespace}/export")
@of("scope.export")
async def export(scope: Scope) -> Answer[dict[str, Any]]:
    return answer(await scope.export())


@router.post("/scopes/{namespace}/erase")
@of("scope.erase")
async def erase(scope: Scope, wanted: Erase) -> Answer[Receipt]:
    if wanted.note is None and wanted.session is None and not wanted.everything:
        raise InvalidError("pass note or session, or everything=true", argument="everything")
    return answer(await scope.erase(note=wanted.note, session=wanted.session, items=wanted.items))


@router.post("/erase")
@of("memory.erase")
async def erase_whole(memory: Memory, wanted: EraseWhole) -> Answer[Receipt]:
    return answer(await memory.erase(user=wanted.user, tenant=wanted.tenant))


@router.get("/scopes/{namespace}/records/{kind}")
@of("records.latest")
async def records(scope: Scope, kind: PartOfPath, limit: Limit = 3) -> Answer[Entries[Record]]:
    return answer({"entries": await scope.records.latest(kind, limit)})


class NewRecord(Body):
    """Something that happened."""

    value: dict[str, Any]
    at: Instant


@router.post("/scopes/{namespace}/records/{kind}", status_code=201)
@of("records.add")
async def record(scope: Scope, kind: PartOfPath, new: NewRecord) -> Answer[Record]:
    return answer(await scope.records.add(kind, new.value, at=new.at), 201)
