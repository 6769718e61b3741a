"""Routes of mem0's API."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request
from starlette.responses import Response

from bethink.errors import InvalidError
from bethink.notes.checks import check_metadata, check_text
from bethink.scope.values import Principal
from bethink.server.compat.mem0 import deleting, searching
from bethink.server.compat.mem0.adding import Adding, AddRequest, messages_of
from bethink.server.compat.mem0.bodies import MAX_PAGE, Asked, Batch, Changed, Listed, NewMemories
from bethink.server.compat.mem0.entities import IDS, for_caller, parse_entities
from bethink.server.compat.mem0.filters import day, instant
from bethink.server.compat.mem0.memories import Memory, end_of, find, history, inner_metadata
from bethink.server.dependencies import Memory as Opened
from bethink.server.json_responses import Json
from bethink.server.openapi import Router

router = Router(tags=["mem0"])


async def _principal(request: Request) -> Principal | None:
    return request.state.caller.principal


async def _adding(request: Request) -> Adding:
    return request.app.state.mem0


Caller = Annotated[Principal | None, Depends(_principal)]
Taker = Annotated[Adding, Depends(_adding)]
Id = Annotated[str, Path(min_length=1, max_length=128)]
Number = Annotated[int, Query(ge=1, le=1_000_000)]
PageSize = Annotated[int, Query(ge=1, le=MAX_PAGE)]


@router.get("/v1/ping/")
async def ping(request: Request) -> Response:
    """Say that the key is good."""
    tenant = request.state.caller.tenant
    return Json({"status": "ok", "org_id": "bethink", "project_id": tenant, "user_email": None})


# ---- adding -------------------------------------------------------------------------------------------------------


@router.post("/v3/memories/add/")
@router.post("/v1/memories/")
async def add(memory: Opened, new: NewMemories, principal: Caller, adding: Taker) -> Response:
    """Learn from messages, or keep them as they are; what was kept is found at once."""
    _refuse_unserved(new)
    named = {name: getattr(new, name) for name in IDS}
    within = new.filters or {}
    unknown = sorted(set(within) - set(IDS))
    if unknown:
        raise InvalidError(
            f"{unknown[0]!r} says nothing of whose memory it is: filters of add have {', '.join(IDS)}",
            argument="filters",
        )
    who = for_caller(
        parse_entities({**within, **{name: value for name, value in named.items() if value}}), principal
    )
    wanted = AddRequest(
        messages=messages_of(new.messages),
        who=who,
        infer=new.infer is not False,
        metadata={} if new.metadata is None else check_metadata(new.metadata),
        at=None if new.timestamp is None else instant(new.timestamp, "timestamp"),
        expires_at=None
        if new.expiration_date is None
        else end_of(day(new.expiration_date, "expiration_date")),
    )
    return Json(await adding.add(memory, wanted))


def _refuse_unserved(new: NewMemories) -> None:
    """Refuse what would change what is kept, and has no meaning here.

    Raises:
        InvalidError: one of them is given.
    """
    for name in (
        "custom_categories",
        "custom_instructions",
        "agent_custom_instructions",
        "includes",
        "excludes",
        "structured_data_schema",
        "immutable",
    ):
        if getattr(new, name):
            raise InvalidError(
                f"{name} is not served: memories are learned by Bethink's own rules. Leave {name} out, "
                "or send infer=false with the texts that are to be kept",
                argument=name,
            )


# ---- reading ------------------------------------------------------------------------------------------------------


@router.post("/v3/memories/search/")
async def search(memory: Opened, asked: Asked, principal: Caller) -> Response:
    """Find the memories that bear on a question, best first."""
    return Json(await _found(memory, asked, principal))


@router.post("/v2/memories/search/")
@router.post("/v1/memories/search/")
async def search_older(memory: Opened, asked: Asked, principal: Caller) -> Response:
    """Do what `search` does, for older clients: a bare list, but with `output_format` v1.1."""
    found = await _found(memory, asked, principal)
    return Json(found if asked.output_format == "v1.1" else found["results"])


async def _found(memory: Opened, asked: Asked, principal: Principal | None) -> dict[str, Any]:
    if asked.show_expired:
        raise InvalidError(
            "search finds what holds: expired memories are listed by get_all(show_expired=True)",
            argument="show_expired",
        )
    request = searching.parse_request(
        asked.filters,
        principal,
        who=parse_entities({name: getattr(asked, name) for name in IDS}),
        categories=asked.categories,
        metadata=asked.metadata,
    )
    found, why = await searching.search(
        memory,
        request,
        asked.query,
        top_k=asked.top_k or asked.limit or 10,
        threshold=asked.threshold or 0.0,
        rerank=bool(asked.rerank),
    )
    shown = [each.shown(_only(asked.fields, "score"), score=round(score, 4)) for each, score in found]
    return {"results": shown, **({} if why is None else {"message": why})}


def _only(fields: list[str] | None, *beside: str) -> set[str] | None:
    return None if fields is None else {*fields, *beside}


@router.post("/v3/memories/")
async def list_memories(
    request: Request,
    memory: Opened,
    listed: Listed,
    principal: Caller,
    page: Number | None = None,
    page_size: PageSize | None = None,
) -> Response:
    """List memories, the one written last first, page by page."""
    chosen = (page or listed.page or 1, page_size or listed.page_size or 100)
    return Json(_paged(request, await _listed(memory, listed, principal), chosen, listed.fields))


@router.post("/v2/memories/")
async def list_memories_older(
    request: Request,
    memory: Opened,
    listed: Listed,
    principal: Caller,
    page: Number | None = None,
    page_size: PageSize | None = None,
) -> Response:
    """Do what the listing does, for older clients: a bare list where no page is asked for."""
    found = await _listed(memory, listed, principal)
    page, page_size = page or listed.page, page_size or listed.page_size
    if page is None and page_size is None:
        return Json([each.shown(_only(listed.fields)) for each in found])
    return Json(_paged(request, found, (page or 1, page_size or 100), listed.fields))


@router.get("/v1/memories/")
async def list_memories_by_address(
    request: Request,
    memory: Opened,
    principal: Caller,
    page: Number | None = None,
    page_size: PageSize | None = None,
) -> Response:
    """List memories by what the address says; the oldest form."""
    ids = _query_ids(request, "page", "page_size", "org_id", "project_id", "version", "output_format")
    wanted = searching.parse_request(None, principal, who=parse_entities(ids))
    found = await searching.all_memories(memory, wanted)
    if page is None and page_size is None:
        return Json([each.shown() for each in found])
    return Json(_paged(request, found, (page or 1, page_size or 100), None))


async def _listed(memory: Opened, listed: Listed, principal: Principal | None) -> list[Memory]:
    request = searching.parse_request(
        listed.filters,
        principal,
        categories=listed.categories,
        metadata=listed.metadata,
        since=listed.start_date,
        until=listed.end_date,
    )
    return await searching.all_memories(memory, request, expired=bool(listed.show_expired))


def _paged(
    request: Request, found: list[Memory], chosen: tuple[int, int], fields: list[str] | None
) -> dict[str, Any]:
    page, size = chosen
    part = found[(page - 1) * size : page * size]

    def address(number: int) -> str:
        return str(request.url.include_query_params(page=number, page_size=size))

    return {
        "count": len(found),
        "next": address(page + 1) if page * size < len(found) else None,
        "previous": address(page - 1) if page > 1 else None,
        "results": [each.shown(_only(fields)) for each in part],
    }


def _query_ids(request: Request, *known: str) -> dict[str, str]:
    """Return the ids that an address names; whatever else it says must be known.

    Raises:
        InvalidError: it says something else.
    """
    unknown = [name for name in request.query_params if name not in {*IDS, *known}]
    if unknown:
        raise InvalidError(
            f"{unknown[0]!r} is not a parameter of this route; use one of {', '.join(IDS)}",
            argument=unknown[0][:64],
        )
    return {name: value for name, value in request.query_params.items() if name in IDS}


@router.get("/v1/memories/{memory_id}/")
async def get(memory: Opened, memory_id: Id) -> Response:
    """Return a memory."""
    return Json((await find(memory, memory_id)).shown())


@router.get("/v1/memories/{memory_id}/history/")
async def history_of(memory: Opened, memory_id: Id) -> Response:
    """Return what a memory said before."""
    found = await find(memory, memory_id)
    return Json(history(found, await found.place.scope.history(found.note.id)))


# ---- changing -----------------------------------------------------------------------------------------------------


@router.put("/v1/memories/{memory_id}/")
async def update(memory: Opened, memory_id: Id, changed: Changed) -> Response:
    """Put other words, metadata or times in the place of a memory's; its history stays."""
    found = await find(memory, memory_id)
    given = {name: getattr(changed, name) for name in changed.model_fields_set}
    note = await _changed(found, given)
    shown = Memory(note, found.place).shown()
    return Json({**shown, "event": "UPDATE", "message": "Memory updated successfully!"})


