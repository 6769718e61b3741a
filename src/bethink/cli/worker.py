"""Run background jobs without the server."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli.model_options import Model, ModelUrl  # noqa: TC001 - typer reads them at run time
from bethink.cli.options import add
from bethink.cli.terminal_escapes import visible
from bethink.server.options import AuthMode  # noqa: TC001 - typer reads it at run time
from bethink.settings import secrets_key

if TYPE_CHECKING:
    from bethink.cli.command_context import CommandContext
    from bethink.server.background.runner import JobRun

_HOW = "Operation"

_USUAL = ["default"]

Mirror = Annotated[
    str | None, typer.Option("--mirror", metavar="URL", help="Mirror sessions to this folder or fsspec URL.")
]
Idle = Annotated[
    float, typer.Option("--idle", metavar="MINUTES", min=0, help="Consolidate sessions idle for this long.")
]
Private = Annotated[
    bool,
    typer.Option("--private-deliveries", help="Also deliver webhooks to private addresses and without TLS."),
]


def worker(
    command: CommandContext,
    *,
    tenant: Annotated[
        list[str], typer.Option("--tenant", help="The tenants whose jobs are run; repeatable.")
    ] = _USUAL,
    once: Annotated[bool, typer.Option("--once", help="Run the jobs that are due now, and exit.")] = False,
    mirror: Mirror = None,
    idle: Idle = 30.0,
    private_deliveries: Private = False,
    auth: Annotated[
        AuthMode,
        typer.Option("--auth", help="The server's authentication mode; it decides which tasks may run."),
    ] = "noop",
    at_once: Annotated[
        int,
        typer.Option(
            "--at-once", min=1, max=64, help="Maximum number of concurrent jobs.", rich_help_panel=_HOW
        ),
    ] = 4,
    lease: Annotated[
        float,
        typer.Option(
            "--lease",
            metavar="SECONDS",
            min=1,
            help="Time after which the jobs of a dead worker are taken over.",
            rich_help_panel=_HOW,
        ),
    ] = 60.0,
    model: Model = None,
    model_url: ModelUrl = None,
) -> None:
    """Run background jobs until stopped: consolidation, webhooks, mirroring and scheduled agent tasks.

    Jobs in progress are finished before it exits. Several workers may run at once; no job is run twice.
    """
    from bethink.server.options import Options, Work
    from bethink.server.worker import run

    command.check_there()
    work = Work(
        at_once=at_once, lease_seconds=lease, idle_minutes=idle, mirror=mirror, private=private_deliveries
    )
    options = Options(
        db=command.db,
        tenant=tenant[0],
        auth=auth,
        work=work,
        model=model,
        model_url=model_url,
        secrets_key=secrets_key(),
        **command.kept_by,
    )
    run(options, tenants=tuple(dict.fromkeys(tenant)), once=once, tell=_as_json if command.json else _as_line)


def _as_line(ran: JobRun) -> None:
    outcome = " ".join(f"{name}={value}" for name, value in ran.outcome.items())
    line = f"{ran.tenant}\t{ran.job}\t{ran.status}\t{ran.seconds:.2f}s\t{outcome}"
    sys.stdout.write(visible(line).rstrip() + "\n")
    sys.stdout.flush()


def _as_json(ran: JobRun) -> None:
    line = {
        "tenant": ran.tenant,
        "job": ran.job,
        "status": ran.status,
        "seconds": round(ran.seconds, 3),
        "outcome": dict(ran.outcome),
    }
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, worker)
