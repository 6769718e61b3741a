"""LlamaIndex: chat stores, a memory block, and a memory made of both."""
# The framework is not installed where this is developed, so its types are unknown here.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from bethink.errors import ConflictError, InvalidError, NotFoundError
from bethink.integrations.async_and_blocking import both_faces
from bethink.integrations.labels import log_name
from bethink.integrations.learning import IDLE, consolidate_left, context_text, learn_from
from bethink.integrations.versions import require_versions
from bethink.storage.stores import run

require_versions("llamaindex", ("llama-index-core", "0.14.25", "0.15"))

from llama_index.core.base.llms.types import (  # noqa: E402  # pyright: ignore[reportMissingImports]
    ChatMessage,
    MessageRole,
    ToolCallBlock,
)
from llama_index.core.memory import (  # noqa: E402  # pyright: ignore[reportMissingImports]
    BaseMemoryBlock,
)
from llama_index.core.memory import Memory as _Memory  # noqa: E402  # pyright: ignore[reportMissingImports]
from llama_index.core.storage.chat_store import (  # noqa: E402  # pyright: ignore[reportMissingImports]
    BaseChatStore,
)
from llama_index.core.storage.chat_store.base_db import (  # noqa: E402  # pyright: ignore[reportMissingImports]
    AsyncDBChatStore,
    MessageStatus,
)
from pydantic import PrivateAttr  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bethink.memory.memory import AsyncMemory
    from bethink.memory.session import AsyncSession
    from bethink.sessions.values import Item
    from bethink.sync import Memory

CHATS = ("llama-index", "llama-index-chats")  #: where it is kept up to which message a chat is archived
STATUS = "bethink.status"  #: beside a message: it was added as archived, or it was deleted
DELETED = "deleted"
AGENT = "llamaindex"
ATTEMPTS = 100  #: at a chat that others archive as well
PAGE = 500  #: items that are read at once

log = logging.getLogger("bethink.llamaindex")

__all__ = ["BethinkBufferStore", "BethinkChatStore", "BethinkMemory", "BethinkMemoryBlock"]


