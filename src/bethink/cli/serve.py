"""Serve memories to many callers over HTTP."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli.model_options import (  # noqa: TC001 - typer reads them at run time
    Model,
    ModelUrl,
    Queue,
    QueueSeconds,
    TurnSeconds,
)
from bethink.cli.options import add
from bethink.cli.worker import Idle, Mirror, Private  # noqa: TC001
from bethink.errors import InvalidError
from bethink.server.options import AuthMode, Compat  # noqa: TC001 - typer reads them at run time
from bethink.settings import collector, cookie_key, secrets_key

if TYPE_CHECKING:
    from bethink.cli.command_context import CommandContext
    from bethink.server.options import Options, Tokens

_AUTH = "Authentication"
_BOUNDS = "Bounds"
_BACKGROUND = "Background jobs"

Background = Annotated[
    bool,
    typer.Option(
        "--background/--no-background",
        help="Run background jobs in this process instead of in `bethink worker`.",
        rich_help_panel=_BACKGROUND,
    ),
]
_WATCH = "Telemetry"

Metrics = Annotated[
    str | None,
    typer.Option(
        "--metrics",
        metavar="WHO",
        help="Serve Prometheus metrics at /metrics to WHO: admin, a principal's id, group:NAME, or open for everybody.",
        rich_help_panel=_WATCH,
    ),
]
Otlp = Annotated[
    str | None,
    typer.Option("--otlp", metavar="URL", help="An OTLP/HTTP collector for traces.", rich_help_panel=_WATCH),
]


def serve(
    command: CommandContext,
    *,
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65_535, help="The port to listen on.")] = 8000,
    demo: Annotated[
        bool, typer.Option("--demo", help="Start with a demo memory in a file of its own.")
    ] = False,
    auth: Annotated[
        AuthMode,
        typer.Option(
            "--auth",
            help="noop: everyone is one developer; off: callers have no identity; bearer: tokens or API keys.",
            rich_help_panel=_AUTH,
        ),
    ] = "noop",
    compat: Annotated[
        Compat | None,
        typer.Option(
            "--compat", help="Answer the HTTP API of another memory, too: mem0's clients need only `host`."
        ),
    ] = None,
    insecure_bind: Annotated[
        bool,
        typer.Option(
            "--insecure-bind",
            help="Listen on other addresses than localhost without authentication.",
            rich_help_panel=_AUTH,
        ),
    ] = False,
    issuer: Annotated[
        str | None,
        typer.Option("--issuer", help="The issuer of tokens (exact match).", rich_help_panel=_AUTH),
    ] = None,
    audience: Annotated[
        str | None, typer.Option("--audience", help="The audience of tokens.", rich_help_panel=_AUTH)
    ] = None,
    jwks: Annotated[
        str | None,
        typer.Option(
            "--jwks", help="The URL of the issuer's keys, if it cannot be discovered.", rich_help_panel=_AUTH
        ),
    ] = None,
    principal_claim: Annotated[
        str, typer.Option("--principal-claim", help="The claim with the caller's id.", rich_help_panel=_AUTH)
    ] = "sub",
    tenant_claim: Annotated[
        str | None, typer.Option("--tenant-claim", help="The claim with the tenant.", rich_help_panel=_AUTH)
    ] = None,
    admin: Annotated[
        str | None,
        typer.Option(
            "--admin",
            metavar="CLAIM=VALUE",
            help="The claim that makes a caller an admin.",
            rich_help_panel=_AUTH,
        ),
    ] = None,
    keys: Annotated[
        Path | None, typer.Option("--keys", help="A file of hashed API keys.", rich_help_panel=_AUTH)
    ] = None,
    origin: Annotated[
        list[str],
        typer.Option("--origin", help="An origin allowed by CORS; none by default.", rich_help_panel=_AUTH),
    ] = [],  # noqa: B006 - typer copies it
    allowed_host: Annotated[
        list[str],
        typer.Option("--allowed-host", help="A host name of this server.", rich_help_panel=_AUTH),
    ] = [],  # noqa: B006
    rate: Annotated[
        float,
        typer.Option(
            "--rate", min=0, help="Maximum requests per second and caller.", rich_help_panel=_BOUNDS
        ),
    ] = 0.0,
    burst: Annotated[
        int,
        typer.Option(
            "--burst", min=1, help="Burst of requests allowed above the rate.", rich_help_panel=_BOUNDS
        ),
    ] = 50,
    quota: Annotated[
        int,
        typer.Option(
            "--quota", min=0, help="Maximum number of notes and items per tenant.", rich_help_panel=_BOUNDS
        ),
    ] = 0,
    creators: Annotated[
        str,
        typer.Option(
            "--creators",
            metavar="WHO",
            help="Who may register pools, teams and agents: *, admin, or group:NAME.",
            rich_help_panel=_AUTH,
        ),
    ] = "*",
    reserved: Annotated[
        list[str],
        typer.Option(
            "--reserve",
            metavar="PREFIX",
            help="A name prefix, such as org:, that is reserved for admins.",
            rich_help_panel=_AUTH,
        ),
    ] = [],  # noqa: B006
    owned: Annotated[
        int,
        typer.Option(
            "--quota-owned",
            min=0,
            help="Maximum number of pools, teams and agents per user, each.",
            rich_help_panel=_BOUNDS,
        ),
    ] = 100,
    body_megabytes: Annotated[
        int,
        typer.Option(
            "--body-megabytes", min=1, max=1_024, help="Maximum size of a request.", rich_help_panel=_BOUNDS
        ),
    ] = 4,
    limit_bodies_megabytes: Annotated[
        int,
        typer.Option(
            "--limit-bodies-megabytes",
            min=1,
            max=65_536,
            help="Maximum size of all request bodies at a time; one caller may use a quarter.",
            rich_help_panel=_BOUNDS,
        ),
    ] = 64,
    limit_connections: Annotated[
        int,
        typer.Option(
            "--limit-connections",
            min=1,
            help="Maximum number of concurrent connections.",
            rich_help_panel=_BOUNDS,
        ),
    ] = 1_000,
    limit_header_seconds: Annotated[
        float,
        typer.Option(
            "--limit-header-seconds",
            min=0.1,
            help="Maximum time for receiving the headers of a request.",
            rich_help_panel=_BOUNDS,
        ),
    ] = 10.0,
    model: Model = None,
    model_url: ModelUrl = None,
    queue: Queue = 16,
    queue_seconds: QueueSeconds = 60.0,
    turn_seconds: TurnSeconds = 300.0,
    background: Background = True,
    mirror: Mirror = None,
    idle: Idle = 30.0,
    private_deliveries: Private = False,
    metrics: Metrics = None,
    otlp: Otlp = None,
) -> None:
    """Start the server: dashboard at /, REST API under /v1, MCP under /mcp/AGENT.

    On shutdown, accepted requests are finished first.
    """
    from bethink.cli.demo_data import demo_path
    from bethink.server.options import Options, Work, check_bind
    from bethink.server.registration_policy import RegistrationPolicy
    from bethink.server.serving import run

    check_bind(host, auth, insecure=insecure_bind)
    options = Options(
        db=demo_path(command) if demo else command.db,
        tenant=command.tenant,
        auth=auth,
        tokens=_tokens(issuer, audience, jwks, principal_claim, tenant_claim, admin),
        keys=keys,
        compat=() if compat is None else (compat,),
        origins=tuple(origin),
        hosts=tuple(allowed_host),
        creation=RegistrationPolicy(who=creators, reserved=tuple(reserved), most=owned),
        rate=rate,
        burst=burst,
        tenant_entries=quota,
        body_bytes=body_megabytes << 20,
        bodies_bytes=limit_bodies_megabytes << 20,
        connections=limit_connections,
        head_seconds=limit_header_seconds,
        model=model,
        model_url=model_url,
        queue=queue,
        queue_seconds=queue_seconds,
        turn_seconds=turn_seconds,
        cookie_key=cookie_key(),
        secrets_key=secrets_key(),
        work=Work(here=background, mirror=mirror, idle_minutes=idle, private=private_deliveries),
        metrics=metrics,
        otlp=otlp or collector(),
        **command.kept_by,
    )
    run(options, host=host, port=port, ready=lambda: _say(options, host, port))


def key(
    command: CommandContext,
    principal: Annotated[str, typer.Argument(help="The principal that the key belongs to.")],
    *,
    keys: Annotated[Path, typer.Option("--keys", help="The key file.")],
    group: Annotated[list[str], typer.Option("--group", help="A group of the principal.")] = [],  # noqa: B006
    admin: Annotated[
        bool, typer.Option("--admin", help="Make the principal an admin of the tenant.")
    ] = False,
) -> None:
    """Create an API key for a principal and print it; it cannot be shown again."""
    from bethink.server.api_keys import add_key

    made = add_key(keys, principal, tenant=command.tenant, groups=tuple(group), admin=admin)
    command.show({"key": made, "principal": principal}, lambda found: found["key"])


def _tokens(
    issuer: str | None,
    audience: str | None,
    jwks: str | None,
    principal: str,
    tenant: str | None,
    admin: str | None,
) -> Tokens | None:
    from bethink.server.options import Tokens

    if issuer is None and audience is None:
        return None
    claim, equals, value = (admin or "").partition("=")
    if admin is not None and not (claim and equals and value):
        raise InvalidError(
            "an admin claim must have the form CLAIM=VALUE, such as role=memory-admin", argument="admin"
        )
    return Tokens(
        issuer=issuer or "",
        audience=audience or "",
        jwks=jwks,
        principal_claim=principal,
        tenant_claim=tenant,
        admin=(claim, value) if admin is not None else None,
    )


def _say(options: Options, host: str, port: int) -> None:
    shown = f"[{host}]" if ":" in host else host
    here = f"http://{shown}:{port}"
    lines = [f"bethink: dashboard at {here}/, REST at {here}/v1, MCP at {here}/mcp/AGENT"]
    if "mem0" in options.compat:
        lines.append(f"bethink: mem0's clients take host={here!r}, and a key as api_key")
    if options.auth != "bearer":
        who = "one developer, `noop`, an admin" if options.auth == "noop" else "the application itself"
        lines.append(f"bethink: authentication is {options.auth}; everyone who can reach this port is {who}")
    sys.stderr.write("\n".join(lines) + "\n")


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    add(app, serve, makes=True)
    add(app, key, makes=True)
