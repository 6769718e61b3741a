"""The note: its text, category, status, validity and provenance."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from bethink.plain import Plain

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

Status: TypeAlias = Literal["active", "pending", "quarantined", "superseded", "expired", "forgotten"]
Wait: TypeAlias = Literal["pending", "quarantined"]  #: for review: nobody said it, or the guard set it aside
Outcome: TypeAlias = Literal[
    "promoted", "merged", "ephemeral", "superseded", "expired", "approved", "forgotten"
]
Source: TypeAlias = Literal["user", "tool", "agent", "import"]
Door: TypeAlias = Literal[
    "tools", "mcp", "rest", "background", "distill"
]  #: by which an agent hands in a note
Admission: TypeAlias = Literal[
    "covered",  #: active where the user's own words carry it, or where no log of the turn is; else pending
    "pending",  #: it waits until somebody approves it
    "active",  #: at once, quoted with its author
]

CORE = "core"  #: the category of permanent facts
DAILY = "daily"  #: of notes that are kept for a while
CONVERSATION = "conversation"  #: of notes that go with their session
RESTS_ON = "rests_on"  #: metadata key of a pending note: the interface that it came by, and its provenance
STAYS = "stays"  #: metadata key: "session" if the note never leaves its session
HIDDEN_ITEMS = "hidden_items"  #: metadata key of a forgotten note: ids of items that recall no longer finds

LIVE: tuple[Status, ...] = (
    "active",
    "pending",
    "quarantined",
)  #: of notes that can be worded anew or forgotten
WAITING: frozenset[str] = frozenset(
    {"pending", "quarantined"}
)  #: statuses of what somebody has to decide about


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(Plain):
    """One thing remembered.

    A note with a `session` is a session note: it is staged with one session until consolidation
    closes it. One without is global: it belongs to the user of its scope.
    """

    id: str  #: opaque, unique in its tenant
    key: str | None = None  #: the name a caller gave it; unique among the scope's live notes
    text: str  #: the text, in the user's own words where a user said it
    context: str | None = (
        None  #: what its open words point to: the question it answers, a day; never compared
    )
    speaker: str | None = None  #: who said it, where an item named somebody
    category: str = CORE  #: core, daily, conversation or a custom word, in lower case
    keywords: tuple[str, ...] = ()  #: one to three labels, in lower case
    session: str | None = None  #: the session that a session note belongs to
    status: Status = "active"  #: active, pending, quarantined, superseded, expired or forgotten
    outcome: Outcome | None = None  #: the result of consolidation or review
    source: Source = "user"  #: who said it: how far it is trusted
    sources: tuple[str, ...] = ()  #: ids of the items and notes it was made from
    confidence: float | None = None  #: 0 to 1, where an engine gave one
    created_at: datetime  #: aware, UTC
    updated_at: datetime  #: aware, UTC
    valid_from: datetime | None = None  #: since when it holds in the world
    valid_to: datetime | None = None  #: until when it held; set by its successor
    expires_at: datetime | None = None  #: when it stops being shown
    revision: int = 0  #: the store's order: greater is later
    #: JSON of your own; `recall` and `notes` filter by it with `where`
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __str__(self) -> str:
        return self.text if self.status == "active" else f"{self.text} ({self.status})"


def is_closed(note: Note) -> bool:
    """Say whether consolidation is done with a note; one that somebody approved goes on like any other."""
    return note.outcome not in {None, "approved"}


def withheld_text(note: Note) -> Note:
    """Return what somebody may know of a note who changed it and may not read it: which it is and how it stands."""
    return replace(
        note,
        key=None,
        text="",
        context=None,
        speaker=None,
        keywords=(),
        session=None,
        sources=(),
        metadata={},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteVersion(Plain):
    """An earlier wording or state of a note."""

    note: Note  #: the note as it was
    ended_at: datetime  #: when it stopped being so
    ended_by: str  #: revised, forgotten, superseded, expired, approved, rejected, undone

    def __str__(self) -> str:
        return f"{self.note.text} ({self.ended_by} {self.ended_at:%Y-%m-%d %H:%M})"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewNote:
    """What a caller wants remembered, checked but without an id."""

    text: str
    context: str | None = None
    speaker: str | None = None
    key: str | None = None
    category: str = CORE
    keywords: tuple[str, ...] = ()
    session: str | None = None
    status: Status = "active"
    source: Source = "user"
    sources: tuple[str, ...] = ()
    confidence: float | None = None
    valid_from: datetime | None = None
    expires_at: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
