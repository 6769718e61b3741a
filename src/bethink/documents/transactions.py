"""Documents as units of work: put, get, search, delete."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, cast

from bethink.documents import queries
from bethink.documents.paths import field, path_labels, prefix_end, stored_path
from bethink.documents.values import Document
from bethink.errors import ConflictError
from bethink.notes.filters import matches
from bethink.scope.transactions import find, touch
from bethink.times import optional_datetime, to_datetime

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bethink.documents.queries import DocumentRow
    from bethink.documents.values import Path
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.storage.work import Work

NEWEST = (1 << 62, "", "")  #: before the first one of a list
BROUGHT = ""  #: instead of an embedder's name, where a vector is still to be made
BATCH = 500  #: documents that are read at once while a filter is tried


class DocumentKeys(TypedDict):
    """The columns that name one document."""

    tenant: str
    scope: int
    path: str
    key: str


class PathKeys(TypedDict):
    """The columns that name the documents below a path."""

    tenant: str
    scope: int
    path: str
    behind: str


class Passage(NamedTuple):
    """The text of a field, masked, and its vector as bytes."""

    place: str
    text: str
    embedder: str
    vector: bytes | None


class Put(NamedTuple):
    """A document about to be written."""

    path: Path
    key: str
    value: str | None
    content: bytes | None
    media_type: str | None
    ttl: int | None
    passages: Sequence[Passage] = ()
    expected: int | None = None


def put(namespace: Namespace, wanted: Sequence[Put], *, writing: Writing) -> Work[list[Document]]:
    """Keep documents, all or none; of two with one name the last one stays.

    Raises:
        ConflictError: a document is not at the revision that was expected; 0 expects that there is none.
    """
    place = yield from touch(namespace, writing)
    yield from remove_expired(place, writing.now)
    for each in wanted:
        if each.expected is not None:
            yield from _expect(keys_of(place, each.path, each.key), each.expected, writing.now)
        yield from put_one(place, each, writing=writing)
    found: list[Document] = []
    for each in wanted:
        found += to_documents(
            (yield from queries.find_document(**keys_of(place, each.path, each.key), now=writing.now))
        )
    return found


def put_one(place: ScopeRow, wanted: Put, *, writing: Writing, absent: bool = False) -> Work[None]:
    """Write a document, or only if there is none of its name."""
    keys = keys_of(place, wanted.path, wanted.key)
    if absent:
        yield from queries.remove_ended_document(**keys, now=writing.now)
    yield from (queries.put_absent_document if absent else queries.put_document)(
        **keys,
        value=wanted.value,
        content=wanted.content,
        media_type=wanted.media_type,
        now=writing.now,
        expires_at=None if wanted.ttl is None else writing.now + wanted.ttl,
        ttl=wanted.ttl,
        revision=place.revision,
    )
    if absent:
        return
    yield from queries.remove_passages(**keys)
    yield from add_passages(keys, wanted.passages)


def add_passages(keys: DocumentKeys, passages: Sequence[Passage]) -> Work[None]:
    """Keep the texts by which a document is found."""
    if passages:
        yield from queries.add_passage_many(
            [
                {
                    **keys,
                    "chunk": chunk,
                    "place": passage.place,
                    "text": passage.text,
                    "embedder": passage.embedder,
                    "vector": passage.vector,
                }
                for chunk, passage in enumerate(passages)
            ]
        )


def _expect(keys: DocumentKeys, expected: int, now: int) -> Work[None]:
    rows = yield from queries.find_document(**keys, now=now)
    actual = rows[0].revision if rows else 0
    if actual != expected:
        raise ConflictError(
            "the document has changed since it was read; read it again and retry",
            expected=expected,
            actual=actual,
            key=keys["key"],
        )


def get(namespace: Namespace, path: Path, key: str, *, now: int) -> Work[Document | None]:
    """Read a document; None where there is none, or none any more."""
    place = yield from find(namespace)
    if place is None:
        return None
    found = to_documents((yield from queries.find_document(**keys_of(place, path, key), now=now)))
    return found[0] if found else None


def refresh(namespace: Namespace, path: Path, key: str, *, writing: Writing) -> Work[Document | None]:
    """Read a document, and let it last as long from now on as when it was written."""
    place = yield from touch(namespace, writing)
    keys = keys_of(place, path, key)
    if not (yield from queries.find_document(**keys, now=writing.now)):
        return None
    yield from queries.refresh_document(**keys, now=writing.now)
    found = to_documents((yield from queries.find_document(**keys, now=writing.now)))
    return found[0] if found else None


def delete(
    namespace: Namespace, path: Path, key: str, *, writing: Writing, expected: int | None = None
) -> Work[bool]:
    """Remove a document; False where there is none.

    Raises:
        ConflictError: it is not at the revision that was expected.
    """
    place = yield from touch(namespace, writing)
    keys = keys_of(place, path, key)
    if expected is not None:
        yield from _expect(keys, expected, writing.now)
    yield from queries.remove_passages(**keys)
    there = yield from queries.find_document(**keys, now=writing.now)
    yield from queries.remove_document(**keys)
    yield from remove_expired(place, writing.now)
    return bool(there)


def clear(namespace: Namespace, path: Path, *, writing: Writing) -> Work[int]:
    """Remove every document below a path, and say how many."""
    place = yield from touch(namespace, writing)
    keys = keys_below(place, path)
    yield from queries.remove_passages_below(**keys)
    return (yield from queries.remove_below(**keys))


def remove_expired(place: ScopeRow, now: int) -> Work[int]:
    """Remove what is over, a hundred at a time: no document outlives its time by more than a few writes."""
    rows = yield from queries.expired_documents(tenant=place.tenant, scope=place.scope, now=now)
    for row in rows:
        yield from queries.remove_passages(**place.keys, path=row.path, key=row.key)
        yield from queries.remove_document(**place.keys, path=row.path, key=row.key)
    return len(rows)


def listing(
    namespace: Namespace,
    path: Path,
    *,
    now: int,
    where: Mapping[str, Any] | None = None,
    limit: int,
    before: tuple[int, str, str] = NEWEST,
) -> Work[tuple[list[Document], tuple[int, str, str] | None]]:
    """List documents below a path, those written last first, and the place from which the next page goes on."""
    place = yield from find(namespace)
    found: list[Document] = []
    while place is not None:
        rows = yield from queries.list_documents(
            **keys_below(place, path),
            now=now,
            revision=before[0],
            last_path=before[1],
            last_key=before[2],
            limit=BATCH if where else limit + 1,
        )
        for row, document in zip(rows, to_documents(rows), strict=True):
            if filter_matches(where, document):
                if len(found) == limit:
                    return found, before
                found.append(document)
            before = (row.revision, row.path, row.key)
        if len(rows) < (BATCH if where else limit + 1):
            break
    return found, None


def all_documents(namespace: Namespace) -> Work[list[Document]]:
    """Return every document of a scope, in the order of their names."""
    place = yield from find(namespace)
    if place is None:
        return []
    return to_documents((yield from queries.all_documents(tenant=place.tenant, scope=place.scope)))


def paths(namespace: Namespace, prefix: Path, *, now: int) -> Work[list[tuple[Path, int]]]:
    """List the paths below one that hold documents, with how many each holds."""
    place = yield from find(namespace)
    rows = [] if place is None else (yield from queries.list_paths(**keys_below(place, prefix), now=now))
    return [(path_labels(row.path), row.documents) for row in rows]


def document_names(namespace: Namespace, path: Path) -> Work[list[tuple[Path, str]]]:
    """Return the names of the documents below a path, with those whose time is over."""
    place = yield from find(namespace)
    rows = [] if place is None else (yield from queries.list_names(**keys_below(place, path)))
    return [(path_labels(row.path), row.key) for row in rows]


def listed_passages(namespace: Namespace, prefix: Path) -> Work[list[tuple[Path, str, Passage]]]:
    """Return the passages of the documents below a path."""
    place = yield from find(namespace)
    rows = [] if place is None else (yield from queries.list_passages(**keys_below(place, prefix)))
    return [
        (path_labels(row.path), row.key, Passage(row.place, row.text, row.embedder, row.vector))
        for row in rows
    ]


def filter_matches(where: Mapping[str, Any] | None, document: Document) -> bool:
    """Tell whether a filter lets a document through: one of fields fits no value without them."""
    return not where or value_fits(where, document.value)


def value_fits(where: Mapping[str, Any], value: Any) -> bool:
    """Tell whether a filter lets a value through; `a.b` is the field `b` of what `a` holds."""
    return isinstance(value, dict) and matches(where, _Fields(cast("dict[str, Any]", value)))


class _Fields(dict[str, Any]):
    """The fields of a value, as a filter asks for them."""

    def get(self, key: str, default: Any = None) -> Any:
        return field(self, key, default)


def keys_of(place: ScopeRow, path: Path, key: str) -> DocumentKeys:
    """Return the columns that name a document."""
    return {"tenant": place.tenant, "scope": place.scope, "path": stored_path(path), "key": key}


def keys_below(place: ScopeRow, path: Path) -> PathKeys:
    """Return the columns that name the documents below a path."""
    prefix = stored_path(path)
    return {"tenant": place.tenant, "scope": place.scope, "path": prefix, "behind": prefix_end(prefix)}


def to_documents(rows: Sequence[DocumentRow]) -> list[Document]:
    """Return rows as documents."""
    return [
        Document(
            path=path_labels(row.path),
            key=row.key,
            value=None if row.value is None else json.loads(row.value),
            content=None if row.content is None else bytes(row.content),
            media_type=row.media_type,
            created_at=to_datetime(row.created_at),
            updated_at=to_datetime(row.updated_at),
            expires_at=optional_datetime(row.expires_at),
            ttl=None if row.ttl is None else timedelta(microseconds=row.ttl),
            revision=row.revision,
        )
        for row in rows
    ]
