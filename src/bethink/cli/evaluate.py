"""Measure the memory on a data set."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.options import add

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from bethink.cli.desk import Desk
    from bethink.evals.runs import Outcome


_MAIN = "R@10"


def locomo(
    desk: Desk,
    path: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="LoCoMo JSON.")],
) -> None:
    """Keep the conversations of LoCoMo in a fresh file, ask every question, and score the turns that are found.

    --db and the other options of a memory are not used: the file is made for this run and removed.
    """
    from bethink import Memory
    from bethink.evals.runs import run_locomo
    from bethink.imports.files import open_conversations

    conversations = open_conversations(path)
    questions = sum(len(conversation.questions) for conversation in conversations)
    with (
        tempfile.TemporaryDirectory(prefix="bethink-eval-") as folder,
        Memory(str(Path(folder, "memory.db")), settings=desk.settings) as memory,
        desk.progress("asking", questions) as done,
    ):
        outcome = run_locomo(conversations, memory, done=done)
    desk.show(outcome, view)


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    evaluate = typer.Typer(name="eval", help="Measure the memory on a data set.", no_args_is_help=True)
    app.add_typer(evaluate)

    @evaluate.callback()
    def group() -> None:  # pyright: ignore[reportUnusedFunction]
        """Measure the memory on a data set."""

    add(evaluate, locomo)


def view(outcome: Outcome) -> Sequence[RenderableType]:
    """The metrics by category; for one of them, the range that most repetitions would give."""
    names = list(next(iter(outcome.groups.values())).metrics) if outcome.groups else []
    made = views.table("questions", "n", *names, "ms")
    for name, group in outcome.groups.items():
        row = [views.said(name), str(group.questions)]
        row += [
            f"{each.mean:.3f} ±{(each.high - each.low) / 2:.3f}" if metric == _MAIN else f"{each.mean:.3f}"
            for metric, each in group.metrics.items()
        ]
        made.add_row(*row, f"{group.milliseconds:.2f}")
    return [
        made,
        views.dim(
            f"{outcome.conversations} conversations, {outcome.turns} turns, {outcome.seconds:.1f} s; "
            "ms: of one query, the median; ±: half the range of 95 in 100 samplings"
        ),
    ]
