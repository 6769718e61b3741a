"""The chat runtime: one turn at a time per session, others queue, within bounds."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from bethink.errors import LimitError
from bethink.ids import to_text
from bethink.scope.transactions import digest
from bethink.server.chat.accepted_runs import AcceptedRuns
from bethink.server.chat.background_scope import BackgroundScope
from bethink.server.chat.model_choice import OFFLINE, choose_model
from bethink.server.chat.running_turns import RunLocation
from bethink.server.chat.values import State
from bethink.server.problems import HttpError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Hashable

    from bethink.memory.scope import AsyncScope
    from bethink.memory.session import AsyncSession
    from bethink.server.agents import Agent, Agents
    from bethink.server.chat.accepted_runs import AcceptedRun
    from bethink.server.chat.events import Event
    from bethink.server.chat.values import Answer
    from bethink.server.options import Options
    from bethink.server.tenants import Tenants
    from bethink.tools.values import Reach

GRACE_SECONDS = 30.0  #: time for accepted turns to finish when the server stops


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingMessage:
    """What was said to an agent."""

    agents: Agents
    agent: Agent
    session: AsyncSession | None
    message: str
    origin: str
    operation: str | None


class ChatRuntime:
    """Plays turns. A turn that began goes on to its end, whether or not somebody still listens.

    Args:
        options: who answers, and the bounds of turns and queues.
        tenants: whose memories are held open while a turn is played; None where the caller holds them.
    """

    def __init__(self, options: Options, tenants: Tenants | None = None) -> None:
        self._options = options
        self._tenants = tenants
        self._stage = AcceptedRuns()
        self._models: Any = None

    async def stream(
        self,
        agents: Agents,
        agent: Agent,
        session: str,
        message: str,
        *,
        origin: str = "chat",
        operation: str | None = None,
    ) -> AsyncGenerator[Event]:
        """Yield what happens in a turn; what goes wrong before it begins is raised, afterwards it is an event.

        Raises:
            HttpError: 429 where too many turns wait, 408 where this one waited too long, 501 without the SDK.
        """
        async for event in self._accept(agents, agent, session, message, origin, operation).events():
            yield event

    async def turn(
        self,
        agents: Agents,
        agent: Agent,
        session: str,
        message: str,
        *,
        origin: str = "chat",
        operation: str | None = None,
    ) -> Answer:
        """Play a turn to its end, and return the answer.

        Raises:
            HttpError: as `stream` has it; 504 where it took too long, 409 where it was cancelled.
            ModelError: the model did not answer.
        """
        return await self._accept(agents, agent, session, message, origin, operation).answer()

    async def background(self, agents: Agents, agent: Agent, prompt: str) -> Answer:
        """Play a run that begins with nothing and leaves nothing in any session.

        Its tools write and read the memory of the caller; what belongs to a conversation they do not see.
        """
        incoming = IncomingMessage(
            agents=agents, agent=agent, session=None, message=prompt, origin="background", operation=None
        )
        return await self._start(incoming).answer()

    def model(self, agent: Agent) -> tuple[str, bool]:
        """Return the name of the model that answers for an agent, and whether it is the offline responder.

        Raises:
            HttpError: 501, what plays turns is not installed.
        """
        if find_spec("agents") is None:
            raise _missing()
        name = choose_model(agent.spec, self._options)
        return name or OFFLINE, name is None

    async def state(self, agents: Agents, agent: Agent, session: str) -> State:
        """Return what goes on in a session of the caller, whichever process of the store plays it.

        How many turns are in line is known of this process alone.
        """
        handle = agents.scope(agent).session(session)
        playing = self._stage.at(_key(handle))
        running = [each.id for each in playing if each.began] or await _place(handle).others(playing)
        return State(
            state="running" if playing or running else "idle",
            turn=running[0] if running else None,
            queued=sum(not each.began for each in playing),
        )

    async def cancel(self, agents: Agents, agent: Agent, session: str) -> bool:
        """Stop the turn that is played in a session of the caller; False where none is, or it is stored already.

        One that another process of the store plays is stopped there, within a second or two.
        """
        handle = agents.scope(agent).session(session)
        playing = self._stage.at(_key(handle))
        now = next((each for each in playing if each.began), None)
        if now is not None:
            return await now.stop()
        place = _place(handle)
        others = await place.others(playing)
        return bool(others) and await place.stop(others[0])

    async def close(self) -> None:
        """Take no more turns, and let those that were accepted come to their end, as far as that is soon."""
        await self._stage.close(GRACE_SECONDS)
        if self._models is not None:
            await self._models.close()

    def _accept(
        self, agents: Agents, agent: Agent, session: str, message: str, origin: str, operation: str | None
    ) -> AcceptedRun[Answer]:
        incoming = IncomingMessage(
            agents=agents,
            agent=agent,
            session=agents.scope(agent).session(session),
            message=message,
            origin=origin,
            operation=operation,
        )
        return self._start(incoming)

    def _start(self, incoming: IncomingMessage) -> AcceptedRun[Answer]:
        number = (
            incoming.agents.fresh()
            if incoming.operation is None
            else _number(incoming.session, incoming.operation)
        )
        key = ("background", number) if incoming.session is None else _key(incoming.session)
        return self._stage.start(key, to_text("t", number), lambda playing: self._play(incoming, playing))

    async def _play(self, incoming: IncomingMessage, playing: AcceptedRun[Answer]) -> Answer:
        models = await self.models()
        from bethink.server.chat.token_usage import used_up
        from bethink.server.chat.turns import Turn, run_turn

        async with (
            self.lent(incoming.agents),
            self._in_line(incoming.session),
            _shown(incoming.session, playing),
        ):
            agent = await incoming.agents.again(incoming.agent)
            scope, reach = _reached(incoming.agents, agent, incoming.session)
            return await run_turn(
                Turn(
                    id=playing.id,
                    agent=agent,
                    scope=scope,
                    reach=reach,
                    session=incoming.session,
                    message=incoming.message,
                    origin=incoming.origin,
                    operation=incoming.operation,
                    chosen=models.choose(agent.spec, used_up=await used_up(scope)),
                    seconds=self._options.turn_seconds,
                    tell=playing.tell,
                    settle=playing.settle,
                )
            )

    @asynccontextmanager
    async def lent(self, agents: Agents) -> AsyncGenerator[None]:
        """Hold the tenant's memory open, however long the request is over."""
        if self._tenants is None:
            yield
            return
        async with self._tenants.using(agents.tenant):
            yield

    @asynccontextmanager
    async def _in_line(self, session: AsyncSession | None) -> AsyncGenerator[None]:
        from bethink.integrations.openai_agents.run_queue import exclusive

        options = self._options
        async with AsyncExitStack() as stack:
            if session is not None:
                try:
                    await stack.enter_async_context(
                        exclusive(session, waiting=options.queue, timeout=options.queue_seconds)
                    )
                except LimitError as error:
                    raise _too_many(error) from None
            yield

    async def models(self) -> Any:
        """Return who may answer; the SDK is loaded when it is first needed, and keeps nobody else waiting.

        Raises:
            HttpError: 501, the SDK is not installed.
        """
        if self._models is None:
            try:
                await asyncio.to_thread(import_module, "bethink.server.chat.turns")
                from bethink.server.chat.models import Models
            except ImportError as missing:
                raise _missing() from missing
            self._models = self._models or Models(self._options)
        return self._models


