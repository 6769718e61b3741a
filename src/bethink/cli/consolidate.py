"""Let notes of sessions become what is known of a user, and take that back."""

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

    from bethink.cli.command_context import Desk
    from bethink.lifecycle.plans import Plan

Limit = Annotated[int, typer.Option("--limit", "-n", help="How many at most.")]
Cursor = Annotated[str | None, typer.Option(help="The `next` of the page before.")]


def consolidate(
    desk: Desk,
    *,
    session: Annotated[str | None, typer.Option(help="Of this session alone.")] = None,
    idle: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="Of every scope, in sessions idle for so long: 30m, 2h; 30 is 30m."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change; change nothing.")
    ] = False,
    model: Annotated[
        str | None, typer.Option("--model", help="A chat model that decides; rules do without one.")
    ] = None,
    model_url: ModelUrl = None,
) -> None:
    """Decide what becomes of session notes, and say why: `bethink undo` takes a plan back.

    What was said since the last time is distilled first. A model that fails, or is over its budget of tokens
    (BETHINK_DAILY_TOKENS), is stood in for by the rules, and the plan says so.
    """
    desk.asking(model, model_url)
    if idle is None:
        desk.show(desk.scope.consolidate(session, dry_run=dry_run), views.plan)
        return
    if session is not None or dry_run:
        raise InvalidError(
            "--idle is for whatever is idle: leave out --session and --dry-run", argument="idle"
        )
    desk.show(desk.memory.consolidate_idle(after=minutes_or_spell(idle, "idle")), idle_view)


def distill(
    desk: Desk,
    session: Annotated[str, typer.Argument(metavar="SESSION", help="The session to be read.")],
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read all of it, and write nothing.")] = False,
) -> None:
    """Stage what is worth keeping of a session, and say of the rest, clause by clause, why it is not.

    Example: bethink distill trip-to-paris --dry-run
    """
    desk.show(desk.scope.distill(session, dry_run=dry_run), views.distilled)


def undo(
    desk: Desk,
    id: Annotated[str, typer.Argument(metavar="ID", help="The id of a plan or of a note.")],  # noqa: A002
) -> None:
    """Undo a plan, or the newest change of a note: what stood before stands again."""
    desk.show(desk.scope.undo(id), views.undone)


def plans(desk: Desk, *, limit: Limit = 20, cursor: Cursor = None) -> None:
    """List the plans that were applied, newest first."""
    desk.show(desk.scope.plans(limit=limit, cursor=cursor), views.plans)


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    add(app, distill)
    add(app, consolidate)
    add(app, undo)
    add(app, plans)


def idle_view(found: Sequence[Plan]) -> Sequence[RenderableType]:
    """Each plan that changed something."""
    return [views.plan(each) for each in found] or [views.dim("nothing is idle that was not consolidated")]
