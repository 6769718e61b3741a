"""Anthropic's memory tool (`memory_20250818`) on a workspace: durable, and checked by the guard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.json_kinds import is_object
from bethink.workspace.commands import CommandError

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool
    from anthropic.lib.tools import ToolError as _ToolError
except ImportError as error:
    raise ImportError(
        "bethink.integrations.anthropic_memory requires the Anthropic SDK: pip install 'bethink[anthropic]'"
    ) from error

if TYPE_CHECKING:
    from anthropic.types.beta import (
        BetaCacheControlEphemeralParam,
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )

    from bethink.memory.workspace import AsyncWorkspace
    from bethink.sync import Workspace

CLEARED = "All memory cleared"


class MemoryTool(BetaAbstractMemoryTool):
    """The tool for `client.beta.messages.tool_runner(tools=[MemoryTool(workspace)])`.

    `/memories` is the folder of the workspace's memories. What cannot be done raises the SDK's `ToolError`, so that
    the result that Claude sees is marked as an error.

    Args:
        workspace: `Memory(…).scope(…).workspace(directory)`.
        cache_control: passed on to the API.
    """

    def __init__(
        self, workspace: Workspace, *, cache_control: BetaCacheControlEphemeralParam | None = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self.workspace = workspace

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Show a file with the numbers of its lines, or a folder."""
        return self._do(command)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Make a file that is not there yet."""
        return self._do(command)

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Put a text in the place of another one that stands there once."""
        return self._do(command)

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Put lines after a line."""
        return self._do(command)

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Remove a file or a folder."""
        return self._do(command)

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file or a folder."""
        return self._do(command)

    def clear_all_memory(self) -> str:
        """Remove every file of the memories; what conversations gave comes back when the workspace is settled."""
        for path in _paths(self._run({"command": "view", "path": "/memories"})):
            self._run({"command": "delete", "path": path})
        return CLEARED

    def _do(self, command: Any) -> str:
        return self._run(_plain(command))

    def _run(self, command: dict[str, Any]) -> str:
        try:
            return self.workspace.command(command)
        except CommandError as refused:
            raise _ToolError(str(refused)) from refused


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for the SDK's asynchronous client.

    Args:
        workspace: `AsyncMemory(…).scope(…).workspace(directory)`.
        cache_control: passed on to the API.
    """

    def __init__(
        self, workspace: AsyncWorkspace, *, cache_control: BetaCacheControlEphemeralParam | None = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self.workspace = workspace

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Show a file with the numbers of its lines, or a folder."""
        return await self._do(command)

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Make a file that is not there yet."""
        return await self._do(command)

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Put a text in the place of another one that stands there once."""
        return await self._do(command)

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Put lines after a line."""
        return await self._do(command)

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Remove a file or a folder."""
        return await self._do(command)

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file or a folder."""
        return await self._do(command)

    async def clear_all_memory(self) -> str:
        """Remove every file of the memories; what conversations gave comes back when the workspace is settled."""
        for path in _paths(await self._run({"command": "view", "path": "/memories"})):
            await self._run({"command": "delete", "path": path})
        return CLEARED

    async def _do(self, command: Any) -> str:
        return await self._run(_plain(command))

    async def _run(self, command: dict[str, Any]) -> str:
        try:
            return await self.workspace.command(command)
        except CommandError as refused:
            raise _ToolError(str(refused)) from refused


def _plain(command: Any) -> dict[str, Any]:
    """Return a command as JSON; the SDK makes it of what the model wrote, unchecked."""
    return command if is_object(command) else command.model_dump(exclude_none=True)


def _paths(listing: str) -> list[str]:
    """Return what stands at the first level of a view of the whole memory."""
    paths = [row.partition("\t")[2] for row in listing.splitlines()[2:]]
    return [path for path in paths if path.count("/") == 2]  # noqa: PLR2004 - /memories/NAME
