"""Items, heads and descriptions of sessions: what they take and answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from bethink.plain import Plain
from bethink.sessions.items import DEFAULT_SESSION, WEBHOOK, Body, Entry, Item, Origin, is_foreign

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, timedelta

__all__ = [
    "DEFAULT_SESSION",
    "WEBHOOK",
    "Attempt",
    "Body",
    "Branch",
    "CacheUse",
    "Entry",
    "Expiry",
    "Head",
    "Item",
    "Kind",
    "Origin",
    "Origins",
    "SessionInfo",
    "Superseded",
    "ToolUse",
    "TurnUsage",
    "is_foreign",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Head(Plain):
    """Where a session stands after a write."""

    session: str  #: the session's name
    revision: int  #: pass it as `expected` to write only if nothing came between
    seq: int  #: of the newest item ever appended
    count: int  #: items now in the log
    repeated: bool = False  #: the operation id, or each item's key, was known: nothing was written this time
    known: int = 0  #: items that were left out of this append because their keys were known
    unread: Mapping[str, int] = field(default_factory=dict[str, int])
    """How many of the items just appended are of shapes that no reader knows: kept, and not found by recall."""

    def __str__(self) -> str:
        return f"{self.session}: {self.count} items, revision {self.revision}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo(Plain):
    """A session as a list shows it."""

    id: str  #: the session's name
    title: str | None  #: a title for people
    count: int  #: items in the log
    revision: int  #: pass it as `expected` to write only if nothing came between
    created_at: datetime  #: aware, UTC
    updated_at: datetime  #: when it was written last
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])  #: JSON of your own

    def __str__(self) -> str:
        title = f" ({self.title})" if self.title else ""
        return f"{self.id}{title}: {self.count} items, written last {self.updated_at:%Y-%m-%d %H:%M}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Superseded(Plain):
    """What an item was before it was replaced."""

    item: Item  #: the item as it was
    replaced_at: datetime  #: when it was replaced


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch(Plain):
    """A session that was forked from another one."""

    session: SessionInfo  #: the newer session
    at: int  #: `seq` of the newest item that both have


@dataclass(frozen=True, slots=True, kw_only=True)
class Origins(Plain):
    """Where a session comes from, and for how long it is kept."""

    parent: str | None = (
        None  #: the session that it was forked from; None where that is gone, or there was none
    )
    at: int | None = None  #: `seq` of the newest item that both have
    ttl: timedelta | None = None  #: for how long its items are kept; None: for ever


@dataclass(frozen=True, slots=True, kw_only=True)
class Expiry(Plain):
    """For how long the items of a session are kept after they were said."""

    session: str  #: the session's name
    seconds: float | None  #: None: for ever


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse(Plain):
    """How often a tool was called in a session, as its log says."""

    tool: str  #: the tool's name
    calls: int  #: how often it was called
    answered: int  #: of these calls, how many have a result in the log
    turns: int  #: in how many turns


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheUse(Plain):
    """How often the newest entries of a session were at hand when they were read again."""

    hits: int = 0  #: reads that found what they wanted at hand
    misses: int = 0  #: reads that had to ask the store
    sessions: int = 0  #: that are held now
    bytes: int = 0  #: that they take, about

    @property
    def hit_rate(self) -> float | None:
        """Return the share of reads that asked for no rows; None where nothing was read yet."""
        reads = self.hits + self.misses
        return self.hits / reads if reads else None


Kind: TypeAlias = Literal["user", "assistant", "call", "result", "reasoning", "system", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt(Plain):
    """A turn that failed. What was said in it is not kept; what it did may have happened all the same."""

    at: datetime  #: when it failed
    error: str  #: the class of the error
    calls: tuple[str, ...] = ()  #: names of the tools that had been called


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnUsage(Plain):
    """What the models took for one run, beside the entries of the log that it is about."""

    first: int  #: `seq` after which the run's entries begin
    last: int  #: `seq` of its newest entry
    at: datetime  #: when the run ended
    requests: int  #: calls of the model
    tokens_in: int  #: tokens that were read
    tokens_out: int  #: tokens that were written
    tokens_cached: int = 0  #: of those read, from the provider's cache
    tokens_reasoning: int = 0  #: of those written, for thinking
