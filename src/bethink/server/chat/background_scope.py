"""The scope of a background run: long-term memory without conversations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from bethink.notes.values import CONVERSATION
from bethink.pages import Page

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from bethink.lifecycle.inject.values import Context
    from bethink.memory.scope import AsyncScope
    from bethink.notes.values import Door, Note
    from bethink.recall.values import Recall

WIDER: Final = 4  #: times as many are asked for, where too many were of conversations
MAX: Final = 1_000


class BackgroundScope:
    """A scope as the tools of a background run have it."""

    def __init__(self, scope: AsyncScope) -> None:
        self._scope = scope

    async def propose(
        self,
        text: str,
        *,
        session: str | None = None,  # noqa: ARG002
        key: str | None = None,
        category: str = "core",
        keywords: Iterable[str] = (),
        metadata: Mapping[str, Any] | None = None,
        family: str = "private",
        door: Door = "background",  # noqa: ARG002
    ) -> Note:
        """Hand in a global note; what a tool would stage is one, too: there is no session here."""
        return await self._scope.propose(
            text,
            key=key,
            category="core" if family == "notes" else category,
            keywords=keywords,
            metadata=metadata,
            family=family,
            door="background",
        )

    async def get(self, key_or_id: str) -> Note | None:
        """Return a note by its key."""
        note = await self._scope.get(key_or_id)
        return None if note is None or _of_conversation(note) else note

    async def notes(self, *, session: str | None = None, limit: int = 100) -> Page[Note]:  # noqa: ARG002
        """List the global notes, the newest first."""
        kept: list[Note] = []
        cursor: str | None = None
        while True:
            page = await self._scope.notes(limit=limit, cursor=cursor)
            kept += [note for note in page if not _of_conversation(note)]
            cursor = page.next
            if cursor is None or len(kept) >= limit:
                return Page(tuple(kept[:limit]), len(kept), None)

    async def recall(self, query: str, *, limit: int = 10, kinds: Collection[str] = ("note",)) -> Recall:  # noqa: ARG002
        """Find the notes that answer a question; what was said in conversations is none of them."""
        wide = limit
        while True:
            found = await self._scope.recall(query, limit=wide, kinds=("note",))
            hits = [hit for hit in found if hit.note is not None and not _of_conversation(hit.note)]
            if len(hits) >= limit or len(found) < wide or wide == MAX:
                return replace(found, hits=tuple(hits[:limit]))
            wide = min(wide * WIDER, MAX)

    async def forget(self, key_or_id: str) -> Note:
        """Hide a note."""
        return await self._scope.forget(key_or_id)

    async def stand_ins(self) -> list[BackgroundScope]:
        """Return the scopes that stand in for this one while it is empty."""
        return [BackgroundScope(each) for each in await self._scope.stand_ins()]

    async def context(self, *, session: str | None = None, query: str | None = None) -> Context:  # noqa: ARG002
        """Return what to put before the run."""
        return await self._scope.context(query=query, without=CONVERSATION)


def _of_conversation(note: Note) -> bool:
    return note.category == CONVERSATION or note.session is not None
