"""mem0's `search` and `get_all`: resolve the scopes of a request, filter and rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import InvalidError, LimitError
from bethink.memory.scope_notes import every_note
from bethink.memory.scope_recall import MAX_HITS
from bethink.notes.transactions import listing
from bethink.server.compat.mem0.entities import (
    IDS,
    NO_AGENT,
    Entities,
    check_own,
    own_user,
)
from bethink.server.compat.mem0.filters import (
    And,
    Condition,
    Filter,
    filter_matches,
    instant,
    parse,
    possible_owners,
)
from bethink.server.compat.mem0.memories import Memory, NumberedScope

if TYPE_CHECKING:
    from bethink.memory.memory import AsyncMemory
    from bethink.scope.values import Principal

MAX_SCOPES: Final = 10_000  #: that one request looks through
_WIDER: Final = 8  #: times as many hits are asked for where filters left too few


@dataclass(frozen=True, kw_only=True)
class SearchRequest:
    """What a request lets through, checked, and whose it is."""

    filter: Filter
    principal: Principal | None


def parse_request(
    filters: Any,
    principal: Principal | None,
    *,
    who: Entities | None = None,
    categories: list[str] | None = None,
    metadata: dict[str, Any] | None = None,
    since: Any = None,
    until: Any = None,
) -> SearchRequest:
    """Return what a request lets through: its filters, and what it says beside them; all of it holds.

    Raises:
        InvalidError: something of it is not known, or it does not say whose memories are meant.
    """
    parts: list[Filter] = [] if filters in (None, {}) else [parse(filters)]
    for name in IDS:
        value = getattr(who, name) if who is not None else None
        if value is not None:
            parts.append(parse({name: value}))
    if categories:
        parts.append(parse({"categories": {"in": categories}}))
    if metadata:
        parts.append(parse({"metadata": metadata}))
    if since is not None:
        parts.append(Condition("created_at", "gte", instant(since, "start_date")))
    if until is not None:
        parts.append(Condition("created_at", "lte", instant(until, "end_date")))
    whole = And(tuple(parts))
    if own_user(principal) is None and all(possible_owners(whole, name) == "unsaid" for name in IDS):
        raise InvalidError(
            f'filters must name whose memories are meant with one of {", ".join(IDS)}, such as {{"user_id": "ana"}}; '
            '{"user_id": "*"} means every user',
            argument="filters",
        )
    return SearchRequest(filter=whole, principal=principal)


async def readable_scopes(memory: AsyncMemory, request: SearchRequest) -> list[NumberedScope]:
    """Return the scopes in which memories may be that a request lets through, and that its caller may read.

    Where nothing is said of users, the memories of users are not meant: an agent's id that many users share does not
    lead from one to another. A key that is bound to a user leads to that user alone.

    Raises:
        DeniedError: the key is bound to a user, and others are named.
    """
    users, agents = possible_owners(request.filter, "user_id"), possible_owners(request.filter, "agent_id")
    own = own_user(request.principal)
    if own is not None:
        if isinstance(users, frozenset) and own not in users:
            for user in sorted(users, key=str):
                check_own(user or "", own)
        users = frozenset({own})
    elif users == "unsaid":
        users = frozenset({None})
    found: list[NumberedScope] = []
    if users == "all":
        for user in sorted({scope.namespace.user or "" for scope in await memory.scopes()}):
            found += await _of_user(memory, user or None)
    else:
        for user in sorted(users, key=str):
            found += await _of_user(memory, user)
    if isinstance(agents, frozenset):
        names = {each or NO_AGENT for each in agents}
        found = [place for place in found if place.scope.namespace.name in names]
    if len(found) > MAX_SCOPES:
        raise LimitError(
            f"these are the memories of more than {MAX_SCOPES} users and agents: name some of them",
            argument="filters",
            limit=MAX_SCOPES,
            actual=len(found),
        )
    return found


async def _of_user(memory: AsyncMemory, user: str | None) -> list[NumberedScope]:
    listed = await memory._scopes_of(user)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    return [NumberedScope(scope, number) for scope, number in listed]


async def all_memories(memory: AsyncMemory, request: SearchRequest, *, expired: bool = False) -> list[Memory]:
    """Return all memories that a request lets through, the one written last first; `expired` ones if asked for."""
    found = [
        each
        for place in await readable_scopes(memory, request)
        for each in await (_with_expired if expired else active_notes)(place)
        if filter_matches(request.filter, each.fields)
    ]
    found.sort(key=lambda each: each.note.updated_at, reverse=True)
    return found


async def active_notes(place: NumberedScope) -> list[Memory]:
    """Return the memories of a scope that hold now."""
    notes = await every_note(place.scope._runtime, place.scope.namespace, None, "active", None)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    return [Memory(note, place) for note in notes]


async def _with_expired(place: NumberedScope) -> list[Memory]:
    whole = await notes_in_any_state(place)
    return [each for each in whole if each.note.session is None and each.note.status in {"active", "expired"}]


async def notes_in_any_state(place: NumberedScope) -> list[Memory]:
    """Return all notes of a scope, in whatever state: over, waiting, forgotten, superseded, of a session."""
    runtime = place.scope._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    notes, _ = await runtime.read(listing, place.scope.namespace, now=0, status=None, everywhere=True)
    return [Memory(note, place) for note in notes]


async def search(
    memory: AsyncMemory,
    request: SearchRequest,
    query: str,
    *,
    top_k: int,
    threshold: float,
    rerank: bool = False,
) -> tuple[list[tuple[Memory, float]], str | None]:
    """Return the best memories for a question, each with how likely it bears on it, and why there are none.

    The score is 0 to 1, so that the answers of several scopes can be put in one order.
    """
    found: list[tuple[Memory, float]] = []
    looked = await readable_scopes(memory, request)
    for place in looked:
        found += await _best(place, request, query, top_k, rerank=rerank)
    if len(looked) > 1:
        found.sort(key=lambda each: each[1], reverse=True)
    near = [each for each in found if each[1] >= threshold][:top_k]
    if near:
        return near, None
    if not looked:
        return [], "nothing is kept for these ids"
    return [], (
        "what was found is below the threshold"
        if found
        else "no memory passes the filters and bears on the query"
    )


async def _best(
    place: NumberedScope, request: SearchRequest, query: str, top_k: int, *, rerank: bool
) -> list[tuple[Memory, float]]:
    """Return the best of a scope; more are asked for while filters leave fewer than are wanted."""
    limit = top_k
    rerank = rerank and place.scope._runtime.engines.reranker is not None  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    while True:
        recalled = await place.scope.recall(query, limit=limit, kinds=("note",), rerank=rerank)
        through = [
            (each, hit.relevance)
            for hit in recalled
            if hit.note is not None
            and filter_matches(request.filter, (each := Memory(hit.note, place)).fields)
        ]
        if len(through) >= top_k or len(recalled) < limit or limit >= MAX_HITS:
            return through[:top_k]
        limit = min(limit * _WIDER, MAX_HITS)
