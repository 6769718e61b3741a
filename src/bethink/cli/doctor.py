"""Find what is damaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from bethink.cli import views
from bethink.cli.options import add

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from bethink.cli.desk import Desk
    from bethink.health.values import Health


def doctor(desk: Desk) -> None:
    """Read everything of a tenant once, and say what is damaged and where; exit with 1 where something is."""
    with desk.progress("reading", None):
        health = desk.memory.doctor()
    desk.show(health, view)
    raise typer.Exit(0 if health.healthy else 1)


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
                ("embedder", index.embedder or "none: words alone"),
                ("to embed anew", ", ".join(others)),
            ]
        )
    ]
    if health.healthy:
        return [*parts, "everything can be read"]
    made = views.table("damaged", "namespace", "place", "what is wrong")
    for each in health.problems:
        made.add_row(
            each.kind, views.said(each.namespace or ""), views.said(each.place or ""), views.said(each.reason)
        )
    return [*parts, made]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, doctor)
