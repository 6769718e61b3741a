"""Who may register pools, teams and agents, under which names, and how many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from bethink.errors import DeniedError, InvalidError
from bethink.scope.values import EVERYONE, GROUP

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bethink.scope.values import Principal

ADMINS: Final = "admin"
Count: TypeAlias = "Callable[[], Awaitable[int]]"


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationPolicy:
    """What a server lets its callers register; the application itself and admins may register anything."""

    who: str = EVERYONE  #: everyone, admins alone (`admin`), or the members of `group:NAME`
    reserved: tuple[str, ...] = ()  #: name prefixes that only an admin may use
    most: int = 0  #: maximum of each kind per owner; 0 is unlimited

    def check_options(self) -> None:
        """Refuse settings that nobody can mean.

        Raises:
            InvalidError: the word says nobody, or a prefix is empty.
        """
        if self.who not in {EVERYONE, ADMINS} and not self.who.removeprefix(GROUP).strip():
            raise InvalidError("creators must be *, admin or group:NAME", argument="creators")
        if self.who not in {EVERYONE, ADMINS} and not self.who.startswith(GROUP):
            raise InvalidError("creators must be *, admin or group:NAME", argument="creators")
        if not all(each.strip() for each in self.reserved):
            raise InvalidError(
                "a reserved prefix must have at least one letter, such as org:", argument="reserved"
            )

    async def check(self, principal: Principal | None, kind: str, name: str, owned: Count) -> None:
        """Let somebody register something new. Whether the name is taken is not looked at.

        Args:
            principal: who asks.
            kind: pool, team or agent.
            name: that it is to have, in its one written form.
            owned: counts what the caller owns of this kind.

        Raises:
            DeniedError: the caller may register nothing, or nothing of this name.
            HttpError: 429, the caller owns as many as one may.
        """
        if principal is None or principal.admin:
            return
        if self.who != EVERYONE and self.who not in {GROUP + each for each in principal.groups}:
            raise DeniedError(
                f"this server does not let you register a {kind}; ask an admin",
                principal=principal.id,
                right="create",
            )
        if name.casefold().startswith(tuple(each.casefold() for each in self.reserved)):
            raise DeniedError(
                f"names with this prefix are reserved; choose another name for the {kind}, or ask an admin",
                principal=principal.id,
                right="create",
            )
        if self.most and (count := await owned()) >= self.most:
            from bethink.server.problems import (
                HttpError,
            )  # here, since the command line reads these options, too

            raise HttpError(
                429,
                "quota",
                f"you own the maximum number of {kind}s; remove one, or ask an admin",
                limit=self.most,
                actual=count,
                unit=f"{kind}s",
            )


OPEN: Final = RegistrationPolicy()
