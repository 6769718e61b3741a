"""A turn: its items are stored in one transaction when it succeeds, or not at all."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, cast

from bethink.errors import ClosedError
from bethink.sessions import turn_commit
from bethink.sessions.item_json import decode
from bethink.sessions.item_rows import new_items
from bethink.sessions.turns import tools_called

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import TracebackType

    from bethink.memory.session import AsyncSession
    from bethink.scope.namespace import Namespace
    from bethink.sessions.log_append import NewItem
    from bethink.sessions.values import Body, Head


def default_limit(settings: Any) -> int | None:
    """Return the limit of the SDK's session settings, which may be an object or a mapping."""
    if isinstance(settings, Mapping):
        return cast("Mapping[str, Any]", settings).get("limit")
    return None if settings is None else settings.limit


class AsyncTurn:
    """A session for the length of one turn. It reads its own writes; others see them after the commit.

    On success, or on an interruption for approval, everything is committed at once. On an error nothing is
    stored but an attempt record: the kind of the error and the tools that had been called.

    With an `operation` id a turn is stored once, however often it is played; `asked` is what the id stands for, as
    the items differ from one time to the next.
    """

    def __init__(
        self, session: AsyncSession, *, operation: str | None = None, asked: str | None = None
    ) -> None:
        self._session = session
        self._operation = operation
        self._asked = asked
        self._pending: list[NewItem] = []
        self._removed = 0
        self._state: str = "new"
        self.head: Head | None = None  #: where the session stood at the start, and stands after the commit

    @property
    def session_id(self) -> str:
        """Return the id of the session."""
        return self._session.session_id

    @property
    def namespace(self) -> Namespace:
        """Return where the session lives."""
        return self._session.scope.namespace

    @property
    def pending(self) -> Sequence[NewItem]:
        """Return the items of the turn so far, which are not stored yet."""
        return tuple(self._pending)

    @property
    def session_settings(self) -> Any:
        """Return the settings of the session."""
        return self._session.session_settings

    async def __aenter__(self) -> Self:
        if self._state != "new":
            raise ClosedError(
                "a turn can be used only once; call session.turn() for the next one", reason="used"
            )
        self.head = await self._session.head()
        self._state = "open"
        self._session._runtime.turns.append(self)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._state = "closed"
        session = self._session
        under_way = session._runtime.turns  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        if self in under_way:
            under_way.remove(self)
        if kind is not None:
            calls = tools_called([body for item in self._pending if (body := decode(item.body))])
            await session._runtime.write(  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
                "write",
                turn_commit.record_attempt,
                session.scope.namespace,
                session.session_id,
                error=kind.__name__,
                calls=calls,
                writing=session._runtime.writing(),  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            )
            return
        if self._pending or self._removed:
            self.head = await session._runtime.write(  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
                "write",
                turn_commit.commit,
                session.scope.namespace,
                session.session_id,
                self._pending,
                removed=self._removed,
                expected=self.head.revision if self.head else 0,
                operation=self._operation,
                asked=self._asked,
                writing=session._runtime.writing(),  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            )
            if self.namespace in session._runtime.waiting:  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
                from bethink.memory.note_proposals import confirm

                await confirm(session._runtime, self.namespace, session.session_id)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            if self._removed:
                session._runtime.recent.drop(session.scope.namespace, session.session_id)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            for mirror in session._runtime.mirrors:  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
                await mirror._after_turn(session.scope.namespace, session.session_id)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    async def append(self, items: Iterable[Mapping[str, Any]], *, origin: str = "chat") -> None:
        """Add items to the turn.

        Raises:
            InvalidError: an item is not a JSON object.
            ClosedError: the turn is over.
        """
        self._check_open()
        session = self._session
        now = session._runtime.now()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        self._pending += new_items(items, at=None, speaker=None, origin=origin, now=now)

    async def get_items(self, limit: int | None = None, *, wrapper: Any = None) -> list[Body]:  # noqa: ARG002
        """Return the newest `limit` items with those of this turn, oldest first."""
        self._check_open()
        if limit is None:
            limit = default_limit(self.session_settings)
        if limit is not None and limit <= 0:
            return []
        own = [body for item in self._pending if (body := decode(item.body)) is not None]
        if limit is not None and len(own) >= limit:
            return own[-limit:]
        rest = None if limit is None else limit - len(own) + self._removed
        # Where stored items are to be removed, their own log is read: a summary in their place has other numbers.
        read = self._session._log if self._removed else self._session._all_or  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        stored = await read(rest)
        if self._removed:
            stored = stored[: -self._removed]
        return [*stored, *own]

    async def add_items(self, items: list[Any], *, wrapper: Any = None) -> None:  # noqa: ARG002
        """Add items to the turn."""
        await self.append(items)

    async def pop_item(self, *, wrapper: Any = None) -> Body | None:  # noqa: ARG002
        """Remove the newest item and return it; one that was stored before is removed at the commit."""
        self._check_open()
        if self._pending:
            return decode(self._pending.pop().body)
        stored = await self._session._log(self._removed + 1)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        if len(stored) <= self._removed:
            return None
        self._removed += 1
        return copy.deepcopy(stored[0])

    async def clear_session(self, *, wrapper: Any = None) -> None:  # noqa: ARG002
        """Remove everything; what was stored before is removed at the commit."""
        self._check_open()
        self._pending.clear()
        self._removed = self.head.count if self.head else 0

    def _check_open(self) -> None:
        if self._state != "open":
            raise ClosedError("the turn is not open; use it inside `async with`", reason=self._state)
