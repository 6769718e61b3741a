"""Apply schema migrations to a database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli.options import add

if TYPE_CHECKING:
    from bethink.cli.command_context import CommandContext
    from bethink.storage.schema import Schema


def migrate(
    command: CommandContext,
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit with 1 if migrations are pending.")
    ] = False,
    app_role: Annotated[
        str | None,
        typer.Option(help="PostgreSQL: the application role that is granted access to the tables."),
    ] = None,
    citus: Annotated[
        bool,
        typer.Option(
            "--citus", help="PostgreSQL with Citus: distribute the tables over the cluster by tenant."
        ),
    ] = False,
) -> None:
    """Apply pending schema migrations; a SQLite file is also migrated whenever it is opened."""
    from bethink.storage.schema import migrate as apply
    from bethink.storage.schema import schema

    command.check_there()
    found = (
        schema(command.db, tenant=command.tenant)
        if check
        else apply(command.db, app_role=app_role, citus=citus)
    )
    command.show(found, view)
    raise typer.Exit(1 if found.pending else 0)


def view(found: Schema) -> str:
    """What was applied, and what is pending."""
    if found.applied:
        return f"applied {', '.join(found.applied)}: the schema is {found.newest}"
    if found.pending:
        return f"pending: {', '.join(found.pending)}; run `bethink migrate`"
    return f"up to date; the schema is {found.newest}"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, migrate)
