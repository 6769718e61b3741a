"""Back up a SQLite file, and put a backup in its place."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.options import add

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import RenderableType

    from bethink.cli.command_context import CommandContext
    from bethink.lifecycle.erase.backup_restore import Restored
    from bethink.storage.backup import BackedUp

_PAGE = 4096  #: bytes


def backup(
    command: CommandContext,
    target: Annotated[Path, typer.Argument(metavar="DST", dir_okay=False, help="The backup file to create.")],
    *,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Back up a SQLite database while it is in use.

    Expired items are removed first.
    """
    from bethink import Memory
    from bethink.storage.backup import backup as make
    from bethink.storage.backup import file_of, tenants_with_overdue

    source = file_of(command.db)
    command.check_there()
    for tenant in tenants_with_overdue(command.db, time.time_ns() // 1000):
        with Memory(command.db, tenant=tenant, embedder=None) as memory:
            memory.purge()
    with command.progress("copying", source.stat().st_size // _PAGE) as done:
        made = make(command.db, target, force=force, done=_advancing(done))
    command.show(made, made_view)


def restore(
    command: CommandContext,
    source: Annotated[
        Path,
        typer.Argument(metavar="SRC", exists=True, dir_okay=False, help="A file made by `bethink backup`."),
    ],
    *,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the existing database.")] = False,
    unread: Annotated[
        bool,
        typer.Option(
            "--unread",
            help="Restore even if the existing database is too damaged to tell what was erased; it is set aside.",
        ),
    ] = False,
) -> None:
    """Restore a SQLite database from a backup; what was erased since the backup stays erased."""
    from bethink.lifecycle.erase.backup_restore import restore as put_back

    with command.progress("restoring", None):
        restored = put_back(source, command.db, now=time.time_ns() // 1000, force=force, unread=unread)
    command.show(restored, restored_view)
    raise typer.Exit(1 if any(receipt.remaining for receipt in restored.receipts) else 0)


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    add(app, backup)
    add(app, restore, makes=True)


def made_view(made: BackedUp) -> str:
    """What was written."""
    return f"{made.path}: {views.size(made.bytes)}, schema {made.schema}, verified in {made.seconds:.1f} s"


def restored_view(restored: Restored) -> Sequence[RenderableType]:
    """What stands now, and what was erased from it again."""
    parts: list[RenderableType] = [
        f"{restored.path}: {views.size(restored.bytes)}, schema {restored.schema}, verified"
    ]
    if restored.set_aside:
        parts.append(views.literal(f"the damaged database was moved to {restored.set_aside}", "yellow"))
    if restored.receipts:
        parts.append("erased again, because it was erased after the backup was made:")
        parts += [views.receipt(receipt) for receipt in restored.receipts]
    return parts


def _advancing(done: Callable[[int], None]) -> Callable[[int, int], None]:
    before = 0

    def report_progress(copied: int, _all: int) -> None:
        nonlocal before
        done(copied - before)
        before = copied

    return report_progress