async def _changed(found: Memory, given: dict[str, Any]) -> Any:
    fields = _fields(found, given)
    if not fields:
        raise InvalidError("pass text, metadata, timestamp or expiration_date", argument="text")
    return await found.place.scope._reword(found.note.id, fields)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]


def _fields(found: Memory, given: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a note that a change is of, checked."""
    fields: dict[str, Any] = {}
    if given.get("text") is not None:
        fields["text"] = check_text(given["text"])
    if given.get("metadata") is not None:
        fields["metadata"] = check_metadata({**given["metadata"], **inner_metadata(found.note)})
    if given.get("timestamp") is not None:
        fields["valid_from"] = instant(given["timestamp"], "timestamp")
    if "expiration_date" in given:
        until = given["expiration_date"]
        fields["expires_at"] = None if until is None else end_of(day(until, "expiration_date"))
    return fields


@router.delete("/v1/memories/{memory_id}/")
async def delete(memory: Opened, memory_id: Id) -> Response:
    """Erase a memory for good, with what it was drawn from."""
    found = await find(memory, memory_id)
    return _deleted("Memory deleted successfully!", await deleting.delete([found]))


@router.delete("/v1/memories/")
async def delete_all(request: Request, memory: Opened, principal: Caller) -> Response:
    """Erase all memories of the ids that the address names; of nobody else."""
    who = parse_entities(_query_ids(request, "org_id", "project_id", "version", "metadata"))
    return _deleted("Memories deleted successfully!", await deleting.delete_all(memory, who, principal))


@router.put("/v1/batch/")
async def batch_update(memory: Opened, batch: Batch) -> Response:
    """Change some memories, where each of them is there."""
    found = [(await find(memory, each.memory_id), each) for each in batch.memories]
    wanted = [
        (memory_, _fields(memory_, each.model_dump(exclude_unset=True, exclude={"memory_id"})))
        for memory_, each in found
    ]
    if any(not fields for _, fields in wanted):
        raise InvalidError("each memory of a batch says what changes: text or metadata", argument="memories")
    for memory_, fields in wanted:
        await memory_.place.scope._reword(memory_.note.id, fields)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    return Json({"message": f"Successfully updated {len(wanted)} memories"})


@router.delete("/v1/batch/")
async def batch_delete(memory: Opened, batch: Batch) -> Response:
    """Erase some memories, where each of them is there."""
    found = {each.memory_id: await find(memory, each.memory_id) for each in batch.memories}
    remaining = await deleting.delete(found.values())
    return _deleted(f"Successfully deleted {len(found)} memories", remaining)


def _deleted(message: str, remaining: int) -> Response:
    """Say that something is gone, and in how many places its words still stand, where they do."""
    if not remaining:
        return Json({"message": message})
    where = f"{remaining} {'place' if remaining == 1 else 'places'} of the store"
    return Json(
        {"message": f"{message} {where} still say the same (docs/erasing.md).", "remaining": remaining}
    )


# ---- entities -----------------------------------------------------------------------------------------------------


@router.get("/v1/entities/")
async def entities(
    request: Request, memory: Opened, principal: Caller, page: Number = 1, page_size: PageSize = MAX_PAGE
) -> Response:
    """List the users, agents, apps and runs that the caller may see memories of."""
    found = await deleting.entities(memory, principal)
    part = found[(page - 1) * page_size : page * page_size]

    def address(number: int) -> str:
        return str(request.url.include_query_params(page=number, page_size=page_size))

    more = address(page + 1) if page * page_size < len(found) else None
    before = address(page - 1) if page > 1 else None
    return Json({"count": len(found), "next": more, "previous": before, "results": part})


@router.delete("/v2/entities/{type}/{name}/")
@router.delete("/v1/entities/{type}/{name}/")
async def delete_entity(memory: Opened, type: Id, name: Id, principal: Caller) -> Response:  # noqa: A002
    """Erase a user, or the memories of an agent, an app or a run."""
    remaining = await deleting.delete_entity(memory, type, name, principal)
    return _deleted("Entity deleted successfully!", remaining)
