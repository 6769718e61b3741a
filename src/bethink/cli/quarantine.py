"""Review the notes that wait for a decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.command_groups import family
from bethink.cli.options import add

if TYPE_CHECKING:
    from bethink.cli.command_context import Desk

Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a note.")]


def listing(
    desk: Desk,
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many at most.")] = 100,
    cursor: Annotated[str | None, typer.Option(help="The `next` of the page before.")] = None,
) -> None:
    """List the notes that wait for a decision; no agent sees them until then."""
    desk.show(desk.scope.quarantine(limit=limit, cursor=cursor), views.notes)


def approve(desk: Desk, id: Id) -> None:  # noqa: A002
    """Let a quarantined note be recalled."""
    desk.show(desk.scope.approve(id), views.note)


def reject(desk: Desk, id: Id) -> None:  # noqa: A002
    """Forget a quarantined note."""
    desk.show(desk.scope.reject(id), views.note)


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    quarantine = family(app, "quarantine", "Review the notes that wait for a decision.", usual="list")
    add(quarantine, listing, name="list")
    add(quarantine, approve)
    add(quarantine, reject)
