"""Answer a repeated request as the first one was, once that has succeeded."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from bethink.server import transactions
from bethink.server.problems import HttpError
from bethink.server.rendering import Json

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import Scope

    from bethink.memory.memory import AsyncMemory
    from bethink.server.authentication import Caller

KEPT_MICROS = 24 * 3_600 * 1_000_000
MAX_KEY = 255
_ID = re.compile(r"[npr][0-9a-z]{1,13}")


class Repeats:
    """Requests that carry an `Idempotency-Key`, one at a time a key."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[tuple[str, str, str], asyncio.Lock] = WeakValueDictionary()

    def lock(self, caller: Caller, key: str) -> asyncio.Lock:
        """Return the lock of a key."""
        return self._locks.setdefault((caller.tenant, caller.id, key), asyncio.Lock())


async def known(memory: AsyncMemory, caller: Caller, key: str, request: str) -> Response | None:
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
    answered = transactions.Answered(request=request, status=status, subject=_subject(body))
    now = runtime.now()
    await runtime.store.write(
        transactions.put_answered, caller.tenant, caller.id, key, answered, now=now, before=now - KEPT_MICROS
    )


def digests(key: str, scope: Scope, body: bytes) -> tuple[str, str]:
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
