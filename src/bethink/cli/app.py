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
    documents,
    erase,
    evaluate,
    export,
    hook,
    importing,
    install,
    mcp,
    migrate,
    notes,
    profile,
    project,
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
    invoke_without_command=True,
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
    ctx: typer.Context,
    *,
    version: Annotated[  # noqa: ARG001 - its callback answers
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Remember, recall and converse: the memory of AI agents in one file, with no key."""
    if ctx.invoked_subcommand is None:
        _welcome()


def _welcome() -> None:
    """Say what this is, how it stands here, and what comes next."""
    from bethink.cli.command_context import CommandContext
    from bethink.cli.terminal_escapes import visible
    from bethink.cli.welcome import here, lines

    command = CommandContext(db=None, tenant="default", agent="default", user=None, embedder=None, json=False)
    for line in lines(here(command)):
        typer.echo(visible(line))


for family in (
    demo,
    remember,
    recall,
    timeline,
    context,
    notes,
    sessions,
    documents,
    profile,
    consolidate,
    quarantine,
    review,
    workspace,
    project,
    install,
    hook,
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
