"""LangGraph's InMemoryStore with an index: it keeps nothing on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langgraph.store.base import PutOp
from langgraph.store.memory import InMemoryStore
from vectors import Vectors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Peer:
    def __init__(self, folder: Path, vectors: Path) -> None:  # noqa: ARG002 - nothing is kept
        known = Vectors(vectors)
        self._store = InMemoryStore(
            index={
                "dims": known.dimensions,
                "embed": lambda texts: known(texts).tolist(),
                "fields": ["text"],
            }
        )

    def add(self, space: str, memories: Sequence[dict[str, Any]]) -> None:
        held: dict[str, PutOp] = {}  # a batch must not have a text twice: the store would refuse it
        for each in memories:
            if each["text"] in held:
                self._store.batch(list(held.values()))
                held = {}
            held[each["text"]] = PutOp((space,), each["id"], {"text": each["text"]})
        self._store.batch(list(held.values()))

    def find(self, space: str, query: str, limit: int) -> list[str]:
        return [each.key for each in self._store.search((space,), query=query, limit=limit)]

    def close(self) -> None:
        pass
