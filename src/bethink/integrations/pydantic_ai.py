"""Pydantic AI: a conversation store, a capability that injects and learns, and a toolset."""
# The framework is not installed where this is developed, so its types are unknown here.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from bethink.errors import ConflictError, InvalidError
from bethink.integrations.async_and_blocking import both_faces
from bethink.integrations.labels import log_name
from bethink.integrations.learning import IDLE, consolidate_left, context_text, learn_from
from bethink.integrations.versions import require_versions
from bethink.tools.calls import answer, answer_text
from bethink.tools.formats import parameters
from bethink.tools.registry import own_tools
from bethink.tools.values import Reach

require_versions("pydantic-ai", ("pydantic-ai-slim", "2.68", "3"))

from pydantic import TypeAdapter  # noqa: E402
from pydantic_ai.capabilities import AbstractCapability  # noqa: E402  # pyright: ignore[reportMissingImports]
from pydantic_ai.conversation_store import (  # noqa: E402  # pyright: ignore[reportMissingImports]
    ConversationConflict,
    ConversationEntry,
    ConversationRecord,
    ConversationStore,
)
from pydantic_ai.messages import ModelMessagesTypeAdapter  # noqa: E402  # pyright: ignore[reportMissingImports]
from pydantic_ai.tools import DeferredToolRequests, Tool  # noqa: E402  # pyright: ignore[reportMissingImports]
from pydantic_ai.toolsets import FunctionToolset  # noqa: E402  # pyright: ignore[reportMissingImports]
from pydantic_ai.usage import RunUsage  # noqa: E402  # pyright: ignore[reportMissingImports]

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import timedelta

    from bethink.memory.memory import AsyncMemory
    from bethink.memory.scope import AsyncScope
    from bethink.sync import Memory
    from bethink.tools.values import Family
    from bethink.tools.values import Tool as OwnTool

RECORDS = ("pydantic-ai", "conversation-records")
ENTRIES = ("pydantic-ai", "conversation-entries")
CHAIN = 64  #: ancestors that an entry names, so that a history takes one read for so many

UserOf: TypeAlias = Callable[[Any], str | None]

_USAGE: TypeAdapter[Any] = TypeAdapter(RunUsage)
_DEFERRED: TypeAdapter[Any] = TypeAdapter(DeferredToolRequests)

log = logging.getLogger("bethink.pydantic_ai")

__all__ = ["BethinkConversationStore", "BethinkMemory", "BethinkToolset"]


