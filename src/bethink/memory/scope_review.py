"""Review verbs of a scope: list, approve or reject quarantined and pending notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, get_args

from bethink.errors import InvalidError
from bethink.memory.scope_handle import ScopeHandle
from bethink.memory.scope_notes import page_of
from bethink.notes import transactions
from bethink.notes.checks import check_key
from bethink.notes.values import Wait, withheld_text
from bethink.pages import Page, check_limit, from_cursor

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bethink.lifecycle.review_reasons import Waiting
    from bethink.notes.values import Note

WAITS: Final[tuple[Wait, ...]] = get_args(Wait)
MAX_DECIDED: Final = 1_000  #: notes that are decided about at once


class ReviewVerbs(ScopeHandle):
    """Review verbs of a scope."""

    async def quarantine(self, *, limit: int = 100, cursor: str | None = None) -> Page[Note]:
        """List the notes that the guard quarantined.

        `approve` or `reject` them; `review` says why each waits.

        Args:
            limit: Maximum number of results.
            cursor: The `next` of the previous page.
        """
        return await self._waiting("quarantined", limit, cursor)

    async def review(
        self, *, status: Wait | None = None, limit: int = 100, cursor: str | None = None
    ) -> Page[Waiting]:
        """List the notes that are waiting for review, with the reasons.

        `quarantined` are those that read like an order to the model, `pending` those of an agent that the user's own
        words do not carry. Neither is in a context, nor recalled unless it is asked for.

        Args:
            status: pending or quarantined.
            limit: Maximum number of results.
            cursor: The `next` of the previous page.

        Raises:
            InvalidError: the status is neither.
        """
        from bethink.lifecycle.review_reasons import with_reasons

        if status is not None and status not in WAITS:
            raise InvalidError("status must be 'pending' or 'quarantined'", argument="status")
        found = await self._waiting(status, limit, cursor)
        guard = self._runtime.guard
        reasons = await self._runtime.store.call(lambda: [with_reasons(note, guard) for note in found])
        return Page(tuple(reasons), found.total, found.next)

    async def approve(self, id: str) -> Note:  # noqa: A002
        """Approve a note that is waiting for review, so that it is recalled.

        Args:
            id: The id of a note.

        Raises:
            NotFoundError: there is no such note that waits.
        """
        return (await self.decide(approve=[id]))[0]

    async def reject(self, id: str) -> Note:  # noqa: A002
        """Reject and forget a note that is waiting for review.

        Args:
            id: The id of a note.

        Raises:
            NotFoundError: there is no such note that waits.
        """
        return (await self.decide(reject=[id]))[0]

    async def decide(self, *, approve: Iterable[str] = (), reject: Iterable[str] = ()) -> list[Note]:
        """Approve and reject notes that are waiting for review, all of them or none.

        An approved note takes the place of one that has its key by now, which stays in the history.

        Args:
            approve: The ids of notes to approve.
            reject: The ids of notes to reject.

        Raises:
            NotFoundError: one of them is not there, or does not wait; `id` says which.
            InvalidError: a note is named twice, or more than a thousand are.
            DeniedError: the principal may not write here.
        """
        approved = [check_key(each) for each in approve]
        rejected = [check_key(each) for each in reject]
        named = [*approved, *rejected]
        if len(set(named)) < len(named):
            raise InvalidError("each note may be named only once, in approve or in reject", argument="reject")
        if len(named) > MAX_DECIDED:
            raise InvalidError(f"at most {MAX_DECIDED} notes can be reviewed at once", argument="approve")
        if not named:
            await self._runtime.check("write", self.namespace)
            return []
        return await self._runtime.answer(
            "write",
            transactions.decide_waiting,
            self.namespace,
            lambda notes: [withheld_text(note) for note in notes],
            approved,
            rejected,
            only=WAITS,
            writing=self._runtime.writing(),
        )

    async def _waiting(self, status: Wait | None, limit: int, cursor: str | None) -> Page[Note]:
        limit = check_limit(limit)
        before = from_cursor(cursor, int, int) if cursor is not None else transactions.FOREVER
        found, total = await self._runtime.read(
            transactions.waiting_notes,
            self.namespace,
            status=status,
            limit=limit + 1,
            before=(before[0], before[1]),
        )
        return page_of(found, total, limit)
