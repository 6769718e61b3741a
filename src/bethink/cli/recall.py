"""Search notes and items for what answers a question."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bethink.cli import views
from bethink.cli.instants import instant
from bethink.cli.json_options import json_object
from bethink.cli.options import add

if TYPE_CHECKING:
    from bethink.cli.command_context import CommandContext


class Role(StrEnum):
    """Who said an item."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Kind(StrEnum):
    """What can be found."""

    NOTE = "note"
    ITEM = "item"


Kinds = Annotated[list[Kind] | None, typer.Option("--kind")]
Categories = Annotated[list[str] | None, typer.Option("--category")]
Sessions = Annotated[list[str] | None, typer.Option("--session")]
Since = Annotated[str | None, typer.Option("--since", metavar="DATE")]
Until = Annotated[str | None, typer.Option("--until", metavar="DATE")]


def recall(
    command: CommandContext,
    query: Annotated[str, typer.Argument()],
    *,
    limit: Annotated[int, typer.Option("--limit", "-n")] = 10,
    kind: Kinds = None,
    category: Categories = None,
    where: Annotated[str | None, typer.Option(metavar="JSON")] = None,
    session: Sessions = None,
    role: Annotated[list[Role] | None, typer.Option()] = None,
    since: Since = None,
    until: Until = None,
    as_of: Annotated[str | None, typer.Option(metavar="DATE")] = None,
    explain: Annotated[bool, typer.Option("--explain")] = False,
    exchanges: Annotated[
        bool,
        typer.Option(
            "--exchanges", help="Also show the reply to a message, or the message that a reply answers."
        ),
    ] = False,
    why_not: Annotated[
        str | None, typer.Option(metavar="ID", help="Explain why this note or item was not found.")
    ] = None,
) -> None:
    kinds = [each.value for each in kind or Kind]
    filters: dict[str, Any] = {
        "limit": limit,
        "kinds": kinds,
        "category": category,
        "where": json_object(where, "where"),
        "session": session,
        "roles": [each.value for each in role] if role else None,
        "since": instant(since, "since"),
        "until": instant(until, "until"),
    }
    if why_not is not None:
        lost = command.scope.why_not(query, why_not, **filters)
        command.show(lost, views.why_not)
        return
    found = command.scope.recall(query, **filters, as_of=instant(as_of, "as-of"), explain=explain)
    command.show(found, lambda answer: views.recall(answer, explain=explain, exchanges=exchanges))


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, recall, verb="scope.recall")
