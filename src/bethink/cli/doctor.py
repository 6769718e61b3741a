"""Check a tenant's data for damage, or the quality of its notes (`--health`), or a mem0 export (`--mem0`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import doctor_health, views
from bethink.cli.options import add

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from bethink.cli.command_context import CommandContext
    from bethink.health.values import Health


def doctor(
    command: CommandContext,
    *,
    health: Annotated[
        bool, typer.Option("--health", help="Check the quality of the notes instead: a score, with evidence.")
    ] = False,
    namespace: Annotated[
        str | None,
        typer.Option(
            "--namespace", help="With --health: check only this scope, such as agent:concierge:u:alice."
        ),
    ] = None,
    mem0: Annotated[
        Path | None,
        typer.Option(
            "--mem0",
            exists=True,
            dir_okay=False,
            help="Check a mem0 export (JSON) instead; `bethink import FILE --clean` imports the sound part.",
        ),
    ] = None,
    texts: Annotated[bool, typer.Option("--texts", help="With --health: quote the notes.")] = False,
) -> None:
    """Check all data of a tenant for damage, and list what is damaged; exits with 1 if anything is.

    With --health, check the quality of the notes: junk, duplicates, contradictions, secrets and more.
    """
    if health or mem0 is not None:
        with command.progress("examining", None):
            of_notes = (
                doctor_health.of_store(command, namespace, texts=texts)
                if mem0 is None
                else doctor_health.of_export(command, mem0, texts=texts)
            )
        command.show(of_notes, doctor_health.view)
        if mem0 is not None:
            typer.echo(
                f"`bethink import {mem0} --clean` imports it without junk, duplicates and contradicted facts",
                err=True,
            )
        return
    with command.progress("reading", None):
        found = command.memory.doctor()
    command.show(found, view)
    raise typer.Exit(0 if found.healthy else 1)


def view(health: Health) -> Sequence[RenderableType]:
    """The state of the database, then every problem with its place."""
    store, index = health.store, health.index
    others = [f"{blocks} blocks of {identity}" for identity, blocks in index.others.items()]
    parts: list[RenderableType] = [
        views.facts(
            [
                ("database", store.url),
                ("store", ", ".join([f"{store.store} {store.version}", *store.settings.values()])),
                ("schema", f"{store.schema} of {store.newest_schema}"),
                ("sizes", ", ".join(f"{name} {views.size(number)}" for name, number in store.bytes.items())),
                (
                    "holds",
                    f"{health.scopes} scopes, {health.sessions} sessions, {health.items} items, {health.notes} notes",
                ),
                ("index", f"{index.passages} passages in {index.blocks} blocks, {views.size(index.bytes)}"),
                ("embedder", index.embedder or "none (lexical search only)"),
                ("to re-embed", ", ".join(others)),
            ]
        )
    ]
    if health.healthy:
        return [*parts, "no damage found"]
    made = views.table("damaged", "namespace", "place", "problem")
    for each in health.problems:
        made.add_row(
            each.kind,
            views.literal(each.namespace or ""),
            views.literal(each.place or ""),
            views.literal(each.reason),
        )
    return [*parts, made]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, doctor)
