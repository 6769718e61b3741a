"""LangGraph's `BaseStore` on the documents of a scope."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import timedelta
from itertools import product
from typing import TYPE_CHECKING, Any, cast

import orjson
from langgraph.store.base import (
    BaseStore,
    GetOp,
    IndexConfig,
    Item,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchItem,
    SearchOp,
    TTLConfig,
    validate_op_namespace,
)

from bethink.documents.values import DeleteDocument, PutDocument, RefreshDocument
from bethink.errors import InvalidError
from bethink.integrations.async_and_blocking import both_faces
from bethink.integrations.langgraph.embedding import configured_embedder
from bethink.integrations.langgraph.filters import check_keys, check_operators
from bethink.integrations.langgraph.user_namespaces import UserNamespaces
from bethink.storage.stores import run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from langgraph.store.base import Op, Result

    from bethink.documents.values import Document, DocumentChange
    from bethink.memory.documents import AsyncDocuments
    from bethink.memory.memory import AsyncMemory
    from bethink.sync import Memory

ROOT = "store"  #: the first label of the paths of its documents
MAX_PAGE = 1000  #: hits of one search
_BRACES = re.compile(r"\{([^{}]*)\}")


class BethinkStore(BaseStore):
    """A `BaseStore` that keeps its items as documents: exact, really deleted, found by their meaning.

    What is put is found by our embedder, without a key, unless `index` names another one or is False. The verbs with
    and without `await` work on one object, also in the thread of a running loop. A batch reads before it writes, and
    is one transaction a user.

    Args:
        memory: an opened memory; who opened it closes it.
        agent: whose memory it is in Bethink.
        users: where a namespace names its user, such as `memories/{user}`, or several such patterns. Each user's
            items are then in the scope of that user, where only they are read, and `memory.erase(user=…)` reaches
            them; a namespace without a user is refused. Without patterns all belong to the application.
        shared: how namespaces begin that belong to nobody, such as `manual`; with `users` alone.
        index: what LangGraph's stores take, `{"dims": …, "embed": …, "fields": [...]}`; `embed` and `dims` may be left
            out, which means ours. False: nothing is indexed, and a search lists.
        ttl: what LangGraph's stores take; what is over is never shown.

    Raises:
        InvalidError: the memory is not opened, or a pattern or the index cannot be read.
    """

    supports_ttl = True

    def __init__(
        self,
        memory: Memory | AsyncMemory,
        *,
        agent: str = "langgraph",
        users: str | Iterable[str] | None = None,
        shared: Iterable[str] = (),
        index: IndexConfig | bool | None = None,
        ttl: TTLConfig | None = None,
    ) -> None:
        self._memories = both_faces(memory)
        self.agent = agent
        self._places = UserNamespaces.of(users, shared)
        self.index_config: IndexConfig | None = index if isinstance(index, dict) else None
        self.ttl_config = ttl
        self._embedder = configured_embedder(self.index_config)
        self.embeddings = self._embedder.embeddings if self._embedder else None
        self._indexed = index is not False
        config = cast("dict[str, Any]", self.index_config or {})
        self._fields: list[str] = config.get("fields") or config.get("text_fields") or ["$"]

    # ---- the two faces ----------------------------------------------------------------------------------------

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do several operations, and return what they came to in their order."""
        return run(self._batch(list(ops), self._memories.driven, None))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do several operations, and return what they came to in their order."""
        wanted = list(ops)
        if self._embedder is None or not any(self._embeds(op) for op in wanted):
            return await self._batch(wanted, self._memories.awaited, None)
        loop = asyncio.get_running_loop()
        return await asyncio.to_thread(lambda: run(self._batch(wanted, self._memories.driven, loop)))

    def sweep_ttl(self) -> int:
        """Remove what is over, of every user, and return how much it was."""
        return run(self._sweep(self._memories.driven))

    async def asweep_ttl(self) -> int:
        """Remove what is over, of every user, and return how much it was."""
        return await self._sweep(self._memories.awaited)

    async def _sweep(self, memory: AsyncMemory) -> int:
        scopes = [each for each in await memory.scopes() if each.namespace.name == self.agent]
        return sum([await each.documents.sweep() for each in scopes if each.namespace.kind == "agent"])

    # ---- a batch ----------------------------------------------------------------------------------------------

    async def _batch(
        self, ops: list[Op], memory: AsyncMemory, loop: asyncio.AbstractEventLoop | None
    ) -> list[Result]:
        for op in ops:
            validate_op_namespace(op)
            if isinstance(op, SearchOp):
                check_keys(op.filter)
                check_operators(op.filter)
        changes: dict[str | None, list[DocumentChange]] = {}
        results: list[Result] = [None] * len(ops)
        await self._gets(ops, memory, results, changes)
        for number, op in enumerate(ops):
            if isinstance(op, SearchOp):
                results[number] = await self._search(op, memory, loop, changes)
            elif isinstance(op, ListNamespacesOp):
                results[number] = await self._list(op, memory)
        last = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
        for op in last.values():
            changes.setdefault(self._places.user(op.namespace), []).append(self._put(op, loop))
        for user, wanted in changes.items():
            await self._change(self._documents(memory, user), wanted)
        return results

    async def _change(self, documents: AsyncDocuments, wanted: list[DocumentChange]) -> None:
        try:
            await documents.change(wanted)
        except InvalidError as error:
            if error.facts.get("argument") != "value":
                raise
            await documents.change([_as_json(each) for each in wanted])

    async def _gets(
        self,
        ops: list[Op],
        memory: AsyncMemory,
        results: list[Result],
        changes: dict[str | None, list[DocumentChange]],
    ) -> None:
        asked: dict[str | None, list[tuple[int, GetOp]]] = {}
        for number, op in enumerate(ops):
            if isinstance(op, GetOp):
                asked.setdefault(self._places.user(op.namespace), []).append((number, op))
        for user, gets in asked.items():
            names = [((ROOT, *op.namespace), op.key) for _, op in gets]
            found = await self._documents(memory, user).get_all(names)
            for (number, op), document in zip(gets, found, strict=True):
                if document is not None:
                    results[number] = Item(**_shown(document))
                    if op.refresh_ttl and document.ttl is not None:
                        changes.setdefault(user, []).append(_refresh(document))

    async def _search(
        self,
        op: SearchOp,
        memory: AsyncMemory,
        loop: asyncio.AbstractEventLoop | None,
        changes: dict[str | None, list[DocumentChange]],
    ) -> list[SearchItem]:
        user = self._places.user(op.namespace_prefix)
        documents, path = self._documents(memory, user), (ROOT, *op.namespace_prefix)
        found: list[tuple[Document, float | None]] = []
        if not op.query or not self._indexed:
            listed = await documents.newest(path, where=op.filter, limit=op.limit, offset=op.offset)
            found = [(document, None) for document in listed]
        else:
            embedder = self._embedder and self._embedder.asked(loop=loop, query=op.query)
            while len(found) < op.limit:
                hits = await documents.search(
                    op.query,
                    path,
                    where=op.filter,
                    limit=min(MAX_PAGE, op.limit - len(found)),
                    offset=op.offset + len(found),
                    embedder=embedder,
                )
                found += [(hit.document, hit.score) for hit in hits]
                if len(hits) < MAX_PAGE:
                    break
        if op.refresh_ttl:
            ending = [_refresh(document) for document, _ in found if document.ttl is not None]
            if ending:
                changes.setdefault(user, []).extend(ending)
        return [SearchItem(**_shown(document), score=score) for document, score in found]

    async def _list(self, op: ListNamespacesOp, memory: AsyncMemory) -> list[tuple[str, ...]]:
        conditions = op.match_conditions or ()
        first = next((tuple(each.path) for each in conditions if each.match_type == "prefix"), ())
        fixed = first[: first.index("*")] if "*" in first else first
        user = self._places.user(fixed)
        paths = await self._documents(memory, user).paths((ROOT, *fixed))
        chosen = [path[1:] for path in paths if all(_matches(path[1:], each) for each in conditions)]
        cut = sorted({path[: op.max_depth] for path in chosen})
        return cut[op.offset : op.offset + op.limit]

    def _put(self, op: PutOp, loop: asyncio.AbstractEventLoop | None) -> DocumentChange:
        path = (ROOT, *op.namespace)
        if op.value is None:
            return DeleteDocument(path=path, key=op.key)
        return PutDocument(
            path=path,
            key=op.key,
            value=op.value,
            ttl=None if op.ttl is None else timedelta(minutes=op.ttl),
            index=self._index(op),
            embedder=self._embedder and self._embedder.asked(loop=loop),
        )

    def _index(self, op: PutOp) -> list[str]:
        if not self._indexed or op.index is False:
            return []
        return [field for each in (self._fields if op.index is None else op.index) for field in _fields(each)]

    def _embeds(self, op: Op) -> bool:
        if isinstance(op, PutOp):
            return op.value is not None and bool(self._index(op))
        return isinstance(op, SearchOp) and bool(op.query)

    def _documents(self, memory: AsyncMemory, user: str | None) -> AsyncDocuments:
        return memory.scope(agent=self.agent, user=user).documents


def _shown(document: Document) -> dict[str, Any]:
    return {
        "value": document.value,
        "key": document.key,
        "namespace": document.path[1:],
        "created_at": document.created_at,
        "updated_at": document.updated_at,
    }


def _refresh(document: Document) -> RefreshDocument:
    return RefreshDocument(path=document.path, key=document.key)


def _matches(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    wanted = tuple(condition.path)
    if len(namespace) < len(wanted):
        return False
    part = namespace[: len(wanted)] if condition.match_type == "prefix" else namespace[-len(wanted) :]
    return not wanted or all(each in {"*", label} for label, each in zip(part, wanted, strict=True))


def _as_json(change: DocumentChange) -> DocumentChange:
    """Return a change with a value that is JSON: what orjson can write, such as tuples and dates, is written so."""
    if not isinstance(change, PutDocument):
        return change
    try:
        written = orjson.dumps(change.value, option=orjson.OPT_NON_STR_KEYS)
    except TypeError as error:
        raise InvalidError(f"value must be JSON: {error}", argument="value") from None
    return replace(change, value=orjson.loads(written))


def _fields(expression: str) -> Sequence[str]:
    """Return the fields of an expression: `a.{b,c}` are two."""
    parts = _BRACES.split(expression)
    choices = [
        part.split(",") if number % 2 else [part] for number, part in enumerate(parts)
    ]  # every second part stood between braces
    return ["".join(each).replace(" ", "") if len(parts) > 1 else expression for each in product(*choices)]
