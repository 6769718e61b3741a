"""Values of the health score: an examined note, and the report."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from bethink.notes.values import Source

Ailment: TypeAlias = Literal[
    "secret",  #: it holds what memory must not keep
    "hostile",  #: it reads as an order to the model, or hides something
    "junk",  #: nothing that would help anybody later
    "contradiction",  #: a later note says otherwise
    "duplicate",  #: an earlier note says the same
    "stale",  #: its time is over, or nobody has touched it for long
    "unfindable",  #: its own words do not lead to it
    "language",  #: it is in another language than what it was made from, or than all the others
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A note of any store, as far as it is examined."""

    id: str
    text: str
    owner: str = ""  #: whose memory it is in; notes are compared within one only
    keywords: tuple[str, ...] = ()
    category: str = "core"
    source: Source = "user"
    since: datetime | None = None  #: the instant since which it holds, or was written last
    expires_at: datetime | None = None
    language: str | None = None  #: as it was noted when it was made
    origin: str | None = None  #: the words that it was made from, where they are at hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What ails one note, and the evidence; `text` is there only where it was asked for."""

    ailment: Ailment
    id: str
    owner: str
    reason: str
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """In what condition the notes of a store, or of one scope, are."""

    score: float | None  #: 0 to 100; None where there are no notes
    notes: int
    ailing: int  #: notes with a finding, each counted once
    searched: int  #: how many were looked for by their own words; 0: nothing is known of that
    rates: Mapping[str, float] = field(default_factory=dict[str, float])  #: share of the notes, by ailment
    findings: tuple[Finding, ...] = ()
