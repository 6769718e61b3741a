"""Hold conversations with agents: one turn at a time a session, the others in line, so many and so long."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

from bethink.errors import ClosedError, LimitError
from bethink.ids import to_text
from bethink.server.chat.events import Event
from bethink.server.chat.values import Answer, State
from bethink.server.problems import HttpError, members

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Hashable

    from bethink.memory.session import AsyncSession
    from bethink.server.agents import Agent, Agents
    from bethink.server.options import Options
    from bethink.server.tenants import Tenants

GRACE_SECONDS = 30.0  #: that accepted turns have when the server is told to stop


class _Playing:
    """A turn that was accepted."""

    def __init__(self, id: str) -> None:  # noqa: A002
        self.id = id
        self.began = False
        self.stopped = False
        self.events: asyncio.Queue[Event | None] = asyncio.Queue()
        self.task: asyncio.Task[Answer]

    def tell(self, event: Event) -> None:
        self.began = True
        self.events.put_nowait(event)


class ChatRuntime:
    """Plays turns. A turn that began goes on to its end, whether or not somebody still listens."""

    def __init__(self, options: Options, tenants: Tenants | None = None) -> None:
        self._options = options
        self._tenants = tenants
        self._playing: dict[Hashable, list[_Playing]] = {}
        self._models: Any = None
        self._closing = False

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
        """Yield what happens in a turn; what goes wrong before it begins is raised, afterwards it is an event."""
        playing = self._accept(agents, agent, session, message, origin, operation)
        try:
            while (event := await playing.events.get()) is not None:
                yield event
        finally:
            if not playing.began:
                playing.task.cancel()
        error = playing.task.exception() if not playing.task.cancelled() else None
        if not playing.began and error is not None:
            raise error

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
        """Play a turn to its end, and return the answer."""
        playing = self._accept(agents, agent, session, message, origin, operation)
        try:
            await asyncio.wait([playing.task])
        finally:
            if not playing.began:
                playing.task.cancel()
        if playing.task.cancelled():
            raise HttpError(
                409, "cancelled", "the turn was cancelled: nothing of it was stored", turn=playing.id
            )
        return playing.task.result()

    async def background(self, agents: Agents, agent: Agent, prompt: str) -> Answer:
        """Play a run that begins with nothing and leaves nothing in any session."""
        models = self._loaded()
        async with self._lent(agents):
            return await self._turn(
                to_text("t", agents.fresh()), models, agents, agent, None, prompt, "background", _unheard
            )

    def state(self, agents: Agents, agent: Agent, session: str) -> State:
        """Return what goes on in a session, in this process."""
        all_ = self._playing.get(_key(agents.scope(agent).session(session)), [])
        now = next((each.id for each in all_ if each.began), None)
        queued = sum(not each.began for each in all_)
        return State(state="running" if all_ else "idle", turn=now, queued=queued)

    async def cancel(self, agents: Agents, agent: Agent, session: str) -> bool:
        """Stop the turn that is played in a session; False where none is."""
        all_ = self._playing.get(_key(agents.scope(agent).session(session)), [])
        now = next((each for each in all_ if each.began), None)
        if now is None:
            return False
        now.task.cancel()
        await asyncio.wait([now.task])
        return True

    async def close(self) -> None:
        """Take no more turns, and let those that were accepted come to their end."""
        self._closing = True
        tasks = [each.task for all_ in self._playing.values() for each in all_]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=GRACE_SECONDS)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late)
        if self._models is not None:
            await self._models.close()

    def _accept(
        self, agents: Agents, agent: Agent, session: str, message: str, origin: str, operation: str | None
    ) -> _Playing:
        if self._closing:
            raise ClosedError("the server is stopping: try again soon", reason="closing")
        models = self._loaded()
        handle = agents.scope(agent).session(session)
        playing = _Playing(to_text("t", agents.fresh()))
        key = _key(handle)
        playing.task = asyncio.create_task(
            self._play(playing, models, agents, agent, handle, message, origin)
        )
        self._playing.setdefault(key, []).append(playing)
        playing.task.add_done_callback(lambda _: self._ended(key, playing))
        return playing

    def _ended(self, key: Hashable, playing: _Playing) -> None:
        if playing.began and playing.task.cancelled():
            playing.tell(Event(kind="cancelled", data={"turn": playing.id}))
        elif playing.began and (error := playing.task.exception()) is not None:
            playing.tell(Event(kind="failed", data={"turn": playing.id, **members(error)}))
        playing.events.put_nowait(None)
        self._playing[key].remove(playing)
        if not self._playing[key]:
            del self._playing[key]

    async def _play(
        self,
        playing: _Playing,
        models: Any,
        agents: Agents,
        agent: Agent,
        session: AsyncSession,
        message: str,
        origin: str,
    ) -> Answer:
        async with self._lent(agents), self._in_line(session):
            return await self._turn(playing.id, models, agents, agent, session, message, origin, playing.tell)

    async def _turn(
        self,
        id: str,  # noqa: A002
        models: Any,
        agents: Agents,
        agent: Agent,
        session: AsyncSession | None,
        message: str,
        origin: str,
        tell: Callable[[Event], None],
    ) -> Answer:
        from bethink.server.chat.turns import Turn, play

        agent = await agents.get(agent.name, owner=agent.owner)
        turn = Turn(
            id=id,
            agents=agents,
            agent=agent,
            session=session,
            stored=session is not None and agent.spec.hooks.auto_memory,
            message=message,
            origin=origin,
            chosen=models.choose(agent.spec),
            seconds=self._options.turn_seconds,
        )
        return await play(turn, tell)

    @asynccontextmanager
    async def _lent(self, agents: Agents) -> AsyncGenerator[None]:
        """Hold the tenant's memory open, however long the request is over."""
        if self._tenants is None:
            yield
            return
        async with self._tenants.using(agents.tenant):
            yield

    @asynccontextmanager
    async def _in_line(self, session: AsyncSession) -> AsyncGenerator[None]:
        from bethink.integrations.openai_agents.queueing import exclusive

        options = self._options
        async with AsyncExitStack() as stack:
            try:
                await stack.enter_async_context(
                    exclusive(session, waiting=options.queue, timeout=options.queue_seconds)
                )
            except LimitError as error:
                raise _too_many(error) from None
            yield

    def _loaded(self) -> Any:
        if self._models is None:
            try:
                from bethink.server.chat.models import Models
            except ImportError as missing:
                raise HttpError(501, "not-installed", str(missing)) from missing
            self._models = Models(self._options)
        return self._models


def _unheard(_: Event) -> None:
    """Nobody listens."""


def _too_many(error: LimitError) -> HttpError:
    if error.facts["unit"] == "runs":
        return HttpError(429, "busy", str(error), headers={"retry-after": "1"}, **error.facts)
    return HttpError(408, "timeout", str(error), **error.facts)


def _key(session: AsyncSession) -> Hashable:
    return session.scope.namespace, session.session_id
