"""Read and set what is known of a user as fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.command_groups import family
from bethink.cli.fields import fields
from bethink.cli.instants import instant
from bethink.cli.options import add

if TYPE_CHECKING:
    from bethink.cli.command_context import Desk


def show(
    desk: Desk, *, as_of: Annotated[str | None, typer.Option(help="As it stood then, ISO 8601.")] = None
) -> None:
    """Show every field, since when it holds and who said so."""
    desk.show(desk.scope.profile.get(as_of=instant(as_of, "as-of")), views.profile)


def change(
    desk: Desk,
    assignment: Annotated[
        list[str],
        typer.Argument(
            metavar="FIELD=VALUE...",
            help="VALUE is JSON, or a text; null removes the field; a.b=… sets a field within a field.",
        ),
    ],
) -> None:
    """Set some fields: `bethink profile set home_city=Paris loyalty.airline=gold pets=null`."""
    desk.show(desk.scope.profile.update(fields(assignment)), views.profile)


def history(desk: Desk) -> None:
    """Show every version, oldest first."""
    desk.show(desk.scope.profile.history(), views.profiles)


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    profile = family(app, "profile", "Read and set what is known of a user as fields.", usual="show")
    add(profile, show)
    add(profile, change, name="set", makes=True)
    add(profile, history)
