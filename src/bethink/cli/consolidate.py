"""Consolidate session notes into what is known of a user, show the plan first (`--dry-run`), and undo a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.instants import minutes_or_spell
from bethink.cli.model_options import ModelUrl  # noqa: TC001 - typer reads it at run time
from bethink.cli.options import add
from bethink.errors import InvalidError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from bethink.cli.command_context import CommandContext
    from bethink.lifecycle.plans import Plan

Limit = Annotated[int, typer.Option("--limit", "-n")]
Cursor = Annotated[str | None, typer.Option()]


def consolidate(
    command: CommandContext,
    *,
    session: Annotated[str | None, typer.Option()] = None,
    idle: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Consolidate every scope, in sessions idle for this long: 30m, 2h; 30 is 30m.",
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    model: Annotated[
        str | None, typer.Option("--model", help="A chat model to decide; rules decide by default.")
    ] = None,
    model_url: ModelUrl = None,
) -> None:
    """The rules replace a model that fails or exceeds its token budget (BETHINK_DAILY_TOKENS); the plan says so."""
    command.asking(model, model_url)
    if idle is None:
        command.show(command.scope.consolidate(session, dry_run=dry_run), views.plan)
        return
    if session is not None or dry_run:
        raise InvalidError(
            "--idle covers every idle session; leave out --session and --dry-run", argument="idle"
        )
    command.show(command.memory.consolidate_idle(after=minutes_or_spell(idle, "idle")), idle_view)


def distill(
    command: CommandContext,
    session: Annotated[str, typer.Argument(metavar="SESSION")],
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
) -> None:
    command.show(command.scope.distill(session, dry_run=dry_run), views.distilled)


def undo(
    command: CommandContext,
    id: Annotated[str, typer.Argument(metavar="ID")],  # noqa: A002
) -> None:
    command.show(command.scope.undo(id), views.undone)


def plans(command: CommandContext, *, limit: Limit = 20, cursor: Cursor = None) -> None:
    command.show(command.scope.plans(limit=limit, cursor=cursor), views.plans)


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    add(app, distill, verb="scope.distill")
    add(app, consolidate, verb="scope.consolidate")
    add(app, undo, verb="scope.undo")
    add(app, plans, verb="scope.plans")


def idle_view(found: Sequence[Plan]) -> Sequence[RenderableType]:
    """Each plan that changed something."""
    return [views.plan(each) for each in found] or [views.dim("no idle session to consolidate")]
