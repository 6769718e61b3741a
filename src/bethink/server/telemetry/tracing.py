"""OpenTelemetry tracing of requests and of the work below them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bethink import __version__

try:
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.trace import SpanKind, StatusCode, get_current_span
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
except ImportError as missing:
    raise ImportError(
        "telemetry requires OpenTelemetry: pip install 'bethink[telemetry]'", name=missing.name
    ) from missing

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from contextlib import AbstractContextManager

    from opentelemetry.sdk.trace.export import SpanExporter

SERVER_ERRORS = 500
PATH = "/v1/traces"  #: path of an OTLP collector's HTTP endpoint for spans


class Tracing:
    """Makes spans of what the server does; each has names out of the code and numbers, and no word of anybody."""

    def __init__(self, exporter: SpanExporter) -> None:
        named = Resource.create({"service.name": "bethink", "service.version": __version__})
        self._provider = TracerProvider(resource=named)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("bethink", __version__)
        self._carried = TraceContextTextMapPropagator()

    def request(self, method: str, headers: Mapping[str, str]) -> AbstractContextManager[Any]:
        """Begin the span of a request, below that of the caller where a `traceparent` names it."""
        return self._tracer.start_as_current_span(
            method,
            context=self._carried.extract(headers),
            kind=SpanKind.SERVER,
            attributes={"http.request.method": method},
            record_exception=False,
            set_status_on_exception=False,
        )

    def answered(
        self, span: Any, method: str, route: str, status: int, tenant: str | None, tool: str | None
    ) -> None:
        """Say of a request which route it took, and what came of it."""
        span.update_name(f"{method} {route}")
        attributes = {
            "http.route": route,
            "http.response.status_code": status,
            "bethink.tenant": tenant,
            "bethink.tool": tool,
        }
        span.set_attributes({name: value for name, value in attributes.items() if value is not None})
        if status >= SERVER_ERRORS:
            span.set_status(StatusCode.ERROR)

    @contextmanager
    def work(self, name: str) -> Generator[None]:
        """Make the span of a piece of work, below a request alone; a failure is told by the class of its error."""
        if not get_current_span().get_span_context().is_valid:
            yield
            return
        with self._tracer.start_as_current_span(
            name, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                yield
            except BaseException as error:
                span.set_attribute("error.type", type(error).__name__)
                span.set_status(StatusCode.ERROR)
                raise

    def close(self) -> None:
        """Send what is left."""
        self._provider.shutdown()


def to_collector(url: str) -> Tracing:
    """Return what sends spans to a collector that speaks OTLP over HTTP, such as `http://localhost:4318`.

    Headers, time limits, sampling and the name of the service are read by the SDK from the usual `OTEL_…` variables.
    """
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    bare = urlsplit(url).path in {"", "/"}
    return Tracing(OTLPSpanExporter(endpoint=url.rstrip("/") + PATH if bare else url))
