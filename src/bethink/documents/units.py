"""Documents as units of work."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from bethink.documents.paths import after, parsed, written
from bethink.documents.values import Document, Size
from bethink.errors import ConflictError
from bethink.notes.filters import matches
from bethink.scope.units import find, touch
from bethink.storage.statements import statements
from bethink.times import optional_datetime, to_datetime

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bethink.documents.values import Path
    from bethink.scope.namespace import Namespace
    from bethink.scope.units import Place, Writing
    from bethink.storage.work import Row, Work

sql = statements("bethink.documents")

NEWEST = (1 << 62, "", "")  #: before the first one of a list
EVERYTHING = 1 << 31  #: documents: more than a path has
LAST_KEY = "\U0010ffff" * 129  #: behind every key
BROUGHT = ""  #: instead of an embedder's name, where a vector is still to be made
BATCH = 500  #: documents that are read at once while a filter is tried


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
    yield from _sweep(place, writing.now)
    for each in wanted:
        if each.expected is not None:
            yield from _expect(_keys(place, each.path, each.key), each.expected, writing.now)
        yield from _put(place, each, absent=False, writing=writing)
    found: list[Document] = []
    for each in wanted:
        found += _documents((yield sql.find_document(**_keys(place, each.path, each.key), now=writing.now)))
    return found


def _expect(keys: Mapping[str, Any], expected: int, now: int) -> Work[None]:
    rows = yield sql.find_document(**keys, now=now)
    actual = rows[0][9] if rows else 0
    if actual != expected:
        raise ConflictError(
            "the document was written since it was read: read it again and decide anew",
            expected=expected,
            actual=actual,
            key=keys["key"],
        )


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
    yield from _sweep(place, writing.now)
    for each in changes:
        if isinstance(each, Delete):
            keys = _below(place, each.path) if each.key is None else _keys(place, each.path, each.key)
            yield (sql.remove_passages_below if each.key is None else sql.remove_passages)(**keys)
            yield (sql.remove_below if each.key is None else sql.remove_document)(**keys)
        elif isinstance(each, Refresh):
            keys = _below(place, each.path) if each.key is None else _keys(place, each.path, each.key)
            yield (sql.refresh_below if each.key is None else sql.refresh_document)(**keys, now=writing.now)
        else:
            yield from _put(place, each[0], absent=each[1], writing=writing)


def _put(place: Place, put: Put, *, absent: bool, writing: Writing) -> Work[None]:
    keys = _keys(place, put.path, put.key)
    if absent:
        yield sql.remove_ended_document(**keys, now=writing.now)
    yield (sql.put_absent_document if absent else sql.put_document)(
        **keys,
        value=put.value,
        content=put.content,
        media_type=put.media_type,
        now=writing.now,
        expires_at=None if put.ttl is None else writing.now + put.ttl,
        ttl=put.ttl,
        revision=place.revision,
    )
    if not absent:
        yield sql.remove_passages(**keys)
    if put.passages:
        yield sql.add_passage.many(
            [{**keys, "chunk": chunk, **passage._asdict()} for chunk, passage in enumerate(put.passages)]
        )


def get_all(
    namespace: Namespace, names: Sequence[tuple[Path, str]], *, now: int
) -> Work[list[Document | None]]:
    """Read documents by their names, on one view of the store; None where there is none."""
    place = yield from find(namespace)
    if place is None:
        return [None] * len(names)
    found: list[Document | None] = []
    for path, key in names:
        rows = _documents((yield sql.find_document(**_keys(place, path, key), now=now)))
        found.append(rows[0] if rows else None)
    return found


def within(
    namespace: Namespace, path: Path, *, now: int, before: str | None = None, limit: int
) -> Work[list[Document]]:
    """Read the documents of one path, the last key first."""
    place = yield from find(namespace)
    if place is None:
        return []
    asked = {"before": LAST_KEY if before is None else before, "limit": limit, "now": now}
    return _documents((yield sql.documents_within(**_keys(place, path), **asked)))


def follow(
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
        asked = {"before": LAST_KEY, "limit": limit, "now": now}
        found = _documents((yield sql.documents_within(**_keys(place, path), **asked)))
    for key in keys or ():
        found += _documents((yield sql.find_document(**_keys(place, path, key), now=now)))
    names, paths = then(found)
    named: dict[tuple[Path, str], Document] = {}
    for at, key in names:
        for document in _documents((yield sql.find_document(**_keys(place, at, key), now=now))):
            named[at, key] = document
    beside: dict[Path, list[Document]] = {}
    for at in paths:
        asked = {"before": LAST_KEY, "limit": EVERYTHING, "now": now}
        beside[at] = _documents((yield sql.documents_within(**_keys(place, at), **asked)))
    return found, named, beside


def keys_within(
    namespace: Namespace, path: Path, *, now: int, before: str | None = None, limit: int
) -> Work[list[str]]:
    """List the keys of one path, the last one first."""
    place = yield from find(namespace)
    if place is None:
        return []
    asked = {"before": LAST_KEY if before is None else before, "limit": limit, "now": now}
    return [key for (key,) in (yield sql.keys_within(**_keys(place, path), **asked))]


def measure(namespace: Namespace, path: Path, *, now: int) -> Work[Size]:
    """Count the documents below a path, and their bytes."""
    place = yield from find(namespace)
    if place is None:
        return Size(documents=0, bytes=0)
    rows = yield sql.measure_below(**_below(place, path), now=now)
    return Size(documents=rows[0][0], bytes=int(rows[0][1]))


def newest(
    namespace: Namespace, path: Path, *, now: int, where: Mapping[str, Any] | None, limit: int, offset: int
) -> Work[list[Document]]:
    """List the documents below a path that a filter lets through, those written last first."""
    place = yield from find(namespace)
    found: list[Document] = []
    before, batch = NEWEST, (offset + limit) * 4 if where else offset + limit
    while place is not None and len(found) < offset + limit:
        rows = yield sql.list_documents(
            **_below(place, path),
            now=now,
            revision=before[0],
            last_path=before[1],
            last_key=before[2],
            limit=batch,
        )
        found += _documents([row for row in rows if not where or _row_fits(where, row[2])])
        if len(rows) < batch:
            break
        before, batch = (rows[-1][9], rows[-1][0], rows[-1][1]), min(batch * 4, BATCH * 10)
    return found[offset : offset + limit]


def get(namespace: Namespace, path: Path, key: str, *, now: int) -> Work[Document | None]:
    """Read a document; None where there is none, or none any more."""
    place = yield from find(namespace)
    if place is None:
        return None
    found = _documents((yield sql.find_document(**_keys(place, path, key), now=now)))
    return found[0] if found else None


def refresh(namespace: Namespace, path: Path, key: str, *, writing: Writing) -> Work[Document | None]:
    """Read a document, and let it last as long from now on as when it was written."""
    place = yield from touch(namespace, writing)
    keys = _keys(place, path, key)
    if not (yield sql.find_document(**keys, now=writing.now)):
        return None
    yield sql.refresh_document(**keys, now=writing.now)
    found = _documents((yield sql.find_document(**keys, now=writing.now)))
    return found[0] if found else None


def delete(
    namespace: Namespace, path: Path, key: str, *, writing: Writing, expected: int | None = None
) -> Work[bool]:
    """Remove a document; False where there is none.

    Raises:
        ConflictError: it is not at the revision that was expected.
    """
    place = yield from touch(namespace, writing)
    keys = _keys(place, path, key)
    if expected is not None:
        yield from _expect(keys, expected, writing.now)
    yield sql.remove_passages(**keys)
    there = yield sql.find_document(**keys, now=writing.now)
    yield sql.remove_document(**keys)
    yield from _sweep(place, writing.now)
    return bool(there)


def clear(namespace: Namespace, path: Path, *, writing: Writing) -> Work[int]:
    """Remove every document below a path, and say how many."""
    place = yield from touch(namespace, writing)
    keys = _below(place, path)
    yield sql.remove_passages_below(**keys)
    return len((yield sql.remove_below(**keys)))


def sweep(namespace: Namespace, *, writing: Writing) -> Work[int]:
    """Remove everything that is over, and say how much it was."""
    place = yield from touch(namespace, writing)
    gone = 0
    while batch := (yield from _sweep(place, writing.now)):
        gone += batch
    return gone


def _sweep(place: Place, now: int) -> Work[int]:
    """Remove what is over, a hundred at a time: no document outlives its time by more than a few writes."""
    rows = yield sql.expired_documents(tenant=place.tenant, scope=place.scope, now=now)
    for path, key in rows:
        keys = {"tenant": place.tenant, "scope": place.scope, "path": path, "key": key}
        yield sql.remove_passages(**keys)
        yield sql.remove_document(**keys)
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
        rows = yield sql.list_documents(
            **_below(place, path),
            now=now,
            revision=before[0],
            last_path=before[1],
            last_key=before[2],
            limit=BATCH if where else limit + 1,
        )
        for row, document in zip(rows, _documents(rows), strict=True):
            if fits(where, document):
                if len(found) == limit:
                    return found, before
                found.append(document)
            before = (row[9], row[0], row[1])
        if len(rows) < (BATCH if where else limit + 1):
            break
    return found, None


def every(namespace: Namespace) -> Work[list[Document]]:
    """Return every document of a scope, in the order of their names."""
    place = yield from find(namespace)
    if place is None:
        return []
    return _documents((yield sql.all_documents(tenant=place.tenant, scope=place.scope)))


def paths(namespace: Namespace, prefix: Path, *, now: int) -> Work[list[tuple[Path, int]]]:
    """List the paths below one that hold documents, with how many each holds."""
    place = yield from find(namespace)
    rows = [] if place is None else (yield sql.list_paths(**_below(place, prefix), now=now))
    return [(parsed(path), count) for path, count in rows]


def names(namespace: Namespace, path: Path) -> Work[list[tuple[Path, str]]]:
    """Return the names of the documents below a path, with those whose time is over."""
    place = yield from find(namespace)
    rows = [] if place is None else (yield sql.list_names(**_below(place, path)))
    return [(parsed(each), key) for each, key in rows]


def listed_passages(namespace: Namespace, prefix: Path) -> Work[list[tuple[Path, str, Passage]]]:
    """Return the passages of the documents below a path."""
    place = yield from find(namespace)
    rows = [] if place is None else (yield sql.list_passages(**_below(place, prefix)))
    return [(parsed(path), key, Passage(*rest)) for path, key, *rest in rows]


def fits(where: Mapping[str, Any] | None, document: Document) -> bool:
    """Tell whether a filter lets a document through: one of fields fits no value without them."""
    return not where or _value_fits(where, document.value)


def _row_fits(where: Mapping[str, Any], value: str | None) -> bool:
    return value is not None and _value_fits(where, json.loads(value))


def _value_fits(where: Mapping[str, Any], value: Any) -> bool:
    return isinstance(value, dict) and matches(where, _Fields(cast("dict[str, Any]", value)))


class _Fields(dict[str, Any]):
    """The fields of a value: where none has the whole name, `a.b` is the field `b` of what `a` holds."""

    def get(self, key: str, default: Any = None) -> Any:
        if key in self or "." not in key:
            return super().get(key, default)
        found: Any = self
        for part in key.split("."):
            if not isinstance(found, dict) or part not in found:
                return default
            found = cast("dict[str, Any]", found)[part]
        return found


def _keys(place: Place, path: Path, key: str | None = None) -> dict[str, Any]:
    named = {"tenant": place.tenant, "scope": place.scope, "path": written(path)}
    return named if key is None else {**named, "key": key}


def _below(place: Place, path: Path) -> dict[str, Any]:
    prefix = written(path)
    return {"tenant": place.tenant, "scope": place.scope, "path": prefix, "behind": after(prefix)}


def _documents(rows: Sequence[Row]) -> list[Document]:
    return [
        Document(
            path=parsed(path),
            key=key,
            value=None if value is None else json.loads(value),
            content=None if content is None else bytes(content),
            media_type=media_type,
            created_at=to_datetime(created_at),
            updated_at=to_datetime(updated_at),
            expires_at=optional_datetime(expires_at),
            ttl=None if ttl is None else timedelta(microseconds=ttl),
            revision=revision,
        )
        for path, key, value, content, media_type, created_at, updated_at, expires_at, ttl, revision in rows
    ]
