"""The server's middleware stack in order, CORS included.

Nothing of a body is read from nobody: who asks comes before the body, and the body before what needs it. What is left
at a webhook is believed by its signature, which is over the body: there it is known before that the webhook is there,
and that the message has the form of a signed one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from bethink.server.audit import AccessLog
from bethink.server.authentication import Authentication, WebhookSignature
from bethink.server.csrf_and_host_check import CsrfCheck, OriginCheck
from bethink.server.direct_routes import DirectRoutes
from bethink.server.error_responses import ErrorResponses
from bethink.server.idempotency_keys import Idempotency
from bethink.server.path_escapes import NormalizedPath
from bethink.server.rate_limits import Quota, RateLimit, TokenBuckets
from bethink.server.request_bodies import BodyLimit
from bethink.server.tenants import TenantMemory
from bethink.server.webhooks.inbound import InboundWebhooks
from bethink.server.yaml_bodies import YamlBodies

if TYPE_CHECKING:
    from bethink.server.authentication import Authenticator
    from bethink.server.options import Options
    from bethink.server.services import Services

CORS_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
CORS_HEADERS = ("authorization", "content-type", "if-match", "idempotency-key", "x-api-key")


def middleware(parts: Services, authenticator: Authenticator) -> list[Middleware]:
    """Return what stands before every route, the outermost first; telemetry stands before all of it.

    A bound that is not set and a browser session where nobody signs in have nothing that stands there.
    """
    options, sessions, tenants = parts.options, parts.browser_sessions, parts.tenants
    rates = TokenBuckets(options.rate, options.burst)
    inbound = InboundWebhooks(options, tenants, parts.seals, parts.names)
    return [
        *_cors(options),
        *_compat(options),
        Middleware(NormalizedPath),
        Middleware(AccessLog),
        Middleware(ErrorResponses, auth=options.auth),
        Middleware(OriginCheck, auth=options.auth, hosts=options.hosts, origins=options.origins),
        Middleware(
            Authentication, authenticator=authenticator, sessions=sessions, tenants=tenants, inbound=inbound
        ),
        *([Middleware(RateLimit, rates=rates)] if options.rate > 0 else []),
        Middleware(
            BodyLimit,
            body_bytes=options.body_bytes,
            bodies_bytes=options.bodies_bytes,
            seconds=options.body_seconds,
        ),
        Middleware(WebhookSignature, inbound=inbound, rates=rates),
        *([Middleware(CsrfCheck, sessions=sessions)] if sessions is not None else []),
        Middleware(TenantMemory, tenants=tenants),
        *([Middleware(Quota, quotas=parts.quotas)] if options.tenant_entries > 0 else []),
        Middleware(Idempotency),
        Middleware(DirectRoutes, routes=parts.routes),
        Middleware(YamlBodies),
    ]


def _cors(options: Options) -> list[Middleware]:
    given: dict[str, Any] = {
        "allow_origins": options.origins,
        "allow_methods": CORS_METHODS,
        "allow_headers": CORS_HEADERS,
        "expose_headers": ("etag", "location", "retry-after"),
    }
    return [Middleware(CORSMiddleware, **given)] if options.origins else []


def _compat(options: Options) -> list[Middleware]:
    """Return what gives errors the form that callers of a compatible API read."""
    if "mem0" not in options.compat:
        return []
    from bethink.server.compat.mem0.errors import Mem0Errors

    return [Middleware(Mem0Errors)]
