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
    from bethink.cli.command_context import Desk
    from bethink.server.options import Options, Tokens

_AUTH = "Who is let in"
_BOUNDS = "Bounds"
_BACKGROUND = "In the background"

Background = Annotated[
    bool,
    typer.Option(
        "--background/--no-background",
        help="Do jobs in this process; else `bethink worker` does.",
        rich_help_panel=_BACKGROUND,
    ),
]
_WATCH = "What is told of the server"

Metrics = Annotated[
    str | None,
    typer.Option(
        "--metrics",
        metavar="WHO",
        help="Count for Prometheus at /metrics, for WHO: admin, a principal's id, group:NAME, or open to all.",
        rich_help_panel=_WATCH,
    ),
]
Otlp = Annotated[
    str | None,
    typer.Option(
        "--otlp", metavar="URL", help="A collector of spans, OTLP over HTTP.", rich_help_panel=_WATCH
    ),
]


def serve(
    desk: Desk,
    *,
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65_535, help="The port to listen on.")] = 8000,
    demo: Annotated[
        bool, typer.Option("--demo", help="Begin with a traveller's memory to look at, in a file of its own.")
    ] = False,
    auth: Annotated[
        AuthMode,
        typer.Option(
            "--auth",
            help="noop: everybody is one developer; off: nobody has a name; bearer: tokens or keys.",
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
            help="Listen beyond this machine without authentication.",
            rich_help_panel=_AUTH,
        ),
    ] = False,
    issuer: Annotated[
        str | None, typer.Option("--issuer", help="Who signs tokens, exactly.", rich_help_panel=_AUTH)
    ] = None,
    audience: Annotated[
        str | None, typer.Option("--audience", help="Whom tokens are for.", rich_help_panel=_AUTH)
    ] = None,
    jwks: Annotated[
        str | None,
        typer.Option(
            "--jwks", help="Where the issuer's keys are, if not found by it.", rich_help_panel=_AUTH
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
        typer.Option("--admin", metavar="CLAIM=VALUE", help="What makes an admin.", rich_help_panel=_AUTH),
    ] = None,
    keys: Annotated[
        Path | None, typer.Option("--keys", help="A file of API keys, hashed.", rich_help_panel=_AUTH)
    ] = None,
    origin: Annotated[
        list[str],
        typer.Option("--origin", help="A web page's origin for CORS; none is.", rich_help_panel=_AUTH),
    ] = [],  # noqa: B006 - typer copies it
    allowed_host: Annotated[
        list[str],
        typer.Option("--allowed-host", help="A name this server may be called by.", rich_help_panel=_AUTH),
    ] = [],  # noqa: B006
    rate: Annotated[
        float, typer.Option("--rate", min=0, help="Requests a second and caller.", rich_help_panel=_BOUNDS)
    ] = 0.0,
    burst: Annotated[
        int, typer.Option("--burst", min=1, help="Requests at once beyond it.", rich_help_panel=_BOUNDS)
    ] = 50,
    quota: Annotated[
        int, typer.Option("--quota", min=0, help="Notes and items a tenant.", rich_help_panel=_BOUNDS)
    ] = 0,
    creators: Annotated[
        str,
        typer.Option(
            "--creators",
            metavar="WHO",
            help="Who registers pools, teams and agents: *, admin, or group:NAME.",
            rich_help_panel=_AUTH,
        ),
    ] = "*",
    reserved: Annotated[
        list[str],
        typer.Option(
            "--reserve",
            metavar="PREFIX",
            help="A beginning of their names, such as org:, that is for admins.",
            rich_help_panel=_AUTH,
        ),
    ] = [],  # noqa: B006
    owned: Annotated[
        int,
        typer.Option(
            "--quota-owned",
            min=0,
            help="Pools, teams and agents of a user, of each.",
            rich_help_panel=_BOUNDS,
        ),
    ] = 100,
    body_megabytes: Annotated[
        int, typer.Option("--body-megabytes", min=1, max=1_024, help="Of a request.", rich_help_panel=_BOUNDS)
    ] = 4,
    limit_bodies_megabytes: Annotated[
        int,
        typer.Option(
            "--limit-bodies-megabytes",
            min=1,
            max=65_536,
            help="Of the bodies of all requests at a time; of one caller's, a quarter.",
            rich_help_panel=_BOUNDS,
        ),
    ] = 64,
    limit_connections: Annotated[
        int,
        typer.Option("--limit-connections", min=1, help="Connections at a time.", rich_help_panel=_BOUNDS),
    ] = 1_000,
    limit_header_seconds: Annotated[
        float,
        typer.Option(
            "--limit-header-seconds",
            min=0.1,
            help="That the head of a request may take.",
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
    """Serve the dashboard at /, REST under /v1 and MCP under /mcp/AGENT, until told to stop.

    What was accepted is finished first.
    """
    from bethink.cli.demo_data import demo_path
    from bethink.server.options import Options, Work, check_bind
    from bethink.server.registration_policy import Creation
    from bethink.server.serving import run

    check_bind(host, auth, insecure=insecure_bind)
    options = Options(
        db=demo_path(desk) if demo else desk.db,
        tenant=desk.tenant,
        auth=auth,
        tokens=_tokens(issuer, audience, jwks, principal_claim, tenant_claim, admin),
        keys=keys,
        compat=() if compat is None else (compat,),
        origins=tuple(origin),
        hosts=tuple(allowed_host),
        creation=Creation(who=creators, reserved=tuple(reserved), most=owned),
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
        **desk.kept_by,
    )
    run(options, host=host, port=port, ready=lambda: _say(options, host, port))


def key(
    desk: Desk,
    principal: Annotated[str, typer.Argument(help="Whose key it is.")],
    *,
    keys: Annotated[Path, typer.Option("--keys", help="The file of API keys.")],
    group: Annotated[list[str], typer.Option("--group", help="A group of the principal.")] = [],  # noqa: B006
    admin: Annotated[bool, typer.Option("--admin", help="May do everything in the tenant.")] = False,
) -> None:
    """Make an API key for a principal, and print it: this is the only time that it is seen."""
    from bethink.server.api_keys import add_key

    made = add_key(keys, principal, tenant=desk.tenant, groups=tuple(group), admin=admin)
    desk.show({"key": made, "principal": principal}, lambda found: found["key"])


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
        raise InvalidError("an admin is known by CLAIM=VALUE, such as role=memory-admin", argument="admin")
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
        lines.append(f"bethink: authentication is {options.auth}: whoever reaches this port is {who}")
    sys.stderr.write("\n".join(lines) + "\n")


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    add(app, serve, makes=True)
    add(app, key, makes=True)