class BethinkConversationStore(ConversationStore):  # pyright: ignore[reportUntypedBaseClass]
    """Keeps conversations of Pydantic AI: `await store.save(result)`, `await store.load(conversation_id)`.

    A message is stored once, forks share what they have in common, and a conflict leaves nothing behind. `delete`
    removes the messages that no other conversation of the user reaches.

    Args:
        memory: an opened memory; who opened it closes it.
        user: whose conversations they are: make a store for each user. None says that they are the agent's own.
        agent: whose memory it is.
    """

    def __init__(self, memory: Memory | AsyncMemory, *, user: str | None, agent: str = "pydantic-ai") -> None:
        self._documents = both_faces(memory).awaited.scope(agent=agent, user=user).documents

    async def read_record(self, conversation_id: str) -> ConversationRecord | None:
        """Return the record of a conversation; None where there is none."""
        kept = await self._documents.get(RECORDS, _name(conversation_id))
        return None if kept is None else _record(kept.value)

    async def read_records(
        self, *, scope: str | None = None, limit: int | None = None
    ) -> list[ConversationRecord]:
        """Return records, those saved last first."""
        found = [_record(kept.value) for kept in await self._documents.within(RECORDS)]
        chosen = [record for record in found if scope is None or record.scope == scope]
        return sorted(chosen, key=lambda record: record.updated_at, reverse=True)[:limit]

    async def write_record(
        self,
        record: ConversationRecord,
        *,
        new_entries: Sequence[ConversationEntry] = (),
        expected_revision: str | None,
    ) -> None:
        """Keep a record and new entries.

        Raises:
            ConversationConflict: the conversation was saved since, or what it goes on from is gone.
        """
        name = _name(record.conversation_id)
        kept = await self._documents.get(RECORDS, name)
        if (None if kept is None else kept.value["revision"]) != expected_revision:
            raise ConversationConflict(record.conversation_id)
        await self._add(record, new_entries)
        try:
            await self._documents.put(
                RECORDS, name, _written(record), expected=0 if kept is None else kept.revision
            )
        except ConflictError:
            for entry in new_entries:
                await self._documents.delete(ENTRIES, entry.id)
            raise ConversationConflict(record.conversation_id) from None

    async def _add(self, record: ConversationRecord, entries: Sequence[ConversationEntry]) -> None:
        """Keep entries, each with the ids of those before it."""
        chains: dict[str, list[str]] = {}
        for parent in {entry.parent_id for entry in entries} | {record.head_id}:
            if parent is None or parent in {entry.id for entry in entries}:
                continue
            kept = await self._documents.get(ENTRIES, parent)
            if kept is None:
                raise ConversationConflict(record.conversation_id)
            chains[parent] = kept.value["chain"]
        documents: list[tuple[tuple[str, ...], str, Any]] = []
        for entry in entries:
            before = [] if entry.parent_id is None else [*chains[entry.parent_id], entry.parent_id]
            chains[entry.id] = before[-CHAIN:]
            documents.append((ENTRIES, entry.id, _entry_written(entry, chains[entry.id])))
        await self._documents.put_all(documents)

    async def delete_record(self, conversation_id: str, *, expected_revision: str) -> None:
        """Remove a conversation, and the entries that no other one of the user reaches, for good.

        Raises:
            ConversationConflict: it was saved or deleted since.
        """
        name = _name(conversation_id)
        kept = await self._documents.get(RECORDS, name)
        if kept is None or kept.value["revision"] != expected_revision:
            raise ConversationConflict(conversation_id)
        own = await self._reached([_record(kept.value)])
        try:
            await self._documents.delete(RECORDS, name, expected=kept.revision)
        except ConflictError:
            raise ConversationConflict(conversation_id) from None
        for each in own - await self._reached(await self.read_records()):
            await self._documents.delete(ENTRIES, each)

    async def _reached(self, records: Sequence[ConversationRecord]) -> set[str]:
        found: set[str] = set()
        for tip in {tip for record in records for tip in (record.head_id, *record.branches)} - {None}:
            if tip not in found:
                found |= {entry.id for entry in await self.read_history(tip)}
        return found

    async def read_entry(self, entry_id: str) -> ConversationEntry:
        """Return an entry.

        Raises:
            LookupError: there is none.
        """
        kept = await self._documents.get(ENTRIES, entry_id)
        if kept is None:
            raise LookupError(entry_id)
        return _entry(entry_id, kept.value)

    async def read_history(self, head_id: str | None, *, limit: int | None = None) -> list[ConversationEntry]:
        """Return the entries up to one, or the last of them, oldest first; many of them in one read.

        Raises:
            LookupError: one of them is not there.
        """
        found: list[ConversationEntry] = []
        tip = head_id
        while tip is not None and (limit is None or len(found) < limit):
            kept = await self._documents.get(ENTRIES, tip)
            if kept is None:
                raise LookupError(tip)
            left = None if limit is None else limit - len(found) - 1
            chain = kept.value["chain"][::-1][:left]
            found.append(_entry(tip, kept.value))
            for each, before in zip(
                chain, await self._documents.get_all([(ENTRIES, each) for each in chain]), strict=True
            ):
                if before is None:
                    raise LookupError(each)
                found.append(_entry(each, before.value))
            tip = found[-1].parent_id
        return found[::-1]


@dataclass(frozen=True, slots=True)
class _RunScope:
    """How the memory that a run is about is found."""

    memory: AsyncMemory
    agent: str
    user_of: UserOf | None

    def scope(self, ctx: Any) -> AsyncScope:
        """Return the memory of the user of a run.

        Raises:
            InvalidError: the run names no user.
        """
        user = None if self.user_of is None else self.user_of(ctx)
        if self.user_of is not None and not user:
            raise InvalidError("whose memory is it? user_of names nobody for this run", argument="user_of")
        return self.memory.scope(agent=self.agent, user=user)


class BethinkToolset(FunctionToolset[Any]):  # pyright: ignore[reportUntypedBaseClass]
    """Tools by which an agent uses its memory: `Agent(model, toolsets=[BethinkToolset(memory, user_of=…)])`.

    Args:
        memory: an opened memory; who opened it closes it.
        user_of: says whose memory a run is about, by its context. A call in a run of nobody is refused. None says that
            the memory is the agent's own.
        agent: whose memory it is.
        families: `private` (remember, recall, search_memory, forget, list_memories), `categories` (memory_store,
            memory_recall, memory_forget), `notes` (save_memory_note, in the session of the conversation's name), and
            others that need nothing but a scope.
        id: of the toolset, as durable execution wants one.

    Raises:
        InvalidError: there is no such family, or it is of pools, teams and workspaces, which are not reached from here.
    """

    def __init__(
        self,
        memory: Memory | AsyncMemory,
        *,
        user_of: UserOf | None,
        agent: str = "pydantic-ai",
        families: Iterable[Family] = ("private",),
        id: str | None = None,  # noqa: A002 - the framework's own word
    ) -> None:
        whose = _RunScope(both_faces(memory).awaited, agent, user_of)
        super().__init__([_tool(each, whose) for each in own_tools(families)], id=id)


def _tool(tool: OwnTool, whose: _RunScope) -> Tool[Any]:
    async def act(ctx: Any, **arguments: Any) -> str:
        reach = Reach(scope=whose.scope(ctx), session=_session(ctx))
        return answer_text((await answer(tool, reach, arguments)).value)

    return Tool.from_schema(
        act, name=tool.name, description=tool.description, json_schema=parameters(tool), takes_ctx=True
    )


