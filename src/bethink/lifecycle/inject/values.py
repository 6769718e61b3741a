"""Values of a context: the block, its parts, and what was left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from bethink.plain import Plain

if TYPE_CHECKING:
    from datetime import datetime

Half: TypeAlias = Literal["prefix", "suffix"]
PartKind: TypeAlias = Literal["policy", "profile", "global", "session", "recalled"]
Strategy: TypeAlias = Literal["relevance+recency", "relevance", "recency"]
DropReason: TypeAlias = Literal[
    "budget",  #: the token budget was used up by parts that come before it
    "over max",  #: more notes than the list may have, and these came last
    "expired",
    "ended",  #: it is no longer valid
    "not yet valid",
    "not relevant",  #: recall found it, and it hardly bears on the question
    "not asked for",  #: a daily note drawn from a conversation, which the question is not about
    "archived",  #: of a category that is shown for some days only
    "pending",
    "quarantined",
    "superseded",
    "forgotten",
    "closed",  #: a session note that consolidation is done with
    "duplicate",  #: the same words stand in another part
    "outdated",  #: a newer note says otherwise, and nothing consolidated the two yet
    "in profile",  #: over max, and a field of the profile says it anyway
    "hidden",  #: a field that no model may see
    "empty",  #: nothing readable is left of it
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Something said in a conversation, as recall found it; the guard has seen it."""

    id: str  #: of the item
    text: str
    at: datetime | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(Plain):
    """One thing that the model is told."""

    kind: PartKind  #: which part of the context it belongs to
    id: str  #: of the note or the item; the name of the field; `full` or `brief` for the policy
    text: str  #: as it stands in the context
    tokens: int  #: how many it takes
    half: Half = (
        "prefix"  #: which of the two it is in: what stays from turn to turn, or what this turn asked for
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedPart(Plain):
    """One thing that the model is not told, and why."""

    kind: PartKind  #: which part of the context it would have belonged to
    id: str  #: of the note or the item; the name of the field
    reason: DropReason  #: why it was left out


@dataclass(frozen=True, slots=True, kw_only=True)
class Context(Plain):
    """What is put before a conversation: as one text, or in two halves, between which the history goes."""

    text: str  #: all of it: what goes before the conversation
    prefix: str = (
        ""  #: policy, profile and core notes: the same from turn to turn, so that a prompt cache holds
    )
    suffix: str = ""  #: what this turn asked for, and what is new since the conversation began; often empty
    parts: tuple[Part, ...] = ()  #: in the order of the text
    tokens: int = 0  #: of the whole text
    dropped: tuple[DroppedPart, ...] = ()  #: what was left out, and why

    def __str__(self) -> str:
        return self.text
