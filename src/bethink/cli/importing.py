"""Bring in a history, or an export of Bethink."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from bethink.cli import views
from bethink.cli.options import add
from bethink.errors import InvalidError
from bethink.plain import is_object
from bethink.sessions.values import DEFAULT_SESSION

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import RenderableType

    from bethink.cli.command_context import Desk
    from bethink.imports.values import Broken, Ingested, Unkept
    from bethink.lifecycle.exchange.values import Imported, Loss

T = TypeVar("T")
_MAX_SHOWN = 20
_WHY = {
    "erased": "it was erased",
    "refused": "the guard refuses it",
    "key taken": "its key is another note's here",
    "another log": "the session of this name has gone on otherwise",
    "newer here": "what is here is newer, or more trusted",
    "unknown": "there is no place for it",
}


def _there(path: str | None) -> str | None:
    if path is not None and "://" not in path and not Path(path).exists():
        raise typer.BadParameter(f"Path '{path}' does not exist.")
    return path


def import_(
    desk: Desk,
    path: Annotated[
        str | None,
        typer.Argument(
            callback=_there,
            help="A file, an archive, a folder, or the address of a database; of claude-code and codex it may be "
            "left out.",
        ),
    ] = None,
    *,
    wanted: Annotated[
        str | None,
        typer.Option("--from", metavar="FORMAT", help="What it is; found out where it is not said."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what is in it and what would be left out; write nothing.")
    ] = False,
    clean: Annotated[
        bool,
        typer.Option(
            "--clean", help="Leave out remembered facts that are junk, doubled or contradicted; list them."
        ),
    ] = False,
    session: Annotated[str, typer.Option(help="The session of items that name none.")] = DEFAULT_SESSION,
    key_file: Annotated[
        Path | None,
        typer.Option(
            exists=True, dir_okay=False, help="A file with the key of encrypted Agents SDK sessions."
        ),
    ] = None,
    revive: Annotated[
        bool, typer.Option("--revive", help="Bring back what was deleted or erased here since.")
    ] = False,
    projects: Annotated[
        bool,
        typer.Option(
            "--projects", help="Of claude-code and codex: each session into the memory of its own project."
        ),
    ] = False,
    index: Annotated[
        bool,
        typer.Option("--index", help="Make the passages that recall looks through, too, before it ends."),
    ] = False,
) -> None:
    """Bring in a history, whatever wrote it. Running it again changes nothing; a killed run is taken up.

    Known are: ChatGPT and Claude (the archive as it was sent, or a file of it), transcripts of Claude Code, Codex and
    Gemini (a file, or a folder of them), Google Takeout of Gemini, mem0 (an export, its Qdrant folder, its history, or
    pgvector), Letta (.af), Zep and Graphiti, LangGraph and LangMem stores and checkpoints, the MCP memory server,
    sessions of the OpenAI Agents SDK (SQLite, SQLAlchemy, Redis, encrypted ones with --key-file), folders of Markdown
    (Obsidian, basic-memory, memory files), LoCoMo, JSONL and JSON of messages of any framework, and exports of Bethink.

    A database is named by its address, postgresql://… or redis://…, and only read.

    JSONL: each line is an item, {"role": "user", "content": "…"}, that may have session, at, speaker, user and
    agent beside its own fields; or {"session": "…", "item": {…}}, which keeps the item's fields untouched. A JSON
    array of such objects is read too. `at` is ISO 8601 (UTC unless it says otherwise) or seconds since 1970.

    What other systems remembered becomes notes, with where it comes from; the guard looks at each. Facts of mem0, Zep
    and LangGraph go to the users that they name, conversations of LoCoMo to a user each; with --user all to that user.

    An export of Bethink goes into the namespace that it names, unless --agent or --user name another: all of it, or
    nothing.

    What cannot be read is reported with its place, the rest is kept, and the exit status is 1.
    """
    if projects:
        from bethink.cli.project import take_in

        take_in(desk, wanted, None if path is None else Path(path))
        return
    from bethink.imports.files import OwnExportError, open_source
    from bethink.imports.service import ingest as keep

    try:
        key = None if key_file is None else key_file.read_text(encoding="utf-8").strip()
        source = open_source(path, user=desk.user, wanted=None if wanted == "bethink" else wanted, key=key)
    except OwnExportError:
        if path is None or wanted not in {None, "bethink"}:
            raise
        _whole(desk, Path(path), session, revive=revive, dry_run=dry_run)
        return
    if wanted == "bethink":
        raise InvalidError(
            f"{path} looks like {source.format}, not like an export of Bethink", argument="from"
        )
    if dry_run:
        desk.write_nothing()
    with desk.progress(f"reading {source.format}", source.count) as done:
        report = desk.awaited(
            lambda memory: keep(
                memory,
                source.entries,
                agent=desk.agent,
                user=desk.user,
                session=session,
                revive=revive,
                dry_run=dry_run,
                clean=clean,
                format=source.format,
                done=done,
            )
        )
    if index:
        for namespace in report.sessions:
            desk.awaited(lambda memory, namespace=namespace: memory.namespace(namespace).index())
    desk.show(report, ingested)
    if report.broken and not (
        report.kept or report.known or report.deleted or report.notes or report.notes_known
    ):
        raise InvalidError(
            f"nothing of {path or wanted} could be read as {report.format}: {report.broken[-1].reason}",
            argument="path",
        )
    raise typer.Exit(1 if report.broken else 0)


def _whole(desk: Desk, path: Path, session: str, *, revive: bool, dry_run: bool) -> None:
    """Take an export of Bethink in, all of it or nothing; a dry run takes it into a memory that is gone afterwards."""
    data = _object(path)
    named = data.get("namespace")
    ours = desk.agent == "default" and desk.user is None and isinstance(named, str)
    if dry_run:
        from bethink import Memory

        with Memory(":memory:", embedder=None) as nowhere:
            scope = nowhere.scope(agent=desk.agent, user=desk.user)
            desk.show(scope.import_json(data, session=session, revive=revive), view)
        return
    scope = desk.memory.namespace(named) if ours and isinstance(named, str) else desk.scope
    with desk.progress("importing", None):
        report = scope.import_json(data, session=session, revive=revive)
    desk.show(report, view)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, import_, name="import", makes=True)


def ingested(report: Ingested) -> Sequence[RenderableType]:
    """How many entries and facts were kept, where, what was left out and why, and what could not be read."""
    made = views.table("namespace", "sessions", "items")
    for namespace, sessions in report.sessions.items():
        made.add_row(views.said(namespace), str(len(sessions)), str(sum(sessions.values())))
    parts: list[RenderableType] = (
        [views.dim(f"{report.format}: nothing was written")] if report.dry_run else []
    )
    parts += [made] if report.sessions else []
    kept = "to be kept" if report.dry_run else "kept"
    parts.append(f"{report.kept} items {kept}, {report.known} were there already")
    if report.turns:
        parts.append(f"of {report.turns} turns it is noted what the models took")
    if report.notes or report.notes_known:
        parts.append(f"{report.notes} notes {kept}, {report.notes_known} were brought before")
    if report.quarantined:
        parts.append(
            views.said(f"{report.quarantined} notes wait for review: `bethink quarantine`", "yellow")
        )
    if report.undated:
        parts.append(
            f"{report.undated} items do not say when they were said: they have the time of this import"
        )
    parts += [
        views.said(
            f"{count} of them of a shape that is not read, so recall does not find them: {shape}", "yellow"
        )
        for shape, count in report.unread.items()
    ]
    parts += [
        views.said(f"left out: {count} × {reason}")
        for reason, count in sorted(report.left.items(), key=lambda each: -each[1])
    ]
    if report.deleted:
        sentence = (
            f"{report.deleted} items left out: their sessions were deleted since; --revive brings them back"
        )
        parts.append(views.said(sentence, "yellow"))
    parts += _first(report.unkept, _unkept, "that were not remembered: --json lists all")
    parts += _first(report.broken, _place, "lines that cannot be read")
    return parts


def _first(found: Sequence[T], told: Callable[[T], str], rest: str) -> list[RenderableType]:
    """The first of many, a line for each, and how many more there are."""
    shown: list[RenderableType] = [views.said(told(each), "yellow") for each in found[:_MAX_SHOWN]]
    if len(found) > _MAX_SHOWN:
        shown.append(f"… and {len(found) - _MAX_SHOWN} more {rest}")
    return shown


def _unkept(each: Unkept) -> str:
    return f"not remembered: {each.origin} {each.id}: {each.reason}"


def _place(each: Broken) -> str:
    where = f"line {each.line}: " if each.line else ""
    return f"{each.file + ', ' if each.file else ''}{where}{each.reason}"


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
    parts += _first(report.losses, _line, "that were left out")
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
    if not is_object(data):
        raise InvalidError(
            f"{path} holds no JSON object: conversations are brought in by `bethink ingest`", argument="path"
        )
    return data
