"""A LangChain retriever over recall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import PrivateAttr

from bethink.integrations.async_and_blocking import both_faces
from bethink.integrations.langchain.user_from_context import RunUser
from bethink.storage.stores import run

if TYPE_CHECKING:
    from bethink.memory.memory import AsyncMemory
    from bethink.recall.values import Hit
    from bethink.sync import Memory


class BethinkRetriever(BaseRetriever):
    """Finds what is remembered of a user: notes, and what was said.

    Args:
        memory: an opened memory.
        agent: whose memory it is.
        user: the user of every call; or
        user_key: the field that names the user, of the run's context or of `configurable`. A call without it fails.
        k: how many documents are returned at most.
        kinds: `note`, `item`, or both.
    """

    k: int = 4
    kinds: tuple[Literal["note", "item"], ...] = ("note", "item")
    agent: str = "langchain"
    _memories: Any = PrivateAttr()
    _whose: RunUser = PrivateAttr()

    def __init__(
        self,
        memory: Memory | AsyncMemory,
        *,
        user: str | None = None,
        user_key: str | None = "user_id",
        **fields: Any,
    ) -> None:
        super().__init__(**fields)
        self._memories = both_faces(memory)
        self._whose = RunUser(user, user_key)

    def _get_relevant_documents(self, query: str, **options: Any) -> list[Document]:
        return run(self._found(self._memories.driven, query, options.get("k")))

    async def _aget_relevant_documents(self, query: str, **options: Any) -> list[Document]:
        return await self._found(self._memories.awaited, query, options.get("k"))

    async def _found(self, memory: AsyncMemory, query: str, k: int | None) -> list[Document]:
        scope = memory.scope(agent=self.agent, user=self._whose.found())
        hits = await scope.recall(query, limit=self.k if k is None else k, kinds=self.kinds)
        return [_document(hit) for hit in hits]


def _document(hit: Hit) -> Document:
    """Return a hit as a document: its text, and in the metadata where it is from."""
    if hit.note is not None:
        note = hit.note
        return Document(
            id=note.id,
            page_content=hit.text,
            metadata={
                "kind": "note",
                "score": hit.score,
                "category": note.category,
                "keywords": list(note.keywords),
                "session": note.session,
            },
        )
    item = hit.item
    found = {} if item is None else {"session": item.session, "seq": item.seq, "speaker": item.speaker}
    return Document(
        id=None if item is None else item.id,
        page_content=hit.text,
        metadata={"kind": "item", "score": hit.score, **found},
    )
