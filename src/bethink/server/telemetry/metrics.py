"""Prometheus metrics: requests, and what open tenants hold."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from starlette.responses import Response

from bethink.health.transactions import totals
from bethink.scope.values import GROUP
from bethink.storage.health import store_state

try:
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
except ImportError as missing:
    raise ImportError(
        "metrics require prometheus-client: pip install 'bethink[telemetry]'", name=missing.name
    ) from missing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client.metrics_core import Metric

    from bethink.health.values import Totals
    from bethink.memory.memory import AsyncMemory
    from bethink.server.authentication import Caller
    from bethink.server.tenants import Tenants

OPEN = "open"
COUNTED_SECONDS = 15.0  #: for how long a tenant's counts are cached
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """The counts of one server, in a register of its own."""

    def __init__(self, tenants: Tenants, *, readers: str, tenant: str) -> None:
        self._tenants = tenants
        self._readers = readers
        self._tenant = tenant
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "bethink_requests", "Requests answered.", ["method", "route", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "bethink_request_seconds",
            "From the first byte to the last.",
            ["method", "route"],
            buckets=SECONDS,
            registry=self._registry,
        )
        self._held = _Held()
        self._registry.register(self._held)

    @property
    def open(self) -> bool:
        """Tell whether whoever reaches the port may read them."""
        return self._readers == OPEN

    def may_read(self, caller: Caller) -> bool:
        """Tell whether a caller may: of the server's own tenant, and an admin or named by the option."""
        principal = caller.principal
        if caller.tenant != self._tenant:
            return False
        if principal is None or principal.admin:
            return True
        return self._readers in {principal.id, *(GROUP + each for each in principal.groups)}

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    async def answer(self) -> Response:
        """Return all metrics in the Prometheus text format."""
        await self._held.look(self._tenants)
        return Response(generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)


class _Held:
    """What the open tenants hold. It is counted in the database, so that it is right with several servers on one."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[float, Totals]] = {}
        self._here: dict[str, int] = {}
        self._done = (0, 0)  #: transactions and units, of the process
        self._bytes: dict[str, int] = {}

    async def look(self, tenants: Tenants) -> None:
        """Count anew what was counted too long ago."""
        now = time.monotonic()
        for tenant in tenants.open:
            async with tenants.using(tenant) as memory:
                await self._look(tenant, memory, now)
        for tenant in self._seen.keys() - set(tenants.open):
            del self._seen[tenant], self._here[tenant]

    async def _look(self, tenant: str, memory: AsyncMemory, now: float) -> None:
        runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        driver = runtime.store.driver
        self._here[tenant] = runtime.indexes.nbytes_of(tenant)
        self._done = (driver.commits, driver.units)
        at, _ = self._seen.get(tenant, (float("-inf"), None))
        if now - at > COUNTED_SECONDS:
            self._seen[tenant] = (now, await runtime.store.read(totals, tenant))
            self._bytes = dict((await runtime.store.call(store_state, driver, check=False)).bytes)

    def collect(self) -> Iterator[Metric]:
        """Yield what was seen last."""
        notes = GaugeMetricFamily("bethink_notes", "Notes kept.", labels=["tenant", "status"])
        items = GaugeMetricFamily("bethink_items", "Items of sessions kept.", labels=["tenant"])
        counts = CounterMetricFamily(
            "bethink_lifecycle",
            "What the lifecycle counted: remembered, written, blocked and quarantined by the guard …",
            labels=["tenant", "what"],
        )
        tokens = CounterMetricFamily(
            "bethink_model_tokens", "Tokens that models took.", labels=["tenant", "operation"]
        )
        for tenant, (_, found) in self._seen.items():
            items.add_metric([tenant], found.items)
            for family, values in ((notes, found.notes), (counts, found.counts), (tokens, found.spend)):
                for name, value in values.items():
                    family.add_metric([tenant, name], value)
        yield from (notes, items, counts, tokens)
        yield from self._process()
        size = GaugeMetricFamily("bethink_database_bytes", "Of the database.", labels=["part"])
        for part, value in self._bytes.items():
            size.add_metric([part], value)
        yield size

    def _process(self) -> Iterator[Metric]:
        index = GaugeMetricFamily("bethink_index_bytes", "Of indexes held in memory.", labels=["tenant"])
        for tenant, value in self._here.items():
            index.add_metric([tenant], value)
        yield index
        commits, units = self._done
        yield CounterMetricFamily("bethink_commits", "Transactions committed.", value=commits)
        yield CounterMetricFamily(
            "bethink_units", "Writes that were committed; several go into one transaction.", value=units
        )
