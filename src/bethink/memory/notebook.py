"""The handle of a directory of Markdown that stays in step with a scope's notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.workspace.notebook import Book, sync

if TYPE_CHECKING:
    from bethink.memory.runtime import Runtime
    from bethink.memory.scope import AsyncScope
    from bethink.notes.values import Source
    from bethink.workspace.files import Files
    from bethink.workspace.values import Report


class AsyncNotebook:
    """Notes as a `MEMORY.md` of at most 200 lines and 25 kB, with a file a topic, for agents and people to edit."""

    def __init__(self, runtime: Runtime, scope: AsyncScope, files: Files, summary: bool) -> None:
        self._runtime = runtime
        self._files = files
        self._summary = summary
        self.scope = scope
        self.directory: str = files.directory or ""

    def __repr__(self) -> str:
        return f"<notebook {self.directory!r} of {self.scope.namespace}>"

    async def sync(self, *, source: Source = "agent") -> Report:
        """Bring notes and files in step, both ways, and tell what was changed on both sides: nothing is lost.

        A line that is new in the files becomes a note, one that went is forgotten (`undo` brings it back), one that
        was reworded is revised. The guard looks at each. `source` says who is believed to have edited the files.

        Raises:
            ConflictError: another process is at it.
        """
        runtime = self._runtime
        await runtime.check("write", self.scope.namespace)
        book = Book(
            store=runtime.store,
            namespace=self.scope.namespace,
            files=self._files,
            guard=runtime.guard,
            summary=self._summary,
            writing=runtime.writing,
        )
        return await sync(book, source=source)
