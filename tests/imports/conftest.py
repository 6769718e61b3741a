"""Files as other systems write them, and one way to bring them in."""

from __future__ import annotations

import asyncio
import json

import pytest

from bethink import AsyncMemory, Memory
from bethink.imports.format_detection import open_source
from bethink.imports.service import ingest


@pytest.fixture
def bring(tmp_path):
    """Bring a file in, as the command does."""

    def run(path, *, user=None, wanted=None, db="memory.db", key=None, **options):
        async def work():
            async with AsyncMemory(tmp_path / db) as memory:
                source = open_source(path, user=user, wanted=wanted, key=key)
                return await ingest(
                    memory,
                    source.entries,
                    agent="default",
                    user=user,
                    session="dashboard",
                    format=source.format,
                    **options,
                )

        return asyncio.run(work())

    return run


@pytest.fixture
def memory(tmp_path):
    """The memory that things are brought into."""
    with Memory(tmp_path / "memory.db") as opened:
        yield opened


@pytest.fixture
def write(tmp_path):
    """Write a file of JSON, or of lines of it."""

    def run(name, *values, lines=False):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(values[0], bytes):
            path.write_bytes(values[0])
        elif isinstance(values[0], str):
            path.write_text(values[0], encoding="utf-8")
        elif lines:
            path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
        else:
            path.write_text(json.dumps(values[0]), encoding="utf-8")
        return path

    return run
