"""A LangGraph checkpointer on the documents of a scope."""

from __future__ import annotations

import copy
import random
from typing import TYPE_CHECKING, Any, Self, cast

from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    CheckpointTuple,
    get_checkpoint_id,
    get_checkpoint_metadata,
)

from bethink.documents.paths import field
from bethink.documents.values import DeleteDocument, PutDocument, RefreshDocument, Size
from bethink.errors import InvalidError
from bethink.integrations.async_and_blocking import both_faces
from bethink.integrations.langgraph import rows
from bethink.integrations.langgraph.filters import check_keys
from bethink.integrations.langgraph.pruning import kept_checkpoints, unused_values
from bethink.integrations.langgraph.rows import Row
from bethink.storage.stores import run

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
    from datetime import timedelta

    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import (
        ChannelVersions,
        Checkpoint,
        CheckpointMetadata,
        DeltaChannelHistory,
    )
    from langgraph.checkpoint.serde.base import SerializerProtocol

    from bethink.documents.values import Document, DocumentChange
    from bethink.memory.documents import AsyncDocuments
    from bethink.memory.memory import AsyncMemory
    from bethink.sync import Memory

BATCH = 50  #: checkpoints that are read at once


class BethinkSaver(BaseCheckpointSaver[str]):
    """A checkpointer that keeps each version of a channel's value once, and as many checkpoints as it is told.

    The verbs with and without `await` work on one object, also in the thread of a running loop. A checkpoint and what
    is new in it are one transaction.

    Args:
        memory: an opened memory; who opened it closes it.
        agent: whose memory it is in Bethink.
        user_key: the field of `configurable` that names the user, such as `user_id`. Each user's threads are then in
            the scope of that user, where only they are read, and `memory.erase(user=…)` reaches them; a config
            without it is refused. Verbs that take no config want `of(user)`. Without it all threads belong to the
            application.
        keep: how many checkpoints of a thread's namespace are kept, the newest ones; None keeps all.
        ttl: for how long a checkpoint is kept after it was written; the values that newer ones share stay with them.
        refresh_on_read: whether the time of a checkpoint begins anew when it is read.
        serde: serialises, as LangGraph's savers take it; an `EncryptedSerializer` encrypts values and metadata.

    Raises:
        InvalidError: the memory is not opened, or `keep` is less than 1.
    """

    def __init__(
        self,
        memory: Memory | AsyncMemory,
        *,
        agent: str = "langgraph",
        user_key: str | None = None,
        keep: int | None = None,
        ttl: timedelta | None = None,
        refresh_on_read: bool = False,
        serde: SerializerProtocol | None = None,
    ) -> None:
        super().__init__(serde=serde)
        if keep is not None and (isinstance(keep, bool) or not isinstance(keep, int) or keep < 1):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidError("keep must be 1 or more (the number of checkpoints to keep)", argument="keep")
        self._memories = both_faces(memory)
        self.agent = agent
        self.user_key = user_key
        self.keep = keep
        self.ttl = ttl
        self.refresh_on_read = refresh_on_read
        self._user: str | None = None

    def of(self, user: str) -> Self:
        """Return the same saver for the threads of one user."""
        if self.user_key is None:
            raise InvalidError(
                "this saver does not separate users; create it with user_key=", argument="user_key"
            )
        bound = copy.copy(self)
        bound._user = user  # noqa: SLF001 - a copy of this very object
        return bound

    # ---- without await ----------------------------------------------------------------------------------------

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint with its values and the writes that wait upon it; without an id the newest."""
        return run(self._get_tuple(self._memories.driven, config))

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yield checkpoints, the newest first."""
        check_keys(filter)
        memory, left = self._memories.driven, limit
        names = run(self._names(memory, config, before))
        for part in _batches(names if filter else names[:limit]):
            if left == 0:
                return
            found = run(self._tuples(memory, config, part, filter, left))
            left = None if left is None else left - len(found)
            yield from found

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep a checkpoint, and the values that are new in it."""
        return run(self._put(self._memories.driven, config, checkpoint, metadata, new_versions))

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Keep what a task wrote after a checkpoint; what is there already stays, apart from errors and the like."""
        run(self._put_writes(self._memories.driven, config, writes, task_id, task_path))

    def delete_thread(self, thread_id: str) -> None:
        """Remove everything of a thread, for good."""
        run(self._delete_thread(self._memories.driven, thread_id))

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Remove the checkpoints that runs made, of whatever thread."""
        run(self._delete_for_runs(self._memories.driven, run_ids))

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy everything of a thread into another one."""
        run(self._copy_thread(self._memories.driven, source_thread_id, target_thread_id))

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep of each namespace of threads the newest checkpoint, and what it is rebuilt from; or `delete` all."""
        run(self._prune(self._memories.driven, thread_ids, strategy))

    def size(self, thread_id: str | None = None) -> Size:
        """Count what is kept of a thread, or of all, in documents and bytes."""
        return run(self._size(self._memories.driven, thread_id))

    def get_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """Return what ancestors wrote to channels since each had a value, oldest first; only that is read."""
        return run(self._history(self._memories.driven, config, channels))

    # ---- with await -------------------------------------------------------------------------------------------

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint with its values and the writes that wait upon it; without an id the newest."""
        return await self._get_tuple(self._memories.awaited, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Yield checkpoints, the newest first."""
        check_keys(filter)
        memory, left = self._memories.awaited, limit
        names = await self._names(memory, config, before)
        for part in _batches(names if filter else names[:limit]):
            if left == 0:
                return
            found = await self._tuples(memory, config, part, filter, left)
            left = None if left is None else left - len(found)
            for each in found:
                yield each

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep a checkpoint, and the values that are new in it."""
        return await self._put(self._memories.awaited, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Keep what a task wrote after a checkpoint; what is there already stays, apart from errors and the like."""
        await self._put_writes(self._memories.awaited, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """Remove everything of a thread, for good."""
        await self._delete_thread(self._memories.awaited, thread_id)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Remove the checkpoints that runs made, of whatever thread."""
        await self._delete_for_runs(self._memories.awaited, run_ids)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy everything of a thread into another one."""
        await self._copy_thread(self._memories.awaited, source_thread_id, target_thread_id)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep of each namespace of threads the newest checkpoint, and what it is rebuilt from; or `delete` all."""
        await self._prune(self._memories.awaited, thread_ids, strategy)

    async def asize(self, thread_id: str | None = None) -> Size:
        """Count what is kept of a thread, or of all, in documents and bytes."""
        return await self._size(self._memories.awaited, thread_id)

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """Return what ancestors wrote to channels since each had a value, oldest first; only that is read."""
        return await self._history(self._memories.awaited, config, channels)

    def get_next_version(self, current: str | float | None, channel: None) -> str:  # noqa: ARG002
        """Return a version that sorts behind the current one, and is another one in each branch."""
        number = 0 if current is None else int(str(current).partition(".")[0])
        return f"{number + 1:032}.{random.random():016}"  # noqa: S311

    # ---- reading ----------------------------------------------------------------------------------------------

    async def _get_tuple(self, memory: AsyncMemory, config: RunnableConfig) -> CheckpointTuple | None:
        documents = self._documents(memory, config)
        thread, namespace = _thread(config)
        wanted = get_checkpoint_id(config)
        path = rows.checkpoints_path(thread, namespace)
        read = await self._read(documents, path, None if wanted is None else [wanted])
        if not read:
            return None
        row, shown = read[0]
        if self.refresh_on_read:
            await documents.change(self._refreshed(row))
        return shown if not wanted else shown._replace(config=config)

    async def _read(
        self,
        documents: AsyncDocuments,
        path: rows.Path,
        keys: Sequence[str] | None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002
    ) -> list[tuple[Row, CheckpointTuple]]:
        """Read checkpoints with their values and writes, as they stood at one moment; without keys the newest."""
        read: list[Row] = []

        def named(found: list[Document]) -> tuple[set[tuple[rows.Path, str]], list[rows.Path]]:
            every = (Row.read(document, self.serde) for document in found)
            read[:] = [row for row in every if _passes(row, filter)]
            names = {row.name(channel) for row in read for channel in row.apart}
            return names, [rows.writes_path(row.thread, row.namespace, row.id) for row in read]

        _, values, writes = await documents.follow(path, named, keys=keys, limit=1)
        return [(row, self._tuple(row, values, writes)) for row in read]

    def _tuple(
        self,
        row: Row,
        values: Mapping[tuple[rows.Path, str], Document],
        writes: Mapping[rows.Path, Sequence[Document]],
    ) -> CheckpointTuple:
        apart = {
            channel: rows.read_value(values[name], self.serde)
            for channel in row.apart
            if (name := row.name(channel)) in values
        }
        channels = {**row.checkpoint["channel_values"], **apart}
        waiting = writes[rows.writes_path(row.thread, row.namespace, row.id)]
        return CheckpointTuple(
            config=_config(row.thread, row.namespace, row.id),
            checkpoint={**row.checkpoint, "channel_values": channels},
            metadata=cast("CheckpointMetadata", row.metadata),
            parent_config=_config(row.thread, row.namespace, row.parent) if row.parent else None,
            pending_writes=rows.read_writes(waiting, self.serde),
        )

    async def _names(
        self, memory: AsyncMemory, config: RunnableConfig | None, before: RunnableConfig | None
    ) -> list[tuple[rows.Path, str]]:
        """Return the names of the checkpoints that a list may have, the newest first."""
        documents = self._documents(memory, config)
        prefix: rows.Path = (rows.ROOT,)
        namespace = None
        if config is not None:
            thread = _configurable(config).get("thread_id")
            prefix = rows.thread_path(str(thread)) if thread is not None else prefix
            namespace = _configurable(config).get("checkpoint_ns")
        last = get_checkpoint_id(before) if before else None
        paths = [
            path
            for path in await documents.paths(prefix)
            if path[2] == rows.CHECKPOINTS and (namespace is None or path[3] == rows.label(namespace))
        ]
        only = get_checkpoint_id(config) if config is not None else None
        found = [
            (path, key)
            for path in paths
            for key in await documents.keys(path, before=last)
            if only is None or key == only
        ]
        return sorted(found, key=lambda each: each[1], reverse=True)

    async def _tuples(
        self,
        memory: AsyncMemory,
        config: RunnableConfig | None,
        names: Sequence[tuple[rows.Path, str]],
        filter: Mapping[str, Any] | None,  # noqa: A002
        limit: int | None,
    ) -> list[CheckpointTuple]:
        documents = self._documents(memory, config)
        found: dict[tuple[rows.Path, str], CheckpointTuple] = {}
        for path in dict.fromkeys(path for path, _ in names):
            keys = [key for at, key in names if at == path]
            read = await self._read(documents, path, keys, filter)
            found.update({(path, row.id): shown for row, shown in read})
        return [found[name] for name in names if name in found][:limit]

    async def _history(
        self, memory: AsyncMemory, config: RunnableConfig, channels: Sequence[str]
    ) -> dict[str, DeltaChannelHistory]:
        documents = self._documents(memory, config)
        thread, namespace = _thread(config)
        path = rows.checkpoints_path(thread, namespace)
        wanted = get_checkpoint_id(config)
        target = (
            await documents.get_all([(path, wanted)]) if wanted else await documents.within(path, limit=1)
        )
        row = Row.read(target[0], self.serde) if target and target[0] is not None else None
        result: dict[str, DeltaChannelHistory] = {channel: {"writes": []} for channel in channels}
        left, seen = set(channels), set[str]()
        while row is not None and row.parent is not None and left and row.parent not in seen:
            seen.add(row.parent)
            parent = (await documents.get_all([(path, row.parent)]))[0]
            row = None if parent is None else Row.read(parent, self.serde)
            if row is None:
                break
            waiting = await documents.within(rows.writes_path(thread, namespace, row.id))
            for write in reversed(rows.read_writes(waiting, self.serde)):
                if write[1] in left:
                    result[write[1]]["writes"].append(write)
            for channel in [each for each in left if row.has(each)]:
                result[channel]["seed"] = await self._value(documents, row, channel)
                left.discard(channel)
        for history in result.values():
            history["writes"].reverse()
        return result

    async def _value(self, documents: AsyncDocuments, row: Row, channel: str) -> Any:
        if channel not in row.apart:
            return row.checkpoint["channel_values"][channel]
        found = (await documents.get_all([row.name(channel)]))[0]
        return None if found is None else rows.read_value(found, self.serde)

    # ---- writing ----------------------------------------------------------------------------------------------

    async def _put(
        self,
        memory: AsyncMemory,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        documents = self._documents(memory, config)
        thread, namespace = _thread(config)
        values, versions = checkpoint["channel_values"], checkpoint["channel_versions"]
        here = rows.inline_values(values, versions)
        row = Row(
            thread=thread,
            namespace=namespace,
            parent=get_checkpoint_id(config),
            checkpoint={**checkpoint, "channel_values": here},
            metadata=dict(get_checkpoint_metadata(config, metadata)),
            apart=tuple(channel for channel in values if channel not in here),
        )
        changes: list[DocumentChange] = [] if self.ttl is None else self._refreshed(row)
        for channel in row.apart:  # one that is not new may have gone with the checkpoints of another run
            path, key = row.name(channel)
            content = rows.packed_value(values[channel], self.serde)
            known = channel not in new_versions
            changes.append(PutDocument(path=path, key=key, value=content, ttl=self.ttl, absent=known))
        path = rows.checkpoints_path(thread, namespace)
        changes.append(PutDocument(path=path, key=row.id, value=row.packed(self.serde), ttl=self.ttl))
        if self.keep is not None:
            older = [Row.read(document, self.serde) for document in await documents.within(path)]
            changes += self._removed([row, *(each for each in older if each.id != row.id)], self.keep)
        await documents.change(changes)
        return _config(_configurable(config)["thread_id"], namespace, row.id)

    async def _put_writes(
        self,
        memory: AsyncMemory,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task: str,
        task_path: str,
    ) -> None:
        thread, namespace = _thread(config)
        path = rows.writes_path(thread, namespace, str(_configurable(config)["checkpoint_id"]))
        changes: list[DocumentChange] = []
        for place, (channel, value) in enumerate(writes):
            number = WRITES_IDX_MAP.get(channel, place)
            content = rows.packed_write(task, task_path, number, channel, value, self.serde)
            key = f"{rows.label(task)}:{number}"
            changes.append(PutDocument(path=path, key=key, value=content, ttl=self.ttl, absent=number >= 0))
        await self._documents(memory, config).change(changes)

    def _refreshed(self, row: Row) -> list[DocumentChange]:
        """Return what lets a checkpoint last anew, with all that it is rebuilt from."""
        if row.metadata.get("counters_since_delta_snapshot"):
            return [RefreshDocument(path=rows.thread_path(row.thread))]
        values = [row.name(channel) for channel in row.apart]
        return [
            RefreshDocument(path=rows.checkpoints_path(row.thread, row.namespace), key=row.id),
            RefreshDocument(path=rows.writes_path(row.thread, row.namespace, row.id)),
            *(RefreshDocument(path=path, key=key) for path, key in values),
        ]

    # ---- removing ---------------------------------------------------------------------------------------------

    def _removed(self, every: Sequence[Row], keep: int) -> list[DocumentChange]:
        """Return what removes all but the newest checkpoints of a namespace, and what those are rebuilt from."""
        staying = kept_checkpoints(every, keep)
        return _without(
            [row for row in every if row.id not in staying], [row for row in every if row.id in staying]
        )

    async def _delete_thread(self, memory: AsyncMemory, thread: str) -> None:
        await self._documents(memory, None).change([DeleteDocument(path=rows.thread_path(str(thread)))])

    async def _prune(self, memory: AsyncMemory, threads: Sequence[str], strategy: str) -> None:
        if strategy not in {"keep_latest", "delete"}:
            raise InvalidError("strategy must be 'keep_latest' or 'delete'", argument="strategy")
        documents = self._documents(memory, None)
        for thread in threads:
            if strategy == "delete":
                await documents.change([DeleteDocument(path=rows.thread_path(str(thread)))])
                continue
            for path in await documents.paths((*rows.thread_path(str(thread)), rows.CHECKPOINTS)):
                every = [Row.read(document, self.serde) for document in await documents.within(path)]
                await documents.change(self._removed(every, 1))

    async def _delete_for_runs(self, memory: AsyncMemory, run_ids: Sequence[str]) -> None:
        documents, runs = self._documents(memory, None), set(run_ids)
        for path in await documents.paths((rows.ROOT,)) if runs else []:
            if path[2] == rows.CHECKPOINTS:
                every = [Row.read(document, self.serde) for document in await documents.within(path)]
                gone = [row for row in every if row.metadata.get("run_id") in runs]
                await documents.change(_without(gone, [row for row in every if row not in gone]))

    async def _copy_thread(self, memory: AsyncMemory, source: str, target: str) -> None:
        documents, start = self._documents(memory, None), rows.thread_path(str(source))
        changes: list[DocumentChange] = []
        for document in await documents.newest(start, limit=2_000_000):
            content = document.content
            if document.path[2] == rows.CHECKPOINTS:
                row = Row.read(document, self.serde)
                content = Row(
                    thread=str(target),
                    namespace=row.namespace,
                    parent=row.parent,
                    checkpoint=row.checkpoint,
                    metadata=row.metadata,
                    apart=row.apart,
                ).packed(self.serde)
            path = (*rows.thread_path(str(target)), *document.path[2:])
            changes.append(PutDocument(path=path, key=document.key, value=content, ttl=document.ttl))
        await documents.change(changes)

    async def _size(self, memory: AsyncMemory, thread: str | None) -> Size:
        path = (rows.ROOT,) if thread is None else rows.thread_path(str(thread))
        return await self._documents(memory, None).size(path)

    # ---- whose ------------------------------------------------------------------------------------------------

    def _documents(self, memory: AsyncMemory, config: RunnableConfig | None) -> AsyncDocuments:
        user = self._user
        if self.user_key is not None:
            given = _configurable(config).get(self.user_key)
            if given is None and user is None:
                raise InvalidError(
                    f"no user named; set configurable[{self.user_key!r}], or use saver.of(user)",
                    argument=self.user_key,
                )
            if given is not None and user is not None and str(given) != user:
                raise InvalidError("this saver belongs to another user", argument=self.user_key)
            user = user if given is None else str(given)
        return memory.scope(agent=self.agent, user=user).documents


def _configurable(config: RunnableConfig | None) -> dict[str, Any]:
    return (config or {}).get("configurable", {})


def _thread(config: RunnableConfig) -> tuple[str, str]:
    """Return which thread a config means, and which namespace of it.

    Raises:
        InvalidError: it names no thread.
    """
    configurable = _configurable(config)
    thread = configurable.get("thread_id")
    if thread is None:
        raise InvalidError("no thread named; set configurable['thread_id']", argument="thread_id")
    return str(thread), configurable.get("checkpoint_ns") or ""


def _config(thread: str, namespace: str, checkpoint: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread, "checkpoint_ns": namespace, "checkpoint_id": checkpoint}}


def _passes(row: Row, filter: Mapping[str, Any] | None) -> bool:  # noqa: A002
    return all(field(row.metadata, name) == wanted for name, wanted in (filter or {}).items())


def _batches(names: list[tuple[rows.Path, str]]) -> Iterator[list[tuple[rows.Path, str]]]:
    for start in range(0, len(names), BATCH):
        yield names[start : start + BATCH]


def _without(gone: Sequence[Row], staying: Sequence[Row]) -> list[DocumentChange]:
    """Return what removes checkpoints, with their writes and the values that no other one has."""
    changes: list[DocumentChange] = []
    for row in gone:
        changes.append(DeleteDocument(path=rows.checkpoints_path(row.thread, row.namespace), key=row.id))
        changes.append(DeleteDocument(path=rows.writes_path(row.thread, row.namespace, row.id)))
    return changes + [DeleteDocument(path=path, key=key) for path, key in unused_values(gone, staying)]
