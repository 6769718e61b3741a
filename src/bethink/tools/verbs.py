"""The protocol of what tools need of a memory: a few verbs of a scope, pools and teams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from bethink.documents.values import Document, DocumentHit
    from bethink.lifecycle.review_reasons import Waiting
    from bethink.notes.values import Door, Note
    from bethink.pages import Page
    from bethink.recall.values import Recall, TimelineEntry


class DocumentVerbs(Protocol):
    """What tools do with documents."""

    async def find(self, path: str = ..., *, limit: int = ..., cursor: str | None = None) -> Page[Document]:
        """List documents."""
        ...

    async def shown(self, path: str, key: str, *, most: int = ...) -> str | None:
        """Return a document as a text that a model may be shown."""
        ...

    async def put(
        self,
        path: str,
        key: str,
        value: Any,
        *,
        expected: int | None = None,
        index: Sequence[str] | bool = False,
    ) -> Document:
        """Keep a value."""
        ...

    async def delete(self, path: str, key: str, *, expected: int | None = None) -> bool:
        """Remove a document."""
        ...

    async def search(self, query: str, path: str = ..., *, limit: int = ...) -> list[DocumentHit]:
        """Find documents by their indexed fields."""
        ...


class ScopeVerbs(Protocol):
    """What tools do with a scope; the scopes of a memory have it."""

    @property
    def documents(self) -> DocumentVerbs:
        """Return the documents of the scope."""
        ...

    async def propose(
        self,
        text: str,
        *,
        session: str | None = None,
        key: str | None = None,
        category: str = ...,
        keywords: Iterable[str] = (),
        metadata: Mapping[str, Any] | None = None,
        family: str = ...,
        door: Door = ...,
    ) -> Note:
        """Hand in a note that a model wrote."""
        ...

    async def get(self, key_or_id: str) -> Note | None:
        """Return a note by its key."""
        ...

    async def notes(self, *, session: str | None = None, limit: int = ...) -> Page[Note]:
        """List the global notes, or those of a session, the newest first."""
        ...

    async def recall(
        self,
        query: str,
        *,
        limit: int = ...,
        kinds: Collection[str] = ...,
        session: str | Collection[str] | None = None,
        roles: Collection[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        answering: str | None = None,
    ) -> Recall:
        """Find what answers a question."""
        ...

    async def timeline(
        self,
        query: str | None = None,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = ...,
        cursor: str | None = None,
        session: str | Collection[str] | None = None,
        roles: Collection[str] | None = None,
    ) -> Page[TimelineEntry]:
        """List what was said and learned about a matter in the order of time."""
        ...

    async def review(
        self, *, status: Literal["pending", "quarantined"] | None = ..., limit: int = ...
    ) -> Page[Waiting]:
        """List the notes that wait for a decision."""
        ...

    async def forget(self, key_or_id: str) -> Note:
        """Hide a note."""
        ...

    async def stand_ins(self) -> Sequence[ScopeVerbs]:
        """Return the scopes that stand in for this one while it is empty."""
        ...


class SharedScopes(Protocol):
    """Where pools and teams are found; a memory is such a place."""

    def pool(self, name: str) -> ScopeVerbs:
        """Return the scope of a pool."""
        ...

    def team(self, name: str) -> ScopeVerbs:
        """Return the scope of a team."""
        ...


class WorkspaceVerbs(Protocol):
    """What tools do with a workspace."""

    async def command(self, command: Mapping[str, Any]) -> str:
        """Do one command of the memory tool."""
        ...
