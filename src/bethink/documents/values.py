"""Values of documents: a document, its bytes, a search hit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from bethink.plain import Plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, timedelta

    from bethink.models.embedding import Embedder

Path: TypeAlias = "tuple[str, ...]"  #: labels, from the outermost to the innermost


@dataclass(frozen=True, slots=True, kw_only=True)
class Document(Plain):
    """One JSON value, or bytes with a media type."""

    path: Path  #: where it lies
    key: str  #: its name at the path
    value: Any = None  #: equal to what was given; None where `content` is
    content: bytes | None = None  #: bytes; None where it is a JSON value
    media_type: str | None = None  #: of bytes, or of the text that a value was made from
    created_at: datetime  #: aware, UTC
    updated_at: datetime  #: aware, UTC
    expires_at: datetime | None = None  #: when it goes; None: never
    ttl: timedelta | None = None  #: for how long it is kept after each refresh
    revision: int  #: pass it as `expected` to write only if nothing came between


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentHit(Plain):
    """A document that a search found."""

    document: Document  #: what was found
    score: float  #: 0 to 1; the cosine where vectors were compared
    text: str  #: the passage that fits best, masked
    place: str  #: the field that it stands in, or the heading that it stands under


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much there is below a path."""

    documents: int  #: how many there are
    bytes: int  #: of their values as JSON and of their contents, without what the store adds


@dataclass(frozen=True, slots=True, kw_only=True)
class PutDocument:
    """One of several changes: keep a value, or bytes, as `put` does."""

    path: str | Sequence[str]
    key: str
    value: Any
    media_type: str | None = None
    ttl: timedelta | None = None
    index: Sequence[str] | bool = False
    embedder: Embedder | None = None
    absent: bool = False  #: only if there is none of this name; what is there stays as it is


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteDocument:
    """One of several changes: remove a document; None as the key means all at the path and below it."""

    path: str | Sequence[str]
    key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefreshDocument:
    """One of several changes: let its time to live begin anew; None as the key means all at the path and below it."""

    path: str | Sequence[str]
    key: str | None = None


DocumentChange: TypeAlias = PutDocument | DeleteDocument | RefreshDocument
