"""Verbs of documents that read or write many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.documents import batches
from bethink.documents import paths as rules
from bethink.documents.values import DeleteDocument, PutDocument, RefreshDocument
from bethink.errors import InvalidError
from bethink.notes.filters import check_where

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import timedelta

    from bethink.documents.transactions import Put
    from bethink.documents.values import Document, DocumentChange, Path, Size
    from bethink.memory.runtime import Runtime
    from bethink.models.embedding import Embedder
    from bethink.scope.namespace import Namespace

FEW = 24  #: changes or names that are dealt with so quickly that no thread is asked for it


class BatchVerbs:
    """The verbs of many documents at once, each of them one transaction."""

    _runtime: Runtime
    _namespace: Namespace

    def _wanted(
        self,
        path: str | Iterable[str],
        key: str,
        value: Any,
        media_type: str | None,
        expected: int | None,
        ttl: timedelta | None,
        index: Sequence[str] | bool,
        embedder: Embedder | None,
    ) -> Put:
        raise NotImplementedError

    async def change(self, changes: Iterable[DocumentChange]) -> None:
        """Make several changes in their order, all or none: `PutDocument`, `DeleteDocument`, `RefreshDocument`.

        Raises:
            InvalidError: an entry is not one of these, or its value, path or key is not valid.
            LimitError: a value is too large.
        """
        wanted = [self._change(each) for each in changes]
        if not wanted:
            return
        deletes = any(isinstance(each, batches.Delete) for each in wanted)
        run = self._runtime.write_inline if len(wanted) <= FEW else self._runtime.write
        if deletes:
            await self._runtime.check("delete", self._namespace)
        await run("write", batches.change, self._namespace, wanted, writing=self._runtime.writing())

    def _change(self, change: DocumentChange) -> tuple[Put, bool] | batches.Delete | batches.Refresh:
        if isinstance(change, PutDocument):
            put = self._wanted(
                change.path,
                change.key,
                change.value,
                change.media_type,
                None,
                change.ttl,
                change.index,
                change.embedder,
            )
            if change.absent and put.passages:
                raise InvalidError("index cannot be combined with if_absent", argument="index")
            return put, change.absent
        if not isinstance(change, DeleteDocument | RefreshDocument):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidError(
                "changes must contain only PutDocument, DeleteDocument and RefreshDocument",
                argument="changes",
            )
        labels = rules.path(change.path)
        key = None if change.key is None else rules.checked_label(change.key, "key")
        if isinstance(change, RefreshDocument):
            return batches.Refresh(labels, key)
        if labels[:1] in {(), ("texts",)}:
            raise InvalidError(
                "a path that may contain ingested texts cannot be removed in a batch; use `delete` or "
                "`clear`",
                argument="path",
            )
        return batches.Delete(labels, key)

    async def get_all(self, names: Iterable[tuple[str | Iterable[str], str]]) -> list[Document | None]:
        """Return documents by (path, key) from one snapshot of the store; None for each that does not exist."""
        wanted = [(rules.path(path), rules.checked_label(key, "key")) for path, key in names]
        read = self._runtime.read_inline if len(wanted) <= FEW else self._runtime.read
        return await read(batches.get_all, self._namespace, wanted, now=self._runtime.now()) if wanted else []

    async def within(
        self, path: str | Iterable[str], *, before: str | None = None, limit: int | None = None
    ) -> list[Document]:
        """Return the documents at a path (not below it) in descending order of keys, starting before a key."""
        most = self._most(limit)
        read = self._runtime.read_inline if most <= FEW else self._runtime.read
        return await read(
            batches.documents_of_path,
            self._namespace,
            rules.path(path),
            now=self._runtime.now(),
            before=before,
            limit=most,
        )

    async def follow(
        self,
        path: str | Iterable[str],
        then: Callable[[list[Document]], tuple[Iterable[tuple[Path, str]], Iterable[Path]]],
        *,
        keys: Iterable[str] | None = None,
        limit: int | None = None,
    ) -> tuple[list[Document], dict[tuple[Path, str], Document], dict[Path, list[Document]]]:
        """Return documents at a path, and others that they refer to, from one snapshot of the store.

        `then` is given the documents, with `keys` those of these keys, else the last ones; it answers with the names
        of others, and with paths all of whose documents belong to them. It may be asked again, and does no I/O.
        """
        wanted = None if keys is None else [rules.checked_label(key, "key") for key in keys]
        most = self._most(limit)
        few = (most if wanted is None else len(wanted)) <= 1
        read = self._runtime.read_inline if few else self._runtime.read
        return await read(
            batches.referenced_documents,
            self._namespace,
            rules.path(path),
            then,
            now=self._runtime.now(),
            keys=wanted,
            limit=most,
        )

    async def keys(
        self, path: str | Iterable[str], *, before: str | None = None, limit: int | None = None
    ) -> list[str]:
        """Return the keys of the documents at a path (not below it) in descending order, starting before a key."""
        return await self._runtime.read_inline(
            batches.keys_within,
            self._namespace,
            rules.path(path),
            now=self._runtime.now(),
            before=before,
            limit=self._most(limit),
        )

    async def newest(
        self,
        path: str | Iterable[str] = "",
        *,
        where: Mapping[str, Any] | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[Document]:
        """Return the documents at a path and below it, most recently written first, like `find` but without a total.

        Raises:
            InvalidError: an operator, the limit or the offset is not acceptable.
        """
        check_where(where)
        return await self._runtime.read(
            batches.newest_documents,
            self._namespace,
            rules.path(path),
            now=self._runtime.now(),
            where=where,
            limit=self._most(limit),
            offset=self._most(offset, "offset"),
        )

    async def sweep(self) -> int:
        """Delete expired documents, and return how many. Expired documents are never returned, deleted or not."""
        return await self._runtime.write(
            "write", batches.sweep, self._namespace, writing=self._runtime.writing()
        )

    async def size(self, path: str | Iterable[str] = "") -> Size:
        """Count the documents at a path and below it, and their bytes."""
        return await self._runtime.read(
            batches.measure, self._namespace, rules.path(path), now=self._runtime.now()
        )

    def _most(self, given: int | None, argument: str = "limit") -> int:
        if given is None:
            return batches.EVERYTHING
        if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given <= batches.EVERYTHING:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidError(f"{argument} must be a number of documents, 0 or more", argument=argument)
        return given
