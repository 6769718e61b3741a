"""The services of a server as typed `app.state`, and the state that middleware puts on a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from starlette.datastructures import State

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

    from bethink.memory.memory import AsyncMemory
    from bethink.server.authentication import Caller
    from bethink.server.background.runner import JobRunner
    from bethink.server.browser_sessions import BrowserSession, BrowserSessions
    from bethink.server.chat.runtime import ChatRuntime
    from bethink.server.options import Options
    from bethink.server.rate_limits import Quotas
    from bethink.server.routes import Routes
    from bethink.server.teams.runtime import TeamRuntime
    from bethink.server.tenants import Tenants
    from bethink.server.webhooks.inbound import Left
    from bethink.server.webhooks.secret_encryption import SecretEncryption
    from bethink.server.webhooks.values import Webhook
    from bethink.server.webhooks.webhook_ids import WebhookIds


class Services(State):
    """The parts that live as long as the server does."""

    options: Options
    routes: Routes
    tenants: Tenants
    quotas: Quotas
    chat: ChatRuntime
    teams: TeamRuntime
    seals: SecretEncryption
    names: WebhookIds
    background: JobRunner
    browser_sessions: BrowserSessions | None  #: None where nobody signs in
    ready: Callable[[], Awaitable[None]]


class RequestState(TypedDict, total=False):
    """`scope["state"]`: what is known of a request once the middleware that finds it out has let it pass."""

    auth: str  #: the authentication mode
    left: Left  #: the webhook that a message is left at
    caller: Caller
    browser_session: BrowserSession
    csrf: str  #: the CSRF token of this browser session
    body: bytes
    memory: AsyncMemory  #: the caller's
    tenant_memory: AsyncMemory  #: the same, unnarrowed
    operation: str  #: the digest of its Idempotency-Key
    webhook: Webhook  #: the webhook whose signature the request carries
    named: dict[str, str]  #: further fields of the request for the audit log


def services(request: Request) -> Services:
    """Return the parts of the server that a request is made to."""
    return request.app.state
