"""Bring in conversations from a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bethink.cli import views
from bethink.cli.options import add
from bethink.sessions.values import DEFAULT_SESSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from bethink.cli.desk import Desk
    from bethink.imports.values import Ingested

_MOST_SHOWN = 20


def ingest(
    desk: Desk,
    path: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="JSONL, or LoCoMo JSON.")],
    *,
    session: Annotated[str, typer.Option(help="The session of lines that name none.")] = DEFAULT_SESSION,
    revive: Annotated[
        bool, typer.Option("--revive", help="Bring back what was said in sessions that were deleted since.")
    ] = False,
    index: Annotated[
        bool,
        typer.Option("--index", help="Make the passages that recall looks through, too, before it ends."),
    ] = False,
) -> None:
    """Bring in conversations from a file. Running it again changes nothing; a killed run is taken up.

    JSONL: each line is an item, {"role": "user", "content": "…"}, that may have session, at, speaker, user and
    agent beside its own fields; or {"session": "…", "item": {…}}, which keeps the item's fields untouched. A
    JSON array of such objects is read too. `at` is ISO 8601 (UTC unless it says otherwise) or seconds since 1970.

    LoCoMo: every conversation becomes a user, such as conv-26, with sessions session_1, session_2 …; with
    --user they all become that user's.

    What was said before its session, its user or its tenant was deleted is left out and counted.

    A line that cannot be read is reported with its number, the rest is kept, and the exit status is 1.
    """
    from bethink.imports.files import open_source
    from bethink.imports.service import ingest as keep

    source = open_source(path, user=desk.user)
    with desk.progress(f"reading {source.format}", source.count) as done:
        report = desk.awaited(
            lambda memory: keep(
                memory,
                source.entries,
                agent=desk.agent,
                user=desk.user,
                session=session,
                revive=revive,
                done=done,
            )
        )
    if index:
        for namespace in report.sessions:
            desk.awaited(lambda memory, namespace=namespace: memory.namespace(namespace).index())
    desk.show(report, view)
    raise typer.Exit(1 if report.broken else 0)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, ingest, makes=True)


def view(report: Ingested) -> Sequence[RenderableType]:
    """How many entries were kept, where, and which could not be read."""
    made = views.table("namespace", "sessions", "items")
    for namespace, sessions in report.sessions.items():
        made.add_row(views.said(namespace), str(len(sessions)), str(sum(sessions.values())))
    parts: list[RenderableType] = [made] if report.sessions else []
    parts.append(f"{report.kept} items kept, {report.known} were there already")
    if report.deleted:
        sentence = (
            f"{report.deleted} items left out: their sessions were deleted since; --revive brings them back"
        )
        parts.append(views.said(sentence, "yellow"))
    parts += [
        views.said(f"line {each.line}: {each.reason}", "yellow") for each in report.broken[:_MOST_SHOWN]
    ]
    if len(report.broken) > _MOST_SHOWN:
        parts.append(f"… and {len(report.broken) - _MOST_SHOWN} more lines that cannot be read")
    return parts
