"""A session store of your own, and how it is tested: pytest examples/custom_session.py

`FolderSession` keeps each conversation in a file of JSON lines. The suite that Bethink's own sessions pass runs on it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from bethink.testing.agent_sessions import AgentSessionConformance

LOCKS: defaultdict[Path, asyncio.Lock] = defaultdict(asyncio.Lock)


class FolderSession:
    """A session of the OpenAI Agents SDK: four methods, an id, and settings."""

    session_settings = None

    def __init__(self, session_id: str, folder: Path) -> None:
        self.session_id = session_id
        self._path = folder / f"{hashlib.sha256(session_id.encode()).hexdigest()}.jsonl"

    async def get_items(self, limit: int | None = None) -> list[Any]:
        items = [json.loads(line) for line in self._lines()]
        return items if limit is None else items[-limit:] if limit > 0 else []

    async def add_items(self, items: list[Any]) -> None:
        lines = [json.dumps(item) for item in items]  # all of them before the first is written
        async with LOCKS[self._path]:
            self._write([*self._lines(), *lines])

    async def pop_item(self) -> Any:
        async with LOCKS[self._path]:
            *rest, last = self._lines() or [None]
            if last is None:
                return None
            self._write(rest)
            return json.loads(last)

    async def clear_session(self) -> None:
        async with LOCKS[self._path]:
            self._write([])

    def _lines(self) -> list[str]:
        return self._path.read_text(encoding="utf-8").splitlines() if self._path.exists() else []

    def _write(self, lines: list[str]) -> None:
        beside = self._path.with_suffix(".new")
        beside.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        beside.replace(self._path)


class TestFolderSession(AgentSessionConformance):
    """The suite, on ours."""

    @pytest.fixture
    def make(self, tmp_path: Path) -> Any:
        return lambda session_id: FolderSession(session_id, tmp_path)
