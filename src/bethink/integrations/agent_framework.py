"""Microsoft Agent Framework: a history provider, and a context provider that injects and learns."""
# The framework is not installed where this is developed, so its types are unknown here.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, ClassVar

from bethink.errors import InvalidError
from bethink.integrations.async_and_blocking import both_faces
from bethink.integrations.labels import log_name
from bethink.integrations.learning import IDLE, consolidate_left, context_text, learn_from, run_user
from bethink.integrations.versions import require_versions
from bethink.tools.calls import answer, answer_text
from bethink.tools.formats import parameters
from bethink.tools.registry import own_tools
from bethink.tools.values import Reach

require_versions("agent-framework", ("agent-framework-core", "1.23", "2"))

from agent_framework import (  # noqa: E402  # pyright: ignore[reportMissingImports]
    ContextProvider,
    FunctionTool,
    HistoryProvider,
    Message,
)
from agent_framework._sessions import (  # noqa: E402  # pyright: ignore[reportMissingImports]
    filter_new_messages,
)
from pydantic_core import to_jsonable_python  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import timedelta

    from bethink.memory.memory import AsyncMemory
    from bethink.memory.scope import AsyncScope
    from bethink.memory.session import AsyncSession
    from bethink.sync import Memory
    from bethink.tools.values import Family, Tool

OWNER = "bethink.user"  #: in the state that a history provider is called with: whose history it is
AGENT = "agent-framework"

log = logging.getLogger("bethink.agent_framework")

__all__ = ["BethinkContextProvider", "BethinkHistoryProvider"]


class _Users:
    """The memories of the users whom sessions name."""

    def _open(
        self,
        memory: Memory | AsyncMemory,
        agent: str,
        user: str | None,
        user_key: str | None,
        idle: timedelta,
    ) -> None:
        self._memory = both_faces(memory).awaited
        self._agent = agent
        self._user = user
        self._user_key = user_key
        self._idle = idle

    def _whose(self, session: Any) -> str | None:
        """Return the user of a session.

        Raises:
            InvalidError: the session names none.
        """
        given = session.state.get(self._user_key) if self._user_key is not None else None
        return run_user(self._user, self._user_key, given, f"session.state[{self._user_key!r}] = …")

    def _scope(self, user: str | None) -> AsyncScope:
        return self._memory.scope(agent=self._agent, user=user)

    async def _keep(self, session: AsyncSession, messages: Sequence[Message]) -> None:
        """Add to a log what it has not, though a run hands over again what it handed over before; and learn from it."""
        if not messages:
            return
        end = [_message(body) for body in await session.get_items(len(messages) + 1)]
        new = filter_new_messages(end, messages)
        if new:
            await session.append([_item(each) for each in new])
        await learn_from(session.scope, log, session.session_id, self._idle)


