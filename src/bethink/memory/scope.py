"""The handle of a scope: notes, sessions, profile and recall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.errors import InvalidError
from bethink.memory.scope_export_and_erase import ExportAndEraseVerbs
from bethink.memory.scope_lifecycle import LifecycleVerbs
from bethink.memory.scope_notes import NoteVerbs
from bethink.memory.scope_recall import RecallVerbs
from bethink.memory.scope_review import ReviewVerbs
from bethink.notes.transactions import standing_in
from bethink.scope.labels import label
from bethink.scope.namespace import Namespace
from bethink.sessions.items import DEFAULT_SESSION

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from bethink.memory.notebook import AsyncNotebook
    from bethink.memory.runtime import Runtime
    from bethink.memory.session import AsyncSession
    from bethink.memory.tool import AsyncTool
    from bethink.memory.workspace import AsyncWorkspace
    from bethink.tools.values import Family
    from bethink.workspace.values import Generate, Layout, Read


class AsyncScope(NoteVerbs, ReviewVerbs, LifecycleVerbs, RecallVerbs, ExportAndEraseVerbs):
    """Where an agent's memory of one user, a pool or a team lives."""

    def session(self, name: str = DEFAULT_SESSION, *, session_settings: Any = None) -> AsyncSession:
        """Return the handle of a session; the log is made at the first append."""
        from bethink.memory.session import AsyncSession

        return AsyncSession(self._runtime, self, name, session_settings)

    async def stand_ins(self) -> list[AsyncScope]:
        """Return the session stores that stand in for this namespace while it holds no note of its own.

        They are those of the same agent, owner and user; where there are notes here, it is none of them.
        """
        found = await self._runtime.read(standing_in, self.namespace, now=self._runtime.now())
        return [AsyncScope(self._runtime, namespace) for namespace in found]

    def workspace(
        self,
        directory: str | PathLike[str],
        *,
        name: str = "default",
        layout: Layout | None = None,
        read: Read | bool | None = True,
        generate: Generate | bool | None = True,
    ) -> AsyncWorkspace:
        """Return the handle of a directory that has a memory of its own, for agents that work with files.

        Workspaces of one scope with the same `name` and the same `layout` are one memory, wherever they lie; with
        another layout they share nothing. `read=False` generates without reading, `generate=False` reads alone; what is
        left out is as `Layout()`, `Read()` and `Generate()` say.

        Raises:
            InvalidError: neither reads nor generates, or the layout leads out of the directory.
        """
        from bethink.memory.workspace import AsyncWorkspace
        from bethink.workspace.directory import LocalFiles
        from bethink.workspace.values import GENERATE, LAYOUT, READ, Location

        return AsyncWorkspace(
            self._runtime,
            self,
            LocalFiles(self._runtime.store, directory),
            Location(label(name, argument="name"), layout or LAYOUT),
            READ if read is True else read or None,
            GENERATE if generate is True else generate or None,
        )

    def notebook(
        self, directory: str | PathLike[str], *, summary: bool = False, agent: str | None = None
    ) -> AsyncNotebook:
        """Return the handle of Markdown that `sync` keeps in step with the notes of this scope.

        With `summary`, a folder has a `memory_summary.md` too. With `agent` (claude-code, codex, cursor, copilot,
        gemini) it is a marked block in the file that this coding agent reads, and `directory` is the project.

        Raises:
            InvalidError: the coding agent is not one that is known.
        """
        from bethink.memory.notebook import AsyncNotebook
        from bethink.workspace.agent_files import agent_file
        from bethink.workspace.directory import LocalFiles

        block = None if agent is None else agent_file(agent, str(directory))
        root = directory if block is None else block.directory
        return AsyncNotebook(self._runtime, self, LocalFiles(self._runtime.store, root), summary, block)

    def tools(
        self,
        families: Iterable[Family] = ("private",),
        *,
        session: str | None = None,
        pools: Iterable[str] = (),
        team: str | None = None,
    ) -> list[AsyncTool]:
        """Return tools by which a model uses this scope, bound to it.

        `families` are private (remember, recall, search_memory, forget, list_memories), notes (save_memory_note,
        which stages in `session`), categories (memory_store, memory_recall, memory_forget), pools (share_to,
        read_from_pool, search_pool, list_pool, in the pools that are named here), team (share_finding,
        read_shared, search_shared, list_shared), review (list_waiting), history (search_history, timeline) and
        documents (document_list, document_get, document_put, document_delete, document_search).

        Raises:
            InvalidError: there is no such family, or one that is shared is asked for without the pools or the team.
        """
        from bethink.memory.tool import AsyncTool
        from bethink.tools.registry import tools
        from bethink.tools.values import Reach

        chosen, named = tools(families), tuple(pools)
        wanted = {tool.family for tool in chosen}
        if "pools" in wanted and not named:
            raise InvalidError("the pool tools need pools=[…], the names of the pools", argument="pools")
        if "workspace" in wanted:
            raise InvalidError(
                "workspace tools come from a workspace: scope.workspace(directory).tools()",
                argument="families",
            )
        if "team" in wanted and team is None:
            raise InvalidError("the team tools need team=…, the name of the team", argument="team")
        reach = Reach(
            scope=self,
            session=None if session is None else label(session, argument="session"),
            memory=SharedScopes(self._runtime),
            pools=named,
            team=team,
        )
        return [AsyncTool(tool, reach) for tool in chosen]


class SharedScopes:
    """The way to what several agents share."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def pool(self, name: str) -> AsyncScope:
        """Return the memory of a registered pool."""
        return AsyncScope(self._runtime, Namespace(tenant=self._runtime.tenant, kind="pool", name=name))

    def team(self, name: str) -> AsyncScope:
        """Return the memory of a registered team."""
        return AsyncScope(self._runtime, Namespace(tenant=self._runtime.tenant, kind="team", name=name))
