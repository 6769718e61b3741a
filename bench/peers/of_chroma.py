"""Chroma in its own folder, a collection a space, with cosine distances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import chromadb
from chromadb.config import Settings
from vectors import Vectors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MAX = 5_000  #: what it takes in one call


class Peer:
    def __init__(self, folder: Path, vectors: Path) -> None:
        self._vectors = Vectors(vectors)
        self._client = chromadb.PersistentClient(
            path=str(folder), settings=Settings(anonymized_telemetry=False)
        )

    def _collection(self, space: str) -> Any:
        return self._client.get_or_create_collection(
            space, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )

    def add(self, space: str, memories: Sequence[dict[str, Any]]) -> None:
        collection = self._collection(space)
        for start in range(0, len(memories), MAX):
            part = memories[start : start + MAX]
            texts = [each["text"] for each in part]
            collection.add(
                ids=[each["id"] for each in part], documents=texts, embeddings=self._vectors(texts)
            )

    def find(self, space: str, query: str, limit: int) -> list[str]:
        found = self._collection(space).query(query_embeddings=self._vectors([query]), n_results=limit)
        return found["ids"][0]

    def close(self) -> None:
        self._client.close()