class BethinkChatStore(AsyncDBChatStore):  # pyright: ignore[reportUntypedBaseClass]
    """Keeps the chats of a user: `Memory.from_defaults(session_id=…, chat_store=BethinkChatStore(memory, user=…))`.

    A chat is a session of the user's, which recall finds, and what is worth keeping of it is noted when an answer is
    complete. Archiving writes where the archive ends, whatever the length of the chat, and what is archived is not read
    to show the rest. A message that is deleted by itself is heard by nothing any more; deleting the chat destroys it.

    Args:
        memory: an opened memory; who opened it closes it.
        user: whose chats they are. LlamaIndex knows no users: make a store for each. None says that they are the
            agent's own.
        agent: whose memory it is.
        idle: for how long nobody wrote to a session that is consolidated; zero consolidates after each answer.
    """

    _scope: Any = PrivateAttr()
    _idle: timedelta = PrivateAttr()

    def __init__(
        self, memory: Memory | AsyncMemory, *, user: str | None, agent: str = AGENT, idle: timedelta = IDLE
    ) -> None:
        super().__init__()
        self._scope = both_faces(memory).awaited.scope(agent=agent, user=user)
        self._idle = idle

    @classmethod
    def class_name(cls) -> str:
        """Return the name of the class."""
        return "BethinkChatStore"

    # ---- reading ----------------------------------------------------------------------------------------------

    async def get_messages(
        self,
        key: str,
        status: MessageStatus | None = MessageStatus.ACTIVE,
        limit: int | None = None,
        offset: int | None = None,
    ) -> list[ChatMessage]:
        """Return the messages of a chat, oldest first; without a status all of them."""
        found = await self._bodies(key, status)
        begin = offset or 0
        chosen = found[begin:] if limit is None else found[begin : begin + limit]
        return [_message(body) for body in chosen]

    async def count_messages(self, key: str, status: MessageStatus | None = MessageStatus.ACTIVE) -> int:
        """Count the messages of a chat."""
        return len(await self._bodies(key, status))

    async def get_keys(self) -> list[str]:
        """Return the keys of the chats that have messages."""
        kept = await self._scope.documents.within(CHATS)
        keys = [each.value["key"] for each in kept]
        return [key for key in keys if await self.count_messages(key, None)]

    # ---- writing ----------------------------------------------------------------------------------------------

    async def add_message(
        self, key: str, message: ChatMessage, status: MessageStatus = MessageStatus.ACTIVE
    ) -> None:
        """Add a message to a chat."""
        await self.add_messages(key, [message], status)

    async def add_messages(
        self, key: str, messages: list[ChatMessage], status: MessageStatus = MessageStatus.ACTIVE
    ) -> None:
        """Add messages to a chat, all or none."""
        if not messages:
            return
        session = self._session(key)
        if await self._scope.documents.get(CHATS, session.session_id) is None:
            await self._mark(key, lambda archived: archived)
        beside = {} if status == MessageStatus.ACTIVE else {STATUS: status.value}
        await session.append([{**_body(each), **beside} for each in messages])
        if _answers(messages[-1]):
            await learn_from(self._scope, log, session.session_id, self._idle)

    async def set_messages(
        self, key: str, messages: list[ChatMessage], status: MessageStatus = MessageStatus.ACTIVE
    ) -> None:
        """Put messages in the place of those of a chat; what it begins with already is not written again."""
        before = await self._items(key, None)
        same = [_shown(item.body) for item in before] == [_body(each) for each in messages[: len(before)]]
        if same and len(before) == await self.count_messages(key, status):
            await self.add_messages(key, messages[len(before) :], status)
            return
        await self._session(key).clear()
        await self.add_messages(key, messages, status)

    async def archive_oldest_messages(self, key: str, n: int) -> list[ChatMessage]:
        """Archive the oldest messages of a chat, and return them."""
        oldest = (await self._items(key, MessageStatus.ACTIVE))[: max(n, 0)]
        if oldest:
            await self._mark(key, lambda archived: max(archived, oldest[-1].seq))
        return [_message(item.body) for item in oldest]

    async def delete_message(self, key: str, idx: int) -> ChatMessage | None:
        """Delete a message by its number, counted from 1 in the order of adding, and return it."""
        item = await self._session(key).item(idx)
        if item is None or item.body.get(STATUS) == DELETED:
            return None
        await self._delete(key, [item])
        return _message(item.body)

    async def delete_messages(self, key: str, status: MessageStatus | None = None) -> None:
        """Delete the messages of a status; without one the chat, for good."""
        if status is not None:
            await self._delete(key, await self._items(key, status))
            return
        session = self._session(key)
        with suppress(NotFoundError):
            await session.delete()
        await self._scope.documents.delete(CHATS, session.session_id)

    async def delete_oldest_messages(self, key: str, n: int) -> list[ChatMessage]:
        """Delete the oldest messages of a chat that are not archived, and return them."""
        oldest = (await self._items(key, MessageStatus.ACTIVE))[: max(n, 0)]
        await self._delete(key, oldest)
        return [_message(item.body) for item in oldest]

    async def delete_at(self, key: str, place: int) -> ChatMessage | None:
        """Delete the message at an index (of the remaining messages) and return it; None if there is none."""
        items = await self._items(key, None)
        if not -len(items) <= place < len(items):
            return None
        await self._delete(key, [items[place]])
        return _message(items[place].body)

    async def _delete(self, key: str, items: Sequence[Item]) -> None:
        session = self._session(key)
        for item in items:
            await session.replace(item.seq, {"role": item.body.get("role"), "blocks": [], STATUS: DELETED})

    # ---- what they share --------------------------------------------------------------------------------------

    def _session(self, key: str) -> AsyncSession:
        if not key:
            raise InvalidError("a chat has a key", argument="key")
        return self._scope.session(log_name(key))

    async def _archived(self, key: str) -> int:
        """Return the number of the last message that is archived."""
        kept = await self._scope.documents.get(CHATS, self._session(key).session_id)
        return 0 if kept is None else kept.value["archived"]

    async def _mark(self, key: str, move: Callable[[int], int]) -> None:
        """Write where the archive of a chat ends, whoever else does so at the same time."""
        name = self._session(key).session_id
        for attempt in range(ATTEMPTS):
            kept = await self._scope.documents.get(CHATS, name)
            value = {"key": key, "archived": move(0 if kept is None else kept.value["archived"])}
            try:
                await self._scope.documents.put(
                    CHATS, name, value, expected=0 if kept is None else kept.revision
                )
            except ConflictError:
                if attempt == ATTEMPTS - 1:
                    raise
                continue
            return

    async def _bodies(self, key: str, status: MessageStatus | None) -> list[Mapping[str, Any]]:
        """Return the messages of a status as they are kept, oldest first."""
        if await self._archived(key):
            return [item.body for item in await self._items(key, status)]
        wanted = _wanted(status)
        return [body for body in await self._session(key).get_items() if _status(body) in wanted]

    async def _items(self, key: str, status: MessageStatus | None) -> list[Item]:
        """Return the items of a status, oldest first; the archive is read only where it is asked for."""
        session, archived, wanted = self._session(key), await self._archived(key), _wanted(status)
        below = archived if status == MessageStatus.ACTIVE else 0
        left = max((await session.head()).seq - below, 1)
        found: list[Item] = []
        cursor: str | None = None
        while left > 0:
            page = await session.items(limit=min(PAGE, left), cursor=cursor)
            found = [*page, *found]
            left -= PAGE
            cursor = page.next
            if cursor is None:
                break
        return [item for item in found if _status(item.body, archived=item.seq <= archived) in wanted]


