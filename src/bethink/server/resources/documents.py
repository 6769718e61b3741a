"""REST routes of documents: JSON values or bytes under a path and a key."""

from __future__ import annotations

import base64
import binascii
from datetime import timedelta
from typing import Annotated, Any, TypedDict

from fastapi import Path, Query
from pydantic import Field
from starlette.responses import Response

from bethink.documents.paths import DEEPEST_PATH, LONGEST_LABEL
from bethink.documents.values import Document
from bethink.errors import InvalidError, NotFoundError
from bethink.pages import Page
from bethink.server.dependencies import Body, Cursor, Expected, Limit, Revision, Scope, Text
from bethink.server.json_responses import Answer, Entries, answer, nothing, page
from bethink.server.openapi import Router, of
from bethink.verbs import VERBS

router = Router(prefix="/scopes/{namespace}/documents", tags=["documents"])
_LONGEST_PATH = DEEPEST_PATH * (LONGEST_LABEL + 1)
PathQuery = Annotated[
    str, Query(alias="path", max_length=_LONGEST_PATH, description=VERBS["documents.find"].parameters["path"])
]
KeyPath = Annotated[str, Path(min_length=1, max_length=LONGEST_LABEL, description="At most 512 bytes.")]
PathField = Annotated[
    str, Field(max_length=_LONGEST_PATH, description=VERBS["documents.find"].parameters["path"])
]


class StoredDocument(TypedDict):
    """A document; `content` is bytes in base 64."""

    path: list[str]
    key: str
    value: Any
    content: str | None
    media_type: str | None
    created_at: str
    updated_at: str
    expires_at: str | None
    revision: int


class Found(TypedDict):
    """A document that a search found, and the passage that fits best."""

    document: StoredDocument
    score: float
    text: str
    place: str


class NewValue(Body):
    """What is kept in the place of what is there: a JSON value, or bytes in base 64."""

    value: Any = None
    content: str | None = Field(default=None, description="Bytes in Base64, instead of a value.")
    media_type: Annotated[str, Field(min_length=1, max_length=128)] | None = None
    seconds: Annotated[float, Field(gt=0, le=3_155_760_000)] | None = Field(
        default=None, description="How long to keep the document."
    )
    index: Annotated[list[str], Field(max_length=64)] | bool = Field(default=False)
    expected: Revision = Field(default=None)


class Wanted(Body):
    """A question to the indexed fields of documents."""

    query: Text
    path: PathField = ""
    where: dict[str, Any] | None = None
    limit: Annotated[int, Field(ge=1, le=100)] = 10


class LongText(Body):
    """A long text, which recall finds in passages."""

    path: PathField = ""
    key: Annotated[str, Field(min_length=1, max_length=LONGEST_LABEL)]
    content: str = Field(description="Plain text, Markdown or HTML.")
    media_type: Annotated[str, Field(min_length=1, max_length=128)] | None = None
    title: Annotated[str, Field(max_length=512)] | None = None


@router.get("")
@of("documents.find")
async def documents(
    scope: Scope, path: PathQuery = "", limit: Limit = 100, cursor: Cursor = None
) -> Answer[Page[StoredDocument]]:
    found = await scope.documents.find(path, limit=limit, cursor=cursor)
    return page(Page(tuple(kept(each) for each in found), found.total, found.next))


@router.get("/paths")
@of("documents.paths")
async def paths(
    scope: Scope,
    prefix: PathQuery = "",
    depth: Annotated[int | None, Query(ge=1, le=DEEPEST_PATH)] = None,
) -> Answer[Entries[list[str]]]:
    return answer({"entries": [list(each) for each in await scope.documents.paths(prefix, depth=depth)]})


@router.get("/at/{key}")
@of("documents.get")
async def read(scope: Scope, key: KeyPath, path: PathQuery = "") -> Answer[StoredDocument]:
    found = await scope.documents.get(path, key)
    if found is None:
        raise NotFoundError("no such document", kind="document", id=key)
    return answer(kept(found), revision=found.revision)


@router.put("/at/{key}")
@of("documents.put")
async def put(
    scope: Scope, given: NewValue, expected: Expected, key: KeyPath, path: PathQuery = ""
) -> Answer[StoredDocument]:
    found = await scope.documents.put(
        path,
        key,
        given.value if given.content is None else _bytes(given.content),
        media_type=given.media_type,
        expected=expected if expected is not None else given.expected,
        ttl=None if given.seconds is None else timedelta(seconds=given.seconds),
        index=given.index,
    )
    return answer(kept(found), revision=found.revision)


@router.delete("/at/{key}", status_code=204)
@of("documents.delete")
async def delete(scope: Scope, expected: Expected, key: KeyPath, path: PathQuery = "") -> Response:
    if not await scope.documents.delete(path, key, expected=expected):
        raise NotFoundError("no such document", kind="document", id=key)
    return nothing()


@router.post("/search")
@of("documents.search")
async def search(scope: Scope, wanted: Wanted) -> Answer[Entries[Found]]:
    found = await scope.documents.search(wanted.query, wanted.path, where=wanted.where, limit=wanted.limit)
    hits: list[Found] = [
        {"document": kept(hit.document), "score": hit.score, "text": hit.text, "place": hit.place}
        for hit in found
    ]
    return answer({"entries": hits})


@router.post("/texts", status_code=201)
@of("documents.ingest")
async def ingest(scope: Scope, given: LongText) -> Answer[StoredDocument]:
    found = await scope.documents.ingest(
        given.path, given.key, given.content, media_type=given.media_type, title=given.title
    )
    return answer(kept(found), 201, revision=found.revision)


def kept(document: Document) -> StoredDocument:
    """Return a document as JSON."""
    content, ends = document.content, document.expires_at
    return {
        "path": list(document.path),
        "key": document.key,
        "value": document.value,
        "content": None if content is None else base64.b64encode(content).decode(),
        "media_type": document.media_type,
        "created_at": document.created_at.isoformat(),
        "updated_at": document.updated_at.isoformat(),
        "expires_at": None if ends is None else ends.isoformat(),
        "revision": document.revision,
    }


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidError("content must be Base64", argument="content") from None
