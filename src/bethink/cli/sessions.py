"""List, read and change sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.command_groups import family
from bethink.cli.instants import spell
from bethink.cli.options import add
from bethink.errors import InvalidError
from bethink.verbs import VERBS

if TYPE_CHECKING:
    from bethink.cli.command_context import CommandContext

Name = Annotated[str, typer.Argument(metavar="SESSION", help="The id of a session.")]
Limit = Annotated[int, typer.Option("--limit", "-n")]
Cursor = Annotated[str | None, typer.Option()]


def listing(command: CommandContext, *, limit: Limit = 100, cursor: Cursor = None) -> None:
    command.show(command.scope.sessions(limit=limit, cursor=cursor), views.sessions)


def show(command: CommandContext, session: Name, *, limit: Limit = 50, cursor: Cursor = None) -> None:
    command.show(command.scope.session(session).items(limit=limit, cursor=cursor), views.items)


def window(
    command: CommandContext,
    session: Name,
    *,
    messages: Annotated[int | None, typer.Option()] = None,
    turns: Annotated[int | None, typer.Option()] = None,
    tokens: Annotated[int | None, typer.Option()] = None,
) -> None:
    bodies = command.scope.session(session).window(messages=messages, turns=turns, tokens=tokens)
    command.show(bodies, views.bodies)


def rename(command: CommandContext, session: Name, title: Annotated[str, typer.Argument()]) -> None:
    command.show(command.scope.session(session).rename(title), views.session)


def expire(
    command: CommandContext,
    session: Name,
    *,
    after: Annotated[
        str | None, typer.Option(help="How long to keep each item: 30d, 12h, 90m, 45s.", metavar="TIME")
    ] = None,
    never: Annotated[bool, typer.Option("--never", help="Keep items forever.")] = False,
) -> None:
    """Without an option, show how long items are kept."""
    if never and after is not None:
        raise InvalidError("use either --after or --never, not both", argument="never")
    handle = command.scope.session(session)
    if never or after is not None:
        command.show(handle.expire(None if after is None else spell(after)), views.expiry)
    else:
        command.show(handle.expiry(), views.expiry)


def undo(
    command: CommandContext,
    session: Name,
    *,
    turns: Annotated[int, typer.Option("--turns", "-n", help=VERBS["session.undo"].parameters["n"])] = 1,
) -> None:
    command.show(command.scope.session(session).undo(turns), views.head)


def delete(
    command: CommandContext,
    session: Name,
    *,
    keep_notes: Annotated[bool, typer.Option("--keep-notes")] = False,
) -> None:
    command.scope.session(session).delete(keep_notes=keep_notes)
    command.show({"deleted": session}, views.deleted)


def export(command: CommandContext, session: Name) -> None:
    command.write(command.scope.session(session).export())


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    sessions = family(app, "sessions", "List, read and change sessions.", usual="list")
    add(sessions, listing, name="list", verb="scope.sessions")
    add(sessions, show, verb="session.items")
    add(sessions, window, verb="session.window")
    add(sessions, rename, verb="session.rename")
    add(sessions, expire, verb="session.expire")
    add(sessions, undo, verb="session.undo")
    add(sessions, delete, verb="session.delete")
    add(sessions, export, verb="session.export")
