"""Install telemetry into a server where its options ask for it, and import nothing otherwise."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from bethink.errors import DeniedError
from bethink.memory.memory import AsyncMemory
from bethink.server.telemetry.request_middleware import METRICS, TelemetryMiddleware

if TYPE_CHECKING:
    from fastapi import FastAPI
    from opentelemetry.sdk.trace.export import SpanExporter
    from starlette.requests import Request
    from starlette.responses import Response

    from bethink.server.options import Options
    from bethink.server.telemetry.metrics import Metrics
    from bethink.server.telemetry.tracing import Tracing
    from bethink.server.tenants import Tenants


class Telemetry:
    """The metrics and the spans of one server."""

    def __init__(self, options: Options, exporter: SpanExporter | None = None) -> None:
        self._options = options
        self._metrics: Metrics | None = None
        self._tracing = _tracing(options, exporter)

    @property
    def memory(self) -> type[AsyncMemory]:
        """Return what memories are opened with."""
        return AsyncMemory if self._tracing is None else _watched(self._tracing)

    def install(self, app: FastAPI, tenants: Tenants) -> None:
        """Stand before everything else that a request meets."""
        if self._options.metrics is not None:
            from bethink.server.telemetry.metrics import Metrics

            self._metrics = Metrics(tenants, readers=self._options.metrics, tenant=self._options.tenant)
            app.add_route(METRICS, self._read, include_in_schema=False)
        if self._metrics is not None or self._tracing is not None:
            app.add_middleware(TelemetryMiddleware, metrics=self._metrics, tracing=self._tracing)

    async def close(self) -> None:
        """Send what is left."""
        if self._tracing is not None:
            await asyncio.to_thread(self._tracing.close)

    async def _read(self, request: Request) -> Response:
        assert self._metrics is not None  # noqa: S101 - the route is added with it
        caller = request.state.caller
        if not self._metrics.may_read(caller):
            raise DeniedError(
                "metrics are restricted to the callers named by --metrics",
                principal=caller.id,
                right="read",
                namespace="metrics",
            )
        return await self._metrics.answer()


def _tracing(options: Options, exporter: SpanExporter | None) -> Tracing | None:
    if options.otlp is None and exporter is None:
        return None
    from bethink.server.telemetry.tracing import Tracing, to_collector

    return Tracing(exporter) if exporter is not None else to_collector(str(options.otlp))


def _watched(tracing: Tracing) -> type[AsyncMemory]:
    from bethink.server.telemetry.store_spans import TracedStore

    class Watched(AsyncMemory):
        store_class: Any = partial(TracedStore, tracing=tracing)

    return Watched
