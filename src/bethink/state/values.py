"""The profile: what is known of a user as fields, and where each field came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where the value of a field came from."""

    source: str  #: user, tool, agent, import, or system: data that the application supplied
    at: datetime  #: since when the value holds, aware, UTC
    by: str = "application"  #: who wrote it

    def to_json(self) -> dict[str, str]:
        """Return plain JSON."""
        return {"source": self.source, "at": self.at.astimezone(UTC).isoformat(), "by": self.by}

    @classmethod
    def from_json(cls, plain: Mapping[str, str]) -> Provenance:
        """Read plain JSON back."""
        return cls(source=plain["source"], at=datetime.fromisoformat(plain["at"]), by=plain["by"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One version of a profile."""

    version: int = 0  #: 0 where nothing was ever written
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])
    provenance: Mapping[str, Provenance] = field(default_factory=dict[str, Provenance])
    updated_at: datetime | None = None
