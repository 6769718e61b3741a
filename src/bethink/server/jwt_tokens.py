"""Verify bearer tokens: JWTs by the identity provider's published keys (OIDC discovery, JWKS)."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.request
from typing import TYPE_CHECKING, Any

from bethink.json_kinds import is_list
from bethink.server.authentication import Caller, caller_of, unauthorized
from bethink.server.problems import HttpError

try:
    import jwt
except ImportError as missing:
    raise ImportError(
        "bearer tokens require PyJWT: pip install 'bethink[server]'", name=missing.name
    ) from missing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bethink.server.options import Tokens

MAX_BYTES = 1 << 20  #: maximum size of the provider's documents
MAX_TOKEN = 16_384  #: characters


class KeySet:
    """The provider's keys, fetched in a thread, once at a time, and kept for a while.

    A key that is not known is asked for anew, so that keys can change; a provider that does not answer is not asked
    again at once, and the keys at hand are good for some time longer.
    """

    def __init__(self, tokens: Tokens, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._tokens = tokens
        self._clock = clock
        self._lock = asyncio.Lock()
        self._keys: dict[str | None, Any] = {}
        self._fetched: float | None = None
        self._tried: float | None = None
        self.fetches = 0  #: how often the provider was queried

    async def find(self, kid: str | None) -> Any:
        """Return the key of an id.

        Raises:
            HttpError: 401 where the provider has no such key, 503 where it does not answer.
        """
        if self._age() < self._tokens.keys_seconds and kid in self._keys:
            return self._keys[kid]
        async with self._lock:
            if (self._age() >= self._tokens.keys_seconds or kid not in self._keys) and self._may_try():
                await self._fetch()
        if self._age() >= self._tokens.keys_seconds + self._tokens.stale_seconds:
            raise HttpError(
                503,
                "unavailable",
                "the identity provider does not respond, so credentials cannot be checked; try again soon",
                headers={"retry-after": str(max(1, int(self._tokens.retry_seconds)))},
            )
        if kid not in self._keys:
            raise unauthorized()
        return self._keys[kid]

    async def ready(self) -> None:
        """Make sure that there are keys.

        Raises:
            HttpError: 503, there are none.
        """
        try:
            await self.find("")
        except HttpError as error:
            if error.status == 503:  # noqa: PLR2004
                raise

    def _age(self) -> float:
        return float("inf") if self._fetched is None else self._clock() - self._fetched

    def _may_try(self) -> bool:
        return self._tried is None or self._clock() - self._tried >= self._tokens.retry_seconds

    async def _fetch(self) -> None:
        self._tried = self._clock()
        self.fetches += 1
        try:
            found = await asyncio.to_thread(self._read)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return  # what is at hand stays; whoever asks is told when nothing is
        self._keys, self._fetched = found, self._clock()

    def _read(self) -> dict[str | None, Any]:
        url = self._tokens.jwks
        if url is None:
            place = self._tokens.issuer.rstrip("/") + "/.well-known/openid-configuration"
            url = str(_get(place, self._tokens.fetch_seconds)["jwks_uri"])
        published = _get(url, self._tokens.fetch_seconds)["keys"]
        keys: dict[str | None, Any] = {}
        for each in published:
            try:
                keys[each.get("kid")] = jwt.PyJWK.from_dict(each)
            except jwt.exceptions.PyJWTError:
                continue  # a key of a kind that we do not know is not for us
        if not keys:
            raise ValueError("no usable key")
        return keys


class JwtReader:
    """Reads a token as the server was told to."""

    def __init__(self, tokens: Tokens, tenant: str, keys: KeySet | None = None) -> None:
        self._tokens = tokens
        self._tenant = tenant
        self.keys = keys or KeySet(tokens)

    async def caller(self, token: str) -> Caller:
        """Return whom a token names.

        Raises:
            HttpError: 401 for a token that is not good, 403 for a reserved id, 503 where the keys are missing.
        """
        caller, _ = await self.read(token)
        return caller

    async def read(self, token: str) -> tuple[Caller, float]:
        """Return whom a token names, and until when, in seconds since 1970.

        Raises:
            HttpError: as `caller`.
        """
        claims = await self._claims(token)
        id_, tenant = claims.get(self._tokens.principal_claim), self._tenant
        if self._tokens.tenant_claim is not None:
            tenant = claims.get(self._tokens.tenant_claim)
        if not isinstance(id_, str) or not isinstance(tenant, str):
            raise unauthorized("the token names no principal, or no tenant")
        groups = _words(claims, self._tokens.groups_claim)
        return caller_of(tenant, id_, groups=groups, admin=self._admin(claims)), float(claims["exp"])

    async def _claims(self, token: str) -> Mapping[str, Any]:
        wanted = self._tokens
        try:
            if len(token) > MAX_TOKEN:
                raise unauthorized()
            header = jwt.get_unverified_header(token)
            key = await self.keys.find(header.get("kid"))
            return jwt.decode(
                token,
                key,
                algorithms=list(wanted.algorithms),
                audience=wanted.audience,
                issuer=wanted.issuer,
                leeway=wanted.leeway,
                options={"require": ["exp", "iss", "aud", wanted.principal_claim]},
            )
        except (jwt.exceptions.PyJWTError, ValueError, TypeError, RecursionError) as error:
            raise unauthorized() from error

    def _admin(self, claims: Mapping[str, Any]) -> bool:
        if self._tokens.admin is None:
            return False
        claim, value = self._tokens.admin
        return value in _words(claims, claim)


def _words(claims: Mapping[str, Any], claim: str | None) -> tuple[str, ...]:
    given = claims.get(claim) if claim is not None else None
    if isinstance(given, str):
        return tuple(given.split())
    return tuple(each for each in given if isinstance(each, str)) if is_list(given) else ()


def _get(url: str, seconds: float) -> Any:
    if not url.startswith(("https://", "http://")):
        raise ValueError("keys must be fetched over HTTP")
    with urllib.request.urlopen(url, timeout=seconds) as answer:  # noqa: S310 - the scheme was looked at
        text = answer.read(MAX_BYTES + 1)
    if len(text) > MAX_BYTES:
        raise ValueError("response too large")
    return json.loads(text)
