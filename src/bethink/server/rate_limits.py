"""Rate limits (token bucket) per caller, and quotas per tenant."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from bethink.health.transactions import entries
from bethink.server.problems import HttpError

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Receive, Scope, Send

    from bethink.memory.memory import AsyncMemory
    from bethink.server.services import RequestState

MAX_CALLERS = 10_000
WRITES = frozenset({"POST", "PUT", "PATCH"})
SHRINKS = (
    "/erase",
    "/undo",
    "/clear",
    "/reject",
    "/recall",
    "/why-not",
    "/context",
    "/forget",
    "/delete",
    "/sign-out",
    "/memories/search/",
    "/v2/memories/",
    "/v3/memories/",
)  #: never held back by a quota
COUNTED_SECONDS = 5.0  #: for how long a tenant's counts are cached
NEARLY = 0.95  #: share of a quota from which on every write counts the tenant again


class TokenBuckets:
    """A bucket a caller: it fills at the rate, and each request takes one out.

    Each server has its own: a write to the store before every request would cost more than most requests do.
    """

    def __init__(self, rate: float, burst: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = max(1, burst)
        self._clock = clock
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def take(self, tenant: str, caller: str) -> None:
        """Count a request.

        Raises:
            HttpError: 429, with the seconds to wait.
        """
        if self._rate <= 0:
            return
        now = self._clock()
        level, at = self._buckets.pop((tenant, caller), (float(self._burst), now))
        level = min(float(self._burst), level + (now - at) * self._rate)
        self._buckets[tenant, caller] = (level - 1 if level >= 1 else level, now)
        if len(self._buckets) > MAX_CALLERS:
            self._buckets.popitem(last=False)
        if level < 1:
            wait = max(1, round((1 - level) / self._rate + 0.5))
            raise HttpError(
                429,
                "too-many-requests",
                f"rate limit exceeded: at most {self._rate:g} requests a second; retry later",
                headers={"retry-after": str(wait)},
                limit=self._rate,
                unit="requests a second",
            )


class Quotas:
    """How many notes and items a tenant may keep, over all servers of a store: it is counted there.

    Far from the quota a count is believed for some seconds; near it, every write counts anew, so that no more slips
    in than is written at the same moment.
    """

    def __init__(self, most: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._counted: dict[str, tuple[int, float]] = {}

    def forget(self) -> None:
        """Believe no count that was made before."""
        self._counted.clear()

    async def check(self, tenant: str, memory: AsyncMemory) -> None:
        """Refuse to add to what is full.

        Raises:
            HttpError: 429, the tenant has as much as it may.
        """
        count, at = self._counted.get(tenant, (0, float("-inf")))
        if self._clock() - at > COUNTED_SECONDS or count >= self._most * NEARLY:
            runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            count = await runtime.store.read(entries, tenant)
            self._counted[tenant] = (count, self._clock())
        if count >= self._most:
            raise HttpError(
                429,
                "quota",
                "the tenant's storage quota is used up; erase something, or request a larger quota",
                limit=self._most,
                actual=count,
                unit="notes and items",
            )


class RateLimit:
    """Holds a caller to a rate, before anything of the body is read."""

    def __init__(self, app: ASGIApp, *, rates: TokenBuckets) -> None:
        self.app = app
        self._rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        caller = scope["state"].get("caller") if scope["type"] == "http" else None
        if caller is not None:
            self._rates.take(caller.tenant, caller.counted)
        await self.app(scope, receive, send)


class Quota:
    """Refuses what would add to a tenant that is full."""

    def __init__(self, app: ASGIApp, *, quotas: Quotas) -> None:
        self.app = app
        self._quotas = quotas

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "http" and scope["method"] in WRITES and not scope["path"].endswith(SHRINKS):
            state: RequestState = scope["state"]
            if "caller" in state and "tenant_memory" in state:
                await self._quotas.check(state["caller"].tenant, state["tenant_memory"])
        await self.app(scope, receive, send)
