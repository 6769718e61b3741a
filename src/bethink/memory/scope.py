"""The handle of one scope: its notes, its sessions, its profile, and what is recalled of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from bethink.memory.notebook import AsyncNotebook
from bethink.memory.scope_lifecycle import LifecycleVerbs
from bethink.memory.scope_notes import NoteVerbs
from bethink.memory.scope_recall import RecallVerbs
from bethink.memory.scope_review import ReviewVerbs
from bethink.memory.scope_whole import WholeVerbs
from bethink.memory.session import AsyncSession
from bethink.memory.workspace import AsyncWorkspace
from bethink.scope.labels import label
from bethink.sessions.values import DEFAULT_SESSION
from bethink.workspace.directory import LocalFiles
from bethink.workspace.values import DEFAULT_NAME, GENERATE, LAYOUT, READ, Spot

if TYPE_CHECKING:
    from os import PathLike

    from bethink.workspace.values import Generate, Layout, Read


class AsyncScope(NoteVerbs, ReviewVerbs, LifecycleVerbs, RecallVerbs, WholeVerbs):
    """Where an agent's memory of one user, a pool or a team lives."""

    def session(self, name: str = DEFAULT_SESSION, *, session_settings: Any = None) -> AsyncSession:
        """Return the handle of a session; the log is made at the first append."""
        return AsyncSession(self._runtime, self, name, session_settings)

    def workspace(
        self,
        directory: str | PathLike[str],
        *,
        name: str = DEFAULT_NAME,
        layout: Layout = LAYOUT,
        read: Read | Literal[False] | None = READ,
        generate: Generate | Literal[False] | None = GENERATE,
    ) -> AsyncWorkspace:
        """Return the handle of a directory that has a memory of its own, for agents that work with files.

        Workspaces of one scope with the same `name` and the same `layout` are one memory, wherever they lie; with
        another layout they share nothing. `read=None` generates without reading, `generate=None` reads alone.

        Raises:
            InvalidError: neither reads nor generates, or the layout leads out of the directory.
        """
        return AsyncWorkspace(
            self._runtime,
            self,
            LocalFiles(self._runtime.store, directory),
            Spot(label(name, argument="name"), layout),
            read or None,
            generate or None,
        )

    def notebook(self, directory: str | PathLike[str], *, summary: bool = False) -> AsyncNotebook:
        """Return the handle of a directory of Markdown that `sync` keeps in step with the notes of this scope.

        With `summary`, what Codex reads first, `memory_summary.md`, is written too.
        """
        return AsyncNotebook(self._runtime, self, LocalFiles(self._runtime.store, directory), summary)
