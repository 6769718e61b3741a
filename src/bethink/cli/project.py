"""Show or change which project a directory belongs to, for the memory of coding agents."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bethink.cli import views
from bethink.cli.command_groups import family
from bethink.cli.options import add
from bethink.coding import options as choices
from bethink.coding.directories import of_machine
from bethink.coding.projects import OWN
from bethink.coding.repository import examine_folder
from bethink.errors import ConflictError, InvalidError
from bethink.storage.opening import sqlite_path

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from rich.console import RenderableType

    from bethink.cli.command_context import CommandContext
    from bethink.coding.project_register import FolderProject, Register
    from bethink.coding.projects import Project
    from bethink.recall.values import Hit

Dir = Annotated[
    Path, typer.Option("--dir", metavar="DIR", help="A folder of the project; default: the current one.")
]
_HERE = Path()
_COUNTED = ("sessions", "new items", "left out")
_HOW = {
    "known": "known",
    "follows": "known; it was moved, renamed, or is a worktree",
    "asks": "it shares the remote or history of this project; run `bethink project confirm` or `separate`",
    "new": "not a project yet; the first session in it creates one",
    "none": "not a project; what happens here goes to the user's own memory",
}


@contextmanager
def _register(command: CommandContext, *, makes: bool = True) -> Generator[Register]:
    from bethink.coding.hook_memory import open_hook_memory
    from bethink.coding.project_register import Register

    places = of_machine()
    chosen = choices.read(places.options)
    chosen = chosen._replace(db=command.named or chosen.db, user=command.user or chosen.user)
    path = sqlite_path(places.database(chosen.db))
    if not makes and path is not None and not Path(path).exists():
        chosen = chosen._replace(db=":memory:")  # to look begins no file
    with open_hook_memory(places, chosen) as memory:
        yield Register(memory, chosen.user)


def _found(register: Register, folder: Path) -> FolderProject:
    return register.resolve(examine_folder(str(folder)), begin=False)


def _known(register: Register, folder: Path) -> Project:
    found = _found(register, folder)
    project = found.decision.project
    if project is None or found.decision.how == "asks":
        raise InvalidError(f"{found.repository.path}: {_HOW[found.decision.how]}", argument="dir")
    return project


def show(command: CommandContext, *, folder: Dir = _HERE) -> None:
    """Show which project a folder belongs to, and what its memory contains."""
    with _register(command, makes=False) as register:
        found = _found(register, folder)
        project = found.decision.project
        details: dict[str, Any] = {"folder": found.repository.path, "state": found.decision.how}
        if project is not None:
            details |= _details_of(project)
            scope = register.memory_of(project)
            details |= {"notes": scope.notes(limit=1).total, "sessions": scope.sessions(limit=1).total}
    command.show(details, _shown)


def list_(command: CommandContext) -> None:
    """List all projects."""
    with _register(command, makes=False) as register:
        found = [_details_of(each) for each in register.all()]
    command.show(found, _listed)


def confirm(command: CommandContext, *, folder: Dir = _HERE) -> None:
    """Confirm that a folder that shares a remote or history with a project belongs to it."""
    with _register(command) as register:
        found = _found(register, folder)
        if found.decision.how != "asks" or found.decision.project is None:
            raise ConflictError(f"{found.repository.path}: nothing to confirm", state=found.decision.how)
        command.show(_details_of(register.join(found.repository, found.decision.project)), _shown)


def separate(command: CommandContext, *, folder: Dir = _HERE) -> None:
    """Make a folder a project of its own, whatever it shares with others."""
    with _register(command) as register:
        command.show(_details_of(register.part(examine_folder(str(folder)))), _shown)


def join(
    command: CommandContext,
    project: Annotated[
        str, typer.Argument(help="The id or name of the project; see `bethink project list`.")
    ],
    *,
    folder: Dir = _HERE,
) -> None:
    """Add a folder to an existing project."""
    with _register(command) as register:
        command.show(_details_of(register.join(examine_folder(str(folder)), register.get(project))), _shown)


def rename(
    command: CommandContext,
    name: Annotated[str, typer.Argument(help="The new name.")],
    *,
    folder: Dir = _HERE,
) -> None:
    """Rename a project; its memory stays the same."""
    plain = " ".join(name.split())[:80]
    if not plain:
        raise InvalidError("name must not be empty", argument="name")
    with _register(command) as register:
        project = _known(register, folder)
        command.show(_details_of(register.change(project.id, lambda each: each._replace(name=plain))), _shown)


def exclude(
    command: CommandContext,
    path: Annotated[
        Path | None, typer.Argument(help="A folder with everything below it; default: the project.")
    ] = None,
    *,
    folder: Dir = _HERE,
) -> None:
    """Exclude a project or folder: nothing more is stored or injected there; existing memory stays."""
    _leave_out(command, path, folder, out=True)


def include(
    command: CommandContext,
    path: Annotated[Path | None, typer.Argument(help="An excluded folder; default: the project.")] = None,
    *,
    folder: Dir = _HERE,
) -> None:
    """Include an excluded project or folder again."""
    _leave_out(command, path, folder, out=False)


def private(
    command: CommandContext,
    state: Annotated[str, typer.Argument(help="on or off.")],
) -> None:
    """Turn private mode on or off: while it is on, nothing is stored or injected anywhere."""
    if state not in {"on", "off"}:
        raise InvalidError("state must be on or off", argument="state", actual=state)
    places = of_machine()
    chosen = choices.read(places.options)
    if chosen.problem:
        raise InvalidError(chosen.problem, argument="options")
    choices.write(places.options, chosen._replace(private=state == "on"))
    command.show({"private": state}, lambda answer: f"private mode is {answer['private']}")


def recall(
    command: CommandContext,
    query: Annotated[str, typer.Argument(help="A question or search words.")],
    *,
    folder: Dir = _HERE,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Maximum number of results.")] = 10,
) -> None:
    """Search a project's memory together with the user's own, best matches first."""
    from bethink.coding.project_recall import recall as search

    with _register(command, makes=False) as register:
        found = _found(register, folder)
        hits = search(
            register.own, None if found.project is None else register.memory_of(found.project), query, limit
        )
    command.show(hits, _hits)


def serve_project(command: CommandContext, folder: Path) -> None:
    """Serve a project over MCP on standard input and output; unconfirmed projects are refused."""
    import asyncio

    from bethink import AsyncMemory
    from bethink.coding.hook_memory import open_hook_memory
    from bethink.coding.project_recall import ProjectAndUserScope
    from bethink.coding.project_register import Register
    from bethink.server.mcp import serve_stdio
    from bethink.tools.registry import tools
    from bethink.tools.values import Reach

    places = of_machine()
    chosen = choices.read(places.options)
    chosen = chosen._replace(db=command.named or chosen.db, user=command.user or chosen.user)
    # A host that does not know what stands for its folder gives the words as they are: it works in that folder.
    repository = examine_folder(str(Path.cwd() if "${" in str(folder) else folder))
    hidden = places.private or choices.left_out(repository.path, chosen)

    def project() -> Project | None:
        if repository.is_nowhere(places.user):
            return None
        with open_hook_memory(places, chosen) as memory:
            found = Register(memory, chosen.user).resolve(repository)
            if found.project is None:
                raise InvalidError(f"{repository.path}: {_HOW[found.decision.how]}", argument="project")
            return found.project

    found = None if hidden else project()

    async def serve() -> None:
        url = ":memory:" if hidden else places.database(chosen.db)
        async with AsyncMemory(url, **command.kept_by) as memory:
            own = memory.scope(agent=OWN, user=chosen.user)
            scope = (
                own
                if found is None
                else ProjectAndUserScope(memory.scope(agent=found.agent, user=chosen.user), own)
            )

            async def bound(_: Any) -> Any:
                return tools(("private", "history")), Reach(scope=scope, memory=memory, door="mcp")

            await serve_stdio(bound)

    asyncio.run(serve())


def take_in(command: CommandContext, kind: str | None, path: Path | None) -> None:
    """Import the transcripts of a coding agent on this machine, each into the memory of its project."""
    from bethink.coding.transcript_import import TranscriptImporter, import_folder

    places = of_machine()
    usual = {"claude-code": places.claude / "projects", "codex": places.codex / "sessions"}
    if kind not in usual:
        raise InvalidError(
            f"choose whose transcripts to read: --from {' or '.join(usual)}", argument="from", actual=kind
        )
    folder = path or usual[kind]
    if not folder.is_dir():
        raise InvalidError(f"{folder} is not a folder of transcripts", argument="path")
    chosen = choices.read(places.options)
    if chosen.problem:
        raise InvalidError(chosen.problem, argument="options")
    counted: dict[str, list[int]] = {}
    skipped: dict[str, int] = {}
    with _register(command) as register, command.progress(f"reading {folder}", None) as done:
        for each in import_folder(TranscriptImporter(register, places, chosen), kind, folder):
            done(1)
            if each.skipped:
                skipped[each.skipped] = skipped.get(each.skipped, 0) + 1
                continue
            row = counted.setdefault(each.project.name if each.project else "(no project)", [0, 0, 0])
            for at, more in enumerate((1, each.kept, each.left)):
                row[at] += more
    taken_in = {
        "projects": {name: dict(zip(_COUNTED, row, strict=True)) for name, row in counted.items()},
        "skipped": skipped,
    }
    command.show(taken_in, _taken)


def _taken(answer: dict[str, Any]) -> Sequence[RenderableType]:
    made = views.table("project", *_COUNTED)
    for name, row in answer["projects"].items():
        made.add_row(views.literal(name), *(str(row[each]) for each in _COUNTED))
    parts: list[RenderableType] = [made] if answer["projects"] else [views.dim("nothing to import")]
    parts += [
        views.literal(f"{count} not imported: {why}", "yellow") for why, count in answer["skipped"].items()
    ]
    return parts


def _leave_out(command: CommandContext, path: Path | None, folder: Path, *, out: bool) -> None:
    if path is None:
        with _register(command) as register:
            project = _known(register, folder)
            command.show(
                _details_of(register.change(project.id, lambda each: each._replace(excluded=out))), _shown
            )
        return
    places = of_machine()
    chosen = choices.read(places.options)
    if chosen.problem:
        raise InvalidError(chosen.problem, argument="options")
    name = str(path.expanduser().resolve())
    others = tuple(each for each in chosen.excluded if each != name)
    choices.write(places.options, chosen._replace(excluded=(*others, name) if out else others))
    command.show(
        {"folder": name, "excluded": out},
        lambda answer: f"{answer['folder']}: {'left out' if out else 'kept'}",
    )


def _details_of(project: Project) -> dict[str, Any]:
    return {
        "id": project.id,
        "name": project.name,
        "agent": project.agent,
        "remotes": list(project.remotes),
        "folders": list(project.paths),
        "excluded": project.excluded,
    }


def _shown(details: dict[str, Any]) -> RenderableType:
    counted = f"{details['notes']} notes, {details['sessions']} sessions" if "notes" in details else ""
    return views.facts(
        [
            ("project", details.get("name")),
            ("id", details.get("id")),
            ("folder", details.get("folder")),
            ("state", _HOW.get(details.get("state", ""))),
            ("remotes", "\n".join(details.get("remotes", ()))),
            ("folders", "\n".join(details.get("folders", ()))),
            ("memory", counted),
            ("left out", "yes" if details.get("excluded") else None),
            ("its notes", f"bethink notes --agent {details['agent']}" if "agent" in details else None),
        ]
    )


def _listed(found: list[dict[str, Any]]) -> RenderableType:
    if not found:
        return views.dim("no projects yet; the first session of a coding agent in a repository creates one")
    made = views.table("id", "name", "folders", "left out")
    for each in found:
        made.add_row(
            views.literal(each["id"]),
            views.literal(each["name"]),
            views.literal("\n".join(each["folders"])),
            "yes" if each["excluded"] else "",
        )
    return made


def _hits(found: Sequence[Hit]) -> RenderableType | Sequence[RenderableType]:
    return [views.literal(f"{hit.text}") for hit in found] or views.dim("no results")


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    members = family(app, "project", "Manage projects: which folders share a memory.", usual="show")
    add(members, show)
    add(members, list_, name="list")
    add(members, recall)
    add(members, confirm)
    add(members, separate)
    add(members, join)
    add(members, rename)
    add(members, exclude)
    add(members, include)
    add(members, private)
