"""Print what was said about a subject in order of time."""

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
    from bethink.cli.command_context import CommandContext


def timeline(
    command: CommandContext,
    query: Annotated[str | None, typer.Argument()] = None,
    *,
    since: Since = None,
    until: Until = None,
    limit: Annotated[int, typer.Option("--limit", "-n")] = 20,
    cursor: Annotated[str | None, typer.Option()] = None,
    kind: Kinds = None,
    category: Categories = None,
    session: Sessions = None,
    role: Annotated[
        list[Role] | None,
        typer.Option(),
    ] = None,
) -> None:
    """Only the user's items are listed by default; repetitions are folded."""
    found = command.scope.timeline(
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
    command.show(found, views.timeline)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, timeline, verb="scope.timeline")
