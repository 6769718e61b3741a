"""Batches of documents in one unit of work: written together, or read from one snapshot."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from bethink.documents import queries
from bethink.documents.transactions import (
    BATCH,
    NEWEST,
    keys_below,
    keys_of,
    put_one,
    remove_expired,
    to_documents,
    value_fits,
)
from bethink.documents.values import Document, Size
from bethink.scope.transactions import find, touch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bethink.documents.transactions import Put
    from bethink.documents.values import Path
    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.storage.work import Work

EVERYTHING = 1 << 31  #: documents: more than a path has
LAST_KEY = "\U0010ffff" * 129  #: behind every key


class Delete(NamedTuple):
    """A document about to be removed, or everything at a path and below it."""

    path: Path
    key: str | None


class Refresh(NamedTuple):
    """A document whose time begins anew, or everything at a path and below it."""

    path: Path
    key: str | None


def change(
    namespace: Namespace, changes: Sequence[tuple[Put, bool] | Delete | Refresh], *, writing: Writing
) -> Work[None]:
    """Make several changes in their order, all or none; what is said to be absent is written only if it is."""
    place = yield from touch(namespace, writing)
    yield from remove_expired(place, writing.now)
    for each in changes:
        if isinstance(each, Delete):
            yield from _delete(place, each)
        elif isinstance(each, Refresh):
            yield from _refresh(place, each, writing.now)
        else:
            yield from put_one(place, each[0], writing=writing, absent=each[1])


def _delete(place: ScopeRow, wanted: Delete) -> Work[None]:
    if wanted.key is None:
        below = keys_below(place, wanted.path)
        yield from queries.remove_passages_below(**below)
        yield from queries.remove_below(**below)
    else:
        keys = keys_of(place, wanted.path, wanted.key)
        yield from queries.remove_passages(**keys)
        yield from queries.remove_document(**keys)


def _refresh(place: ScopeRow, wanted: Refresh, now: int) -> Work[None]:
    if wanted.key is None:
        yield from queries.refresh_below(**keys_below(place, wanted.path), now=now)
    else:
        yield from queries.refresh_document(**keys_of(place, wanted.path, wanted.key), now=now)


def sweep(namespace: Namespace, *, writing: Writing) -> Work[int]:
    """Remove everything that is over, and say how much it was."""
    place = yield from touch(namespace, writing)
    gone = 0
    while batch := (yield from remove_expired(place, writing.now)):
        gone += batch
    return gone


def get_all(
    namespace: Namespace, names: Sequence[tuple[Path, str]], *, now: int
) -> Work[list[Document | None]]:
    """Read documents by their names, on one view of the store; None where there is none."""
    place = yield from find(namespace)
    if place is None:
        return [None] * len(names)
    found: list[Document | None] = []
    for path, key in names:
        found.append((yield from _one(place, path, key, now)))
    return found


def documents_of_path(
    namespace: Namespace, path: Path, *, now: int, before: str | None = None, limit: int
) -> Work[list[Document]]:
    """Read the documents of one path, the last key first."""
    place = yield from find(namespace)
    return [] if place is None else (yield from _within(place, path, now, before, limit))


def referenced_documents(
    namespace: Namespace,
    path: Path,
    then: Callable[[list[Document]], tuple[Iterable[tuple[Path, str]], Iterable[Path]]],
    *,
    now: int,
    keys: Sequence[str] | None,
    limit: int,
) -> Work[tuple[list[Document], dict[tuple[Path, str], Document], dict[Path, list[Document]]]]:
    """Read documents of a path, and what they name: other documents, and all of other paths."""
    place = yield from find(namespace)
    if place is None:
        return [], {}, {}
    found: list[Document] = []
    if keys is None:
        found = yield from _within(place, path, now, None, limit)
    for key in keys or ():
        one = yield from _one(place, path, key, now)
        found += [] if one is None else [one]
    names, paths = then(found)
    named: dict[tuple[Path, str], Document] = {}
    for at, key in names:
        one = yield from _one(place, at, key, now)
        if one is not None:
            named[at, key] = one
    beside: dict[Path, list[Document]] = {}
    for at in paths:
        beside[at] = yield from _within(place, at, now, None, EVERYTHING)
    return found, named, beside


def _one(place: ScopeRow, path: Path, key: str, now: int) -> Work[Document | None]:
    rows = to_documents((yield from queries.find_document(**keys_of(place, path, key), now=now)))
    return rows[0] if rows else None


def _within(place: ScopeRow, path: Path, now: int, before: str | None, limit: int) -> Work[list[Document]]:
    keys = keys_of(place, path, LAST_KEY if before is None else before)
    rows = yield from queries.documents_within(
        tenant=place.tenant, scope=place.scope, path=keys["path"], before=keys["key"], now=now, limit=limit
    )
    return to_documents(rows)


def keys_within(
    namespace: Namespace, path: Path, *, now: int, before: str | None = None, limit: int
) -> Work[list[str]]:
    """List the keys of one path, the last one first."""
    place = yield from find(namespace)
    if place is None:
        return []
    keys = keys_of(place, path, LAST_KEY if before is None else before)
    rows = yield from queries.keys_within(
        tenant=place.tenant, scope=place.scope, path=keys["path"], before=keys["key"], now=now, limit=limit
    )
    return rows


def measure(namespace: Namespace, path: Path, *, now: int) -> Work[Size]:
    """Count the documents below a path, and their bytes."""
    place = yield from find(namespace)
    if place is None:
        return Size(documents=0, bytes=0)
    row = (yield from queries.measure_below(**keys_below(place, path), now=now))[0]
    return Size(documents=row.documents, bytes=row.bytes)


def newest_documents(
    namespace: Namespace, path: Path, *, now: int, where: Mapping[str, Any] | None, limit: int, offset: int
) -> Work[list[Document]]:
    """List the documents below a path that a filter lets through, those written last first."""
    place = yield from find(namespace)
    found: list[Document] = []
    before, batch = NEWEST, (offset + limit) * 4 if where else offset + limit
    while place is not None and len(found) < offset + limit:
        rows = yield from queries.list_documents(
            **keys_below(place, path),
            now=now,
            revision=before[0],
            last_path=before[1],
            last_key=before[2],
            limit=batch,
        )
        found += to_documents([row for row in rows if not where or _text_fits(where, row.value)])
        if len(rows) < batch:
            break
        before, batch = (rows[-1].revision, rows[-1].path, rows[-1].key), min(batch * 4, BATCH * 10)
    return found[offset : offset + limit]


def _text_fits(where: Mapping[str, Any], value: str | None) -> bool:
    return value is not None and value_fits(where, json.loads(value))
