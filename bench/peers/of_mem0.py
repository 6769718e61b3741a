"""mem0 with its embedded Qdrant, and `infer=False`: texts are kept as they are, no model is asked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

os.environ.setdefault("OPENAI_API_KEY", "unused")  # its clients are made, and never called

from mem0 import Memory
from vectors import Vectors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Known:
    """What mem0 expects of an embedder."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:  # noqa: ARG002
        return self._vectors([text])[0].tolist()

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:  # noqa: ARG002
        return self._vectors(texts).tolist()


class Peer:
    def __init__(self, folder: Path, vectors: Path) -> None:
        known = Vectors(vectors)
        store = {
            "path": str(folder / "qdrant"),
            "collection_name": "memories",
            "embedding_model_dims": known.dimensions,
            "on_disk": True,
        }
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": store},
                "history_db_path": str(folder / "history.db"),
            }
        )
        self._memory.embedding_model = Known(known)
        self._ids: dict[str, str] = {}

    def add(self, space: str, memories: Sequence[dict[str, Any]]) -> None:
        messages = [{"role": each["role"], "content": each["text"]} for each in memories]
        kept = self._memory.add(messages, user_id=space, infer=False)["results"]
        self._ids.update({mine["id"]: each["id"] for mine, each in zip(kept, memories, strict=True)})

    def find(self, space: str, query: str, limit: int) -> list[str]:
        found = self._memory.search(query, top_k=limit, filters={"user_id": space}, threshold=0.0)
        return [self._ids.get(each["id"], "") for each in found["results"]]

    def close(self) -> None:
        self._memory.vector_store.client.close()
