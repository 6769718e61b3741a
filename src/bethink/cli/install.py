"""Install Bethink into coding agents (hooks, MCP server, instructions), and uninstall it."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bethink.cli import views
from bethink.cli.options import add
from bethink.cli.terminal_escapes import visible
from bethink.coding import options as choices
from bethink.coding.directories import of_machine
from bethink.errors import BethinkError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import RenderableType

    from bethink.cli.command_context import CommandContext
    from bethink.coding.install import Installed, InstallState


class Agent(StrEnum):
    """Which coding agent."""

    CLAUDE = "claude"
    CODEX = "codex"
    CURSOR = "cursor"
    GEMINI = "gemini"
    COPILOT = "copilot"
    OPENCODE = "opencode"
    VSCODE = "vscode"
    STATUS = "status"


_Agents = Annotated[
    list[Agent], typer.Argument(help="The agents to install for, or `status` to show how far each one is.")
]
_Project = Annotated[
    bool, typer.Option("--project", help="Install for this folder only, in files inside it.")
]
_Dir = Annotated[Path, typer.Option("--dir", metavar="DIR", help="The project folder.")]
_Dry = Annotated[bool, typer.Option("--dry-run", help="Show what would change without changing anything.")]


def install(
    context: CommandContext,
    agents: _Agents,
    *,
    project: _Project = False,
    folder: _Dir = Path(),
    dry_run: _Dry = False,
    command: Annotated[
        str | None,
        typer.Option("--command", help="The command by which agents start Bethink; detected by default."),
    ] = None,
) -> None:
    """Install Bethink in coding agents: hooks, MCP server and instructions, in their own settings.

    Existing settings and comments are kept, and each file is backed up next to itself before its first change. Running
    it again changes nothing more. With --db or --user, hooks use that database or that user's memory.
    """
    import shlex

    from bethink.coding.install import install as put
    from bethink.coding.install import install_states, our_command

    places, root = of_machine(), folder.resolve() if project else None
    if Agent.STATUS in agents:
        context.show(install_states(places, folder.resolve()), _states_table)
        return
    words = shlex.split(command) if command else our_command()
    done = _each(context, agents, lambda agent: put(agent, places, root, words, dry_run=dry_run))
    if not dry_run and (context.named or context.user):
        _choose(context)
    context.show(done, _installed)
    raise typer.Exit(0 if len(done) == len(agents) else 1)


def uninstall(
    command: CommandContext,
    agents: _Agents,
    *,
    project: _Project = False,
    folder: _Dir = Path(),
    dry_run: _Dry = False,
) -> None:
    """Remove Bethink from coding agents; the memory itself is kept."""
    from bethink.coding.install import install_states
    from bethink.coding.install import uninstall as take

    places, root = of_machine(), folder.resolve() if project else None
    if Agent.STATUS in agents:
        command.show(install_states(places, folder.resolve()), _states_table)
        return
    done = _each(command, agents, lambda agent: take(agent, places, root, dry_run=dry_run))
    command.show(done, _installed)
    raise typer.Exit(0 if len(done) == len(agents) else 1)


def _each(
    command: CommandContext, agents: Sequence[Agent], work: Callable[[str], Installed]
) -> list[Installed]:
    """Do what is asked for each agent; one whose settings cannot be changed does not hold up the others."""
    from bethink.cli.failures import as_json, line

    done: list[Installed] = []
    for each in agents:
        try:
            done.append(work(each.value))
        except BethinkError as error:
            sys.stderr.write((as_json if command.json else line)(error) + "\n")
    return done


def _choose(command: CommandContext) -> None:
    """Keep which database and which user hooks are to use."""
    places = of_machine()
    chosen = choices.read(places.options)
    db = command.named
    if db and "://" not in db and db != ":memory:":
        db = str(Path(db).expanduser().resolve())
    choices.write(places.options, chosen._replace(db=db or chosen.db, user=command.user or chosen.user))


def _installed(done: Sequence[Installed]) -> Sequence[RenderableType]:
    parts: list[RenderableType] = []
    for each in done:
        if each.dry_run:
            parts.append(views.dim(f"{each.tool}: unchanged"))
        changed = [file for file in each.files if file.done != "unchanged"]
        if not changed and not each.dry_run:
            parts.append(views.literal(f"{each.tool}: up to date"))
        for file in changed:
            kept = f" (backup: {file.backup})" if file.backup else ""
            parts.append(visible(f"{each.tool}: {', '.join(file.what)}: {file.done} {file.path}{kept}"))
            if each.dry_run and file.diff:
                parts.append(visible(file.diff))  # a text is never wrapped
        parts += [views.literal(f"{each.tool}: {remark}", "yellow") for remark in each.remarks]
    return parts


def _states_table(found: Sequence[InstallState]) -> RenderableType:
    made = views.table("agent", "for", "installed", "missing")
    for each in found:
        problem: Any = "\n".join(each.wrong) if each.wrong else ", ".join(each.missing) if each.there else ""
        made.add_row(each.tool, each.where, each.state, views.literal(problem))
    return made


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    add(app, install)
    add(app, uninstall)
