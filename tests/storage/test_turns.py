"""A process that holds the turn to write and was stopped keeps nobody waiting for ever."""

from __future__ import annotations

import fcntl

import pytest

from bethink import Memory
from bethink.errors import StorageError
from bethink.settings import Settings


def test_opening_a_new_file_gives_up_on_a_turn_that_never_comes(tmp_path):
    path = tmp_path / "memory.db"
    with (tmp_path / "memory.db-lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(StorageError) as caught:
            Memory(str(path), embedder=None, settings=Settings(busy_seconds=0.1)).close()
        assert caught.value.reason == "busy"
        assert "memory.db-lock" in str(caught.value)
    with Memory(str(path), embedder=None) as memory:
        memory.scope(user="alice").remember("Prefers aisle seats.")
