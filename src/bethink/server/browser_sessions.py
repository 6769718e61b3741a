"""Browser sessions: a signed cookie that names the session and contains neither key nor token."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from bethink.scope.values import Principal
from bethink.server import transactions
from bethink.server.authentication import Caller, unauthorized
from bethink.server.csrf_and_host_check import SAFE, check_origin
from bethink.server.problems import HttpError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bethink.memory.memory import AsyncMemory
    from bethink.server.authentication import RequiredAuthentication

LONGEST = 12 * 3_600  #: seconds that a browser session lasts at most; a token's may be over sooner
MAX_FIELDS = 100
COOKIE = "bethink"
SECURE_COOKIE = "__Host-bethink"  #: over https; browsers take it from no other place
FIELD = "csrf"  #: of a form
HEADER = "x-csrf-token"
FIRST_BYTES = 4_096  #: of a form with files, in which the token stands
_PART = re.compile(rb'form-data; name="csrf"\r\n\r\n([A-Za-z0-9_-]+)\r\n')
_SECOND = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserSession:
    """Somebody who signed in with a browser."""

    id: str  #: random
    caller: Caller
    until: float  #: seconds since 1970
    key: str | None = (
        None  #: the digest of the API key, so that the browser session ends when the key is withdrawn
    )


class BrowserSessions:
    """Signs browser sessions into cookies and reads them back; any process with the same secret can."""

    def __init__(
        self,
        door: RequiredAuthentication,
        secret: str | None = None,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._door = door
        self._secret = hashlib.sha256(secret.encode()).digest() if secret else secrets.token_bytes(32)
        self._clock = clock

    async def begin(self, credential: str) -> BrowserSession:
        """Return the browser session of whoever has a key or a token.

        Raises:
            HttpError: 401, it is not good; 403 or 503 as when it is sent with a request.
        """
        shown = await self._door.shown(credential)
        until = min(self._clock() + LONGEST, shown.until)
        return BrowserSession(id=secrets.token_urlsafe(16), caller=shown.caller, until=until, key=shown.key)

    async def end(self, browser_session: BrowserSession, memory: AsyncMemory) -> None:
        """Let nobody go on with a browser session, in any process of the store."""
        store = memory._runtime.store  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        until, now = (round(instant * _SECOND) for instant in (browser_session.until, self._clock()))
        await store.write(
            transactions.end_visit, browser_session.caller.tenant, browser_session.id, until=until, now=now
        )

    async def ended(self, browser_session: BrowserSession, memory: AsyncMemory) -> bool:
        """Tell whether somebody signed out of a browser session, wherever that was."""
        store = memory._runtime.store  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        return await store.read_inline(
            transactions.visit_ended, browser_session.caller.tenant, browser_session.id
        )

    def write(self, browser_session: BrowserSession) -> str:
        """Return what the cookie holds."""
        who = browser_session.caller.principal
        claims = {
            "id": browser_session.id,
            "tenant": browser_session.caller.tenant,
            "principal": None if who is None else [who.id, list(who.groups), who.admin],
            "until": browser_session.until,
            "key": browser_session.key,
        }
        text = base64.urlsafe_b64encode(json.dumps(claims, separators=(",", ":")).encode()).decode()
        return f"{text}.{self._signature('browser_session', text)}"

    def read(self, cookies: Mapping[str, str]) -> BrowserSession | None:
        """Return the browser session of a validly signed cookie; None if there is none or it has expired.

        Raises:
            HttpError: 401, the key that began it was withdrawn.
        """
        word = cookies.get(SECURE_COOKIE) or cookies.get(COOKIE) or ""
        text, _, signature = word.partition(".")
        if not text or not _same(signature, self._signature("browser_session", text)):
            return None
        try:
            claims: Any = json.loads(base64.urlsafe_b64decode(text))
        except (ValueError, binascii.Error):
            return None
        if claims["until"] <= self._clock():
            return None
        return self._visit(claims)

    def token(self, browser_session: BrowserSession) -> str:
        """Return the word that our own pages send along with whatever changes something."""
        return self._signature("csrf", browser_session.id)

    def check(
        self, browser_session: BrowserSession, method: str, headers: Mapping[str, str], body: bytes
    ) -> None:
        """Let a request pass that changes nothing, or that one of our own pages has made.

        Raises:
            HttpError: 403, it comes from elsewhere, or the page was made for another browser session.
        """
        if method in SAFE:
            return
        check_origin(method, headers, ())
        given = headers.get(HEADER) or _field(headers, body)
        if not _same(given, self.token(browser_session)):
            raise HttpError(403, "csrf", "this page belongs to another session; reload it and try again")

    def _visit(self, claims: Mapping[str, Any]) -> BrowserSession:
        who, key = claims["principal"], claims["key"]
        if key is not None:
            caller = self._door.still(key)
        else:
            principal = None if who is None else Principal(who[0], groups=tuple(who[1]), admin=who[2])
            caller = Caller(tenant=claims["tenant"], principal=principal)
        if caller is None:
            raise unauthorized("your API key was revoked; sign in with another one")
        return BrowserSession(id=claims["id"], caller=caller, until=claims["until"], key=key)

    def _signature(self, use: str, text: str) -> str:
        made = hmac.new(self._secret, f"{use}:{text}".encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(made).decode().rstrip("=")


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "surrogatepass"), other.encode())


def _field(headers: Mapping[str, str], body: bytes) -> str:
    kind = headers.get("content-type", "")
    if kind.startswith("multipart/form-data"):
        found = _PART.search(body[:FIRST_BYTES])  # our forms have it first
        return "" if found is None else found[1].decode("ascii", "replace")
    if not kind.startswith("application/x-www-form-urlencoded"):
        return ""
    try:
        fields = parse_qs(body.decode("utf-8", "replace"), max_num_fields=MAX_FIELDS)
    except ValueError:  # more fields than any form of ours has
        return ""
    return fields.get(FIELD, [""])[-1]
