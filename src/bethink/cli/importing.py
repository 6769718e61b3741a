"""Import histories and exports: ChatGPT, Claude, mem0, JSONL, or an export of Bethink."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from bethink.cli import views
from bethink.cli.options import add
from bethink.errors import InvalidError
from bethink.json_kinds import is_object
from bethink.sessions.values import DEFAULT_SESSION

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import RenderableType

    from bethink.cli.command_context import CommandContext
    from bethink.imports.values import Ingested, Malformed, RejectedFact
    from bethink.lifecycle.exchange.values import Imported, Loss

T = TypeVar("T")
_MAX_SHOWN = 20
_WHY = {
    "erased": "it was erased",
    "refused": "refused by the guard",
    "key taken": "its key is already used by another note",
    "another log": "a session with this name has different items",
    "newer here": "the existing value is newer or more trusted",
    "unknown": "not supported",
}


def _there(path: str | None) -> str | None:
    if path is not None and "://" not in path and not Path(path).exists():
        raise typer.BadParameter(f"the path {path} does not exist")
    return path


def import_(
    command: CommandContext,
    path: Annotated[
        str | None,
        typer.Argument(
            callback=_there,
            help="A file, archive, folder or database URL; optional for claude-code and codex.",
        ),
    ] = None,
    *,
    wanted: Annotated[
        str | None,
        typer.Option("--from", metavar="FORMAT", help="The format; detected by default."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be imported without writing anything.")
    ] = False,
    clean: Annotated[
        bool,
        typer.Option("--clean", help="Skip, and list, facts that are junk, duplicates or contradicted."),
    ] = False,
    session: Annotated[str, typer.Option(help="The session for items that name none.")] = DEFAULT_SESSION,
    key_file: Annotated[
        Path | None,
        typer.Option(
            exists=True, dir_okay=False, help="A file containing the key of encrypted Agents SDK sessions."
        ),
    ] = None,
    revive: Annotated[
        bool, typer.Option("--revive", help="Also restore what has been deleted or erased here since.")
    ] = False,
    projects: Annotated[
        bool,
        typer.Option(
            "--projects",
            help="For claude-code and codex: import each session into the memory of its project.",
        ),
    ] = False,
    index: Annotated[
        bool,
        typer.Option("--index", help="Also build the search index before exiting."),
    ] = False,
) -> None:
    """Import memories and conversations from other systems; running it again imports nothing twice.

    Supported: ChatGPT and Claude (the archive as received, or a file of it), transcripts of Claude Code, Codex and
    Gemini (a file, or a folder of them), Google Takeout of Gemini, mem0 (an export, its Qdrant folder, its history, or
    pgvector), Letta (.af), Zep and Graphiti, LangGraph and LangMem stores and checkpoints, the MCP memory server,
    sessions of the OpenAI Agents SDK (SQLite, SQLAlchemy, Redis, encrypted ones with --key-file), folders of Markdown
    (Obsidian, basic-memory, memory files), LoCoMo, JSONL and JSON of messages of any framework, and exports of Bethink.

    A database is given by its URL, postgresql://… or redis://…, and is only read.

    JSONL: each line is an item, {"role": "user", "content": "…"}, which may also have the fields session, at, speaker,
    user and agent; or {"session": "…", "item": {…}}, which keeps the fields of the item untouched. A JSON array of
    such objects works too. `at` is ISO 8601 (UTC by default) or seconds since 1970.

    Memories of other systems become notes with their origin, after the guard has checked them. Facts from mem0, Zep and
    LangGraph go to the users that they name, and each LoCoMo conversation to a user of its own; with --user, all go to
    that user.

    A Bethink export goes into the namespace that it names, unless --agent or --user name another; it is imported
    completely or not at all.

    What cannot be read is reported with its location, the rest is imported, and the exit status is 1.
    """
    if projects:
        from bethink.cli.project import take_in

        take_in(command, wanted, None if path is None else Path(path))
        return
    from bethink.imports.format_detection import OwnExportError, open_source
    from bethink.imports.service import ingest as keep

    try:
        key = None if key_file is None else key_file.read_text(encoding="utf-8").strip()
        source = open_source(path, user=command.user, wanted=None if wanted == "bethink" else wanted, key=key)
    except OwnExportError:
        if path is None or wanted not in {None, "bethink"}:
            raise
        _whole(command, Path(path), session, revive=revive, dry_run=dry_run)
        return
    if wanted == "bethink":
        raise InvalidError(f"{path} looks like {source.format}, not a Bethink export", argument="from")
    if dry_run:
        command.write_nothing()
    with command.progress(f"reading {source.format}", source.count) as done:
        report = command.awaited(
            lambda memory: keep(
                memory,
                source.entries,
                agent=command.agent,
                user=command.user,
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
            command.awaited(lambda memory, namespace=namespace: memory.namespace(namespace).index())
    command.show(report, ingested)
    if report.broken and not (
        report.kept or report.known or report.deleted or report.notes or report.notes_known
    ):
        raise InvalidError(
            f"nothing in {path or wanted} could be read as {report.format}: {report.broken[-1].reason}",
            argument="path",
        )
    raise typer.Exit(1 if report.broken else 0)


def _whole(command: CommandContext, path: Path, session: str, *, revive: bool, dry_run: bool) -> None:
    """Take an export of Bethink in, all of it or nothing; a dry run takes it into a memory that is gone afterwards."""
    data = _object(path)
    named = data.get("namespace")
    ours = command.agent == "default" and command.user is None and isinstance(named, str)
    if dry_run:
        from bethink import Memory

        with Memory(":memory:", embedder=None) as nowhere:
            scope = nowhere.scope(agent=command.agent, user=command.user)
            command.show(scope.import_json(data, session=session, revive=revive), view)
        return
    scope = command.memory.namespace(named) if ours and isinstance(named, str) else command.scope
    with command.progress("importing", None):
        report = scope.import_json(data, session=session, revive=revive)
    command.show(report, view)


def add_to(app: typer.Typer) -> None:
    """Add the command, under its older name too."""
    add(app, import_, name="import", makes=True)
    add(app, import_, name="ingest", makes=True)


def ingested(report: Ingested) -> Sequence[RenderableType]:
    """How many entries and facts were kept, where, what was left out and why, and what could not be read."""
    made = views.table("namespace", "sessions", "items")
    for namespace, sessions in report.sessions.items():
        made.add_row(views.literal(namespace), str(len(sessions)), str(sum(sessions.values())))
    parts: list[RenderableType] = (
        [views.dim(f"{report.format}: nothing was written")] if report.dry_run else []
    )
    parts += [made] if report.sessions else []
    kept = "to be kept" if report.dry_run else "kept"
    parts.append(f"{report.kept} items {kept}, {report.known} already present")
    if report.turns:
        parts.append(f"model usage recorded for {report.turns} turns")
    if report.notes or report.notes_known:
        parts.append(f"{report.notes} notes {kept}, {report.notes_known} imported before")
    if report.quarantined:
        parts.append(
            views.literal(f"{report.quarantined} notes wait for review: `bethink quarantine`", "yellow")
        )
    if report.undated:
        parts.append(f"{report.undated} items have no date; they were given the time of this import")
    parts += [
        views.literal(
            f"{count} of them have an unknown format, so recall does not find them: {shape}", "yellow"
        )
        for shape, count in report.unread.items()
    ]
    parts += [
        views.literal(f"left out: {count} × {reason}")
        for reason, count in sorted(report.left.items(), key=lambda each: -each[1])
    ]
    if report.deleted:
        sentence = (
            f"{report.deleted} items skipped because their sessions have been deleted; --revive restores them"
        )
        parts.append(views.literal(sentence, "yellow"))
    parts += _first(report.unkept, _unkept, "not remembered; --json lists all")
    parts += _first(report.broken, _place, "lines that cannot be read")
    return parts


def _first(found: Sequence[T], describe: Callable[[T], str], rest: str) -> list[RenderableType]:
    """The first of many, a line for each, and how many more there are."""
    shown: list[RenderableType] = [views.literal(describe(each), "yellow") for each in found[:_MAX_SHOWN]]
    if len(found) > _MAX_SHOWN:
        shown.append(f"… and {len(found) - _MAX_SHOWN} more {rest}")
    return shown


def _unkept(each: RejectedFact) -> str:
    return f"not remembered: {each.origin} {each.id}: {each.reason}"


def _place(each: Malformed) -> str:
    where = f"line {each.line}: " if each.line else ""
    return f"{each.file + ', ' if each.file else ''}{where}{each.reason}"


def view(report: Imported) -> Sequence[RenderableType]:
    """What is new, what was there, and what was left out."""
    made = views.table("what", "new", "there already")
    for name in dict.fromkeys([*report.kept, *report.known]):
        made.add_row(name, str(report.kept.get(name, 0)), str(report.known.get(name, 0)))
    parts: list[RenderableType] = [views.dim(report.namespace)]
    parts.append(made if report.kept or report.known else "nothing to import")
    if report.quarantined:
        parts.append(
            views.literal(f"{report.quarantined} notes wait for review: `bethink quarantine`", "yellow")
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
        raise InvalidError(f"cannot read {path}: {error.strerror}", argument="path") from error
    except (ValueError, RecursionError):
        raise InvalidError(f"{path} is not valid JSON", argument="path") from None
    if not is_object(data):
        raise InvalidError(
            f"{path} does not contain a JSON object; use `bethink ingest` to load conversations",
            argument="path",
        )
    return data
