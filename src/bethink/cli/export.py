"""Write everything that is kept in a scope."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli.options import add

if TYPE_CHECKING:
    from bethink.cli.desk import Desk


def export(
    desk: Desk,
    path: Annotated[
        Path | None, typer.Argument(help="A file for it; printed without one.", dir_okay=False)
    ] = None,
) -> None:
    """Write everything of a scope as JSON: profile, notes, history, records, sessions."""
    with desk.progress("reading", None):
        everything = desk.scope.export()
    desk.write(everything, path)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, export)
