"""Values of compaction: a summary, and the compactor protocol."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from bethink.plain import Plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bethink.sessions.values import Body

Mode: TypeAlias = Literal["auto", "input", "previous_response_id"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Plain):
    """What stands for a part of a log; that part is in the log as it was."""

    first: int  #: `seq` of the oldest item that it stands for
    last: int  #: `seq` of the newest one
    items: tuple[Body, ...]
    engine: str  #: what made it
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionRequest:
    """What is to be summarised."""

    items: Sequence[Body]  #: oldest first
    previous: Sequence[Body] = ()  #: what stands for all that came before them
    mode: Mode = "input"  #: `previous_response_id`: the server has the items already
    response_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Compacted(Plain):
    """What shall stand for the items, and what it took."""

    items: list[Body] = field(default_factory=list["Body"])
    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


class Compactor(Protocol):
    """Makes a few items of many."""

    @property
    def name(self) -> str:
        """Name it, for the store and the debug log."""
        ...

    @property
    def keep_turns(self) -> int:
        """How many of the newest turns it leaves as they are."""
        ...

    @property
    def served(self) -> bool:
        """Whether it can work on the history that a server has (`previous_response_id`)."""
        ...

    async def compact(self, request: CompactionRequest) -> Compacted:
        """Return what shall stand for the items.

        Raises:
            ModelError: a model was asked and did not answer.
        """
        ...
