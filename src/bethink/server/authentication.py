"""Find out who asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from bethink.errors import InvalidError
from bethink.scope.labels import label
from bethink.scope.values import NOOP, Principal, validate_principal
from bethink.server.problems import HttpError

if TYPE_CHECKING:
    from starlette.datastructures import Headers

    from bethink.server.api_keys import ApiKeys
    from bethink.server.jwt_tokens import JwtReader


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who asks, and of which tenant; no principal is everybody, where authentication is off."""

    tenant: str
    principal: Principal | None
    through: str | None = None  #: the webhook that this caller's message was left at, by somebody else

    @property
    def id(self) -> str:
        """Return the name under which requests are logged."""
        return "application" if self.principal is None else self.principal.id

    @property
    def counted(self) -> str:
        """Return the name under which requests are counted."""
        return self.through or self.id


class Door(Protocol):
    """Tells who asks from the headers of a request."""

    async def caller(self, headers: Headers) -> Caller:
        """Return who asks.

        Raises:
            HttpError: 401 without good credentials, 403 for an id that nobody may have, 503 where it cannot be told.
        """
        ...

    async def ready(self) -> None:
        """Make sure that callers can be told apart.

        Raises:
            HttpError: 503, they cannot.
        """
        ...


class DevelopmentAuthentication:
    """Lets everybody in: as `noop`, an admin of the usual tenant, or as the application itself."""

    def __init__(self, tenant: str, *, noop: bool) -> None:
        principal = Principal(NOOP.id, admin=True) if noop else None
        self._caller = Caller(tenant=tenant, principal=principal)

    async def caller(self, headers: Headers) -> Caller:  # noqa: ARG002
        """Return the one caller that there is."""
        return self._caller

    async def ready(self) -> None:
        """Nothing is needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Who showed a credential once, and for how long that holds."""

    caller: Caller
    until: float = float("inf")  #: seconds since 1970; a key holds until it is withdrawn
    key: str | None = None  #: the digest of the API key, where it was one


class RequiredAuthentication:
    """Asks for a token of the identity provider, or for an API key."""

    def __init__(self, tokens: JwtReader | None, keys: ApiKeys | None) -> None:
        self._tokens = tokens
        self._keys = keys

    async def caller(self, headers: Headers) -> Caller:
        """Return whom the credentials name."""
        key, given = headers.get("x-api-key"), headers.get("authorization", "")
        scheme, _, token = given.partition(" ")
        if key is None and scheme.lower() == "bearer" and self._keys is not None and self._keys.like(token):
            key = token
        if key is not None and self._keys is not None:
            return self._keys.caller(key.strip())
        if self._tokens is not None and scheme.lower() == "bearer" and token:
            return await self._tokens.caller(token.strip())
        raise unauthorized()

    async def shown(self, credential: str) -> Shown:
        """Return whom a key or a token names, and for how long.

        Raises:
            HttpError: as `caller`.
        """
        if self._keys is not None and self._keys.like(credential):
            return Shown(caller=self._keys.caller(credential), key=self._keys.digest(credential))
        if self._tokens is not None and credential:
            caller, until = await self._tokens.read(credential)
            return Shown(caller=caller, until=until)
        raise unauthorized()

    def still(self, key: str) -> Caller | None:
        """Return whose key has this digest; None once it was withdrawn."""
        return None if self._keys is None else self._keys.of_digest(key)

    async def ready(self) -> None:
        """Make sure that the keys of the identity provider are at hand."""
        if self._tokens is not None:
            await self._tokens.keys.ready()


def unauthorized(detail: str = "credentials are missing, invalid or expired") -> HttpError:
    """Return the refusal of somebody who did not show who they are."""
    return HttpError(401, "unauthorized", detail, headers={"www-authenticate": "Bearer"})


def known(tenant: str, id: str, *, groups: tuple[str, ...] = (), admin: bool = False) -> Caller:  # noqa: A002
    """Return a caller whose credentials were good.

    Raises:
        HttpError: the id is reserved, or is none.
    """
    try:
        return Caller(
            tenant=label(tenant, argument="tenant"),
            principal=Principal(validate_principal(id), groups=groups, admin=admin),
        )
    except InvalidError as error:
        raise HttpError(403, "denied", str(error), **error.facts) from error
