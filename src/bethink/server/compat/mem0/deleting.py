"""mem0's `delete`: notes with their source items, the messages of a run, everything of a user."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any

from bethink.errors import InvalidError, NotFoundError
from bethink.server.compat.mem0.entities import (
    ANY,
    IDS,
    KINDS,
    Entities,
    entities_of,
    is_ours,
    own_user,
    session_of,
)
from bethink.server.compat.mem0.searching import (
    active_notes,
    notes_in_any_state,
    parse_request,
    readable_scopes,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bethink.memory.memory import AsyncMemory
    from bethink.scope.values import Principal
    from bethink.server.compat.mem0.memories import Memory, NumberedScope
    from bethink.server.compat.mem0.searching import SearchRequest


async def delete(memories: Iterable[Memory]) -> int:
    """Erase memories with the items that they were drawn from; return how many places still hold them."""
    remaining = 0
    ordered = sorted(memories, key=lambda each: each.place.number)
    for _, group in groupby(ordered, key=lambda each: each.place.number):
        some = list(group)
        receipt = await some[0].place.scope._erase_notes(  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            each.note.id for each in some
        )
        remaining += receipt.remaining
    return remaining


async def delete_all(memory: AsyncMemory, who: Entities, principal: Principal | None) -> int:
    """Erase every memory of these ids, in whatever state, and the messages that came with them.

    Raises:
        InvalidError: nobody is named, or everybody is: `*` would be all users' memories at once.
    """
    if who == Entities():
        raise InvalidError(f"pass at least one of {', '.join(IDS)}", argument="user_id")
    if ANY in {who.user_id, who.agent_id, who.app_id, who.run_id}:
        raise InvalidError(
            "'*' deletes nothing here: name whose memories are deleted, one after another", argument="user_id"
        )
    request = parse_request(None, principal, who=who)
    remaining = 0
    for place in await readable_scopes(memory, request):
        remaining += await _delete_in(place, who)
    return remaining


async def _delete_in(place: NumberedScope, who: Entities) -> int:
    """Erase what a scope holds of an app, of a run, or of neither: then all that came by this API."""
    labels = who.labels
    matching = [each for each in await notes_in_any_state(place) if _is_meant(each, labels)]
    remaining = await delete(matching)
    for session in await _sessions(place):
        if (not labels and is_ours(session)) or (
            who.run_id is not None and session == session_of(who.run_id)
        ):
            remaining += (await place.scope.erase(session=session)).remaining
    return remaining


def _is_meant(memory: Memory, labels: Mapping[str, str]) -> bool:
    """Tell whether a memory has these labels; notes of conversations of other interfaces stay with these."""
    note = memory.note
    ours = note.session is None or is_ours(note.session)
    return ours and all(note.metadata.get(name) == value for name, value in labels.items())


async def _sessions(place: NumberedScope) -> list[str]:
    found: list[str] = []
    cursor: str | None = None
    while True:
        page = await place.scope.sessions(limit=1_000, cursor=cursor)
        found += [each.id for each in page]
        if page.next is None:
            return found
        cursor = page.next


async def entities(memory: AsyncMemory, principal: Principal | None) -> list[dict[str, Any]]:
    """Return each user, agent, app and run that the caller may see memories of, with how many these are."""
    counts: Counter[tuple[str, str]] = Counter()
    times: dict[tuple[str, str], tuple[Any, Any]] = {}
    for place in await readable_scopes(memory, _everybody(principal)):
        for each in await active_notes(place):
            who = entities_of(place.scope.namespace, each.note.metadata)
            for kind, name in KINDS.items():
                value = getattr(who, name)
                if value is None:
                    continue
                key = (kind, value)
                counts[key] += 1
                first, last = times.get(key, (each.note.created_at, each.note.updated_at))
                times[key] = (min(first, each.note.created_at), max(last, each.note.updated_at))
    return [
        {
            "id": name,
            "name": name,
            "type": kind,
            "total_memories": counts[kind, name],
            "owner": "bethink",
            "metadata": {},
            "created_at": times[kind, name][0].isoformat(),
            "updated_at": times[kind, name][1].isoformat(),
        }
        for kind, name in sorted(counts)
    ]


async def delete_entity(memory: AsyncMemory, kind: str, name: str, principal: Principal | None) -> int:
    """Erase a user with everything that any agent keeps of it; of an agent, an app or a run its memories.

    Raises:
        NotFoundError: there is none of this name.
        InvalidError: the kind is not known.
        DeniedError: the key is bound to another user.
    """
    if kind not in KINDS:
        raise InvalidError(f"an entity is a {', '.join(KINDS)}, not {kind!r}", argument="type")
    who = Entities(**{KINDS[kind]: name})
    if kind == "user":
        request = parse_request(None, principal, who=who)
        if not await readable_scopes(memory, request):
            raise _no_entity(kind, name)
        return (await memory.erase(user=name)).remaining
    found = False
    remaining = 0
    for place in await readable_scopes(memory, _everybody(principal)):
        if kind == "agent" and place.scope.namespace.name != name:
            continue
        some = [each for each in await notes_in_any_state(place) if _is_meant(each, who.labels)]
        sessions = [each for each in await _sessions(place) if kind != "app" and is_ours(each)]
        if kind == "run":
            sessions = [each for each in sessions if each == session_of(name)]
        found = found or bool(some or sessions)
        remaining += await delete(some)
        for session in sessions:
            remaining += (await place.scope.erase(session=session)).remaining
    if not found:
        raise _no_entity(kind, name)
    return remaining


def _everybody(principal: Principal | None) -> SearchRequest:
    """Return what lets everything through that the caller may see, the agents' own memories too."""
    anybody = {"OR": [{"user_id": ANY}, {"user_id": None}]}
    return parse_request(anybody if own_user(principal) is None else {"user_id": ANY}, principal)


def _no_entity(kind: str, name: str) -> NotFoundError:
    return NotFoundError(f"no such {kind}", kind=kind, id=name[:64])
