"""Add a note."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.instants import instant
from bethink.cli.json_options import json_object
from bethink.cli.options import add

if TYPE_CHECKING:
    from bethink.cli.command_context import CommandContext


def remember(
    command: CommandContext,
    text: Annotated[str, typer.Argument()],
    *,
    key: Annotated[str | None, typer.Option()] = None,
    category: Annotated[str, typer.Option()] = "core",
    keyword: Annotated[list[str], typer.Option("--keyword", "-k")] = [],  # noqa: B006 - typer copies it
    session: Annotated[
        str | None, typer.Option(help="Stage the note in this session instead of storing it for the user.")
    ] = None,
    expires: Annotated[str | None, typer.Option(metavar="DATE")] = None,
    valid_from: Annotated[str | None, typer.Option(metavar="DATE")] = None,
    metadata: Annotated[str | None, typer.Option(metavar="JSON")] = None,
) -> None:
    if session is not None:
        note = command.scope.session(session).remember(text, keywords=keyword, key=key)
    else:
        note = command.scope.remember(
            text,
            key=key,
            category=category,
            keywords=keyword,
            valid_from=instant(valid_from, "valid-from"),
            expires_at=instant(expires, "expires"),
            metadata=json_object(metadata, "metadata"),
        )
    command.show(note, views.note)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, remember, makes=True, verb="scope.remember")
