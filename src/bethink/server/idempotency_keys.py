"""Idempotency keys: replay the stored answer to a repeated request; keys expire after a while."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from starlette.datastructures import Headers

from bethink.server import transactions
from bethink.server.json_responses import Json
from bethink.server.problems import HttpError
from bethink.server.rate_limits import WRITES

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from bethink.memory.memory import AsyncMemory
    from bethink.server.authentication import Caller
    from bethink.server.services import RequestState

#: what knows a repetition by itself, and streams: nothing of it is kept back
ONCE = ("/chat", "/runs")
KEPT_MICROS = 24 * 3_600 * 1_000_000
MAX_KEY = 255
_ID = re.compile(r"[npr][0-9a-z]{1,13}")


class Idempotency:
    """Lets a request with an `Idempotency-Key` have its effect once, however often it is sent."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._locks: WeakValueDictionary[tuple[str, str, str], asyncio.Lock] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        key = Headers(scope=scope).get("idempotency-key") if scope["type"] == "http" else None
        state: RequestState = {} if key is None else scope["state"]
        if (
            key is None
            or scope["method"] not in WRITES
            or "caller" not in state
            or "tenant_memory" not in state
        ):
            await self.app(scope, receive, send)
            return
        caller, memory = state["caller"], state["tenant_memory"]
        digest, request = key_digests(key, scope, state.get("body", b""))
        state["operation"] = digest
        if scope["path"].endswith(ONCE):
            await self.app(scope, receive, send)
            return
        async with self._locks.setdefault((caller.tenant, caller.id, digest), asyncio.Lock()):
            found = await stored_answer(memory, caller, digest, request)
            if found is not None:
                await found(scope, receive, send)
                return
            answer = _Answer()
            await self.app(scope, receive, answer)
            if 200 <= answer.status < 300:  # noqa: PLR2004
                await remember(memory, caller, digest, request, answer.status, answer.body)
            for message in answer.messages:
                await send(message)


class _Answer:
    """Keeps an answer back until it is noted."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    async def __call__(self, message: Message) -> None:
        self.messages.append(message)

    @property
    def status(self) -> int:
        return next((each["status"] for each in self.messages if "status" in each), 0)

    @property
    def body(self) -> bytes:
        return b"".join(each.get("body", b"") for each in self.messages)


async def stored_answer(memory: AsyncMemory, caller: Caller, key: str, request: str) -> Response | None:
    """Return the answer to a request that succeeded before: its status, and the id of what it made.

    Raises:
        HttpError: 422, the key was used for another request.
    """
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    found = await runtime.store.read(
        transactions.find_answered, caller.tenant, caller.id, key, since=runtime.now() - KEPT_MICROS
    )
    if found is None:
        return None
    if found.request != request:
        raise HttpError(
            422, "key-reused", "this Idempotency-Key was already used for another request; choose a new one"
        )
    answer = {"repeated": True, "id": found.subject}
    return Json(answer, status_code=found.status, headers={"idempotency-replayed": "true"})


async def remember(
    memory: AsyncMemory, caller: Caller, key: str, request: str, status: int, body: bytes
) -> None:
    """Note that a request has succeeded."""
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    answered = transactions.StoredAnswer(request=request, status=status, subject=_subject(body))
    now = runtime.now()
    await runtime.store.write(
        transactions.put_answered, caller.tenant, caller.id, key, answered, now=now, before=now - KEPT_MICROS
    )


def key_digests(key: str, scope: Scope, body: bytes) -> tuple[str, str]:
    """Return digests of a key and of what is asked; the latter cannot be guessed without the key.

    Raises:
        HttpError: 422, the key is empty or too long.
    """
    if not 1 <= len(key) <= MAX_KEY:
        raise HttpError(
            422, "invalid", f"an Idempotency-Key must have 1 to {MAX_KEY} characters", limit=MAX_KEY
        )
    secret = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=32).digest()
    asked = hashlib.blake2b(key=secret, digest_size=16)
    for part in (scope["method"].encode(), scope["raw_path"], scope["query_string"], body):
        asked.update(len(part).to_bytes(8, "big") + part)
    return hashlib.blake2b(secret, digest_size=16).hexdigest(), asked.hexdigest()


def _subject(body: bytes) -> str | None:
    try:
        found = json.loads(body).get("id")
    except (ValueError, AttributeError, RecursionError):
        return None
    return found if isinstance(found, str) and _ID.fullmatch(found) else None
