"""Filters hold the same for notes that are read back from packed blocks."""

from datetime import UTC, datetime, timedelta

from bethink import Memory
from bethink.settings import Settings

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def texts(found):
    return sorted(hit.text for hit in found)


def test_filters_hold_after_the_file_is_opened_again(tmp_path):
    url, settings = str(tmp_path / "memory.db"), Settings(index_batch=4)
    with Memory(url, settings=settings, clock=lambda: NOON) as memory:
        alice = memory.scope(user="alice")
        for number in range(9):
            alice.remember(
                f"Ramen shop {number}.",
                category="daily" if number % 3 == 0 else "core",
                metadata={"city": "Kyoto" if number % 2 else "Osaka", "stars": number},
                expires_at=NOON + timedelta(hours=1) if number == 7 else None,
            )
            alice.recall("ramen")
        assert alice.recall("ramen").scanned == 9
    later = NOON
    with Memory(url, settings=settings, clock=lambda: later) as memory:
        alice = memory.scope(user="alice")
        assert texts(alice.recall("ramen", category="daily")) == [f"Ramen shop {n}." for n in (0, 3, 6)]
        kyoto = [f"Ramen shop {n}." for n in (1, 3, 5, 7)]
        assert texts(alice.recall("ramen", where={"city": "Kyoto"})) == kyoto
        assert texts(alice.recall("ramen", where={"stars": {"$gte": 8}})) == ["Ramen shop 8."]
        later = NOON + timedelta(hours=2)
        assert texts(alice.recall("ramen", where={"city": "Kyoto"})) == kyoto[:-1]
        note = alice.recall("ramen", where={"stars": 8})[0].note
        alice.forget(note.id)
        assert len(alice.recall("ramen", where={"stars": 8})) == 0
        alice.undo(note.id)
        assert texts(alice.recall("ramen", where={"stars": 8})) == ["Ramen shop 8."]