class BethinkMemory(AbstractCapability[Any]):  # pyright: ignore[reportUntypedBaseClass]
    """Gives agents of Pydantic AI a memory: `Agent(model, capabilities=[BethinkMemory(memory, user_of=…)])`.

    What is remembered of the user stands in the instructions of each request. After a run its messages are kept in the
    session of the conversation's name, without these instructions, and what is worth keeping is noted; before a run,
    sessions that were left become the user's memory.

    Args:
        memory: an opened memory; who opened it closes it.
        user_of: says whose memory a run is about, by its context: `lambda ctx: ctx.deps.user_id`. A run of nobody is
            refused. None says that the memory is the agent's own.
        agent: whose memory it is.
        tokens: of what is remembered, at most, in a request.
        policy: your own words on how memories are to be taken.
        idle: for how long nobody wrote to a session that is consolidated; zero consolidates at the end of each run.
        families: tools by which the agent uses its memory, such as `("private",)`: those of a `BethinkToolset`.
    """

    def __init__(
        self,
        memory: Memory | AsyncMemory,
        *,
        user_of: UserOf | None,
        agent: str = "pydantic-ai",
        tokens: int | None = None,
        policy: str | None = None,
        idle: timedelta = IDLE,
        families: Iterable[Family] = (),
    ) -> None:
        self._whose = _RunScope(both_faces(memory).awaited, agent, user_of)
        self._idle = idle
        self._toolset = (
            BethinkToolset(memory, user_of=user_of, agent=agent, families=families) if families else None
        )
        self._options: dict[str, Any] = {"tokens": tokens, "policy": policy}

    @classmethod
    def get_serialization_name(cls) -> str | None:
        """Say that no specification can build it: it needs an opened memory."""
        return None

    def get_toolset(self) -> BethinkToolset | None:
        """Return the tools that were asked for."""
        return self._toolset

    def get_instructions(self) -> Any:
        """Return what says what is remembered, asked before each request."""
        return self._instructions

    async def before_run(self, ctx: Any) -> None:
        """Consolidate what was left."""
        await consolidate_left(self._whose.scope(ctx), self._idle)

    async def _instructions(self, ctx: Any) -> str:
        scope = self._whose.scope(ctx)
        query = ctx.prompt if isinstance(ctx.prompt, str) else None
        return await context_text(scope, log, session=_session(ctx), query=query, **self._options)

    async def after_run(self, ctx: Any, *, result: Any) -> Any:
        """Keep what was said, and note what is worth keeping."""
        scope = self._whose.scope(ctx)
        session = scope.session(_session(ctx))
        messages = [
            replace(each, instructions=None) if each.kind == "request" else each
            for each in result.new_messages()
        ]
        if not messages:
            return result
        await session.append(ModelMessagesTypeAdapter.dump_python(messages, mode="json"))
        await learn_from(scope, log, session.session_id, self._idle)
        return result


def _session(ctx: Any) -> str:
    return _name(str(ctx.conversation_id or f"run-{ctx.run_id}"))


def _name(conversation_id: str) -> str:
    """Return the name by which a conversation is kept.

    Raises:
        InvalidError: it is empty.
    """
    if not conversation_id:
        raise InvalidError("conversation_id must not be empty", argument="conversation_id")
    return log_name(conversation_id)


def _written(record: ConversationRecord) -> dict[str, Any]:
    deferred = record.deferred_tool_requests
    return {
        "conversation_id": record.conversation_id,
        "head_id": record.head_id,
        "usage": _USAGE.dump_python(record.usage, mode="json"),
        "deferred_tool_requests": None if deferred is None else _DEFERRED.dump_python(deferred, mode="json"),
        "scope": record.scope,
        "forked_from": record.forked_from,
        "forked_at": record.forked_at,
        "branches": list(record.branches),
        "revision": record.revision,
        "updated_at": record.updated_at.isoformat(),
        "format_version": record.format_version,
    }


def _record(value: Mapping[str, Any]) -> ConversationRecord:
    deferred = value["deferred_tool_requests"]
    return ConversationRecord(
        **{
            **value,
            "usage": _USAGE.validate_python(value["usage"]),
            "deferred_tool_requests": None if deferred is None else _DEFERRED.validate_python(deferred),
            "updated_at": datetime.fromisoformat(value["updated_at"]),
        }
    )


def _entry_written(entry: ConversationEntry, chain: list[str]) -> dict[str, Any]:
    (message,) = ModelMessagesTypeAdapter.dump_python([entry.message], mode="json")
    return {"parent_id": entry.parent_id, "kind": entry.kind, "message": message, "chain": chain}


def _entry(entry_id: str, value: Mapping[str, Any]) -> ConversationEntry:
    (message,) = ModelMessagesTypeAdapter.validate_json(json.dumps([value["message"]]))
    return ConversationEntry(id=entry_id, parent_id=value["parent_id"], message=message, kind=value["kind"])
