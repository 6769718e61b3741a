"""Export everything that a scope holds as JSON."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli.options import add

if TYPE_CHECKING:
    from bethink.cli.command_context import CommandContext


class Form(StrEnum):
    """What is written."""

    BETHINK = "bethink"
    SEED = "seed"


def export(
    command: CommandContext,
    path: Annotated[
        Path | None, typer.Argument(help="The file to write; default: standard output.", dir_okay=False)
    ] = None,
    *,
    form: Annotated[
        Form,
        typer.Option("--format"),
    ] = Form.BETHINK,
    session: Annotated[str | None, typer.Option()] = None,
) -> None:
    """`bethink import` reads the export."""
    with command.progress("reading", None):
        everything = command.scope.export(format=form.value, session=session)
    command.write(everything, path)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, export, verb="scope.export")
