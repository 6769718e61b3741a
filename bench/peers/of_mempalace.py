"""MemPalace with its exact SQLite backend: a wing a space, a drawer a memory, words and vectors both searched."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

os.environ["MEMPALACE_BACKEND"] = "sqlite_exact"

import mempalace.embedding as embedding  # noqa: PLR0402
from mempalace.palace import get_collection
from mempalace.searcher import search_memories
from vectors import Vectors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Known:
    """What MemPalace expects of an embedder."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def __call__(self, input: Sequence[str]) -> list[Any]:  # noqa: A002
        return list(self._vectors(list(input)))

    def embed_query(self, input: Sequence[str]) -> list[Any]:  # noqa: A002
        return self(input)

    @staticmethod
    def name() -> str:
        return "default"


class Peer:
    def __init__(self, folder: Path, vectors: Path) -> None:
        known = Known(Vectors(vectors))
        embedding.get_embedding_function = lambda device=None, model=None: known  # noqa: ARG005 - it would fetch one
        self._path = str(folder / "palace")
        os.makedirs(self._path, exist_ok=True)  # noqa: PTH103
        self._drawers = get_collection(self._path, create=True)

    def add(self, space: str, memories: Sequence[dict[str, Any]]) -> None:
        self._drawers.upsert(
            documents=[each["text"] for each in memories],
            ids=[f"{space}|{each['id']}" for each in memories],
            metadatas=[
                {
                    "wing": space,
                    "room": each["session"],
                    "source_file": f"{space}/{each['id']}",
                    "chunk_index": 0,
                    "added_by": "bench",
                    "filed_at": each["at"] or "2024-01-01T00:00:00",
                }
                for each in memories
            ],
        )

    def find(self, space: str, query: str, limit: int) -> list[str]:
        found = search_memories(query, self._path, wing=space, n_results=limit, candidate_strategy="union")
        return [each["drawer_id"].partition("|")[2] for each in found["results"]]

    def close(self) -> None:
        self._drawers.close()
