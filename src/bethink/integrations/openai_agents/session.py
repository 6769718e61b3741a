"""A drop-in replacement of the SDK's `SQLiteSession`, with the same arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, cast

from agents.memory import SessionSettings

from bethink.errors import ClosedError, InvalidError
from bethink.integrations.shared_memory import lease_memory
from bethink.memory.memory import AsyncMemory
from bethink.memory.scope import AsyncScope
from bethink.memory.session import AsyncSession

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from agents import RunContextWrapper
    from agents.items import TResponseInputItem

    from bethink.integrations.shared_memory import Lease
    from bethink.memory.runtime import Runtime
    from bethink.sessions.values import Body

_TABLES = ("agent_sessions", "agent_messages")  #: what the SDK's own session calls its tables


class BethinkSession(AsyncSession):
    """A durable session for `Runner.run`, `run_sync` and `run_streamed`.

    Args:
        session_id: the name of the conversation.
        db_path: a file, `sqlite:///…`, `postgresql://…`, or `:memory:`, which is private to this object. All
            sessions of one database share one connection that writes, in the whole process.
        sessions_table: accepted as the SDK's session has it; other tables than the usual ones keep their
            sessions apart, as they do there.
        messages_table: likewise.
        session_settings: the SDK's settings, or a mapping of them; `limit` is how many items are read.
        agent: whose conversation it is.
        user: with whom.
        memory: an open memory to use in place of `db_path`; it is not closed with the session.
        scope_of: chooses the scope from the run's context: it returns a scope, or the id of a user. With it the
            four methods of the SDK want `wrapper=`, which the Runner passes.

    Raises:
        InvalidError: the id is not one, or both `db_path` and `memory` are given.
        StorageError: the database cannot be opened.
    """

    def __init__(
        self,
        session_id: str,
        db_path: str | os.PathLike[str] = ":memory:",
        sessions_table: str | None = None,
        messages_table: str | None = None,
        session_settings: SessionSettings | Mapping[str, Any] | None = None,
        *,
        agent: str = "default",
        user: str | None = None,
        memory: AsyncMemory | None = None,
        scope_of: Callable[[RunContextWrapper[Any]], AsyncScope | str] | None = None,
    ) -> None:
        settings = SessionSettings()
        if session_settings is not None:
            settings = settings.resolve(cast("dict[str, Any]", session_settings))
        self._lease: Lease | None = None
        if memory is None:
            self._lease = lease_memory(db_path)
            memory = self._lease.memory
        elif not isinstance(memory, AsyncMemory):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidError(
                "memory must be an AsyncMemory, because sessions of the SDK are asynchronous",
                argument="memory",
            )
        elif db_path != ":memory:":
            raise InvalidError("pass either db_path or memory, not both", argument="memory")
        tables = (sessions_table or _TABLES[0], messages_table or _TABLES[1])
        self.agent = agent if tables == _TABLES else f"{agent}/{'/'.join(tables)}"
        self.memory = memory
        self.db_path = db_path
        self._scope_of = scope_of
        scope = memory.scope(agent=self.agent, user=user)
        super().__init__(scope._runtime, scope, session_id, settings)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    def close(self) -> None:
        """Let go of the database; whoever uses the session after that gets `ClosedError`. Twice is harmless."""
        self._runtime = cast("Runtime", _CLOSED)
        if self._lease is not None:
            self._lease.give_back()

    def of(self, wrapper: RunContextWrapper[Any] | None) -> AsyncSession:
        """Return the same session in the scope that a run's context chooses.

        Raises:
            InvalidError: there is no context to choose by, or it chooses no scope.
        """
        if self._scope_of is None:
            return self
        if wrapper is None:
            raise InvalidError(
                "the scope of this session depends on the run's context; pass wrapper=", argument="wrapper"
            )
        if self._runtime is cast("Runtime", _CLOSED):
            raise _CLOSED.error()
        chosen = self._scope_of(wrapper)
        if isinstance(chosen, str):
            chosen = self.memory.scope(agent=self.agent, user=chosen)
        if not isinstance(chosen, AsyncScope):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidError("scope_of must return a scope or a user id", argument="scope_of")
        return AsyncSession(
            chosen._runtime,  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            chosen,
            self.session_id,
            self.session_settings,
        )

    async def get_items(self, limit: int | None = None, *, wrapper: Any = None) -> list[Body]:
        """Return the newest `limit` items, oldest first; without a limit that of the settings, else all."""
        if self._scope_of is None:
            return await super().get_items(limit)
        return await self.of(wrapper).get_items(limit)

    async def add_items(self, items: list[TResponseInputItem], *, wrapper: Any = None) -> None:
        """Add items to the end of the log, all or none; they are durable when this returns."""
        if self._scope_of is None:
            return await super().add_items(items)
        return await self.of(wrapper).add_items(items)

    async def pop_item(self, *, wrapper: Any = None) -> Body | None:
        """Remove the newest item and return it; None where there is none."""
        if self._scope_of is None:
            return await super().pop_item()
        return await self.of(wrapper).pop_item()

    async def clear_session(self, *, wrapper: Any = None) -> None:
        """Remove every item."""
        if self._scope_of is None:
            return await super().clear_session()
        return await self.of(wrapper).clear_session()


class _Closed:
    """Stands where the parts of the memory were."""

    def __getattr__(self, name: str) -> NoReturn:
        raise self.error()

    def error(self) -> ClosedError:
        """Return what a closed session answers."""
        return ClosedError("this session is closed; create a new one", reason="closed")


_CLOSED = _Closed()
