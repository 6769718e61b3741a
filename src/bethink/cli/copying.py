"""Copy a database between SQLite and PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.options import add

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from bethink.cli.command_context import CommandContext
    from bethink.storage.copying import Copied


def copy(
    command: CommandContext,
    source: Annotated[str, typer.Argument(metavar="SRC", help="The source: a path or a URL.")],
    target: Annotated[
        str, typer.Argument(metavar="DST", help="The destination: a path or a URL of an empty store.")
    ],
    *,
    all_tenants: Annotated[
        bool,
        typer.Option("--all-tenants", help="Copy every tenant of a SQLite file, instead of --tenant only."),
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume a copy although the address of its source has changed.")
    ] = False,
) -> None:
    """Copy all data of a tenant from one store to another, and compare the two; --db is not used.

    Ids stay the same. Run an interrupted copy again to resume it. The source is not changed; do not use the destination
    before the copy is done.
    """
    from bethink.storage.copying import Copy

    with (
        Copy(
            source,
            target,
            tenant=command.tenant,
            all_tenants=all_tenants,
            resume=resume,
            settings=command.settings,
        ) as under_way,
        command.progress(f"copying {under_way.rows} rows", under_way.steps) as done,
    ):
        copied = under_way.run(done)
    command.show(copied, view)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, copy)


def view(copied: Copied) -> Sequence[RenderableType]:
    """How many rows each table has on both sides, and that they are the same."""
    made = views.table("tenant", "table", "n", "digest of both")
    for tenant, tables in copied.tenants.items():
        for name, table in tables.items():
            if table.rows:
                made.add_row(views.literal(tenant), name, str(table.rows), views.dim(table.digest))
    speed = f", {copied.rows / copied.seconds:,.0f} rows/s" if copied.seconds else ""
    parts: list[RenderableType] = [
        made,
        f"{copied.rows} rows are identical in both stores; {copied.seconds:.1f} s{speed}",
    ]
    if copied.left:
        names = ", ".join(copied.left)
        parts.append(
            views.literal(f"other tenants were not copied: {names}; use --all-tenants to copy them", "yellow")
        )
    return parts
