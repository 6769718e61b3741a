"""The older name of `import`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.cli.importing import import_
from bethink.cli.options import add

if TYPE_CHECKING:
    import typer


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, import_, name="ingest", makes=True)
