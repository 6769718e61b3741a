"""Values of a health check: what was examined, and the problems found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from bethink.plain import Plain
from bethink.sessions.values import CacheUse

if TYPE_CHECKING:
    from bethink.lifecycle.metrics import Metrics
    from bethink.storage.health import StoreState

ProblemKind: TypeAlias = Literal[
    "store",  #: the database itself is damaged
    "table",  #: a table of a scope cannot be read through
    "item",  #: an entry of a session is no JSON object: reads pass it over
    "session",  #: the number of entries is not the one that was counted
    "note",
    "note version",
    "profile",
    "passages",  #: a block of the index; it can be made again
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem(Plain):
    """One thing that is not as it should be, and its place; its content is not told."""

    kind: ProblemKind  #: what is damaged
    reason: str  #: what is wrong with it
    namespace: str | None = None  #: the scope it is in
    place: str | None = None  #: the id of the note or item, the name of the session, a version, a block


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexState(Plain):
    """How the passages of recall are kept; what is not in a block is read from notes and items."""

    embedder: str  #: the identity of the one in use; empty where there is none
    blocks: int = 0  #: packed pieces of the index
    passages: int = 0  #: in blocks
    bytes: int = 0  #: what the blocks take
    others: Mapping[str, int] = field(default_factory=dict[str, int])
    """Blocks of other embedders, by identity, or of other versions: they are made anew at the next recall."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health(Plain):
    """What `doctor` answers."""

    healthy: bool  #: whether nothing is damaged
    store: StoreState  #: the database itself: its version, its settings, what it says of its own pages
    scopes: int = 0  #: how many scopes there are
    sessions: int = 0  #: how many sessions there are
    items: int = 0  #: how many items were read
    notes: int = 0  #: how many notes were read
    index: IndexState  #: state of the recall index
    problems: tuple[Problem, ...] = ()  #: what is damaged, and where


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeCounts(Plain):
    """How much one scope holds."""

    namespace: str  #: the scope
    sessions: int = 0  #: how many it has
    items: int = 0  #: how many it has
    notes: Mapping[str, int] = field(default_factory=dict[str, int])  #: by status
    categories: Mapping[str, int] = field(default_factory=dict[str, int])  #: live notes by category
    profile: int = 0  #: the newest version of the profile
    passages: int = 0  #: packed for recall
    events: Mapping[str, int] = field(default_factory=dict[str, int])  #: what the lifecycle counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals(Plain):
    """How much a tenant holds, in a few numbers that cost little."""

    items: int = 0
    notes: Mapping[str, int] = field(default_factory=dict[str, int])  #: by status
    counts: Mapping[str, int] = field(default_factory=dict[str, int])  #: what the lifecycle counted
    spend: Mapping[str, int] = field(default_factory=dict[str, int])  #: tokens that models took, by operation


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats(Plain):
    """How much a memory holds: what `stats` answers."""

    tenant: str  #: the tenant that is counted
    scopes: tuple[ScopeCounts, ...] = ()  #: each scope by itself
    sessions: int = 0  #: sessions of all scopes
    items: int = 0  #: items of all scopes
    notes: Mapping[str, int] = field(default_factory=dict[str, int])  #: notes of all scopes, by status
    bytes: Mapping[str, int] = field(default_factory=dict[str, int])  #: of the database, by what takes them
    metrics: Metrics  #: the practical metrics
    days: Mapping[str, Mapping[str, int]] = field(default_factory=dict[str, "Mapping[str, int]"])
    """What the lifecycle counted, by day."""
    spend: Mapping[str, Mapping[str, int]] = field(default_factory=dict[str, "Mapping[str, int]"])
    """Tokens that models took, by day and operation."""
    recent: CacheUse = field(default_factory=CacheUse)
    """The cache of hot sessions, of this process."""
