"""What is kept under a path and a key, and what a search finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from bethink.plain import Plain

if TYPE_CHECKING:
    from datetime import datetime, timedelta

Path: TypeAlias = "tuple[str, ...]"  #: labels, from the outermost to the innermost


@dataclass(frozen=True, slots=True, kw_only=True)
class Document(Plain):
    """One JSON value, or bytes with a media type."""

    path: Path
    key: str
    value: Any = None  #: equal to what was given; None where `content` is
    content: bytes | None = None
    media_type: str | None = None  #: of bytes, or of the text that a value was made from
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None = None
    ttl: timedelta | None = None
    revision: int  #: pass it as `expected` to write only if nothing came between


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentHit(Plain):
    """A document that a search found."""

    document: Document
    score: float  #: 0 to 1; the cosine where vectors were compared
    text: str  #: the passage that fits best, masked
    place: str  #: the field that it stands in, or the heading that it stands under
