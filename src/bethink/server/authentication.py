"""Authentication: API key, JWT, browser session, or the signature of a webhook message."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from bethink.errors import InvalidError
from bethink.scope.labels import label
from bethink.scope.values import NOOP, Principal, validate_principal
from bethink.server.dashboard.urls import SIGN_IN, STATIC
from bethink.server.problems import HttpError
from bethink.server.webhooks.values import PATH

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from bethink.server.api_keys import ApiKeys
    from bethink.server.browser_sessions import BrowserSession, BrowserSessions
    from bethink.server.jwt_tokens import JwtReader
    from bethink.server.rate_limits import TokenBuckets
    from bethink.server.services import RequestState
    from bethink.server.tenants import Tenants
    from bethink.server.webhooks.inbound import InboundWebhooks

_MESSAGE: Final = re.compile(f"{PATH}(?P<webhook>[^/]+)")
PUBLIC = frozenset({"/v1/health", "/v1/readiness", "/openapi.json"})

SCHEMES: Final = frozenset({"bearer", "token"})  #: of `Authorization`; mem0's clients say `Token`


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


class Authenticator(Protocol):
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
class ShownCredential:
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
        named = scheme.lower() in SCHEMES
        if key is None and named and self._keys is not None and self._keys.like(token):
            key = token
        if key is not None and self._keys is not None:
            return self._keys.caller(key.strip())
        if self._tokens is not None and named and token:
            return await self._tokens.caller(token.strip())
        raise unauthorized()

    async def shown(self, credential: str) -> ShownCredential:
        """Return whom a key or a token names, and for how long.

        Raises:
            HttpError: as `caller`.
        """
        if self._keys is not None and self._keys.like(credential):
            return ShownCredential(caller=self._keys.caller(credential), key=self._keys.digest(credential))
        if self._tokens is not None and credential:
            caller, until = await self._tokens.read(credential)
            return ShownCredential(caller=caller, until=until)
        raise unauthorized()

    def still(self, key: str) -> Caller | None:
        """Return whose key has this digest; None once it was withdrawn."""
        return None if self._keys is None else self._keys.of_digest(key)

    async def ready(self) -> None:
        """Make sure that the keys of the identity provider are at hand."""
        if self._tokens is not None:
            await self._tokens.keys.ready()


class Authentication:
    """Finds out who asks, by the cookie of a browser session or by credentials.

    Of a message to a webhook, it finds the webhook: who it is from is known by `WebhookSignature`, with the body.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        authenticator: Authenticator,
        sessions: BrowserSessions | None,
        tenants: Tenants,
        inbound: InboundWebhooks,
    ) -> None:
        self.app = app
        self._inbound = inbound
        self._authenticator = authenticator
        self._sessions = sessions
        self._tenants = tenants

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "http" and not is_public(scope["path"]):
            state: RequestState = scope["state"]
            headers = Headers(scope=scope)
            message = _MESSAGE.fullmatch(scope["path"]) if scope["method"] == "POST" else None
            if message is not None:
                state["left"] = await self._inbound.left(message["webhook"], scope, headers)
            elif self._sessions is not None and (shown := await self._shown(self._sessions, headers)):
                state["browser_session"], state["caller"] = shown, shown.caller
            else:
                state["caller"] = await self._authenticator.caller(headers)
        await self.app(scope, receive, send)

    async def _shown(self, sessions: BrowserSessions, headers: Headers) -> BrowserSession | None:
        """Return the session of the browser that asks; None where the credentials of the request say who it is."""
        if "authorization" in headers or "x-api-key" in headers:
            return None
        browser_session = sessions.read(cookie_parser(headers.get("cookie", "")))
        if browser_session is None:
            return None
        async with self._tenants.using(browser_session.caller.tenant) as memory:
            return None if await sessions.ended(browser_session, memory) else browser_session


class WebhookSignature:
    """Believes a message to a webhook by its signature, which is over the body, and counts it for its webhook."""

    def __init__(self, app: ASGIApp, *, inbound: InboundWebhooks, rates: TokenBuckets) -> None:
        self.app = app
        self._inbound = inbound
        self._rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        state: RequestState = scope["state"] if scope["type"] == "http" else {}
        if "left" in state:
            body = state.get("body", b"")
            state["caller"] = caller = self._inbound.caller(state["left"], scope, Headers(scope=scope), body)
            self._rates.take(caller.tenant, caller.counted)
        await self.app(scope, receive, send)


def is_public(path: str) -> bool:
    """Tell whether anybody may ask for a path."""
    return path in PUBLIC or path == SIGN_IN or path.startswith(STATIC)


def unauthorized(detail: str = "credentials are missing, invalid or expired") -> HttpError:
    """Return the refusal of somebody who did not show who they are."""
    return HttpError(401, "unauthorized", detail, headers={"www-authenticate": "Bearer"})


def caller_of(tenant: str, id: str, *, groups: tuple[str, ...] = (), admin: bool = False) -> Caller:  # noqa: A002
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
