"""List, read and change sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.command_groups import family
from bethink.cli.instants import spell
from bethink.cli.options import add
from bethink.errors import InvalidError

if TYPE_CHECKING:
    from bethink.cli.command_context import Desk

Name = Annotated[str, typer.Argument(metavar="SESSION", help="The id of a session.")]
Limit = Annotated[int, typer.Option("--limit", "-n", help="How many at most.")]
Cursor = Annotated[str | None, typer.Option(help="The `next` of the page before.")]


def listing(desk: Desk, *, limit: Limit = 100, cursor: Cursor = None) -> None:
    """List sessions, the one written last first."""
    desk.show(desk.scope.sessions(limit=limit, cursor=cursor), views.sessions)


def show(desk: Desk, session: Name, *, limit: Limit = 50, cursor: Cursor = None) -> None:
    """Show the newest items of a session, oldest first."""
    desk.show(desk.scope.session(session).items(limit=limit, cursor=cursor), views.items)


def window(
    desk: Desk,
    session: Name,
    *,
    messages: Annotated[int | None, typer.Option(help="Messages at most.")] = None,
    turns: Annotated[int | None, typer.Option(help="Turns at most.")] = None,
    tokens: Annotated[int | None, typer.Option(help="Tokens at most.")] = None,
) -> None:
    """Show the part of a session that a model sees."""
    bodies = desk.scope.session(session).window(messages=messages, turns=turns, tokens=tokens)
    desk.show(bodies, views.bodies)


def rename(
    desk: Desk, session: Name, title: Annotated[str, typer.Argument(help="A title for people.")]
) -> None:
    """Give a session a title; its id stays."""
    desk.show(desk.scope.session(session).rename(title), views.session)


def expire(
    desk: Desk,
    session: Name,
    *,
    after: Annotated[
        str | None, typer.Option(help="How long after they were said: 30d, 12h, 90m, 45s.", metavar="TIME")
    ] = None,
    never: Annotated[bool, typer.Option("--never", help="Keep them for ever.")] = False,
) -> None:
    """Keep the items of a session for a time only; without an option, say for how long they are kept."""
    if never and after is not None:
        raise InvalidError("--after and --never exclude each other", argument="never")
    handle = desk.scope.session(session)
    if never or after is not None:
        desk.show(handle.expire(None if after is None else spell(after)), views.expiry)
    else:
        desk.show(handle.expiry(), views.expiry)


def undo(
    desk: Desk,
    session: Name,
    *,
    turns: Annotated[int, typer.Option("--turns", "-n", help="How many turns.")] = 1,
) -> None:
    """Remove the newest turns of a session; notes stay."""
    desk.show(desk.scope.session(session).undo(turns), views.head)


def delete(
    desk: Desk,
    session: Name,
    *,
    keep_notes: Annotated[bool, typer.Option("--keep-notes", help="Keep its own notes.")] = False,
) -> None:
    """Remove a session for good, with the notes that belong to it alone."""
    desk.scope.session(session).delete(keep_notes=keep_notes)
    desk.show({"deleted": session}, views.deleted)


def export(desk: Desk, session: Name) -> None:
    """Print a whole session as JSON: every item, untouched."""
    desk.write(desk.scope.session(session).export())


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    sessions = family(app, "sessions", "List, read and change sessions.", usual="list")
    add(sessions, listing, name="list")
    add(sessions, show)
    add(sessions, window)
    add(sessions, rename)
    add(sessions, expire)
    add(sessions, undo)
    add(sessions, delete)
    add(sessions, export)
