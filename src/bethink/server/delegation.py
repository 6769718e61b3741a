"""Delegation: on whose behalf a webhook, task or subscription acts while that user is absent."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bethink.errors import DeniedError
from bethink.scope.values import NOOP, Principal

if TYPE_CHECKING:
    from bethink.memory.memory import AsyncMemory
    from bethink.server.options import AuthMode


@dataclass(frozen=True, slots=True)
class Delegation:
    """Who registered something, with the groups of that time; without an id it was the application itself.

    What acts by a delegation is never an admin, whoever gave it: it reaches that person's own memory, and what was
    granted to them.
    """

    id: str = ""
    groups: tuple[str, ...] = ()

    @classmethod
    def of(cls, principal: Principal | None) -> Delegation:
        """Return what somebody leaves behind who registers something now."""
        return cls() if principal is None else cls(principal.id, principal.groups)

    @classmethod
    def read(cls, principal: str, groups: str) -> Delegation:
        """Return a delegation from its two columns."""
        return cls(principal, tuple(json.loads(groups)))

    @property
    def row(self) -> dict[str, str]:
        """Return the two columns."""
        return {"principal": self.id, "groups": json.dumps(self.groups)}

    @property
    def who(self) -> Principal | None:
        """Return the principal to act as; None is the application."""
        if not self.id:
            return None
        # `noop` is whoever works without authentication, and so an admin as ever.
        return Principal(self.id, groups=self.groups, admin=self.id == NOOP.id)

    def check(self, auth: AuthMode) -> Delegation:
        """Return a delegation that holds under the present authentication.

        Raises:
            DeniedError: it was given while nobody was asked who they are, and now everybody is.
        """
        needed: AuthMode = "off" if not self.id else "noop" if self.id == NOOP.id else "bearer"
        if needed not in {auth, "bearer"}:
            raise DeniedError(
                f"this was registered with --auth {needed}, but the server runs with {auth}; register it "
                "again",
                principal=self.id or None,
                right="write",
            )
        return self

    def over(self, memory: AsyncMemory) -> AsyncMemory:
        """Return a memory narrowed to what the delegation allows."""
        return memory if self.who is None else memory.acting_as(self.who)
