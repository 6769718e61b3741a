"""Read and set the profile of a user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.assignments import fields
from bethink.cli.command_groups import family
from bethink.cli.instants import instant
from bethink.cli.options import add

if TYPE_CHECKING:
    from bethink.cli.command_context import CommandContext


def show(
    command: CommandContext, *, as_of: Annotated[str | None, typer.Option(metavar="DATE")] = None
) -> None:
    command.show(command.scope.profile.get(as_of=instant(as_of, "as-of")), views.profile)


def change(
    command: CommandContext,
    assignment: Annotated[
        list[str],
        typer.Argument(
            metavar="FIELD=VALUE...",
            help="VALUE is JSON or text; null removes the field; a.b=… sets a nested field.",
        ),
    ],
) -> None:
    command.show(command.scope.profile.update(fields(assignment)), views.profile)


def history(command: CommandContext) -> None:
    command.show(command.scope.profile.history(), views.profiles)


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    profile = family(app, "profile", "Read and set the profile of a user.", usual="show")
    add(profile, show, verb="profile.get")
    add(profile, change, name="set", makes=True, verb="profile.update")
    add(profile, history, verb="profile.history")
