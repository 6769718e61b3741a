"""Count what a memory holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.cli import views
from bethink.cli.options import add

if TYPE_CHECKING:
    from collections.abc import Sequence

    import typer
    from rich.console import RenderableType

    from bethink.cli.command_context import CommandContext
    from bethink.health.values import Stats


def stats(command: CommandContext) -> None:
    command.show(command.memory.stats(), view)


def view(counted: Stats) -> Sequence[RenderableType]:
    """A line for every scope, then the sum."""
    made = views.table("namespace", "sessions", "items", "notes", "by status", "profile")
    for scope in counted.scopes:
        statuses = ", ".join(f"{number} {status}" for status, number in scope.notes.items())
        row = [str(scope.sessions), str(scope.items), str(sum(scope.notes.values())), statuses]
        made.add_row(
            views.literal(scope.namespace), *row, f"version {scope.profile}" if scope.profile else ""
        )
    sizes = ", ".join(f"{name} {views.size(number)}" for name, number in counted.bytes.items())
    total = f"{len(counted.scopes)} scopes, {counted.sessions} sessions, {counted.items} items"
    shown: list[RenderableType] = [made]
    if counted.days:
        shown += [views.facts(measures(counted)), ""]
    return [*shown, views.dim(f"{total}, {sum(counted.notes.values())} notes; {sizes}")]


def measures(counted: Stats) -> list[tuple[str, str]]:
    """Return the practical metrics, and the tokens that models took, as lines."""
    metrics = counted.metrics
    rates = [
        ("memory_write_rate", metrics.memory_write_rate, "notes per 100 turns"),
        ("blocked_write_rate", metrics.blocked_write_rate, "of all write attempts"),
        ("memory_conflict_rate", metrics.memory_conflict_rate, "of consolidated notes"),
        ("time_to_personalization", metrics.time_to_personalization, "turns until the first lasting note"),
    ]
    lines = [(name, f"{rate:g} {unit}" if rate is not None else "no data yet") for name, rate, unit in rates]
    for day, operations in counted.spend.items():
        spent = ", ".join(f"{tokens} {operation}" for operation, tokens in operations.items())
        lines.append((f"tokens on {day}", spent))
    return lines


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, stats, verb="memory.stats")
