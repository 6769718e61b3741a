"""Memory as files: settle a workspace, keep a Markdown notebook in sync, link the files of coding agents."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.command_groups import family
from bethink.cli.options import add
from bethink.errors import InvalidError
from bethink.workspace.notebook_state import is_ours
from bethink.workspace.values import DEFAULT_NAME, LAYOUT, Layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from bethink.cli.command_context import CommandContext
    from bethink.sync import Workspace
    from bethink.workspace.values import Report, Standing


class Coder(StrEnum):
    """Whose files they are."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    CURSOR = "cursor"
    COPILOT = "copilot"
    GEMINI = "gemini"


class Editor(StrEnum):
    """The author assumed for edits of the files."""

    AGENT = "agent"
    USER = "user"


Root = Annotated[Path, typer.Argument(metavar="DIR", file_okay=False, help="The workspace directory.")]
Name = Annotated[
    str, typer.Option("--name", help="The name that distinguishes several workspaces of one memory.")
]
Memories = Annotated[
    str, typer.Option("--memories-dir", help="The directory of the memory files, inside the workspace.")
]
Sessions = Annotated[
    str, typer.Option("--sessions-dir", help="The directory of the conversations, inside the workspace.")
]


def _space(command: CommandContext, root: Path, name: str, memories: str, sessions: str) -> Workspace:
    return command.scope.workspace(root, name=name, layout=Layout(memories, sessions))


def open_(
    command: CommandContext,
    directory: Root,
    *,
    name: Name = DEFAULT_NAME,
    memories_dir: Memories = LAYOUT.memories_dir,
    sessions_dir: Sessions = LAYOUT.sessions_dir,
) -> None:
    """Prepare a workspace: import edits and leftovers, and restore missing files."""
    command.show(_space(command, directory, name, memories_dir, sessions_dir).open(), report)


def close(
    command: CommandContext,
    directory: Root,
    *,
    name: Name = DEFAULT_NAME,
    memories_dir: Memories = LAYOUT.memories_dir,
    sessions_dir: Sessions = LAYOUT.sessions_dir,
) -> None:
    """Consolidate the conversations in a workspace into memory."""
    command.show(_space(command, directory, name, memories_dir, sessions_dir).close(), report)


def forget(
    command: CommandContext,
    directory: Root,
    conversation: Annotated[
        str,
        typer.Argument(
            metavar="CONVERSATION", help="The id of the conversation, which is the name of its session file."
        ),
    ],
    *,
    name: Name = DEFAULT_NAME,
    memories_dir: Memories = LAYOUT.memories_dir,
    sessions_dir: Sessions = LAYOUT.sessions_dir,
) -> None:
    """Forget a conversation and everything that was derived from it."""
    space = _space(command, directory, name, memories_dir, sessions_dir)
    command.show(space.forget(conversation), report)


def status(
    command: CommandContext,
    directory: Root = Path(),
    *,
    name: Name = DEFAULT_NAME,
    memories_dir: Memories = LAYOUT.memories_dir,
    sessions_dir: Sessions = LAYOUT.sessions_dir,
) -> None:
    """Show the state of a workspace without changing it."""
    command.show(_space(command, directory, name, memories_dir, sessions_dir).status(), status_table)


def sync(
    command: CommandContext,
    directory: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", file_okay=False, help="A directory of Markdown files.")
    ] = None,
    *,
    coder: Annotated[
        Coder | None,
        typer.Option(
            "--for",
            help="Write a marked block into the file that this coding agent reads; DIR is then the project.",
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be done without changing anything.")
    ] = False,
    adopt: Annotated[
        bool,
        typer.Option("--adopt", help="Import files that Bethink did not create; they are never changed."),
    ] = False,
    confirm: Annotated[
        bool, typer.Option("--confirm", help="Forget the notes whose lines were removed.")
    ] = False,
    restore: Annotated[bool, typer.Option("--restore", help="Write the removed lines again.")] = False,
    edited_by: Annotated[
        Editor, typer.Option(help="The author assumed for edits of the files.")
    ] = Editor.AGENT,
) -> None:
    """Sync a directory of Markdown files with the notes, both ways: MEMORY.md is the index, with a file per topic.

    Files that Bethink did not create are never changed. Where both sides changed, both versions are kept. The exit
    status is 1 if there are conflicts, or removals that wait for --confirm.
    """
    if directory is None and coder is None and not is_ours(Path.cwd()):
        raise InvalidError(
            f"{Path.cwd()} is not a Bethink folder; name the folder to keep notes in (`bethink "
            "workspace sync notes`) or a coding agent (--for claude-code). Nothing was changed",
            argument="directory",
        )
    notebook = command.scope.notebook(directory or Path.cwd(), agent=coder.value if coder else None)
    done = notebook.sync(
        source=edited_by.value, dry_run=dry_run, adopt=adopt, confirm=confirm, restore=restore
    )
    command.show(done, report)
    raise typer.Exit(1 if done.conflicts or done.waiting else 0)


def report(done: Report) -> Sequence[RenderableType]:
    """What was done, what was caught, and what is kept twice."""
    rows = [
        ("learned from", ", ".join(done.learned)),
        ("nothing in", ", ".join(done.passed)),
        ("forgotten", ", ".join(done.forgotten)),
        ("notes", ", ".join(done.notes)),
        ("notes taken out", ", ".join(done.dropped)),
        ("notes that moved", ", ".join(done.moved)),
        ("written", ", ".join(done.written)),
        ("removed", ", ".join(done.removed)),
        ("take it back", f"bethink undo {done.undo}" if done.undo else ""),
    ]
    shown = [(name, value) for name, value in rows if value]
    parts: list[RenderableType] = [views.facts(shown)] if shown else [views.dim("no changes")]
    if done.diff:
        parts = [done.diff]
    if done.waiting:
        parts.append(
            views.literal(
                f"the lines of {len(done.waiting)} notes were removed ({', '.join(done.waiting)}); use --confirm to "
                "forget them, --restore to write them again, or --dry-run to show them",
                "yellow",
            )
        )
    parts += [views.literal(f"conflict: {each}", "yellow") for each in done.conflicts]
    parts += [
        views.literal(f"{each.place}: {', '.join(each.reasons)}: {each.action}", "yellow")
        for each in done.caught
    ]
    return [*parts, *(views.literal(each, "yellow") for each in done.remarks)]


def status_table(found: Standing) -> RenderableType:
    """Where a workspace stands."""
    return views.facts(
        [
            ("directory", found.directory),
            ("name", found.name),
            ("memories", found.layout.memories_dir),
            ("conversations", found.layout.sessions_dir),
            ("remembered", str(found.remembered)),
            ("waiting", str(found.waiting)),
            ("under way", str(found.running)),
            ("edited", ", ".join(found.edited)),
            ("missing", ", ".join(found.missing)),
        ]
    )


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    members = family(app, "workspace", "Keep memory as files.", usual="status")
    add(members, open_, name="open", makes=True)
    add(members, close, makes=True)
    add(members, forget)
    add(members, status)
    add(members, sync, makes=True)
