"""The handle of a session: its log, its window and its notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bethink.errors import InvalidError
from bethink.memory.session_details import DetailVerbs
from bethink.memory.session_log import LogVerbs
from bethink.memory.turn import AsyncTurn, default_limit
from bethink.sessions import log_bodies, log_fork, log_lookup, log_removal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.notes.values import Note
    from bethink.sessions.values import Body

FEW = 100  #: items that are read so quickly that no thread is asked for it


class AsyncSession(LogVerbs, DetailVerbs):
    """A log of items. An append is atomic and visible to every later read.

    The same object is a session of the OpenAI Agents SDK: `get_items`, `add_items`, `pop_item` and
    `clear_session` behave as the SDK wants them, and `wrapper=` is accepted by all four.
    """

    async def fork(self, at: int | None, name: str) -> AsyncSession:
        """Copy the session, or its beginning, into a new session.

        It is copied up to the item with `seq` `at` (None: all of it); the new session is returned.

        Args:
            at: The `seq` of the last item to copy; everything by default.
            name: The name of the new session.

        Raises:
            NotFoundError: there is no such session or item.
            ConflictError: the name is taken.
        """
        whole = isinstance(at, int) and not isinstance(at, bool)  # pyright: ignore[reportUnnecessaryIsInstance]
        if at is not None and not (whole and 0 <= at <= log_lookup.END):
            raise InvalidError(
                "at must be the `seq` of an item, or None for the whole session", argument="at"
            )
        await self._runtime.check("read", self.scope.namespace)
        await self._runtime.on_time(self.scope.namespace)
        target = AsyncSession(self._runtime, self.scope, name, self.session_settings)
        await self._runtime.write(
            "write",
            log_fork.fork,
            self.scope.namespace,
            self.session_id,
            at,
            target.session_id,
            writing=self._runtime.writing(),
        )
        target._written()
        return target

    async def remember(self, text: str, *, keywords: Iterable[str] = (), key: str | None = None) -> Note:
        """Store a note that belongs to this session until it is consolidated.

        Args:
            text: The text of the note, a sentence or two.
            keywords: Labels, such as seat or hotel.
            key: A name for the note; the active note with this key is superseded.
        """
        return await self.scope.stage(self.session_id, text, keywords=keywords, key=key)

    # ---- a turn ---------------------------------------------------------------------------------------------

    def turn(self) -> AsyncTurn:
        """Return a session that reads its own writes and stores them when the turn has succeeded.

        Use it as `async with session.turn() as t`, and pass `t` to the runner.
        """
        return AsyncTurn(self)

    # ---- a session of the OpenAI Agents SDK -------------------------------------------------------------------

    async def get_items(self, limit: int | None = None, *, wrapper: Any = None) -> list[Body]:  # noqa: ARG002
        """Return the newest `limit` items, oldest first; the default limit is that of `session_settings`, or none."""
        if limit is None:
            limit = default_limit(self.session_settings)
        if limit is not None and limit <= 0:
            return []
        return await self._all_or(limit)

    async def _all_or(self, limit: int | None) -> list[Body]:
        """Read what a runner is shown."""
        return await self._log(limit)

    async def _log(self, limit: int | None) -> list[Body]:
        runtime, namespace = self._runtime, self.scope.namespace
        if limit is None or limit > FEW:
            return await runtime.read_log(log_bodies.bodies, namespace, self.session_id, limit)
        return await runtime.read_log_inline(
            log_bodies.recent_bodies, namespace, self.session_id, limit, recent=runtime.recent
        )

    async def add_items(self, items: list[Any], *, wrapper: Any = None) -> None:  # noqa: ARG002
        """Add items to the end of the log, all or none."""
        await self.append(items)

    async def pop_item(self, *, wrapper: Any = None) -> Body | None:  # noqa: ARG002
        """Remove the newest item and return it; None if the session is empty."""
        await self._runtime.check("read", self.scope.namespace)
        await self._runtime.on_time(self.scope.namespace)
        _, removed = await self._runtime.write(
            "delete",
            log_removal.remove_newest,
            self.scope.namespace,
            self.session_id,
            lambda bodies: 1 if bodies else None,
            writing=self._runtime.writing(),
            reason="popped",
        )
        self._runtime.recent.drop(self.scope.namespace, self.session_id)
        return removed[-1] if removed else None

    async def clear_session(self, *, wrapper: Any = None) -> None:  # noqa: ARG002
        """Remove every item."""
        await self.clear()
