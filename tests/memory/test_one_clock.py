"""An operation happens at one instant: it reads the clock once."""

from datetime import UTC, datetime, timedelta

import pytest

from bethink import Memory
from bethink.testing.faces import HashingEmbedder

START = datetime(2026, 5, 1, tzinfo=UTC)


class Clock:
    """A clock that says how often it was read, and never says the same twice."""

    def __init__(self):
        self.read = 0

    def __call__(self):
        self.read += 1
        return START + timedelta(seconds=self.read)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def alice(clock):
    with Memory(":memory:", embedder=HashingEmbedder(), clock=clock) as memory:
        scope = memory.scope(agent="concierge", user="alice")
        scope.remember("Prefers aisle seats.", key="seat")
        scope.session("talk").append([{"role": "user", "content": "I am vegetarian."}])
        yield scope


@pytest.mark.parametrize(
    "operate",
    [
        lambda scope: scope.context(session="talk", query="seat?", items="all"),
        lambda scope: scope.recall("seat?"),
        lambda scope: scope.timeline("seat?"),
        lambda scope: scope.distill("talk"),
        lambda scope: scope.consolidate("talk"),
        lambda scope: scope.consolidate("talk", dry_run=True),
        lambda scope: scope.remember("Prefers window seats.", key="seat"),
        lambda scope: scope.profile.update({"home_city": "Paris"}),
        lambda scope: scope.session("talk").append([{"role": "user", "content": "And a window seat."}]),
        lambda scope: scope.notes(),
        lambda scope: scope.erase(),
    ],
)
def test_an_operation_reads_the_clock_once(alice, clock, operate):
    before = clock.read
    operate(alice)
    assert clock.read - before == 1


def test_an_import_reads_the_clock_once(alice, clock):
    exported = alice.export()
    before = clock.read
    alice.import_json(exported)
    assert clock.read - before == 1
