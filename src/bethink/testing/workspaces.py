"""Operations on a workspace, for the isolation conformance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bethink.lifecycle.exchange import workspaces as exchange
from bethink.workspace import transactions
from bethink.workspace.rollouts import RunEnd, line, segment
from bethink.workspace.transactions import NoteEdits, Outcome
from bethink.workspace.values import Location

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from bethink.testing.isolation import Actor, Operation

PROJECT: Final = Location("project")
LATER: Final = 1 << 50  #: an instant after all that the kit writes


def _run(a: Actor, rollout: str = "work", **options: Any) -> Awaitable[Any]:
    made = segment(
        rollout,
        at="2026-01-01T00:00:00+00:00",
        given=f"{a.word} asks",
        generated=[],
        interruptions=[],
        final_output=f"{a.word} is answered",
        how=RunEnd(state="completed"),
    )
    return a.change(transactions.append, a.alice, PROJECT, rollout, [line(made)], **options)


def _files(a: Actor) -> Awaitable[Any]:
    files = {"MEMORY.md": f"- {a.word} line"}
    return a.change(transactions.put_files, a.alice, PROJECT, files, (), directory=f"/{a.word}")


SEED: Final[list[Operation]] = [_run, lambda a: _run(a, "waits", run="run-1", under_way=True), _files]

OPERATIONS: Final[dict[str, Operation]] = {
    "record a run": _run,
    "record a run that goes on": lambda a: _run(a, "waits", run="run-1", under_way=True),
    "end runs": lambda a: a.change(transactions.end_runs, a.alice, PROJECT, []),
    "load a workspace": lambda a: a.read(transactions.load, a.alice, PROJECT, now=LATER),
    "read the segments of a run": lambda a: a.read(transactions.segments, a.alice, PROJECT, "work"),
    "list workspaces": lambda a: a.read(transactions.workspaces, a.alice),
    "write files": _files,
    "edit notes by files": lambda a: a.change(transactions.edit_notes, a.alice, NoteEdits(), reason="edited"),
    "find a file of a workspace": lambda a: a.read(transactions.file, a.alice, PROJECT, "memories/MEMORY.md"),
    "keep a notebook": lambda a: a.change(
        transactions.keep_notebook, a.alice, Location("notebook-1"), {"MEMORY.md": None}, directory=None
    ),
    "forget what a workspace drops": lambda a: a.change(
        transactions.settle,
        a.alice,
        PROJECT,
        Outcome(dropped=("work",), gone=("MEMORY.md",), counts={"runs": 1}),
    ),
    "export workspaces": lambda a: a.read(exchange.exported_workspaces, a.alice),
}
