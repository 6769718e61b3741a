"""What a note claims of somebody."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

Strength: TypeAlias = Literal["like", "prefer"]
USER: Final = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One thing that a note says of somebody."""

    subject: str
    attribute: str
    value: str
    positive: bool = True
    condition: frozenset[str] = frozenset()
    rest: frozenset[str] = frozenset()  #: what else is said beside it
    about: frozenset[str] = frozenset()  #: the words that showed which attribute is meant
    strength: Strength | None = None
    clause: int = field(default=0, compare=False)  #: which clause of the note makes it
