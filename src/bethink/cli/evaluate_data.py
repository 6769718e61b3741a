"""Evaluate recall on a public data set of conversations (LoCoMo, LongMemEval, BEAM, ConvoMem)."""

from __future__ import annotations

import json
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.options import add
from bethink.errors import StorageError
from bethink.plain import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from rich.console import RenderableType
    from rich.table import Table

    from bethink import Memory
    from bethink.cli.command_context import CommandContext
    from bethink.evals.cases import Dataset
    from bethink.evals.metrics import Interval
    from bethink.evals.runs import Failure, Outcome

_OF_TURNS = ("R@10", "any@10", "all@10", "nDCG@10", "MRR")
_OF_SESSIONS = ("session R@5", "session any@5", "session all@5", "session nDCG@5", "session MRR")
_Failures = Annotated[
    Path | None,
    typer.Option("--failures", metavar="FILE", help="Write each failure there, a line of JSON each."),
]
_Limit = Annotated[int | None, typer.Option("--limit", min=1, help="Ask so many questions at most.")]


def locomo(
    command: CommandContext,
    path: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="LoCoMo JSON.")],
    *,
    limit: _Limit = None,
    failures: _Failures = None,
) -> None:
    """Keep the conversations of LoCoMo in fresh files, ask every question, and score the turns that are found.

    A file is made for each conversation and removed; of the options of a memory only --embedder is used.
    """
    from bethink.evals.locomo import read

    _run(command, read(path), limit=limit, failures=failures)


def longmemeval(
    command: CommandContext,
    path: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="LongMemEval JSON: s, m or oracle.")
    ],
    *,
    limit: _Limit = None,
    failures: _Failures = None,
) -> None:
    """Keep the history of each question of LongMemEval, ask it, and score the turns and sessions that are found.

    Questions that are to be abstained from have no answer to be found, and are left out, as its authors do.
    """
    from bethink.evals.longmemeval import read

    _run(command, read(path), limit=limit, failures=failures)


def beam(
    command: CommandContext,
    path: Annotated[Path, typer.Argument(exists=True, file_okay=False, help="A folder of chats of BEAM.")],
    *,
    limit: _Limit = None,
    failures: _Failures = None,
) -> None:
    """Keep the chats of BEAM, such as those of chats/100K, ask every question, and score the turns that are found."""
    from bethink.evals.beam import read

    _run(command, read(path), limit=limit, failures=failures)


def convomem(
    command: CommandContext,
    path: Annotated[Path, typer.Argument(exists=True, help="A file of ConvoMem, or a folder of them.")],
    *,
    limit: _Limit = None,
    failures: _Failures = None,
) -> None:
    """Keep the conversations of ConvoMem, ask every question, and score the messages that are found."""
    from bethink.evals.convomem import read

    _run(command, read(path), limit=limit, failures=failures)


def add_to(evaluate: typer.Typer) -> None:
    """Add a command for each data set."""
    for command in (locomo, longmemeval, beam, convomem):
        add(evaluate, command)


def _run(command: CommandContext, dataset: Dataset, *, limit: int | None, failures: Path | None) -> None:
    from bethink import Memory
    from bethink.evals.runs import run

    total = dataset.questions if limit is None else min(limit, dataset.questions or limit)
    with (
        tempfile.TemporaryDirectory(prefix="bethink-eval-") as folder,
        _listing(failures) as failed,
        command.progress("asking", total) as done,
    ):
        numbers = iter(range(1_000_000_000))

        @contextmanager
        def opened() -> Generator[Memory]:
            with tempfile.TemporaryDirectory(dir=folder) as place:
                name = str(Path(place, f"{next(numbers)}.db"))
                with Memory(name, **command.kept_by) as memory:
                    yield memory

        outcome = run(dataset, opened, limit=limit, done=done, failed=failed)
    command.show(outcome, view)


@contextmanager
def _listing(path: Path | None) -> Generator[Callable[[Failure], None]]:
    """Write failures to a file as they come."""
    if path is None:
        yield lambda _: None
        return
    try:
        with path.open("w", encoding="utf-8") as file:
            yield lambda failure: print(json.dumps(plain(failure), ensure_ascii=False), file=file)
    except OSError as error:
        raise StorageError(
            f"cannot write {path}: {error.strerror}", reason=type(error).__name__, outcome="none"
        ) from error


def view(outcome: Outcome) -> Sequence[RenderableType]:
    """The metrics of turns and of sessions by category, each with the range of one of them."""
    left = f", {outcome.left_out} questions without an answer left out" if outcome.left_out else ""
    return [
        _table("by turn", _OF_TURNS, outcome),
        _table("by session", _OF_SESSIONS, outcome),
        views.dim(
            f"{outcome.conversations} conversations, {outcome.turns} turns{left}, {outcome.failures} failures, "
            f"{outcome.seconds:.1f} s; ms: of one query, the median; ±: half the range of 95 in 100 drawings of "
            "conversations"
        ),
    ]


def _table(title: str, metrics: Sequence[str], outcome: Outcome) -> Table:
    made = views.table(title, "n", *(name.removeprefix("session ") for name in metrics), "ms")
    for name, group in outcome.groups.items():
        row = [views.literal(name), str(group.questions)]
        row += [_cell(group.metrics.get(metric), ranged=metric == metrics[0]) for metric in metrics]
        made.add_row(*row, f"{group.milliseconds:.2f}")
    return made


def _cell(known: Interval | None, *, ranged: bool) -> str:
    if known is None:
        return ""
    return f"{known.mean:.3f}" + (f" ±{(known.high - known.low) / 2:.3f}" if ranged else "")
