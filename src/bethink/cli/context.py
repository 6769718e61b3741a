"""Compose what an agent is told before it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.options import add

if TYPE_CHECKING:
    from bethink.cli.command_context import Desk


def context(
    desk: Desk,
    query: Annotated[str | None, typer.Argument(help="What the user asks now.")] = None,
    *,
    session: Annotated[str | None, typer.Option(help="The session that is going on.")] = None,
    tokens: Annotated[
        int | None, typer.Option(help="How long it may be.", show_default="BETHINK_CONTEXT_TOKENS, else 1200")
    ] = None,
    turns: Annotated[
        int | None, typer.Option(help="How many turns of the session the agent sees, where not its messages.")
    ] = None,
    everywhere: Annotated[
        bool, typer.Option("--everywhere", help="Quote what was said in other sessions, too.")
    ] = False,
) -> None:
    """Print the block that goes before a conversation: profile, memories, and how to take them."""
    composed = desk.scope.context(
        session=session, query=query, tokens=tokens, turns=turns, items="all" if everywhere else "session"
    )
    desk.show(composed, views.context)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, context)
