"""The handle of a notebook: Markdown files that stay in sync with a scope's notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.workspace.notebook import NotebookContext, SyncOptions, sync

if TYPE_CHECKING:
    from bethink.memory.runtime import Runtime
    from bethink.memory.scope import AsyncScope
    from bethink.notes.values import Source
    from bethink.workspace.agent_files import AgentFile
    from bethink.workspace.directory import LocalFiles
    from bethink.workspace.values import Report


class AsyncNotebook:
    """Notes as a `MEMORY.md` of at most 200 lines and 25 kB, with a file a topic, for agents and people to edit.

    Of a coding agent it is a marked block in the file that the agent reads, and nothing else.
    """

    def __init__(
        self, runtime: Runtime, scope: AsyncScope, files: LocalFiles, summary: bool, block: AgentFile | None
    ) -> None:
        self._runtime = runtime
        self._files = files
        self._summary = summary
        self._block = block
        self.scope = scope
        self.directory: str = files.directory

    def __repr__(self) -> str:
        return f"<notebook {self.directory!r} of {self.scope.namespace}>"

    async def sync(
        self,
        *,
        source: Source = "agent",
        dry_run: bool = False,
        adopt: bool = False,
        confirm: bool = False,
        restore: bool = False,
    ) -> Report:
        """Bring notes and files in step, both ways; what was changed on both sides is kept twice and told.

        A line that is new in the files becomes a note, one that went is forgotten, one that was reworded is revised,
        and one that moved is followed. The guard looks at each. `undo(report.undo)` takes all of it back. Files that
        Bethink did not make are never written. `source` says who is believed to have edited the files.

        Args:
            source: who is believed to have edited the files.
            dry_run: change nothing, neither files nor notes; `report.diff` shows what would be done.
            adopt: read a folder that Bethink did not make into notes; nothing is written there.
            confirm: forget the notes in `report.waiting`: where more than a few lines are gone at once, or files were
                set back to an earlier state, nothing is forgotten without this.
            restore: write the lines of those notes into the files again.

        Raises:
            InvalidError: the folder holds files that Bethink did not make, and was never adopted.
            ConflictError: another process is at it.
            LimitError: the folder holds too much.
        """
        runtime = self._runtime
        await runtime.check("write", self.scope.namespace)
        notebook = NotebookContext(
            store=runtime.store,
            namespace=self.scope.namespace,
            files=self._files,
            guard=runtime.guard,
            summary=self._summary,
            block=self._block,
            writing=runtime.writing,
        )
        options = SyncOptions(source=source, dry_run=dry_run, adopt=adopt, confirm=confirm, restore=restore)
        return await sync(notebook, options)
