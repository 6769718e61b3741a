"""Answer a hook of a coding agent."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from bethink.cli.examples import epilog


def hook(
    event: Annotated[
        str,
        typer.Argument(
            help="start, prompt, said, tool, compact, stop, end; or the event as the agent calls it: SessionStart …"
        ),
    ],
    *,
    agent: Annotated[
        str,
        typer.Option("--for", metavar="AGENT", help="claude, codex, cursor, gemini, copilot or opencode."),
    ] = "claude",
) -> None:
    """Answer a hook of a coding agent: its JSON on standard input, what it is told on standard output.

    It never fails the agent: what goes wrong is a line in hooks.log, and the exit status is 0. `bethink install` writes
    these commands into the settings of agents.
    """
    from bethink.coding.hook import MAX_INPUT, run

    sys.stdout.write(run([event, "--for", agent], lambda: sys.stdin.buffer.read(MAX_INPUT)))


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("hook", epilog=epilog("hook"))(hook)
