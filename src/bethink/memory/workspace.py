"""The handle of a workspace: lessons of runs in a directory, as files and as instructions."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Self

from bethink.errors import InvalidError
from bethink.memory.tool import AsyncTool
from bethink.notes.checks import check_text
from bethink.tools.registry import tools
from bethink.tools.values import Reach
from bethink.workspace import commands, search
from bethink.workspace.instructions import instructions
from bethink.workspace.rollout_ids import rollout_id, safe_id
from bethink.workspace.rollouts import RunEnd, classify_end, segment
from bethink.workspace.run_liveness import marked_run_id
from bethink.workspace.service import forget, record, settle, summary
from bethink.workspace.status import status
from bethink.workspace.workspace_context import WorkspaceContext

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType

    from bethink.memory.runtime import Runtime
    from bethink.memory.scope import AsyncScope
    from bethink.notes.values import Source
    from bethink.scope.values import Right
    from bethink.workspace.files import Files
    from bethink.workspace.phase_engines import Phases
    from bethink.workspace.search import MatchingLine
    from bethink.workspace.values import Generate, Location, Read, Report, Standing, TerminalState


class AsyncWorkspace:
    """A directory with a memory of its own: `open`, note the runs in it, `close`.

    The store is the truth. Files that are lost are written anew, and what people change in `MEMORY.md` flows back
    into notes of the scope. `async with` opens and closes.
    """

    def __init__(
        self,
        runtime: Runtime,
        scope: AsyncScope,
        files: Files,
        location: Location,
        read: Read | None,
        generate: Generate | None,
        origin: str = "",
        recorded: Mapping[str, str] | None = None,
    ) -> None:
        if read is None and generate is None:
            raise InvalidError("Memory requires at least one of `read` or `generate`.", argument="generate")
        self._runtime = runtime
        self._files = files
        self._location = location
        self._read = read
        self._generate = generate
        self._origin = origin
        self._recorded: Mapping[str, str] = {} if recorded is None else recorded
        self.scope = scope
        self.directory: str = files.directory or ""

    def __repr__(self) -> str:
        return f"<workspace {self._location.name!r} of {self.scope.namespace}>"

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    # ---- its life -------------------------------------------------------------------------------------------

    async def open(self) -> Report:
        """Prepare the directory: process unfinished runs, import manual edits, rewrite missing files.

        Raises:
            InvalidError: another workspace has one of the two folders of this layout.
            ConflictError: another process is at work in it.
        """
        return await self._settle(source="user", closing=False)

    async def close(self) -> Report:
        """Extract memory from the runs since `open`. After a crash, the next `open` does this instead.

        Raises:
            ConflictError: another process is at work in it.
        """
        return await self._settle(source="agent", closing=True)

    async def sync(self) -> Report:
        """Sync store and files while runs go on: edits become changes of notes, and notes are written to the files."""
        return await self._settle(source="user", closing=False)

    async def _settle(self, *, source: Source, closing: bool) -> Report:
        context = self._context()
        await self._check("read" if context.read_only else "write")
        return await settle(context, source=source, closing=closing)

    async def forget(self, conversation: str) -> Report:
        """Forget a conversation: its file, its summary, what was learned from it, and the lines that say so.

        A copy of its file elsewhere does not bring it back; a later run of the same name begins anew.

        Raises:
            NotFoundError: there is no such conversation.
            InvalidError: this workspace only reads.
        """
        context = self._context()
        if context.read_only:
            raise InvalidError("this workspace is read-only; open it with generate=", argument="generate")
        await self._check("delete")
        return await forget(context, safe_id(check_text(conversation, "conversation", 1_000)))

    async def status(self) -> Standing:
        """Return the status of the workspace without changing anything."""
        await self._check("read")
        return await status(self._context())

    # ---- reading --------------------------------------------------------------------------------------------

    async def summary(self) -> str:
        """Return the summary for the start of a conversation: at most 15,000 tokens; empty if nothing is remembered."""
        await self._check("read")
        return "" if self._read is None else await summary(self._context())

    async def instructions(self) -> str | None:
        """Return instructions with the summary and how to read the files; None if nothing is remembered."""
        if self._read is None:
            return None
        return instructions(
            await self.summary(), directory=self._location.layout.memories_dir, read=self._read
        )

    async def search(self, words: str, *, limit: int = 20) -> list[MatchingLine]:
        """Search `MEMORY.md` and the summaries for the lines that contain most of these words, best first."""
        await self._check("read")
        if self._read is None:
            return []
        return await search.search(self._context(), check_text(words, "words", 4_000), limit=limit)

    async def command(self, command: Mapping[str, Any]) -> str:
        """Run one command of Anthropic's memory tool: view, create, str_replace, insert, delete or rename.

        `/memories` is the folder of the memories. What is written is kept in the store too.

        Raises:
            CommandError: it cannot be done; the sentence is the one that the tool documents.
        """
        writes = command.get("command") != "view"
        await self._check("write" if writes else "read")
        if self._read is None:
            raise commands.CommandError("Error: This agent may not read this memory", argument="command")
        if writes and not self._read.live_update:
            raise commands.CommandError("Error: This memory is read-only", argument="command")
        return await commands.run(self._context(), command)

    def tools(self) -> list[AsyncTool]:
        """Return the commands as tools of a model: workspace_view, workspace_create, and so on."""
        reach = Reach(scope=self.scope, workspace=self)
        return [AsyncTool(tool, reach) for tool in tools(("workspace",))]

    # ---- runs -----------------------------------------------------------------------------------------------

    async def record(
        self,
        input: str | Iterable[Any],  # noqa: A002 - as agents' frameworks name it
        generated: Iterable[Any] = (),
        *,
        final_output: Any = None,
        interruptions: Iterable[Any] = (),
        error: BaseException | None = None,
        state: TerminalState | None = None,
        conversation_id: str | None = None,
        session_id: str | None = None,
        group_id: str | None = None,
        run_id: str | None = None,
        under_way: bool = False,
    ) -> str:
        """Keep one run of an agent: what was asked, what was done, how it ended. Return its conversation's id.

        Runs with the same `conversation_id`, else `session_id`, else `group_id`, make one conversation. Orders of the
        system, and reasoning, are left out. With `run_id` and `under_way`, what is there so far is kept, and a later
        call for the same run takes its place.

        Raises:
            InvalidError: this workspace does not generate memory.
        """
        if self._generate is None:
            raise InvalidError("this workspace is read-only; open it with generate=", argument="generate")
        await self._check("write")
        fresh = self._runtime.fresh()
        rollout = rollout_id(
            conversation_id=conversation_id, session_id=session_id, group_id=group_id, fresh=f"{fresh:x}"
        )
        waiting = list(interruptions)
        how = (
            RunEnd(state=state)
            if state is not None
            else classify_end(final=final_output is not None, interrupted=bool(waiting), error=error)
        )
        made = segment(
            rollout,
            at=self._runtime.clock().isoformat(),
            given=input,
            generated=generated,
            interruptions=waiting,
            final_output=final_output,
            how=how,
        )
        if under_way:
            made["terminal_metadata"]["terminal_state"] = "running"
        await record(
            self._context(),
            rollout,
            made,
            run=marked_run_id(run_id) if run_id else "",
            under_way=under_way,
            origin=self._origin,
        )
        return rollout

    # ---- how it is worked on --------------------------------------------------------------------------------

    async def _check(self, right: Right) -> None:
        await self._runtime.check(right, self.scope.namespace)

    def _context(self) -> WorkspaceContext:
        from bethink.lifecycle.admission.admission_setting import read_admissions

        runtime = self._runtime
        return WorkspaceContext(
            store=runtime.store,
            namespace=self.scope.namespace,
            location=self._location,
            files=self._files,
            guard=runtime.guard,
            phases=self._phases(),
            generate=self._generate,
            daily_tokens=runtime.settings.daily_tokens,
            admission=read_admissions(runtime.settings.admission).of(
                str(self.scope.namespace), "tools", "workspace"
            ),
            origin=self._origin,
            read_only=self._generate is None and (self._read is None or not self._read.live_update),
            recorded=Counter(self._recorded.values()),
            writing=runtime.writing,
            clock=runtime.clock,
        )

    def _phases(self) -> Phases:
        from bethink.workspace.phase_engines import RulesPhases

        runtime, generate = self._runtime, self._generate
        rules = RulesPhases(runtime.guard, keeps=generate is None)
        if generate is None or (generate.phase_one_model is None and generate.phase_two_model is None):
            return rules
        from bethink.workspace.phases_by_model import ModelPhases

        return ModelPhases(rules, generate, guard=runtime.guard, count_tokens=runtime.count_tokens)
