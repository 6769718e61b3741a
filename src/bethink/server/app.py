"""Assemble the server application."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

try:
    from fastapi import FastAPI
except ImportError as missing:
    raise ImportError(
        "the server requires FastAPI: pip install 'bethink[server]'", name=missing.name
    ) from missing

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from bethink import __version__
from bethink.errors import BethinkError
from bethink.server.api_keys import ApiKeys
from bethink.server.authentication import DevelopmentAuthentication, RequiredAuthentication
from bethink.server.background.runner import background_of
from bethink.server.browser_sessions import BrowserSessions
from bethink.server.chat.runtime import ChatRuntime
from bethink.server.dashboard.failures import failed, shown, wants_page
from bethink.server.dashboard.routes import add_pages
from bethink.server.dependencies import PROBLEMS
from bethink.server.extras import check_installed
from bethink.server.mcp_mount import McpMount, is_installed
from bethink.server.middleware import middleware
from bethink.server.openapi import name, openapi_document
from bethink.server.problems import problem_body, validation_problem
from bethink.server.rate_limits import Quotas
from bethink.server.resources import (
    agents,
    chat,
    documents,
    health,
    notes,
    plans,
    profile,
    recall,
    scopes,
    sessions,
    shares,
    subscriptions,
    tasks,
    teams,
    webhooks,
)
from bethink.server.routes import Routes
from bethink.server.services import Services, services
from bethink.server.teams.runtime import TeamRuntime
from bethink.server.telemetry.installing import Telemetry
from bethink.server.tenants import Tenants
from bethink.server.webhooks.secret_encryption import seals_for
from bethink.server.webhooks.webhook_ids import WebhookIds

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from opentelemetry.sdk.trace.export import SpanExporter
    from starlette.requests import Request
    from starlette.responses import Response

    from bethink.server.authentication import Authenticator
    from bethink.server.options import Options

#: in the order in which paths are compared: what is asked most comes first
ROUTERS = (  # routes are asked in this order: the short list of the most frequent requests comes first
    recall,
    sessions,
    notes,
    documents,
    health,
    scopes,
    profile,
    plans,
    agents,
    chat,
    teams,
    shares,
    webhooks,
    subscriptions,
    tasks,
)
DESCRIPTION = "Memory for agents: each caller sees their own, and what was granted to them."


def create_app(
    options: Options, *, authenticator: Authenticator | None = None, exporter: SpanExporter | None = None
) -> FastAPI:
    """Return the server of these options.

    Raises:
        InvalidError: the options do not fit together.
        ImportError: they need an extra that is not installed.
    """
    options.check()
    check_installed(options)
    telemetry = Telemetry(options, exporter)
    tenants, authenticator = Tenants(options, telemetry.memory), authenticator or _authenticator(options)
    chats = ChatRuntime(options, tenants)
    working = TeamRuntime(chats)
    seals = seals_for(options.db, options.secrets_key)
    names = WebhookIds(seals, options.tenant)
    background = background_of(options, tenants, chats, seals)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            stack.push_async_callback(telemetry.close)
            stack.push_async_callback(tenants.close)
            stack.push_async_callback(chats.close)
            stack.push_async_callback(working.close)
            stack.push_async_callback(background.close)
            await stack.enter_async_context(over_http.run())
            await stack.enter_async_context(background.beside())
            yield

    app = FastAPI(
        title="Bethink",
        version=__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        responses=PROBLEMS,
        separate_input_output_schemas=False,
        generate_unique_id_function=name,
        redirect_slashes=False,
    )
    app.state = parts = Services()
    for resource in ROUTERS:
        app.include_router(resource.router, prefix="/v1")
    _add_compat(app, options)
    add_pages(app)
    app.openapi = openapi_document(app)
    over_http = mount(app, options)
    parts.options, parts.routes, parts.tenants = options, Routes(app), tenants
    parts.quotas = Quotas(options.tenant_entries)
    parts.chat, parts.teams = chats, working
    parts.seals, parts.names, parts.background = seals, names, background
    signs_in = isinstance(authenticator, RequiredAuthentication)
    parts.browser_sessions = BrowserSessions(authenticator, options.cookie_key) if signs_in else None
    parts.ready = lambda: _ready(tenants, options, authenticator)
    app.add_exception_handler(BethinkError, _failed)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _refused)
    for each in reversed(middleware(parts, authenticator)):  # what is added last stands first
        app.add_middleware(each.cls, *each.args, **each.kwargs)
    telemetry.install(app, tenants)
    return app


def _add_compat(app: FastAPI, options: Options) -> None:
    """Add the APIs of others that are wanted; they are described by their owners, and not in ours."""
    if "mem0" in options.compat:
        from bethink.server.compat.mem0 import not_served, routes
        from bethink.server.compat.mem0.adding import Adding

        app.state.mem0 = Adding()
        for each in (routes, not_served):
            app.include_router(each.router, include_in_schema=False)


def mount(app: FastAPI, options: Options) -> Any:
    """Mount MCP where its SDK is installed."""
    if not is_installed():
        return _Nothing()
    made = McpMount(options)
    app.mount("/mcp", made)
    return made


class _Nothing:
    @asynccontextmanager
    async def run(self) -> AsyncGenerator[None]:
        yield


def _authenticator(options: Options) -> Authenticator:
    if options.auth != "bearer":
        return DevelopmentAuthentication(options.tenant, noop=options.auth == "noop")
    from bethink.server.jwt_tokens import JwtReader  # here, since it is slow to load

    tokens = JwtReader(options.tokens, options.tenant) if options.tokens is not None else None
    keys = ApiKeys(options.keys, options.tenant) if options.keys is not None else None
    return RequiredAuthentication(tokens, keys)


async def _ready(tenants: Tenants, options: Options, authenticator: Authenticator) -> None:
    await authenticator.ready()
    async with tenants.using(options.tenant) as memory:
        await memory.pools.all()


async def _failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, BethinkError)  # noqa: S101 - it is registered for these alone
    return failed(request.scope, error, preconditioned=getattr(request.state, "preconditioned", False))


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    if wants_page(request.scope):
        return shown(request.scope, 422, "the address or the form is not valid")
    return validation_problem(error.errors())


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101
    if wants_page(request.scope):
        return shown(request.scope, error.status_code, "There is no such page; use the links above.")
    headers: dict[str, str] = {}
    match error.status_code:
        case 404:
            kind, detail = "not-found", "no such path; see /openapi.json"
        case 405:
            allowed = ", ".join(services(request).routes.methods(request.url.path))
            kind, detail, headers["allow"] = "method", f"this path allows only {allowed}", allowed
        case _:
            kind, detail = "invalid", error.detail
    return problem_body(error.status_code, kind, detail, None, headers)
