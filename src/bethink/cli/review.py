"""The review queue: approve or reject pending and quarantined notes, with their provenance and the reason."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.command_groups import family
from bethink.cli.options import add
from bethink.errors import InvalidError
from bethink.verbs import VERBS

if TYPE_CHECKING:
    from bethink.cli.command_context import CommandContext
    from bethink.lifecycle.review_reasons import Waiting

_PAGE = 1_000


class Waits(StrEnum):
    """Which of the notes that wait."""

    PENDING = "pending"
    QUARANTINED = "quarantined"


class Sources(StrEnum):
    """Who said it."""

    USER = "user"
    TOOL = "tool"
    AGENT = "agent"
    IMPORT = "import"


Ids = Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="The ids of waiting notes.")]
Which = Annotated[Waits | None, typer.Option(help=VERBS["scope.review"].parameters["status"])]
From = Annotated[Sources | None, typer.Option(help="Only notes from this source.")]
All = Annotated[bool, typer.Option("--all", help="All waiting notes, within --status and --source.")]


def listing(command: CommandContext, *, status: Which = None, source: From = None) -> None:
    """No agent sees these notes until they are approved."""
    found = [each for each in _waiting(command, status) if source in {None, each.note.source}]
    command.show(found, views.waiting)


def approve(
    command: CommandContext, ids: Ids = None, *, every: All = False, status: Which = None, source: From = None
) -> None:
    """Approve notes that are waiting for review, all of them or none."""
    command.show(
        command.scope.decide(approve=_named(command, ids, status, source, every=every)), views.decided
    )


def reject(
    command: CommandContext, ids: Ids = None, *, every: All = False, status: Which = None, source: From = None
) -> None:
    """Reject and forget notes that are waiting for review, all of them or none."""
    command.show(
        command.scope.decide(reject=_named(command, ids, status, source, every=every)), views.decided
    )


def _named(
    command: CommandContext,
    ids: list[str] | None,
    status: Waits | None,
    source: Sources | None,
    *,
    every: bool,
) -> list[str]:
    if bool(ids) == every:
        raise InvalidError("list the ids of the notes, or use --all", argument="ids")
    if ids:
        if status or source:
            raise InvalidError("--status and --source work only with --all", argument="status")
        return ids
    return [each.note.id for each in _waiting(command, status) if source in {None, each.note.source}]


def _waiting(command: CommandContext, status: Waits | None) -> list[Waiting]:
    found: list[Waiting] = []
    cursor = None
    while True:
        page = command.scope.review(
            status=None if status is None else status.value, limit=_PAGE, cursor=cursor
        )
        found += page
        cursor = page.next
        if cursor is None:
            return found


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    review = family(app, "review", "Review the notes that are waiting for a decision.", usual="list")
    add(review, listing, name="list", verb="scope.review")
    add(review, approve)
    add(review, reject)
