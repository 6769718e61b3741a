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


class ListedStatus(StrEnum):
    """What the list shows."""

    ACTIVE = "active"
    PENDING = "pending"
    QUARANTINED = "quarantined"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    FORGOTTEN = "forgotten"
    ALL = "all"


def listing(
    command: CommandContext,
    *,
    category: Annotated[list[str] | None, typer.Option()] = None,
    session: Annotated[str | None, typer.Option()] = None,
    status: Annotated[ListedStatus, typer.Option()] = ListedStatus.ACTIVE,
    where: Annotated[str | None, typer.Option(metavar="JSON")] = None,
    as_of: Annotated[str | None, typer.Option(metavar="DATE")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n")] = 100,
    cursor: Annotated[str | None, typer.Option()] = None,
) -> None:
    page = command.scope.notes(
        category=category,
        session=session,
        status=None if status is ListedStatus.ALL else status.value,
        where=json_object(where, "where"),
        as_of=instant(as_of, "as-of"),
        limit=limit,
        cursor=cursor,
    )
    command.show(page, views.notes)


def show(command: CommandContext, key_or_id: KeyOrId) -> None:
    note = command.scope.get(key_or_id)
    if note is None:
        raise NotFoundError("no such note in this scope", kind="note", id=key_or_id)
    command.show(note, views.note)


def history(command: CommandContext, id: quarantine.Id) -> None:  # noqa: A002
    command.show(command.scope.history(id), views.history)


def revise(
    command: CommandContext,
    id: quarantine.Id,  # noqa: A002
    text: Annotated[str, typer.Argument()],
) -> None:
    command.show(command.scope.revise(id, text), views.note)


def forget(command: CommandContext, key_or_id: KeyOrId) -> None:
    command.show(command.scope.forget(key_or_id), views.note)


def undo(command: CommandContext, id: quarantine.Id) -> None:  # noqa: A002
    command.show(command.scope.undo(id), views.undone)


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
