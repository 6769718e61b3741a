"""Bethink as it is installed: its own embedder, which it runs itself, and a file that is flushed at each commit."""

from __future__ import annotations

import os
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

from bethink import Memory

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Peer:
    def __init__(self, folder: Path, vectors: Path | None) -> None:  # noqa: ARG002 - it makes its own
        self._memory = Memory(str(folder / "memory.db"), **_embedder())
        self._ids: dict[str, dict[tuple[str, int], str]] = {}

    def add(self, space: str, memories: Sequence[dict[str, Any]]) -> None:
        scope, ids = self._memory.scope(user=space), self._ids.setdefault(space, {})
        for session, group in groupby(memories, key=lambda each: each["session"]):
            part = list(group)
            head = scope.session(session).append(
                [{"role": each["role"], "content": each["said"]} for each in part],
                at=[datetime.fromisoformat(each["at"]) if each["at"] else None for each in part],
                speaker=[each["speaker"] for each in part],
            )
            ids.update({(session, head.seq - len(part) + n): each["id"] for n, each in enumerate(part, 1)})

    def find(self, space: str, query: str, limit: int) -> list[str]:
        ids = self._ids.get(space, {})
        found = self._memory.scope(user=space).recall(query, limit=limit, kinds=("item",))
        places = [(hit.item.session, hit.item.seq) for hit in found if hit.item is not None]
        return [ids.get(place, "") for place in places]

    def close(self) -> None:
        self._memory.close()


def _embedder() -> dict[str, Any]:
    """Return a transformer instead of the default embedder, where the driver names its folder."""
    folder = os.environ.get("BENCH_ONNX")
    if folder is None:
        return {}
    from bethink.models.onnx import OnnxEmbedder

    return {"embedder": OnnxEmbedder(folder)}
