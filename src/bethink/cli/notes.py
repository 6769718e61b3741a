"""List, read and change notes."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import quarantine, views
from bethink.cli.command_groups import family
from bethink.cli.instants import instant
from bethink.cli.json_options import json_object
from bethink.cli.options import add
from bethink.errors import NotFoundError

if TYPE_CHECKING:
    from bethink.cli.command_context import Desk

KeyOrId = Annotated[str, typer.Argument(metavar="ID|KEY", help="The id of a note, or its key.")]


class Standing(StrEnum):
    """What the list shows."""

    ACTIVE = "active"
    PENDING = "pending"
    QUARANTINED = "quarantined"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    FORGOTTEN = "forgotten"
    ALL = "all"


def listing(
    desk: Desk,
    *,
    category: Annotated[
        list[str] | None, typer.Option(help="Notes of this category; may be repeated.")
    ] = None,
    session: Annotated[str | None, typer.Option(help="Notes of this session.")] = None,
    status: Annotated[Standing, typer.Option(help="Notes that stand so.")] = Standing.ACTIVE,
    where: Annotated[str | None, typer.Option(help="Notes with this metadata, a JSON object.")] = None,
    as_of: Annotated[str | None, typer.Option(help="As they stood then, ISO 8601.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many at most.")] = 100,
    cursor: Annotated[str | None, typer.Option(help="The `next` of the page before.")] = None,
) -> None:
    """List notes, the one written last first."""
    page = desk.scope.notes(
        category=category,
        session=session,
        status=None if status is Standing.ALL else status.value,
        where=json_object(where, "where"),
        as_of=instant(as_of, "as-of"),
        limit=limit,
        cursor=cursor,
    )
    desk.show(page, views.notes)


def show(desk: Desk, id: KeyOrId) -> None:  # noqa: A002
    """Show one note with all that is known of it."""
    note = desk.scope.get(id)
    if note is None:
        raise NotFoundError("no such note in this scope: `bethink notes` lists them", kind="note", id=id)
    desk.show(note, views.note)


def history(desk: Desk, id: quarantine.Id) -> None:  # noqa: A002
    """Show the earlier versions of a note, oldest first."""
    desk.show(desk.scope.history(id), views.history)


def revise(
    desk: Desk,
    id: quarantine.Id,  # noqa: A002
    text: Annotated[str, typer.Argument(help="The new wording.")],
) -> None:
    """Put another wording in the place of a note; the earlier one stays in its history."""
    desk.show(desk.scope.revise(id, text), views.note)


def forget(desk: Desk, id: KeyOrId) -> None:  # noqa: A002
    """Hide a note at once; `undo` brings it back."""
    desk.show(desk.scope.forget(id), views.note)


def undo(desk: Desk, id: quarantine.Id) -> None:  # noqa: A002
    """Undo the newest change of a note: what stood before stands again."""
    desk.show(desk.scope.undo(id), views.undone)


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    notes = family(app, "notes", "List, read and change notes.", usual="list")
    add(notes, listing, name="list")
    add(notes, show)
    add(notes, history)
    add(notes, revise)
    add(notes, forget)
    add(notes, undo)
    add(notes, quarantine.approve)
    add(notes, quarantine.reject)
