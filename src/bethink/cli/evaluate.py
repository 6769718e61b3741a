"""Run the evals: the lifecycle suites of Bethink, and public data sets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import evaluate_data, views
from bethink.cli.options import add
from bethink.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from bethink.cli.command_context import CommandContext
    from bethink.evals.lifecycle.values import Check, Figure
    from bethink.evals.lifecycle.values import Outcome as Measured
    from bethink.evals.metrics import Interval


_File = Annotated[
    Path | None, typer.Option(metavar="FILE", exists=True, dir_okay=False, help="A file of that data set.")
]


def lifecycle(
    command: CommandContext,
    *,
    failures: Annotated[bool, typer.Option("--failures", help="List every failure.")] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a report with plots, one file.")
    ] = None,
    users: Annotated[int, typer.Option(min=1, max=1000, help="How many users to make up.")] = 20,
    seed: Annotated[int, typer.Option(help="From which the users are made up.")] = 7,
    development: Annotated[
        bool,
        typer.Option("--development", help="Use the cases that rules were tuned on, not those kept apart."),
    ] = False,
    memorybank: _File = None,
    locomo: _File = None,
) -> None:
    """Measure what is kept, corrected, shown, merged and refused, on hand-written cases and made-up users.

    --memorybank and --locomo name files of those data sets, of which it is measured too what is kept.

    --db and the other options of a memory are not used: every suite has a memory of its own, which is gone after it.
    """
    from bethink.evals.lifecycle.page import page
    from bethink.evals.lifecycle.runs import run_lifecycle, size

    with command.progress("measuring", size(users)) as done:
        outcome = run_lifecycle(
            users=users,
            seed=seed,
            part="development" if development else "held_out",
            memorybank=memorybank,
            locomo=locomo,
            settings=command.settings,
            done=done,
        )
    if html is not None:
        _save(page(outcome), html)
    command.show(outcome, lambda measured: measures(measured, failures=failures))


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    evaluate = typer.Typer(name="eval", help="Measure the memory on a data set.", no_args_is_help=True)
    app.add_typer(evaluate)

    @evaluate.callback()
    def group() -> None:  # pyright: ignore[reportUnusedFunction]
        """Measure the memory on a data set."""

    add(evaluate, lifecycle)
    evaluate_data.add_to(evaluate)


def measures(outcome: Measured, *, failures: bool) -> Sequence[RenderableType]:
    """Every metric, also those that nothing was measured for; then what was counted, and the failures if asked."""
    made = views.table("metric", "value", "95 %", "n", "failed", "what it is")
    for figure in outcome.figures:
        made.add_row(*_measure(figure))
        for name, part in figure.groups.items():
            made.add_row(
                views.dim(f"  {name}"),
                views.dim(f"{part.mean:.3f}"),
                views.dim(_range(part)),
                views.dim(str(part.count)),
                "",
                "",
            )
    parts: list[RenderableType] = [made]
    for name, values in outcome.tallies.items():
        counted = views.table(name, "value")
        for each, value in values.items():
            counted.add_row(views.literal(each), f"{value:g}" if value == int(value) else f"{value:.3f}")
        parts.append(counted)
    if failures:
        parts += [line for check in outcome.failures for line in _failure(check)]
    many = f"{len(outcome.failures)} failures{'' if failures else ' (--failures lists them)'}"
    return [*parts, views.dim(f"{many}; {outcome.seconds:.1f} s")]


def _measure(figure: Figure) -> list[RenderableType]:
    metric, known = figure.metric, figure.interval
    name = views.literal(f"{metric.name} ({metric.of})" if metric.of else metric.name)
    meaning = views.dim(f"{metric.meaning}{'; lower is better' if metric.better == 'lower' else ''}")
    if known is None:
        return [name, views.dim("not measured"), "", "0", "", meaning]
    return [
        name,
        f"{known.mean:.3f}",
        _range(known),
        str(known.count),
        str(figure.failed or ""),
        meaning,
    ]


def _range(known: Interval) -> str:
    return f"{known.low:.3f} to {known.high:.3f}"


def _save(text: str, path: Path) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StorageError(
            f"cannot write {path}: {error.strerror}", reason=type(error).__name__, outcome="none"
        ) from error


def _failure(check: Check) -> Sequence[RenderableType]:
    return [
        views.literal(f"{check.metric}: {check.case}", "bold"),
        views.literal(f"  wanted: {check.wanted}"),
        views.literal(f"  got:    {check.got}"),
    ]