class BethinkBufferStore(BaseChatStore):  # pyright: ignore[reportUntypedBaseClass]
    """Keeps chats for the older memories: `ChatMemoryBuffer.from_defaults(chat_store=…, chat_store_key=…)`.

    They are those of a `BethinkChatStore`, learned from in the same way, with and without `await`. A buffer tells the
    model nothing but the chat: what is remembered is told by `BethinkMemory`.

    Args:
        memory: an opened memory; who opened it closes it.
        user: whose chats they are: make a store for each user. None says that they are the agent's own.
        agent: whose memory it is.
        idle: for how long nobody wrote to a session that is consolidated; zero consolidates after each answer.
    """

    _awaited: BethinkChatStore = PrivateAttr()
    _driven: BethinkChatStore = PrivateAttr()

    def __init__(
        self, memory: Memory | AsyncMemory, *, user: str | None, agent: str = AGENT, idle: timedelta = IDLE
    ) -> None:
        super().__init__()
        self._awaited = BethinkChatStore(memory, user=user, agent=agent, idle=idle)
        self._driven = BethinkChatStore(memory, user=user, agent=agent, idle=idle)
        self._driven._scope = both_faces(memory).driven.scope(agent=agent, user=user)  # noqa: SLF001

    @classmethod
    def class_name(cls) -> str:
        """Return the name of the class."""
        return "BethinkBufferStore"

    def get_messages(self, key: str) -> list[ChatMessage]:
        """Return the messages of a chat, oldest first."""
        return run(self._driven.get_messages(key, None))

    async def aget_messages(self, key: str) -> list[ChatMessage]:
        """Return the messages of a chat, oldest first."""
        return await self._awaited.get_messages(key, None)

    def add_message(self, key: str, message: ChatMessage) -> None:
        """Add a message to a chat."""
        run(self._driven.add_message(key, message))

    async def async_add_message(self, key: str, message: ChatMessage) -> None:
        """Add a message to a chat."""
        await self._awaited.add_message(key, message)

    def set_messages(self, key: str, messages: list[ChatMessage]) -> None:
        """Put messages in the place of those of a chat."""
        run(self._driven.set_messages(key, messages))

    async def aset_messages(self, key: str, messages: list[ChatMessage]) -> None:
        """Put messages in the place of those of a chat."""
        await self._awaited.set_messages(key, messages)

    def delete_messages(self, key: str) -> list[ChatMessage] | None:
        """Delete a chat for good, and return its messages; None where there is none."""
        return run(_taken(self._driven, key))

    async def adelete_messages(self, key: str) -> list[ChatMessage] | None:
        """Delete a chat for good, and return its messages; None where there is none."""
        return await _taken(self._awaited, key)

    def delete_message(self, key: str, idx: int) -> ChatMessage | None:
        """Delete a message by its place in the chat, from 0 on, and return it; None where there is none."""
        return run(self._driven.delete_at(key, idx))

    async def adelete_message(self, key: str, idx: int) -> ChatMessage | None:
        """Delete a message by its place in the chat, from 0 on, and return it; None where there is none."""
        return await self._awaited.delete_at(key, idx)

    def delete_last_message(self, key: str) -> ChatMessage | None:
        """Delete the newest message of a chat, and return it; None where there is none."""
        return run(self._driven.delete_at(key, -1))

    async def adelete_last_message(self, key: str) -> ChatMessage | None:
        """Delete the newest message of a chat, and return it; None where there is none."""
        return await self._awaited.delete_at(key, -1)

    def get_keys(self) -> list[str]:
        """Return the keys of the chats that have messages."""
        return run(self._driven.get_keys())

    async def aget_keys(self) -> list[str]:
        """Return the keys of the chats that have messages."""
        return await self._awaited.get_keys()


async def _taken(store: BethinkChatStore, key: str) -> list[ChatMessage] | None:
    found = await store.get_messages(key, None)
    if found:
        await store.delete_messages(key)
    return found or None


