"""Review the notes that the guard quarantined."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.command_groups import family
from bethink.cli.options import add

if TYPE_CHECKING:
    from bethink.cli.command_context import CommandContext

Id = Annotated[str, typer.Argument(metavar="ID")]


def listing(
    command: CommandContext,
    *,
    limit: Annotated[int, typer.Option("--limit", "-n")] = 100,
    cursor: Annotated[str | None, typer.Option()] = None,
) -> None:
    command.show(command.scope.quarantine(limit=limit, cursor=cursor), views.notes)


def approve(command: CommandContext, id: Id) -> None:  # noqa: A002
    command.show(command.scope.approve(id), views.note)


def reject(command: CommandContext, id: Id) -> None:  # noqa: A002
    command.show(command.scope.reject(id), views.note)


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    quarantine = family(app, "quarantine", "Review the notes that the guard quarantined.", usual="list")
    add(quarantine, listing, name="list", verb="scope.quarantine")
    add(quarantine, approve, verb="scope.approve")
    add(quarantine, reject, verb="scope.reject")
