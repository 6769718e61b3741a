"""What readers hand on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A place in a file that cannot be read; what comes before and after it can."""

    line: int
    reason: str  #: what is wrong with it, without its text


Read: TypeAlias = Entry | Broken


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file that was recognised."""

    format: str  #: `jsonl`, `json` or `locomo`
    count: int  #: how many entries it has, about
    entries: Iterator[Read]


@dataclass(slots=True, kw_only=True)
class Ingested:
    """What became of the entries of a file."""

    kept: int = 0  #: new in the memory
    known: int = 0  #: kept by an earlier run
    deleted: int = 0  #: of sessions that were deleted after these were said: left out
    unread: dict[str, int] = field(default_factory=dict[str, int])
    """How many of those kept are of shapes that no reader knows: recall does not find them."""
    broken: list[Broken] = field(default_factory=list[Broken])
    sessions: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    """How many entries each session was given, new or known, by namespace."""