class BethinkMemoryBlock(BaseMemoryBlock[str]):  # pyright: ignore[reportUntypedBaseClass]
    """Tells what is remembered of a user: `Memory.from_defaults(memory_blocks=[BethinkMemoryBlock(memory, user=…)])`.

    Beside a chat store of LlamaIndex, messages that fall out of the short term are kept in the user's sessions and
    learned from. Beside a `BethinkChatStore`, which learns by itself, say `accept_short_term_memory=False`.

    Args:
        memory: an opened memory; who opened it closes it.
        user: whose memory it is. LlamaIndex knows no users: make a block for each. None says that it is the agent's
            own.
        agent: whose memory it is.
        tokens: of what is remembered, at most.
        policy: your own words on how memories are to be taken.
        idle: for how long nobody wrote to a session that is consolidated.
        fields: what each block takes, such as `name` and `priority`.
    """

    _scope: Any = PrivateAttr()
    _idle: timedelta = PrivateAttr()
    _options: dict[str, Any] = PrivateAttr()

    def __init__(
        self,
        memory: Memory | AsyncMemory,
        *,
        user: str | None,
        agent: str = AGENT,
        tokens: int | None = None,
        policy: str | None = None,
        idle: timedelta = IDLE,
        **fields: Any,
    ) -> None:
        super().__init__(**{"name": "remembered", **fields})
        self._scope = both_faces(memory).awaited.scope(agent=agent, user=user)
        self._idle = idle
        self._options = {"tokens": tokens, "policy": policy}

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        """Return what is remembered, by what the user said last."""
        await consolidate_left(self._scope, self._idle or IDLE)
        query = next(
            (each.content for each in reversed(messages or []) if each.role == MessageRole.USER), None
        )
        session = block_kwargs.get("session_id")
        name = log_name(session) if session else None
        return await context_text(self._scope, log, session=name, query=query, **self._options)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        """Keep messages that fell out of the short term, and learn from them."""
        by_session: dict[str, list[dict[str, Any]]] = {}
        for each in messages:
            body = _body(each)
            name = body["additional_kwargs"].pop("session_id", None) or "short-term"
            by_session.setdefault(log_name(name), []).append(body)
        for name, bodies in by_session.items():
            await self._scope.session(name).append(bodies)
            await learn_from(self._scope, log, name, self._idle)


class BethinkMemory(_Memory):  # pyright: ignore[reportUntypedBaseClass]
    """A memory for agents and chat engines: `agent.run(…, memory=BethinkMemory(memory, user=…, session_id=…))`.

    The chat is kept in a `BethinkChatStore`, and what is remembered of the user stands in a system message that the
    model is shown and no store keeps. All that LlamaIndex's own `Memory` does, it does.

    Args:
        memory: an opened memory; who opened it closes it.
        user: whose memory it is: make one for each user. None says that it is the agent's own.
        session_id: which chat it is.
        agent: whose memory it is.
        tokens: of what is remembered, at most.
        policy: your own words on how memories are to be taken.
        idle: for how long nobody wrote to a session that is consolidated; zero consolidates after each answer.
        memory_blocks: further blocks.
        fields: what `Memory` takes, such as `token_limit` and `insert_method`.
    """

    def __init__(
        self,
        memory: Memory | AsyncMemory,
        *,
        user: str | None,
        session_id: str,
        agent: str = AGENT,
        tokens: int | None = None,
        policy: str | None = None,
        idle: timedelta = IDLE,
        memory_blocks: Sequence[BaseMemoryBlock[Any]] = (),
        **fields: Any,
    ) -> None:
        block = BethinkMemoryBlock(
            memory,
            user=user,
            agent=agent,
            tokens=tokens,
            policy=policy,
            idle=idle,
            accept_short_term_memory=False,
        )
        super().__init__(
            **{"token_limit": 30_000, **fields},
            session_id=session_id,
            sql_store=BethinkChatStore(memory, user=user, agent=agent, idle=idle),
            memory_blocks=[block, *memory_blocks],
        )


def _body(message: ChatMessage) -> dict[str, Any]:
    return message.model_dump(mode="json")


def _shown(body: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in body.items() if name != STATUS}


def _message(body: Mapping[str, Any]) -> ChatMessage:
    return ChatMessage.model_validate(_shown(body))


def _status(body: Mapping[str, Any], *, archived: bool = False) -> str:
    """Return the status of a message that stands in the archive, or behind it."""
    return str(body.get(STATUS, MessageStatus.ARCHIVED.value if archived else MessageStatus.ACTIVE.value))


def _wanted(status: MessageStatus | None) -> set[str]:
    return {each.value for each in (MessageStatus if status is None else (status,))}


def _answers(message: ChatMessage) -> bool:
    """Tell whether a message completes an answer: it is the agent's, and calls no tool."""
    calls = message.additional_kwargs.get("tool_calls") or any(
        isinstance(block, ToolCallBlock) for block in message.blocks
    )
    return message.role == MessageRole.ASSISTANT and not calls
