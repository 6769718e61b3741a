"""Memory of a `SandboxAgent`: files in its sandbox, stored durably, extracted from runs without a tool or a key."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakKeyDictionary

from agents import RunConfig, Runner, RunState
from agents.sandbox.capabilities import Capability, Memory
from agents.sandbox.config import MemoryGenerateConfig
from pydantic import Field

from bethink.errors import BethinkError, InvalidError
from bethink.integrations.openai_agents.sandbox_files import NoFiles, SandboxFiles
from bethink.integrations.openai_agents.sandbox_hooks import Recorder
from bethink.integrations.openai_agents.sandbox_models import SEGMENTS, generate_of
from bethink.memory.scope import AsyncScope
from bethink.memory.workspace import AsyncWorkspace
from bethink.scope.labels import label
from bethink.workspace.instructions import instructions
from bethink.workspace.values import DEFAULT_NAME, GENERATE, LAYOUT, READ, Layout, Location, Read

if TYPE_CHECKING:
    from agents import Agent, RunHooks, RunResult
    from agents.items import TResponseInputItem
    from agents.memory import Session
    from agents.sandbox.config import MemoryLayoutConfig, MemoryReadConfig
    from agents.sandbox.manifest import Manifest
    from agents.sandbox.session.base_sandbox_session import BaseSandboxSession

    from bethink.workspace.values import Generate, Report

log = logging.getLogger("bethink.openai_agents")


class _Shared:
    """What the clones of one capability have in common."""

    def __init__(self) -> None:
        self.spaces: WeakKeyDictionary[BaseSandboxSession, AsyncWorkspace] = WeakKeyDictionary()
        self.opened: WeakKeyDictionary[BaseSandboxSession, bool] = WeakKeyDictionary()
        self.reports: list[Report] = []
        self.run_digests: dict[str, str] = {}  #: what a run that a recorder kept is recognised by, by run
        self.loop: asyncio.AbstractEventLoop | None = None

    def here(self) -> None:
        """Know the event loop that the sandbox lives on: models are asked there."""
        self.loop = asyncio.get_running_loop()


class BethinkMemory(Memory):
    """Reads and generates the memory of a sandbox, in the files that the SDK's own `Memory` has.

    Each run of an agent that has it is remembered: the SDK's Runner writes what was asked and done into the sandbox,
    and before that closes it is kept and memory made of it. `memory.run(…)` in the place of `Runner.run(…)`, or
    `hooks=memory.hooks(…)`, keep a run while it goes on, so that a crash loses nothing of it.

    Args:
        scope: whose memory it is: `AsyncMemory(…).scope(agent=…, user=…)`.
        name: tells several memories of one scope apart.
        layout: where the files lie; ours, or the SDK's `MemoryLayoutConfig`.
        read: None generates without reading; ours, or the SDK's `MemoryReadConfig`.
        generate: None, or False, reads alone; ours, or the SDK's `MemoryGenerateConfig`, whose models are asked then.

    Raises:
        InvalidError: neither reads nor generates, or the layout leads out of the workspace.
    """

    type: Any = "bethink_memory"
    scope: Any = Field(exclude=True)
    name: str = DEFAULT_NAME
    layout: Any = LAYOUT
    read: Any = READ
    generate: Any = Field(default=SEGMENTS, exclude=True)  #: what the Runner is told
    making: Any = Field(default=GENERATE, exclude=True)  #: how we make memory
    shared: Any = Field(default=None, exclude=True, repr=False)

    def __init__(
        self,
        scope: AsyncScope,
        *,
        name: str = DEFAULT_NAME,
        layout: Layout | MemoryLayoutConfig = LAYOUT,
        read: Read | MemoryReadConfig | None = READ,
        generate: Generate | MemoryGenerateConfig | bool | None = GENERATE,
    ) -> None:
        if not isinstance(scope, AsyncScope):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidError(
                "scope must come from an AsyncMemory, because the SDK is asynchronous", argument="scope"
            )
        shared = _Shared()
        made = (GENERATE if generate else None) if isinstance(generate, bool) else generate
        if isinstance(made, MemoryGenerateConfig):
            made = generate_of(made, lambda: shared.loop)
        if read is None and made is None:
            raise InvalidError("Memory requires at least one of `read` or `generate`.", argument="generate")
        fields: dict[str, Any] = {
            "scope": scope,
            "name": label(name, argument="name"),
            "layout": Layout(layout.memories_dir, layout.sessions_dir),
            "read": None if read is None else Read(live_update=read.live_update),
            "generate": None if made is None else SEGMENTS,
            "making": made,
            "shared": shared,
        }
        Capability.__init__(self, **fields)

    # ---- what the SDK asks of a capability --------------------------------------------------------------------

    def clone(self) -> BethinkMemory:
        """Return the copy of one run; what all runs share stays shared."""
        return self.model_copy(deep=False, update={"session": None})

    def required_capability_types(self) -> set[str]:
        """Return what an agent needs to read memory, and to correct it."""
        if self.read is None:
            return set()
        return {"filesystem", "shell"} if self.read.live_update else {"shell"}

    def bind(self, session: BaseSandboxSession) -> None:
        """Know the sandbox of a run; once a sandbox, ask to be called before it closes."""
        self.session = session
        shared: _Shared = self.shared
        if session in shared.spaces:
            return
        shared.spaces[session] = self._space(SandboxFiles(session), origin=str(session.state.session_id))

        async def flush() -> None:
            await self._flush(session)

        session.register_pre_stop_hook(flush)

    async def instructions(self, manifest: Manifest) -> str | None:
        """Return the summary of what is remembered, with how to find more; None where nothing is."""
        session = self.session
        if session is None:
            raise InvalidError(
                "this memory is not bound to a sandbox; pass it in capabilities=", argument="session"
            )
        shared: _Shared = self.shared
        shared.here()
        space = shared.spaces[session]
        try:
            if session not in shared.opened:
                shared.opened[session] = True
                shared.reports.append(await space.open())
            summary = await space.summary()
        except BethinkError as error:  # a run does not fail because of its memory
            log.warning("the memory of a sandbox could not be opened: %s", error)
            return None
        if self.read is None:
            return None
        return instructions(summary, directory=self._shown(manifest), read=self.read)

    def _shown(self, manifest: Manifest) -> str:
        """Return the folder of the memories as the model has to name it."""
        from pathlib import Path

        folder: str = self.layout.memories_dir
        if self.workspace_scope.cwd is None:
            return folder
        return self.workspace_scope.model_resource_path(
            workspace_root=manifest.root, workspace_relative_path=Path(folder)
        ).as_posix()

    async def _flush(self, session: BaseSandboxSession) -> None:
        """Run the phases before the sandbox is persisted; what fails here is made up for at the next open."""
        shared: _Shared = self.shared
        shared.here()
        try:
            shared.reports.append(await shared.spaces[session].close())
        except BethinkError as error:
            log.warning("the memory of a sandbox was not settled, the next one makes up for it: %s", error)

    # ---- how it sees a run ------------------------------------------------------------------------------------

    @property
    def reports(self) -> list[Report]:
        """Return what came of opening and closing the sandboxes so far."""
        shared: _Shared = self.shared
        return list(shared.reports)

    def hooks(
        self,
        *,
        session: Session | None = None,
        conversation_id: str | None = None,
        group_id: str | None = None,
        then: RunHooks[Any] | None = None,
    ) -> Recorder:
        """Return `hooks=` for one run; name its conversation as the run itself does. `then` are hooks of your own.

        What happens is durable as it happens; a run that raises is noted as cut off when the sandbox closes.
        """
        shared: _Shared = self.shared

        return Recorder(
            None if self.generate is None else self._space(NoFiles()),
            shared.run_digests,
            conversation_id=conversation_id,
            session_id=_id_of(session),
            group_id=group_id,
            then=then,
        )

    async def run(
        self,
        agent: Agent[Any],
        input: str | list[TResponseInputItem] | RunState[Any],  # noqa: A002 - as the SDK's Runner has it
        *,
        session: Session | None = None,
        hooks: RunHooks[Any] | None = None,
        run_config: RunConfig | None = None,
        conversation_id: str | None = None,
        **options: Any,
    ) -> RunResult:
        """Run an agent as `Runner.run` does, and note the run: how it ended, what waits for approval, its answer."""
        recorder = self.hooks(
            session=session,
            conversation_id=conversation_id,
            group_id=run_config.group_id if run_config else None,
            then=hooks,
        )
        recorder.given(input)
        if (
            run_config is not None and run_config.group_id is None
        ):  # so that the Runner names the conversation as we do
            run_config = replace(run_config, group_id=recorder.group)
        try:
            result = await Runner.run(
                agent,
                input,
                session=session,
                hooks=cast("Any", recorder),
                run_config=run_config,
                conversation_id=conversation_id,
                **options,
            )
        except BaseException as error:
            await recorder.failed(error)
            raise
        await recorder.finished(result)
        return result

    def _space(self, files: SandboxFiles | NoFiles, *, origin: str = "") -> AsyncWorkspace:
        scope: AsyncScope = self.scope
        return AsyncWorkspace(
            scope._runtime,  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            scope,
            files,
            Location(self.name, self.layout),
            self.read,
            self.making,
            origin,
            recorded=self.shared.run_digests,
        )


def _id_of(session: Session | None) -> str | None:
    """Return the id of a session, where it can tell one."""
    try:
        return None if session is None else session.session_id
    except Exception:  # noqa: BLE001 - a session of somebody else may raise what it likes before its first use
        return None
