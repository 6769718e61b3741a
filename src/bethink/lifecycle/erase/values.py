"""The erasure receipt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from bethink.plain import Plain

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

Subject: TypeAlias = Literal["note", "session", "namespace", "user", "tenant", "backup"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt(Plain):
    """What was destroyed, and what was found afterwards. It holds counts and digests, never content."""

    id: str  #: the receipt's own id
    subject: Subject  #: what was erased
    digest: str  #: of the subject's name: enough to recognise it, not enough to read it
    at: datetime  #: when
    erased: Mapping[str, int]  #: rows destroyed, by table
    remaining: int  #: places where something of it was still found by the scan; 0 is a clean erasure
    found: Mapping[str, int] = field(default_factory=dict[str, int])  #: those places, by table or file
    scanned: tuple[str, ...] = ()  #: what the scan looked through
    retained: tuple[
        str, ...
    ] = ()  #: what the engine or its surroundings may still keep, and how to be rid of it
    items: tuple[str, ...] = ()  #: ids of items of the log that say what an erased note said, and still stand

    def __str__(self) -> str:
        rows = ", ".join(f"{count} {table}" for table, count in sorted(self.erased.items()) if count)
        shown = [
            f"receipt {self.id} of {self.at:%Y-%m-%d %H:%M}: {self.subject} erased, {self.remaining} remaining"
        ]
        shown += [f"  rows: {rows or 'none'}"]
        shown += [f"  still found: {place} ({count})" for place, count in sorted(self.found.items())]
        shown += [f"  items that say it: {', '.join(self.items)}"] if self.items else []
        return "\n".join([*shown, *(f"  may be retained: {each}" for each in self.retained)])
