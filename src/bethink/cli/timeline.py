"""Tell what was said about a matter in the order of time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.instants import instant
from bethink.cli.options import add
from bethink.cli.recall import (
    Categories,
    Kind,
    Kinds,
    Role,
    Sessions,
    Since,
    Until,
)

if TYPE_CHECKING:
    from bethink.cli.command_context import Desk


def timeline(
    desk: Desk,
    query: Annotated[
        str | None, typer.Argument(help="A matter; everything there is, where nothing is said.")
    ] = None,
    *,
    since: Since = None,
    until: Until = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Entries at most.")] = 20,
    cursor: Annotated[str | None, typer.Option(help="Where the page before ended.")] = None,
    kind: Kinds = None,
    category: Categories = None,
    session: Sessions = None,
    role: Annotated[
        list[Role] | None,
        typer.Option(help="What user, assistant or tool said; people alone where nothing is said."),
    ] = None,
) -> None:
    """List what was said and learned about a matter, oldest first; what says the same again is folded."""
    found = desk.scope.timeline(
        query,
        since=instant(since, "since"),
        until=instant(until, "until"),
        limit=limit,
        cursor=cursor,
        kinds=[each.value for each in kind or Kind],
        category=category,
        session=session,
        roles=[each.value for each in role] if role else None,
    )
    desk.show(found, views.timeline)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, timeline)