def _reached(agents: Agents, agent: Agent, session: AsyncSession | None) -> tuple[AsyncScope, Reach]:
    """Return what an agent has of the caller, and what its tools see of that."""
    scope = agents.scope(agent)
    if session is not None:
        return scope, agents.reach(agent, session.session_id)
    return scope, replace(agents.reach(agent), scope=BackgroundScope(scope))


def _missing() -> HttpError:
    return HttpError(
        501,
        "not-installed",
        "chats require the OpenAI Agents SDK: pip install 'bethink[agents]'",
        missing="agents",
    )


def _too_many(error: LimitError) -> HttpError:
    if error.facts["unit"] == "runs":
        return HttpError(429, "busy", str(error), headers={"retry-after": "1"}, **error.facts)
    return HttpError(408, "timeout", str(error), **error.facts)


def _number(session: AsyncSession | None, operation: str) -> int:
    """Return a number that is the same when the same is asked again."""
    where = "" if session is None else f"{session.scope.namespace} {session.session_id}"
    return int(digest(where, operation)[:15], 16)


def _key(session: AsyncSession) -> Hashable:
    return session.scope.namespace, session.session_id


def _place(session: AsyncSession) -> RunLocation:
    return RunLocation(session.scope, session.session_id)


@asynccontextmanager
async def _shown(session: AsyncSession | None, playing: AcceptedRun[Answer]) -> AsyncGenerator[None]:
    """Let other processes of the store see a turn, and stop it; a run in the background is not to be seen."""
    if session is None:
        yield
        return
    async with _place(session).shown(playing):
        yield
