"""What a person decides about the notes that the guard set aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.memory.place import Place
from bethink.memory.scope_notes import page_of
from bethink.notes import units
from bethink.notes.checks import check_word
from bethink.notes.values import withheld
from bethink.pages import check_limit, from_cursor

if TYPE_CHECKING:
    from typing import Literal

    from bethink.notes.values import Note, Status
    from bethink.pages import Page


class ReviewVerbs(Place):
    """The verbs of the quarantine."""

    async def quarantine(self, *, limit: int = 100, cursor: str | None = None) -> Page[Note]:
        """List the notes that wait for a decision: `approve` or `reject` them."""
        limit = check_limit(limit)
        before = from_cursor(cursor, int, int) if cursor is not None else units.FOREVER
        found, total = await self._runtime.read(
            units.listing,
            self.namespace,
            now=self._runtime.now(),
            status="quarantined",
            everywhere=True,
            limit=limit + 1,
            before=(before[0], before[1]),
        )
        return page_of(found, total, limit)

    async def approve(self, id: str) -> Note:  # noqa: A002
        """Let a quarantined note be recalled.

        Raises:
            NotFoundError: there is no such quarantined note.
        """
        return await self._decide(id, "approved", "active")

    async def reject(self, id: str) -> Note:  # noqa: A002
        """Forget a quarantined note.

        Raises:
            NotFoundError: there is no such quarantined note.
        """
        return await self._decide(id, "rejected", "forgotten")

    async def _decide(self, word: str, reason: Literal["approved", "rejected"], status: Status) -> Note:
        return await self._runtime.answer(
            "write",
            units.change,
            self.namespace,
            withheld,
            check_word(word),
            reason,
            writing=self._runtime.writing(),
            only=("quarantined",),
            status=status,
            outcome=reason if reason == "approved" else None,
        )
