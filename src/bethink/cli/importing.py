"""Take an export in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bethink.cli import views
from bethink.cli.options import add
from bethink.errors import InvalidError
from bethink.sessions.values import DEFAULT_SESSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from bethink.cli.desk import Desk
    from bethink.lifecycle.exchange.values import Imported, Loss

_MOST_SHOWN = 20
_WHY = {
    "erased": "it was erased",
    "refused": "the guard refuses it",
    "key taken": "its key is another note's here",
    "another log": "the session of this name has gone on otherwise",
    "newer here": "what is here is newer, or more trusted",
    "unknown": "there is no place for it",
}


def import_(
    desk: Desk,
    path: Annotated[
        Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="What `bethink export` wrote.")
    ],
    *,
    session: Annotated[
        str, typer.Option(help="Whose notes the session notes of a state file become.")
    ] = DEFAULT_SESSION,
    revive: Annotated[
        bool, typer.Option("--revive", help="Bring back notes, sessions and namespaces that were erased.")
    ] = False,
) -> None:
    """Take in an export of a scope, or a state file with a profile and global_memory: all of it, or nothing.

    An export goes into the namespace that it names, unless --agent or --user name another. Importing twice changes
    nothing. What was erased stays away and the guard looks at every note: what is left out is listed.
    """
    data = _object(path)
    named = data.get("namespace")
    ours = desk.agent == "default" and desk.user is None and isinstance(named, str)
    scope = desk.memory.namespace(named) if ours and isinstance(named, str) else desk.scope
    with desk.progress("importing", None):
        report = scope.import_json(data, session=session, revive=revive)
    desk.show(report, view)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, import_, name="import", makes=True)


def view(report: Imported) -> Sequence[RenderableType]:
    """What is new, what was there, and what was left out."""
    made = views.table("what", "new", "there already")
    for name in dict.fromkeys([*report.kept, *report.known]):
        made.add_row(name, str(report.kept.get(name, 0)), str(report.known.get(name, 0)))
    parts: list[RenderableType] = [views.dim(report.namespace)]
    parts.append(made if report.kept or report.known else "there was nothing in it to keep")
    if report.quarantined:
        parts.append(
            views.said(f"{report.quarantined} notes wait for review: `bethink quarantine`", "yellow")
        )
    parts += [views.said(_line(loss), "yellow") for loss in report.losses[:_MOST_SHOWN]]
    if len(report.losses) > _MOST_SHOWN:
        parts.append(f"… and {len(report.losses) - _MOST_SHOWN} more that were left out")
    return parts


def _line(loss: Loss) -> str:
    details = f" ({', '.join(loss.details)})" if loss.details else ""
    return f"left out: {loss.kind} {loss.id or ''}: {_WHY[loss.reason]}{details}"


def _object(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise InvalidError(f"{path} cannot be read: {error.strerror}", argument="path") from error
    except (ValueError, RecursionError):
        raise InvalidError(f"{path} is not JSON", argument="path") from None
    if not isinstance(data, dict):
        raise InvalidError(
            f"{path} holds no JSON object: conversations are brought in by `bethink ingest`", argument="path"
        )
    return data
