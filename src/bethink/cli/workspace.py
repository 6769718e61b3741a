"""Keep memory as files: for agents that work in a directory, and for coding agents."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.families import family
from bethink.cli.options import add
from bethink.workspace.values import DEFAULT_NAME, LAYOUT, Layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from bethink.cli.desk import Desk
    from bethink.sync import Workspace
    from bethink.workspace.values import Report, Standing


class Coder(StrEnum):
    """Whose files they are."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"


class Editor(StrEnum):
    """Who is believed to have edited the files."""

    AGENT = "agent"
    USER = "user"


Root = Annotated[Path, typer.Argument(metavar="DIR", file_okay=False, help="The directory of the workspace.")]
Name = Annotated[str, typer.Option("--name", help="Tells several workspaces of one memory apart.")]
Memories = Annotated[str, typer.Option("--memories-dir", help="Where the memory lies in it.")]
Sessions = Annotated[str, typer.Option("--sessions-dir", help="Where the conversations lie in it.")]


def _space(desk: Desk, root: Path, name: str, memories: str, sessions: str) -> Workspace:
    return desk.scope.workspace(root, name=name, layout=Layout(memories, sessions))


def open_(
    desk: Desk,
    directory: Root,
    *,
    name: Name = DEFAULT_NAME,
    memories_dir: Memories = LAYOUT.memories_dir,
    sessions_dir: Sessions = LAYOUT.sessions_dir,
) -> None:
    """Make a workspace ready: take in edits and what was left over, write the files that are lost."""
    desk.show(_space(desk, directory, name, memories_dir, sessions_dir).open(), report)


def close(
    desk: Desk,
    directory: Root,
    *,
    name: Name = DEFAULT_NAME,
    memories_dir: Memories = LAYOUT.memories_dir,
    sessions_dir: Sessions = LAYOUT.sessions_dir,
) -> None:
    """Make memory of the conversations in a workspace."""
    desk.show(_space(desk, directory, name, memories_dir, sessions_dir).close(), report)


def status(
    desk: Desk,
    directory: Root = Path(),
    *,
    name: Name = DEFAULT_NAME,
    memories_dir: Memories = LAYOUT.memories_dir,
    sessions_dir: Sessions = LAYOUT.sessions_dir,
) -> None:
    """Say where a workspace stands; nothing is changed."""
    desk.show(_space(desk, directory, name, memories_dir, sessions_dir).status(), standing)


def sync(
    desk: Desk,
    directory: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", file_okay=False, help="A directory of Markdown.")
    ] = None,
    *,
    coder: Annotated[
        Coder | None, typer.Option("--for", help="The place of this coding agent; DIR is the project then.")
    ] = None,
    edited_by: Annotated[
        Editor, typer.Option(help="Who is believed to have edited the files.")
    ] = Editor.AGENT,
) -> None:
    """Keep a directory in step with the notes, both ways: MEMORY.md as an index, a file a topic.

    What was changed on both sides is kept twice and told, and the exit status is 1.
    """
    from bethink.workspace.places import place

    where = place(coder.value, directory or ".") if coder else directory or Path()
    book = desk.scope.notebook(where, summary=coder is Coder.CODEX)
    done = book.sync(source=edited_by.value)
    desk.show(done, report)
    raise typer.Exit(1 if done.conflicts else 0)


def report(done: Report) -> Sequence[RenderableType]:
    """What was done, what was caught, and what is kept twice."""
    rows = [
        ("learned from", ", ".join(done.learned)),
        ("nothing in", ", ".join(done.passed)),
        ("forgotten", ", ".join(done.forgotten)),
        ("notes", ", ".join(done.notes)),
        ("notes taken out", ", ".join(done.dropped)),
        ("written", ", ".join(done.written)),
        ("removed", ", ".join(done.removed)),
    ]
    told = [(name, value) for name, value in rows if value]
    parts: list[RenderableType] = [views.facts(told)] if told else [views.dim("nothing has changed")]
    parts += [views.said(f"conflict: {each}", "yellow") for each in done.conflicts]
    parts += [
        views.said(f"{each.place}: {', '.join(each.reasons)}: {each.action}", "yellow")
        for each in done.caught
    ]
    return [*parts, *(views.said(each, "yellow") for each in done.remarks)]


def standing(found: Standing) -> RenderableType:
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
    add(members, status)
    add(members, sync, makes=True)
