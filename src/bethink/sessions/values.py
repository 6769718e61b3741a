"""Values of sessions: items, heads and session info."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from bethink.plain import Plain, shortened

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, timedelta

Body: TypeAlias = "dict[str, Any]"  #: an item's own JSON, as the framework made it
Origin: TypeAlias = str  #: where a message came from: chat, webhook, background, import …

DEFAULT_SESSION = "dashboard"
WEBHOOK: Final = "webhook"  #: an origin, alone or followed by a colon and which webhook


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(Plain):
    """One entry of a conversation; its `body` is the framework's own JSON, untouched."""

    id: str  #: opaque, unique in its tenant
    session: str  #: the session's name
    seq: int  #: its place in the session: greater is later, never used twice
    body: Body  #: the framework's own JSON
    at: datetime | None  #: when it was said, aware, UTC
    speaker: str | None = None  #: who said it, where a message names somebody
    origin: Origin = "chat"  #: by which way it came: `chat`, `webhook`, `background`, `import` …

    def __str__(self) -> str:
        content = self.body.get("content")
        text = content if isinstance(content, str) else json.dumps(self.body, ensure_ascii=False)
        return f"{self.seq}  {self.speaker or self.body.get('role') or self.body.get('type', '')}: {shortened(text)}"


class Entry(NamedTuple):
    """What there is to index of an entry."""

    seq: int
    body: Body
    at: int | None  #: microseconds since 1970, UTC
    speaker: str | None


def is_foreign(origin: Origin) -> bool:
    """Tell whether a message was written by somebody else than the one whose session it stands in."""
    return origin == WEBHOOK or origin.startswith(f"{WEBHOOK}:")


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
