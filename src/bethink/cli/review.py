"""Review the notes that wait, each kind apart, with where they come from and why they wait."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.command_groups import family
from bethink.cli.options import add
from bethink.errors import InvalidError

if TYPE_CHECKING:
    from bethink.cli.command_context import Desk
    from bethink.lifecycle.quarantine_review import Waiting

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


Ids = Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="The ids of notes that wait.")]
Which = Annotated[Waits | None, typer.Option(help="Those that wait so.")]
From = Annotated[Sources | None, typer.Option(help="Those that came from there.")]
All = Annotated[bool, typer.Option("--all", help="All of them, but for --status and --source.")]


def listing(desk: Desk, *, status: Which = None, source: From = None) -> None:
    """List the notes that wait for a decision: no agent sees them until then."""
    found = [each for each in _waiting(desk, status) if source in {None, each.note.source}]
    desk.show(found, views.waiting)


def approve(
    desk: Desk, ids: Ids = None, *, every: All = False, status: Which = None, source: From = None
) -> None:
    """Let notes that wait be recalled and shown, all of them or none."""
    desk.show(desk.scope.decide(approve=_named(desk, ids, status, source, every=every)), views.decided)


def reject(
    desk: Desk, ids: Ids = None, *, every: All = False, status: Which = None, source: From = None
) -> None:
    """Forget notes that wait, all of them or none."""
    desk.show(desk.scope.decide(reject=_named(desk, ids, status, source, every=every)), views.decided)


def _named(
    desk: Desk, ids: list[str] | None, status: Waits | None, source: Sources | None, *, every: bool
) -> list[str]:
    if bool(ids) == every:
        raise InvalidError("name the notes by their ids, or say --all", argument="ids")
    if ids:
        if status or source:
            raise InvalidError("--status and --source choose among --all", argument="status")
        return ids
    return [each.note.id for each in _waiting(desk, status) if source in {None, each.note.source}]


def _waiting(desk: Desk, status: Waits | None) -> list[Waiting]:
    found: list[Waiting] = []
    cursor = None
    while True:
        page = desk.scope.review(status=None if status is None else status.value, limit=_PAGE, cursor=cursor)
        found += page
        cursor = page.next
        if cursor is None:
            return found


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    review = family(app, "review", "Decide about the notes that wait.", usual="list")
    add(review, listing, name="list")
    add(review, approve)
    add(review, reject)
