"""The session that the agent runner sees: the window of the log, and appends to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from bethink.memory.turn import AsyncTurn

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.memory.session import AsyncSession
    from bethink.sessions.values import Body


class ChatTurn(AsyncTurn):
    """A turn that begins with the window of its session, and not with the whole log."""

    def __init__(
        self, session: AsyncSession, *, origin: str, operation: str | None = None, asked: str | None = None
    ) -> None:
        super().__init__(session, operation=operation, asked=asked)
        self._origin = origin
        self.shown: list[Body] = []  #: the window

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        self.shown = await self._session.window()
        return self

    async def get_items(self, limit: int | None = None, *, wrapper: Any = None) -> list[Body]:  # noqa: ARG002
        """Return the window and what was said since; a limit takes the newest of them."""
        own = await super().get_items(len(self._pending))
        found = [*self.shown, *own]
        return found if limit is None else found[max(0, len(found) - limit) :]

    async def add_items(self, items: list[Any], *, wrapper: Any = None) -> None:  # noqa: ARG002
        """Add items to the turn."""
        await self.append(items, origin=self._origin)

    async def tried(self, tools: Iterable[str]) -> None:
        """Name tools that were called before the turn failed: one that crashed has left nothing else."""
        await self.append([{"type": "function_call", "name": name} for name in tools])
