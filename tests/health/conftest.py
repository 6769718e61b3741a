"""A clock that is moved by hand."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

DATA = Path(__file__).parent.parent / "data"


class Clock:
    def __init__(self):
        self.at = datetime(2026, 3, 2, 9, tzinfo=UTC)

    def __call__(self):
        return self.at


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def mem0_export():
    return DATA / "mem0_export.json"
