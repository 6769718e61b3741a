"""Run an MCP server over stdio that offers a memory's tools to a coding agent or a desktop assistant."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bethink.cli.options import add
from bethink.errors import InvalidError
from bethink.scope.values import Principal, validate_principal
from bethink.workspace.values import Read

if TYPE_CHECKING:
    from bethink.cli.command_context import CommandContext
    from bethink.memory.memory import AsyncMemory
    from bethink.memory.workspace import AsyncWorkspace


def mcp(
    command: CommandContext,
    *,
    family: Annotated[
        list[str],
        typer.Option(
            "--family",
            help="A tool family: private, categories, notes, pools, team, history, documents, workspace.",
        ),
    ] = ["private"],  # noqa: B006 - typer copies it
    pool: Annotated[
        list[str], typer.Option("--pool", help="A pool that the tools may use; repeatable.")
    ] = [],  # noqa: B006
    team: Annotated[str | None, typer.Option("--team", help="The team whose memory the tools share.")] = None,
    session: Annotated[
        str | None, typer.Option("--session", help="The session to which staged notes belong.")
    ] = None,
    workspace: Annotated[
        Path | None, typer.Option("--workspace", help="A directory of memory files that the tools edit.")
    ] = None,
    project: Annotated[
        Path | None,
        typer.Option("--project", help="A folder; serve its project's memory together with the user's own."),
    ] = None,
    read_only: Annotated[
        bool,
        typer.Option("--read-only", help="Let the workspace tools read files only."),
    ] = False,
) -> None:
    """Serve the memory tools of one agent and user as an MCP server on standard input and output.

    A registered agent has the tools, pools and team of its spec; the options are then ignored.
    """
    from bethink.server.mcp import serve_stdio
    from bethink.server.stdio import bound_tools

    if "workspace" in family and workspace is None:
        raise InvalidError("name the directory: --workspace DIR", argument="workspace")

    if project is not None:
        from bethink.cli.project import serve_project

        serve_project(command, project)
        return

    async def work(memory: AsyncMemory) -> None:
        if workspace is None:
            await serve(memory)
            return
        asking = (
            memory if command.user is None else memory.acting_as(Principal(validate_principal(command.user)))
        )
        how: dict[str, Any] = {"read": Read(live_update=False), "generate": None} if read_only else {}
        async with asking.scope(agent=command.agent, user=command.user).workspace(workspace, **how) as space:
            await serve(memory, space)

    async def serve(memory: AsyncMemory, space: AsyncWorkspace | None = None) -> None:
        async def offered(_: Any) -> Any:
            return await bound_tools(
                memory,
                command.agent,
                command.user,
                families=family,
                pools=pool,
                team=team,
                session=session,
                workspace=space,
            )

        await offered(None)  # so that a wrong option is said before anything is spoken
        await serve_stdio(offered)

    command.awaited(work)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, mcp, makes=True)
