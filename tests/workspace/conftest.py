"""A memory on a file, a directory beside it, and runs to note."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from bethink import Memory

START = datetime(2026, 5, 4, 9, tzinfo=UTC)


@dataclass
class Clock:
    """A clock that goes on by a minute whenever it is looked at."""

    at: datetime = field(default=START)

    def __call__(self):
        self.at += timedelta(minutes=1)
        return self.at


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def memory(tmp_path, clock):
    with Memory(str(tmp_path / "memory.db"), embedder=None, clock=clock) as opened:
        yield opened


@pytest.fixture
def scope(memory):
    return memory.scope(agent="reviewer", user="alice")


@pytest.fixture
def root(tmp_path):
    return tmp_path / "project"
