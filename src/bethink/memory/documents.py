"""The handle of a scope's documents: JSON values and bytes under a path and a key."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from bethink.documents import paths as rules
from bethink.documents import transactions
from bethink.errors import InvalidError, LimitError, NotFoundError
from bethink.memory.document_batches import BatchVerbs
from bethink.notes.filters import check_where
from bethink.pages import Page, check_limit, from_cursor, to_cursor
from bethink.scope.transactions import digest
from bethink.sessions.item_json import encode
from bethink.sessions.log_append import NewItem, append
from bethink.sessions.log_removal import delete as delete_session

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bethink.documents.transactions import Passage, Put
    from bethink.documents.values import Document, DocumentHit, Path
    from bethink.memory.runtime import Runtime
    from bethink.models.embedding import Embedder
    from bethink.scope.namespace import Namespace

TEXTS = "texts"  #: the first label of what was ingested
MAX_TYPE = 128  #: characters of a media type
TRIED = 50  #: documents of a ranking that are read at once


class AsyncDocuments(BatchVerbs):
    """Documents of a scope: values that frameworks store exactly; `put` overwrites, `delete` deletes for good.

    A path is a text with slashes, or labels: `"users/ana"` and `("users", "ana")` are the same. Nothing is distilled
    from documents, and nothing of them is in a context; a value is found by `search` if fields of it were indexed.
    """

    def __init__(self, runtime: Runtime, namespace: Namespace) -> None:
        self._runtime = runtime
        self._namespace = namespace

    async def put(
        self,
        path: str | Iterable[str],
        key: str,
        value: Any,
        *,
        media_type: str | None = None,
        expected: int | None = None,
        ttl: timedelta | None = None,
        index: Sequence[str] | bool = False,
        embedder: Embedder | None = None,
    ) -> Document:
        """Store a JSON value or bytes under a path and a key.

        An existing document is overwritten.

        With `expected`, only if the document is at that revision; 0 means that there is none yet. After `ttl` it is
        gone. `index` names the fields by which `search` finds it, such as `["title", "pages[*].text"]`, or is True for
        all of it; `embedder` makes their vectors, else the memory's own. What is indexed is masked, the value is not.

        Args:
            path: Labels separated by slashes, such as threads/7.
            key: The name of the document.
            value: JSON, or bytes.
            media_type: The type of bytes, such as image/png.
            expected: The revision that was read, or 0 for a new document; another one is a conflict.
            ttl: How long to keep the document.
            index: Fields to search by, such as `pages[*].text`; True for all.
            embedder: An embedding model for its index.

        Raises:
            InvalidError: the value is not JSON, or a name cannot be kept.
            LimitError: the value is too large.
            ConflictError: the document is not at the revision `expected`.
        """
        wanted = self._wanted(path, key, value, media_type, expected, ttl, index, embedder)
        return (await self._put([wanted]))[0]

    async def put_all(
        self,
        documents: Iterable[tuple[str | Iterable[str], str, Any]],
        *,
        ttl: timedelta | None = None,
        index: Sequence[str] | bool = False,
        embedder: Embedder | None = None,
    ) -> list[Document]:
        """Keep many (path, key, value) in one transaction, all or none; of two with one name the last one stays."""
        wanted = [
            self._wanted(path, key, value, None, None, ttl, index, embedder) for path, key, value in documents
        ]
        return await self._put(wanted) if wanted else []

    async def _put(self, wanted: list[Put]) -> list[Document]:
        return await self._runtime.write(
            "write", transactions.put, self._namespace, wanted, writing=self._runtime.writing()
        )

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
        from bethink.documents.transactions import Put

        content = bytes(cast("bytes", value)) if isinstance(value, bytes | bytearray | memoryview) else None
        text = None if content is not None else rules.encoded_json(value)
        if content is not None and len(content) > rules.MAX_BYTES:
            raise LimitError(
                f"content has {len(content)} bytes, but at most {rules.MAX_BYTES} are allowed",
                limit=rules.MAX_BYTES,
                actual=len(content),
            )
        if media_type is not None and not 0 < len(media_type) <= MAX_TYPE:
            raise InvalidError("media_type must be a str such as 'text/markdown'", argument="media_type")
        if expected is not None and (isinstance(expected, bool) or not isinstance(expected, int)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidError(
                "expected must be the revision of a document, or 0 for none", argument="expected"
            )
        labels = rules.path(path)
        if labels[:1] == (TEXTS,):
            raise InvalidError(f"paths under {TEXTS!r} are written by `ingest` only", argument="path")
        chosen = rules.check_fields(index)
        if chosen and content is not None:
            raise InvalidError(
                "bytes have no fields to index; store their text as a JSON value beside them",
                argument="index",
            )
        return Put(
            labels,
            rules.checked_label(key, "key"),
            text,
            content,
            media_type,
            _micros(ttl),
            self._passages(list(rules.fields(value, chosen)), embedder),
            expected,
        )

    def _passages(self, texts: list[tuple[str, str]], embedder: Embedder | None) -> list[Passage]:
        """Mask what is indexed, cut what is long, and make vectors of it."""
        from bethink.documents.transactions import Passage
        from bethink.recall.passages import split

        if not texts:
            return []
        mask = self._runtime.guard.mask
        cut = [(place, piece) for place, text in texts for piece in split(mask(text))]
        used = embedder or self._runtime.indexes.analysis.embedder
        vectors = None if used is None else used.embed([piece for _, piece in cut])
        return [
            Passage(
                place,
                piece,
                "" if used is None else used.identity,
                None if vectors is None else vectors[number].astype("<f4").tobytes(),
            )
            for number, (place, piece) in enumerate(cut)
        ]

    async def get(self, path: str | Iterable[str], key: str, *, refresh: bool = False) -> Document | None:
        """Return a document by its path and key.

        With `refresh`, its time to live starts again.

        Args:
            path: Labels separated by slashes, such as threads/7.
            key: The name of the document.
            refresh: Restart its time to live.
        """
        where, name = rules.path(path), rules.checked_label(key, "key")
        if refresh:
            await self._runtime.check("read", self._namespace)
            return await self._runtime.write(
                "write", transactions.refresh, self._namespace, where, name, writing=self._runtime.writing()
            )
        return await self._runtime.read(
            transactions.get, self._namespace, where, name, now=self._runtime.now()
        )

    async def shown(self, path: str | Iterable[str], key: str, *, most: int = 20_000) -> str | None:
        """Return a document as text that is safe to show to a model; None if it does not exist.

        The text is its JSON, with secrets masked, lines of prompt injection removed, and truncated if it is long.
        """
        from bethink.workspace.text_safety import safe_text

        found = await self.get(path, key)
        if found is None:
            return None
        if found.content is not None:
            return f"{len(found.content)} bytes of the type {found.media_type or 'unknown'}"
        text, _ = safe_text(json.dumps(found.value, ensure_ascii=False, indent=1), self._runtime.guard, key)
        return text if len(text) <= most else f"{text[:most]}\n… {len(text) - most} characters more"

    async def delete(self, path: str | Iterable[str], key: str, *, expected: int | None = None) -> bool:
        """Delete a document for good.

        False where there is none.

        Args:
            path: Labels separated by slashes, such as threads/7.
            key: The name of the document.
            expected: The revision that was read; another one is a conflict.

        Raises:
            ConflictError: it is not at the revision `expected`.
        """
        labels, name = rules.path(path), rules.checked_label(key, "key")
        gone = await self._runtime.write(
            "delete",
            transactions.delete,
            self._namespace,
            labels,
            name,
            writing=self._runtime.writing(),
            expected=expected,
        )
        if labels[:1] == (TEXTS,):
            await self._unindex(labels, name)
        return gone

    async def clear(self, path: str | Iterable[str]) -> int:
        """Delete every document at a path and below it for good.

        How many there were is returned.

        Args:
            path: Labels separated by slashes, such as threads/7.
        """
        labels = rules.path(path)
        texts = (
            await self._runtime.read(transactions.document_names, self._namespace, labels)
            if labels[:1] in {(), (TEXTS,)}
            else []
        )
        gone = await self._runtime.write(
            "delete", transactions.clear, self._namespace, labels, writing=self._runtime.writing()
        )
        for each, key in texts:
            if each[:1] == (TEXTS,):
                await self._unindex(each, key)
        return gone

    async def ingest(
        self,
        path: str | Iterable[str],
        key: str,
        content: str | bytes,
        *,
        media_type: str | None = None,
        title: str | None = None,
    ) -> Document:
        """Index a long text in passages, so that recall finds it.

        The passages have their places in the text, and are found beside notes.

        Plain text, Markdown, HTML and PDF (`pip install 'bethink[pdf]'`) are read; without a `media_type` it is found
        out. The original lies at `("texts", *path)`. A hit is an item of the type `bethink.passage`, with the document
        and the place in it; nothing is distilled from it, and it is masked as everything that is recalled. The same
        name again takes its place.

        Args:
            path: Labels separated by slashes, such as threads/7.
            key: The name of the document.
            content: Text, Markdown, HTML or a PDF.
            media_type: The type of the content.
            title: The title that precedes its passages.

        Raises:
            InvalidError: no text can be read from it.
        """
        from bethink.documents import text_chunks
        from bethink.sessions.readers.passages import TYPE

        labels, name = (TEXTS, *rules.path(path)), rules.checked_label(key, "key")
        kind = media_type or text_chunks.guess_media_type(content, key)
        found = await self._runtime.store.call(_pieces, content, kind)
        if not found:
            raise InvalidError("content contains no text", argument="content")
        wanted = transactions.Put(
            labels,
            name,
            rules.encoded_json(content) if isinstance(content, str) else None,
            None if isinstance(content, str) else bytes(content),
            kind,
            None,
        )
        (kept,) = await self._put([wanted])
        await self._unindex(labels, name)
        await self._runtime.write(
            "write",
            append,
            self._namespace,
            _session(labels, name),
            [
                NewItem(
                    encode(
                        {
                            "type": TYPE,
                            "document": {"path": list(labels), "key": name},
                            "place": place,
                            "text": text,
                        }
                    ),
                    self._runtime.now(),
                    speaker_of(title or name),
                    "document",
                )
                for place, text in found
            ],
            writing=self._runtime.writing(),
        )
        return kept

    async def _unindex(self, labels: Path, key: str) -> None:
        """Let go of the passages of a text."""
        name = _session(labels, key)
        try:
            await self._runtime.write(
                "write",
                delete_session,
                self._namespace,
                name,
                keep_notes=True,
                writing=self._runtime.writing(),
            )
        except NotFoundError:
            return
        self._runtime.let_go(self._namespace)

    async def find(
        self,
        path: str | Iterable[str] = "",
        *,
        where: Mapping[str, Any] | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[Document]:
        """List the documents at a path and below it, most recently written first.

        `where` filters by fields of the values, such as `{"city": "Paris", "stars": {"$gte": 4}}`. The total is of
        those below the path, whatever `where` says.

        Args:
            path: Labels separated by slashes, such as threads/7.
            where: A filter by metadata, such as `{"stars": {"$gte": 4}}`.
            limit: Maximum number of results.
            cursor: The `next` of the previous page.

        Raises:
            InvalidError: an operator, a limit or a cursor is not acceptable.
        """
        check_where(where)
        prefix = rules.path(path)
        before = transactions.NEWEST if cursor is None else from_cursor(cursor, int, str, str)
        found, more = await self._runtime.read(
            transactions.listing,
            self._namespace,
            prefix,
            now=self._runtime.now(),
            where=where,
            limit=check_limit(limit),
            before=(before[0], before[1], before[2]),
        )
        counted = await self._runtime.read(
            transactions.paths, self._namespace, prefix, now=self._runtime.now()
        )
        return Page(tuple(found), sum(count for _, count in counted), to_cursor(*more) if more else None)

    async def paths(
        self,
        prefix: str | Iterable[str] = "",
        *,
        suffix: str | Iterable[str] = "",
        depth: int | None = None,
    ) -> list[Path]:
        """List the paths that contain documents.

        With `depth`, paths are cut to so many labels, and each is there once.

        Args:
            prefix: How the path begins; `*` stands for one label.
            suffix: How the path ends; `*` stands for one label.
            depth: Cut paths after this number of labels.

        Raises:
            InvalidError: `depth` is less than 1.
        """
        first, last = rules.path(prefix, "prefix"), rules.path(suffix, "suffix")
        if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 1):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidError("depth must be a number of labels, 1 or more", argument="depth")
        fixed = first[: first.index("*")] if "*" in first else first
        found = await self._runtime.read(transactions.paths, self._namespace, fixed, now=self._runtime.now())
        chosen = [path for path, _ in found if _begins(path, first) and _begins(path[::-1], last[::-1])]
        return list(dict.fromkeys(path[:depth] for path in chosen))

    async def search(
        self,
        query: str,
        path: str | Iterable[str] = "",
        *,
        where: Mapping[str, Any] | None = None,
        limit: int = 10,
        offset: int = 0,
        embedder: Embedder | None = None,
    ) -> list[DocumentHit]:
        """Find documents by their indexed fields, best first.

        By the cosine of vectors of `embedder`, else of the memory's own; without one, by the words that they share.
        Everything that is indexed is ranked, also what hardly fits.

        Args:
            query: A question, or words to search for.
            path: Labels separated by slashes, such as threads/7.
            where: A filter by metadata, such as `{"stars": {"$gte": 4}}`.
            limit: Maximum number of results.
            offset: How many results to skip.
            embedder: The embedding model of the index.

        Raises:
            InvalidError: an operator or a limit is not acceptable.
        """
        from bethink.documents.values import DocumentHit
        from bethink.memory.document_ranking import ranked

        check_where(where)
        check_limit(limit)
        used = embedder or self._runtime.indexes.analysis.embedder
        found = await self._runtime.read(transactions.listed_passages, self._namespace, rules.path(path))
        order = await self._runtime.store.call(ranked, query, found, used)
        hits: list[DocumentHit] = []
        passed = 0
        for start in range(0, len(order), TRIED):
            tried = order[start : start + TRIED]
            documents = await self.get_all([(at, key) for at, key, _, _ in tried])
            for document, (_, _, passage, score) in zip(documents, tried, strict=True):
                if document is None or not transactions.filter_matches(where, document):
                    continue
                passed += 1
                if offset < passed <= offset + limit:
                    hits.append(
                        DocumentHit(document=document, score=score, text=passage.text, place=passage.place)
                    )
            if len(hits) == limit:
                break
        return hits

    async def export(self) -> list[dict[str, Any]]:
        """Return every document as plain JSON; bytes are written in base 64."""
        from bethink.documents.exports import exported_documents

        return await self._runtime.read(exported_documents, self._namespace)


def _pieces(content: str | bytes, kind: str) -> list[tuple[str, str]]:
    """Return the passages of a text, short ones of one place together."""
    from bethink.documents import text_chunks
    from bethink.recall.passages import CHUNK_WORDS, split

    found: list[tuple[str, str]] = []
    for place, text in text_chunks.text_chunks(content, kind):
        for piece in split(text):
            same = bool(found) and found[-1][0] == place and not place.startswith(("page", "paragraph"))
            if same and len(found[-1][1].split()) + len(piece.split()) <= CHUNK_WORDS:
                found[-1] = (place, f"{found[-1][1]}\n{piece}")
            else:
                found.append((place, piece))
    return found


def _session(labels: Path, key: str) -> str:
    """Return the name of the session that holds the passages of a text."""
    return f"documents:{digest(rules.stored_path(labels), key)}"


def speaker_of(title: str) -> str | None:
    """Return a title as it may stand before a passage."""
    plain = "".join(sign for sign in title if sign.isprintable()).strip()[:60].strip()
    return plain if plain not in {"", ".", ".."} else None


def _micros(ttl: timedelta | None) -> int | None:
    if ttl is None:
        return None
    if not isinstance(ttl, timedelta) or ttl <= timedelta(0):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError("ttl must be a positive timedelta", argument="ttl")
    return ttl // timedelta(microseconds=1)


def _begins(path: Path, pattern: Path) -> bool:
    return len(path) >= len(pattern) and all(
        wanted in {"*", label} for label, wanted in zip(path, pattern, strict=False)
    )
