"""Middleware that measures every request, for metrics and traces."""

from __future__ import annotations

import time
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers

from bethink.server.routes import method_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from bethink.server.telemetry.metrics import Metrics
    from bethink.server.telemetry.tracing import Tracing

METRICS = "/metrics"


class TelemetryMiddleware:
    """Stands before all other middleware: what that refuses is seen too."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics | None, tracing: Tracing | None) -> None:
        self._app = app
        self._metrics = metrics
        self._tracing = tracing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["path"] == METRICS and self._metrics is not None and self._metrics.open:
            await (await self._metrics.answer())(scope, receive, send)
        else:
            await self._seen(scope, receive, send)

    async def _seen(self, scope: Scope, receive: Receive, send: Send) -> None:
        status, began = 500, time.perf_counter()
        method = method_of(scope)

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        span: Any = nullcontext()
        if self._tracing is not None:
            span = self._tracing.request(method, Headers(scope=scope))
        with span as seen:
            try:
                await self._app(scope, receive, watched)
            finally:
                route = scope["app"].state.routes.template(scope)
                state = scope.get("state", {})
                caller = state.get("caller")
                if self._metrics is not None:
                    self._metrics.request(method, route, status, time.perf_counter() - began)
                if self._tracing is not None:
                    tool = state.get("named", {}).get("calls")
                    self._tracing.answered(seen, method, route, status, caller and caller.tenant, tool)
