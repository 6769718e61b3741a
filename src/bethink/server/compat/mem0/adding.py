"""mem0's `add`: learn from messages, or store texts as they are.

Both count as the word of the application: what is kept is active and found at once.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakValueDictionary

from bethink.errors import ConflictError, InvalidError, RefusedError
from bethink.json_kinds import is_list, is_object
from bethink.lifecycle.distill.judging import UNSURE
from bethink.lifecycle.distill.nearby import LESS_SURE
from bethink.lifecycle.values import Add, Retire, Revise
from bethink.server.compat.mem0.entities import scope_of
from bethink.server.compat.mem0.memories import NumberedScope, id_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from datetime import datetime

    from bethink.lifecycle.plans import Plan
    from bethink.memory.memory import AsyncMemory
    from bethink.memory.scope import AsyncScope
    from bethink.notes.values import Note
    from bethink.server.compat.mem0.entities import Entities

ROLES: Final = ("user", "assistant", "system", "tool")
_NEWEST: Final = 200  #: notes among which those of a plan are looked for
_TRIES: Final = 20  #: while another process consolidates the same scope
_PAUSE: Final = 0.1
NOTHING: Final = (
    "nothing of this is worth keeping by the rules ({reasons}): infer=false keeps the words as they are"
)

WAITING: Final = (
    "{count} of these read like instructions to an agent: they wait for `bethink review`, and are not found"
)


@dataclass(frozen=True, kw_only=True)
class AddRequest:
    """What is to be taken in."""

    messages: list[dict[str, Any]]
    who: Entities
    infer: bool = True
    metadata: dict[str, Any]
    at: datetime | None = None
    expires_at: datetime | None = None

    @property
    def labels(self) -> dict[str, Any]:
        """Return the metadata that each note is to have."""
        return {**self.metadata, **self.who.labels}


class Adding:
    """Adds to memories, one `add` of a scope after another: a plan is made of what stands."""

    def __init__(self) -> None:
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def add(self, memory: AsyncMemory, new: AddRequest) -> dict[str, Any]:
        """Take in messages, and return what became of them in mem0's words.

        Raises:
            InvalidError: they are no messages.
            RefusedError: the guard lets nothing of them in.
        """
        scope = scope_of(memory, new.who)
        if not new.infer:
            return await _verbatim(memory, scope, new)
        async with self._turn(f"{scope.namespace.tenant} {scope.namespace}"):
            return await _learned(memory, scope, new)

    @asynccontextmanager
    async def _turn(self, name: str) -> AsyncGenerator[None]:
        lock = self._turns.get(name)
        if lock is None:
            self._turns[name] = lock = asyncio.Lock()
        async with lock:
            yield


def messages_of(given: Any) -> list[dict[str, Any]]:
    """Return messages: a text is what the user says.

    Raises:
        InvalidError: it is neither a text nor a list of messages.
    """
    listed: Any = given
    if isinstance(given, str):
        listed = [{"role": "user", "content": given}]
    elif is_object(given):
        listed = [given]
    if not is_list(listed) or not listed:
        raise InvalidError("messages must be a str or a non-empty list of messages", argument="messages")
    for each in listed:
        content = each.get("content") if is_object(each) else None
        if not is_object(each) or each.get("role") not in ROLES or not isinstance(content, str | list):
            roles = ", ".join(ROLES)
            raise InvalidError(
                f'a message is {{"role": …, "content": …}}, with a role of {roles}', argument="messages"
            )
    return listed


async def _verbatim(memory: AsyncMemory, scope: AsyncScope, new: AddRequest) -> dict[str, Any]:
    """Keep each message as it is said, but those of the system."""
    kept: list[Note] = []
    refused: list[RefusedError] = []
    for message in new.messages:
        text = _text(message["content"])
        if message["role"] == "system" or not text:
            continue
        try:
            kept.append(
                await _remember(scope, text, new, source="user" if message["role"] == "user" else "agent")
            )
        except RefusedError as error:
            refused.append(error)
    if refused and not kept:
        raise refused[0]
    place = await _place(memory, scope)
    answer: dict[str, Any] = {"results": [_event(place, "ADD", note.id, note.text) for note in kept]}
    waiting = [note for note in kept if note.status != "active"]
    if waiting:
        answer["message"] = WAITING.format(count=len(waiting))
    elif refused:
        answer["message"] = f"{len(refused)} of {len(new.messages)} messages were not kept: {refused[0]}"
    elif not kept:
        answer["message"] = "there is no text in these messages"
    return answer


async def _remember(scope: AsyncScope, text: str, new: AddRequest, *, source: Any) -> Note:
    return await scope.remember(
        text,
        source=source,
        metadata=new.labels,
        valid_from=new.at,
        expires_at=new.expires_at,
    )


async def _learned(memory: AsyncMemory, scope: AsyncScope, new: AddRequest) -> dict[str, Any]:
    """Keep the messages in the session of their run, and learn what is worth keeping."""
    session = scope.session(new.who.session)
    began = memory._runtime.clock()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    await session.append(new.messages, at=new.at, origin="mem0")
    plan = await _consolidated(scope, new.who.session)
    place = await _place(memory, scope)
    results = await _results(place, plan, new)
    if results:
        return {"results": results}
    only_text = len(new.messages) == 1 and new.messages[0]["role"] == "user"
    reasons = set(plan.dropped)
    if only_text and reasons and reasons <= {UNSURE, LESS_SURE} and not plan.staged:
        # a single text without a reply is no talk: somebody hands in what is to be remembered
        note = await _remember(scope, _text(new.messages[0]["content"]), new, source="user")
        return {"results": [_event(place, "ADD", note.id, note.text)]}
    held = [note for note in await scope.quarantine(limit=_NEWEST) if note.created_at >= began]
    if held:
        return {"results": [], "message": WAITING.format(count=len(held))}
    counted = [f"{count} {reason}" for reason, count in sorted(plan.dropped.items())]
    counted += [each.reason for each in plan.changes]
    return {
        "results": [],
        "message": NOTHING.format(reasons=", ".join(counted) or "no statement of the user"),
    }


async def _consolidated(scope: AsyncScope, session: str) -> Plan:
    for left in range(_TRIES, 0, -1):
        try:
            return await scope.consolidate(session)
        except ConflictError:
            if left == 1:
                raise
            await asyncio.sleep(_PAUSE)
    raise AssertionError("unreachable")


async def _results(place: NumberedScope, plan: Plan, new: AddRequest) -> list[dict[str, Any]]:
    """Return what a plan did to memories, and give what it made the ids and the metadata of the request."""
    if not plan.changes:
        return []
    newest = await place.scope.notes(limit=_NEWEST)
    results: list[dict[str, Any]] = []
    for change in plan.changes:
        match change:
            case Add(text=text, sources=sources):
                made = next((n for n in newest if n.text == text and set(sources) <= set(n.sources)), None)
                if made is not None:
                    await _labelled(place.scope, made, new)
                    results.append(_event(place, "ADD", made.id, made.text))
            case Revise(note=id_, text=text):
                event = "NOOP" if plan.texts.get(id_) == text else "UPDATE"
                results.append(_event(place, event, id_, text))
            case Retire(note=id_, outcome="superseded" | "forgotten") if id_ not in plan.staged:
                results.append(_event(place, "DELETE", id_, plan.texts.get(id_, "")))
            case _:
                pass
    return results


async def _labelled(scope: AsyncScope, note: Note, new: AddRequest) -> None:
    fields: dict[str, Any] = {}
    if new.labels:
        fields["metadata"] = {**note.metadata, **new.labels}
    if new.expires_at is not None:
        fields["expires_at"] = new.expires_at
    if fields:
        await scope._reword(note.id, fields)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]


async def _place(memory: AsyncMemory, scope: AsyncScope) -> NumberedScope:
    """Return a scope with its number; it was just written to."""
    listed = await memory._scopes_of(scope.namespace.user)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    number = next((number for each, number in listed if each.namespace == scope.namespace), 0)
    return NumberedScope(scope, number)


def _event(place: NumberedScope, event: str, note: str, text: str) -> dict[str, Any]:
    return {"id": id_of(place, note), "memory": text, "event": event}


def _text(content: Any) -> str:
    """Return what a message says in words; pictures and files have none."""
    if isinstance(content, str):
        return content.strip()
    parts = [part.get("text") for part in content if is_object(part) and part.get("type") == "text"]
    return "\n".join(each for each in parts if isinstance(each, str)).strip()
