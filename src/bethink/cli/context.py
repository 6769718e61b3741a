"""Print the context that is injected before an agent answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.options import add

if TYPE_CHECKING:
    from bethink.cli.command_context import CommandContext


def context(
    command: CommandContext,
    query: Annotated[str | None, typer.Argument()] = None,
    *,
    session: Annotated[str | None, typer.Option()] = None,
    tokens: Annotated[int | None, typer.Option(show_default="BETHINK_CONTEXT_TOKENS, else 1200")] = None,
    turns: Annotated[int | None, typer.Option()] = None,
    everywhere: Annotated[
        bool, typer.Option("--everywhere", help="Also quote items of other sessions.")
    ] = False,
) -> None:
    composed = command.scope.context(
        session=session, query=query, tokens=tokens, turns=turns, items="all" if everywhere else "session"
    )
    command.show(composed, views.context)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, context, verb="scope.context")
