"""The list of all commands."""

from __future__ import annotations

from typing import Annotated

import typer

from bethink.cli import (
    backup,
    chat,
    consolidate,
    context,
    copying,
    demo,
    doctor,
    erase,
    evaluate,
    export,
    importing,
    ingest,
    mcp,
    migrate,
    notes,
    profile,
    quarantine,
    recall,
    remember,
    review,
    serve,
    sessions,
    stats,
    timeline,
    worker,
    workspace,
)

app = typer.Typer(
    name="bethink",
    help="The memory of AI agents: one file, no key.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from bethink import __version__

        typer.echo(f"bethink {__version__}")
        raise typer.Exit


@app.callback()
def bethink(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Remember, recall and converse: the memory of AI agents in one file, with no key."""


for family in (
    demo,
    ingest,
    remember,
    recall,
    timeline,
    context,
    notes,
    sessions,
    profile,
    consolidate,
    quarantine,
    review,
    workspace,
    export,
    importing,
    copying,
    backup,
    erase,
    stats,
    doctor,
    migrate,
    evaluate,
    mcp,
    chat,
    serve,
    worker,
):
    family.add_to(app)
