"""The options of a server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from bethink.errors import InvalidError
from bethink.server.registration_policy import RegistrationPolicy
from bethink.times import now

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from bethink.models.embedding import Embedder
    from bethink.settings import Settings

AuthMode: TypeAlias = Literal["off", "noop", "bearer"]
Compat: TypeAlias = Literal["mem0"]  #: APIs of other memories that are answered beside ours

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """How bearer tokens are read: JWTs that an identity provider has signed."""

    issuer: str  #: compared as it stands, a slash at its end included
    audience: str
    jwks: str | None = None  #: URL of the provider's keys (JWKS); the default comes from OIDC discovery
    algorithms: tuple[str, ...] = ("RS256", "ES256", "EdDSA")
    leeway: float = 30.0  #: seconds that clocks may differ
    principal_claim: str = "sub"
    groups_claim: str | None = "groups"
    tenant_claim: str | None = None  #: claim that names the tenant; without it everybody belongs to `tenant`
    admin: tuple[str, str] | None = None  #: the claim and the value that make an admin; nothing else does
    keys_seconds: float = 300.0  #: how long fetched keys are used before they are refreshed
    stale_seconds: float = 3_600.0  #: how much longer they are used while the provider does not answer
    fetch_seconds: float = 5.0
    retry_seconds: float = 5.0  #: minimum interval between fetches for an unknown key or after a failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What is done in the background, and how."""

    here: bool = True  #: run jobs in the server's process; otherwise use `bethink worker`
    at_once: int = 4  #: jobs of one process
    poll_seconds: float = 1.0  #: interval at which due jobs are looked for
    lease_seconds: float = 60.0  #: how long a dead process's job stays leased
    idle_minutes: float = 30.0  #: without a word, before a session is consolidated
    mirror: str | None = None  #: a folder, or a URL of fsspec, that sessions are copied to
    private: bool = False  #: allow events to go to private addresses, and without TLS
    deliver_seconds: float = 15.0  #: timeout of a delivery


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a server is set up; what is not said is the careful choice."""

    db: str
    tenant: str = "default"  #: the tenant of callers whose credentials name none
    auth: AuthMode = "noop"
    tokens: Tokens | None = None
    keys: Path | None = None  #: a file of API keys, hashed
    compat: tuple[Compat, ...] = ()  #: APIs of others that are answered, too
    origins: tuple[str, ...] = ()  #: allowed origins for CORS; none turns CORS off
    hosts: tuple[
        str, ...
    ] = ()  #: the names under which MCP may be called beside loopback; any where auth is on
    body_bytes: int = 4 << 20
    body_seconds: float = 30.0
    bodies_bytes: int = (
        64 << 20
    )  #: of all requests that are read or answered at a time; a quarter of one caller's
    connections: int = 1_000
    head_seconds: float = 10.0  #: timeout for the headers of a request
    rate: float = 0.0  #: requests a second and caller, on average; 0 is without bound
    burst: int = 50
    tenant_entries: int = 0  #: notes and items a tenant; 0 is without bound
    creation: RegistrationPolicy = field(
        default_factory=lambda: RegistrationPolicy(most=100)
    )  #: who may register pools, teams and agents
    tenants: int = 10_000  #: maximum tenants served at once, over shared connections
    metrics: str | None = None  #: who may read /metrics: admin, open, a principal's id or group:NAME
    otlp: str | None = None  #: URL of an OpenTelemetry collector
    model: str | None = (
        None  #: that answers in chats, where a spec names none; the offline responder without one
    )
    model_url: str | None = (
        None  #: of an OpenAI-compatible endpoint; OpenAI itself where a model is named alone
    )
    queue: int = 16  #: turns that may wait for one session
    queue_seconds: float = 60.0  #: maximum time that a turn waits for earlier ones
    turn_seconds: float = 300.0  #: maximum duration of a turn
    work: Work = Work()
    secrets_key: str | None = None  #: seals the secrets of webhooks; else a file beside the database does
    clock: Callable[[], datetime] = now
    cookie_key: str | None = None  #: signs the dashboard's cookies; without one they end with the process
    settings: Settings | None = None
    embedder: Embedder | Literal["usual"] | None = "usual"

    def check(self) -> Options:
        """Return options that fit together.

        Raises:
            InvalidError: bearer tokens are wanted, and nothing says how to read them.
        """
        self.creation.check_options()
        if self.auth == "bearer" and self.tokens is None and self.keys is None:
            raise InvalidError(
                "bearer authentication requires --issuer with --audience, --keys FILE, or both",
                argument="auth",
            )
        if self.tokens is not None and not (self.tokens.issuer and self.tokens.audience):
            raise InvalidError("--issuer and --audience must be given together", argument="tokens")
        if self.tokens is not None and any(
            name.startswith(("HS", "none")) for name in self.tokens.algorithms
        ):
            raise InvalidError("algorithms must be asymmetric: RS256, ES256, EdDSA …", argument="algorithms")
        return self


def check_bind(host: str, auth: AuthMode, *, insecure: bool) -> None:
    """Refuse to let a whole network in where nobody is asked who they are.

    Raises:
        InvalidError: the address is not of this machine alone, and there is no authentication.
    """
    if auth != "bearer" and host not in LOOPBACK and not insecure:
        raise InvalidError(
            f"without authentication the server listens on this machine only, not on {host}; use "
            "--auth bearer, or --insecure-bind",
            argument="host",
        )
