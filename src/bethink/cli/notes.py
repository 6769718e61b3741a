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
    from bethink.cli.command_context import CommandContext

KeyOrId = Annotated[str, typer.Argument(metavar="ID|KEY")]


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
    desk: CommandContext,
    *,
    category: Annotated[list[str] | None, typer.Option()] = None,
    session: Annotated[str | None, typer.Option()] = None,
    status: Annotated[Standing, typer.Option()] = Standing.ACTIVE,
    where: Annotated[str | None, typer.Option(metavar="JSON")] = None,
    as_of: Annotated[str | None, typer.Option(metavar="DATE")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n")] = 100,
    cursor: Annotated[str | None, typer.Option()] = None,
) -> None:
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


def show(desk: CommandContext, key_or_id: KeyOrId) -> None:
    note = desk.scope.get(key_or_id)
    if note is None:
        raise NotFoundError("no such note in this scope", kind="note", id=key_or_id)
    desk.show(note, views.note)


def history(desk: CommandContext, id: quarantine.Id) -> None:  # noqa: A002
    desk.show(desk.scope.history(id), views.history)


def revise(
    desk: CommandContext,
    id: quarantine.Id,  # noqa: A002
    text: Annotated[str, typer.Argument()],
) -> None:
    desk.show(desk.scope.revise(id, text), views.note)


def forget(desk: CommandContext, key_or_id: KeyOrId) -> None:
    desk.show(desk.scope.forget(key_or_id), views.note)


def undo(desk: CommandContext, id: quarantine.Id) -> None:  # noqa: A002
    desk.show(desk.scope.undo(id), views.undone)


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    notes = family(app, "notes", "List, read and change notes.", usual="list")
    add(notes, listing, name="list", verb="scope.notes")
    add(notes, show, verb="scope.get")
    add(notes, history, verb="scope.history")
    add(notes, revise, verb="scope.revise")
    add(notes, forget, verb="scope.forget")
    add(notes, undo, verb="scope.undo")
    add(notes, quarantine.approve, verb="scope.approve")
    add(notes, quarantine.reject, verb="scope.reject")
