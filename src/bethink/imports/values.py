"""Values of importers: entries, facts, and the import report."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from bethink.sessions.values import Body


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One item of a conversation, and where it belongs as far as the file says so."""

    line: int  #: its place in the file, counted from 1
    body: Body
    session: str | None = None
    at: datetime | None = None
    speaker: str | None = None
    agent: str | None = None
    user: str | None = None
    key: str | None = None  #: the id that the other system gave it
    title: str | None = None  #: of its session


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One thing that another system remembered."""

    line: int
    text: str
    id: str  #: by which it is known again: of the other system, or of its place and words
    origin: str  #: the system
    at: datetime | None = None  #: since when it holds, or when it was written
    until: datetime | None = None  #: when the other system ends it
    ended: datetime | None = None  #: when it stopped being true; such a fact is history
    keywords: tuple[str, ...] = ()
    agent: str | None = None
    user: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])  #: what else is known of it


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedUsage:
    """What the models took for a turn of a conversation."""

    line: int
    session: str
    key: str  #: the other system's id of the newest entry of the turn
    user: str | None = None
    at: datetime | None = None
    requests: int = 1
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    tokens_reasoning: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Something that a reader leaves out on purpose, and why."""

    reason: str
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Malformed:
    """A place in a file that cannot be read; what comes before and after it can."""

    line: int
    reason: str  #: what is wrong with it, without its text
    file: str | None = None  #: where there are several


Read: TypeAlias = Entry | Fact | ImportedUsage | Skipped | Malformed


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file, an archive or a folder that was recognised."""

    format: str  #: such as `jsonl`, `chatgpt`, `claude-code`; several are joined by a plus
    count: int | None  #: how many entries it has, about; None where that is not known
    entries: Iterator[Read]


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectedFact:
    """A fact that did not become a note, and why; without its text."""

    origin: str
    id: str
    reason: str


@dataclass(slots=True, kw_only=True)
class Ingested:
    """What became of the entries of a file."""

    format: str = ""
    dry_run: bool = False  #: nothing was written: `kept` and `notes` say what would be looked at
    kept: int = 0  #: new in the memory
    known: int = 0  #: kept by an earlier run
    deleted: int = 0  #: of sessions that were deleted after these were said: left out
    undated: int = 0  #: entries whose own time is not known
    notes: int = 0  #: facts that became notes
    notes_known: int = 0  #: facts that an earlier run brought, whatever became of their notes since
    quarantined: int = 0  #: of the notes: they wait for review
    turns: int = 0  #: of which it was noted what the models took
    left: dict[str, int] = field(default_factory=dict[str, int])  #: what was left out on purpose, by reason
    unkept: list[RejectedFact] = field(default_factory=list[RejectedFact])
    unread: dict[str, int] = field(default_factory=dict[str, int])
    """How many of those kept are of shapes that no reader knows: recall does not find them."""
    broken: list[Malformed] = field(default_factory=list[Malformed])
    sessions: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    """How many entries each session was given, new or known, by namespace."""