class BethinkHistoryProvider(_Users, HistoryProvider):  # pyright: ignore[reportUntypedBaseClass]
    """Keeps the messages of sessions: `Agent(client, context_providers=[BethinkHistoryProvider(memory), …])`.

    A session of the framework is a session of the user's, by the same id. What was said is found by recall, and what is
    worth keeping is noted.

    Args:
        memory: an opened memory; who opened it closes it.
        user: the user of every session; or
        user_key: the key of `session.state` that names the user. A run without it is refused. None with no user: the
            memory is the agent's own.
        agent: whose memory it is.
        messages: how many of the newest are loaded; a call is never without its result. None loads all.
        skip_excluded: leave out what compaction excluded.
        idle: for how long nobody wrote to a session that is consolidated; zero consolidates at the end of each run.
        options: what each provider of history takes, such as `load_messages` and `store_outputs`.
    """

    DEFAULT_SOURCE_ID: ClassVar[str] = "bethink_history"

    def __init__(
        self,
        memory: Memory | AsyncMemory,
        *,
        user: str | None = None,
        user_key: str | None = "user_id",
        agent: str = AGENT,
        messages: int | None = None,
        skip_excluded: bool = False,
        idle: timedelta = IDLE,
        source_id: str = DEFAULT_SOURCE_ID,
        **options: Any,
    ) -> None:
        HistoryProvider.__init__(self, source_id, **options)
        self._open(memory, agent, user, user_key, idle)
        self._messages = messages
        self._skip_excluded = skip_excluded

    async def before_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:
        """Load the history of a session."""
        owned = {**state, OWNER: self._whose(session)}
        await super().before_run(agent=agent, session=session, context=context, state=owned)

    async def after_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:
        """Keep what was said."""
        owned = {**state, OWNER: self._whose(session)}
        await super().after_run(agent=agent, session=session, context=context, state=owned)

    async def get_messages(
        self, session_id: str | None, *, state: Mapping[str, Any] | None = None, **options: Any
    ) -> list[Message]:
        """Return the messages of a session; outside a run, `user=` says whose it is.

        Raises:
            InvalidError: it is not said whose it is.
        """
        log_of = self._log(session_id, state, options)
        if self._messages is None:
            bodies = await log_of.get_items()
        else:
            bodies = await log_of.window(messages=self._messages, pending=True)
        found = [_message(body) for body in bodies]
        return [each for each in found if not (self._skip_excluded and _excluded(each))]

    async def save_messages(
        self,
        session_id: str | None,
        messages: Sequence[Message],
        *,
        state: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        """Keep those messages that a session has not yet; outside a run, `user=` says whose it is.

        Raises:
            InvalidError: it is not said whose it is.
        """
        await self._keep(self._log(session_id, state, options), messages)

    def _log(
        self, session_id: str | None, state: Mapping[str, Any] | None, options: Mapping[str, Any]
    ) -> AsyncSession:
        given = options.get("user", (state or {}).get(OWNER))
        return _session(self._scope(run_user(self._user, self._user_key, given, "user=…")), session_id)


class BethinkContextProvider(_Users, ContextProvider):  # pyright: ignore[reportUntypedBaseClass]
    """Gives an agent memory of its user: `Agent(client, context_providers=[BethinkContextProvider(memory)])`.

    What is remembered stands in the instructions of a run, which no history keeps. What was said is kept in the session
    of the framework's id, unless a `BethinkHistoryProvider` of the agent does so, and what is worth keeping is noted;
    before a run, sessions that were left become the user's memory.

    Args:
        memory: an opened memory; who opened it closes it.
        user: the user of every run; or
        user_key: the key of `session.state` that names the user. A run without it is refused. None with no user: the
            memory is the agent's own.
        agent: whose memory it is.
        tokens: of what is remembered, at most, in a run.
        policy: your own words on how memories are to be taken.
        idle: for how long nobody wrote to a session that is consolidated; zero consolidates at the end of each run.
        families: tools by which the agent uses its memory, such as `("private",)`.
    """

    DEFAULT_SOURCE_ID: ClassVar[str] = "bethink"

    def __init__(
        self,
        memory: Memory | AsyncMemory,
        *,
        user: str | None = None,
        user_key: str | None = "user_id",
        agent: str = AGENT,
        tokens: int | None = None,
        policy: str | None = None,
        idle: timedelta = IDLE,
        families: Iterable[Family] = (),
        source_id: str = DEFAULT_SOURCE_ID,
    ) -> None:
        ContextProvider.__init__(self, source_id)
        self._open(memory, agent, user, user_key, idle)
        self._tools = own_tools(families)
        self._options: dict[str, Any] = {"tokens": tokens, "policy": policy}

    async def before_run(
        self,
        *,
        agent: Any,  # noqa: ARG002
        session: Any,
        context: Any,
        state: dict[str, Any],  # noqa: ARG002
    ) -> None:
        """Consolidate what was left, and say what is remembered."""
        scope = self._scope(self._whose(session))
        await consolidate_left(scope, self._idle)
        name = _session(scope, context.session_id).session_id
        query = next((each.text for each in reversed(context.input_messages) if each.role == "user"), None)
        text = await context_text(scope, log, session=name, query=query, **self._options)
        if text:
            context.extend_instructions(self.source_id, text)
        if self._tools:
            reach = Reach(scope=scope, session=name)
            context.extend_tools(self.source_id, [_function(tool, reach) for tool in self._tools])

    async def after_run(
        self,
        *,
        agent: Any,
        session: Any,
        context: Any,
        state: dict[str, Any],  # noqa: ARG002
    ) -> None:
        """Keep what was said, and note what is worth keeping."""
        if any(
            isinstance(each, BethinkHistoryProvider) and each.store_inputs
            for each in getattr(agent, "context_providers", None) or ()
        ):
            return
        messages = [*context.input_messages, *(context.response.messages if context.response else ())]
        scope = self._scope(self._whose(session))
        kept = [each for each in messages if each.role in {"user", "assistant", "tool"}]
        await self._keep(_session(scope, context.session_id), kept)


def _session(scope: AsyncScope, session_id: str | None) -> AsyncSession:
    if not session_id:
        raise InvalidError("a session has an id", argument="session_id")
    return scope.session(log_name(session_id))


def _item(message: Message) -> dict[str, Any]:
    return to_jsonable_python(message.to_dict(), fallback=repr)


def _message(body: Any) -> Message:
    return Message.from_dict(dict(body))


def _excluded(message: Message) -> bool:
    return bool(message.additional_properties.get("_excluded"))


def _function(tool: Tool, reach: Reach) -> FunctionTool:
    async def act(**arguments: Any) -> str:
        return answer_text((await answer(tool, reach, arguments)).value)

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        func=act,
        input_model=parameters(tool),
        approval_mode="never_require",
    )
