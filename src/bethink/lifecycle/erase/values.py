"""What an erasure answers with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

Subject: TypeAlias = Literal["note", "session", "namespace", "user", "tenant", "backup"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What was destroyed, and what was found afterwards. It holds counts and digests, never content."""

    id: str
    subject: Subject
    digest: str  #: of the subject's name: enough to recognise it, not enough to read it
    at: datetime
    erased: Mapping[str, int]  #: rows destroyed, by table
    remaining: int  #: places where something of it was still found by the scan; 0 is a clean erasure
    found: Mapping[str, int] = field(default_factory=dict[str, int])  #: those places, by table or file
    scanned: tuple[str, ...] = ()  #: what the scan looked through
    retained: tuple[
        str, ...
    ] = ()  #: what the engine or its surroundings may still keep, and how to be rid of it
    items: tuple[str, ...] = ()  #: ids of items of the log that say what an erased note said, and still stand

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON."""
        return {
            "id": self.id,
            "subject": self.subject,
            "digest": self.digest,
            "at": self.at.isoformat(),
            "erased": dict(self.erased),
            "remaining": self.remaining,
            "found": dict(self.found),
            "scanned": list(self.scanned),
            "retained": list(self.retained),
            "items": list(self.items),
        }
