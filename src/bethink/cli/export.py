"""Write everything that is kept in a scope."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli.options import add

if TYPE_CHECKING:
    from bethink.cli.command_context import Desk


class Form(StrEnum):
    """What is written."""

    BETHINK = "bethink"
    SEED = "seed"


def export(
    desk: Desk,
    path: Annotated[
        Path | None, typer.Argument(help="A file for it; printed without one.", dir_okay=False)
    ] = None,
    *,
    form: Annotated[
        Form,
        typer.Option(
            "--format", help="seed: a state file with profile, global_memory, session_memory, trip_history."
        ),
    ] = Form.BETHINK,
    session: Annotated[
        str | None, typer.Option(help="seed: whose notes are its session notes; else those of all.")
    ] = None,
) -> None:
    """Write everything of a scope as JSON: profile, notes, history, records, sessions. `bethink import` reads it."""
    with desk.progress("reading", None):
        everything = desk.scope.export(format=form.value, session=session)
    desk.write(everything, path)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, export)
