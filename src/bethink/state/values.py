"""Values of a profile: fields with versions and provenance."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from bethink.plain import Plain

if TYPE_CHECKING:
    from collections.abc import Mapping

ChangeKind: TypeAlias = Literal["set", "changed", "removed", "confirmed"]
RefusedBecause: TypeAlias = Literal["older", "less trusted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance(Plain):
    """Where the value of a field came from."""

    source: str  #: user, tool, agent, import, or system: data that the application supplied
    at: datetime  #: since when the value holds, aware, UTC
    by: str = "application"  #: who wrote it
    removed: bool = False  #: the field was taken away, so that older news does not bring it back

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON."""
        plain: dict[str, Any] = {
            "source": self.source,
            "at": self.at.astimezone(UTC).isoformat(),
            "by": self.by,
        }
        return {**plain, "removed": True} if self.removed else plain

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Provenance:
        """Read plain JSON back."""
        return cls(
            source=plain["source"],
            at=datetime.fromisoformat(plain["at"]),
            by=plain["by"],
            removed=bool(plain.get("removed", False)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile(Plain):
    """One version of a profile.

    Provenance is kept for each value, under its path: the names from the outside in, joined by `/`, as in
    `loyalty_ids/hilton` (a `/` within a name is written `~1`, a `~` is written `~0`).
    """

    version: int = 0  #: 0 where nothing was ever written
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])  #: what is known, by field
    #: where each value came from
    provenance: Mapping[str, Provenance] = field(default_factory=dict[str, Provenance])
    updated_at: datetime | None = None  #: when it changed last
    hidden: frozenset[str] = frozenset()  #: fields for the application's eyes: never shown to a model

    def __str__(self) -> str:
        return "\n".join(f"{name}: {value}" for name, value in self.visible.items()) or "an empty profile"

    @property
    def visible(self) -> dict[str, Any]:
        """Return the fields that a model may see."""
        return {name: value for name, value in self.fields.items() if name not in self.hidden}


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange(Plain):
    """What became of one value between two versions."""

    path: str
    kind: ChangeKind  #: confirmed: the same value, said again later or by someone more trusted
    before: Any = None
    after: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedField(Plain):
    """A value that was not taken over, and what stood against it."""

    path: str
    because: RefusedBecause
    standing: Provenance  #: of the value that stays


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged(Plain):
    """What became of an update: the profile after it, what changed, and what was refused."""

    profile: Profile
    changes: tuple[FieldChange, ...] = ()
    refused: tuple[RefusedField, ...] = ()
