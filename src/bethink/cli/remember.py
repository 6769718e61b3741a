"""Keep a note."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.instants import instant
from bethink.cli.json_options import json_object
from bethink.cli.options import add

if TYPE_CHECKING:
    from bethink.cli.command_context import Desk


def remember(
    desk: Desk,
    text: Annotated[str, typer.Argument(help="What is to be remembered, a sentence or two.")],
    *,
    key: Annotated[
        str | None, typer.Option(help="A name for it: the live note of that key is superseded.")
    ] = None,
    category: Annotated[str, typer.Option(help="core, daily, conversation or a word of yours.")] = "core",
    keyword: Annotated[list[str], typer.Option("--keyword", "-k", help="A label; may be repeated.")] = [],  # noqa: B006 - typer copies it
    session: Annotated[str | None, typer.Option(help="Keep it with this session, not with the user.")] = None,
    expires: Annotated[str | None, typer.Option(help="When it stops being shown, ISO 8601.")] = None,
    valid_from: Annotated[str | None, typer.Option(help="Since when it holds, ISO 8601.")] = None,
    metadata: Annotated[str | None, typer.Option(help="A JSON object beside it.")] = None,
) -> None:
    """Keep a note of the user, or with --session of one session."""
    if session is not None:
        note = desk.scope.session(session).remember(text, keywords=keyword, key=key)
    else:
        note = desk.scope.remember(
            text,
            key=key,
            category=category,
            keywords=keyword,
            valid_from=instant(valid_from, "valid-from"),
            expires_at=instant(expires, "expires"),
            metadata=json_object(metadata, "metadata"),
        )
    desk.show(note, views.note)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, remember, makes=True)
