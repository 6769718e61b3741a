"""Notes to inject."""

from __future__ import annotations

from datetime import UTC, datetime

from bethink.notes.values import Note

NOW = datetime(2026, 2, 1, tzinfo=UTC)


def at(day):
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


def note(name, text, day="2025-01-01", **fields):
    return Note(id=name, text=text, created_at=at(day), updated_at=at(day), **fields)


CONCIERGE = [
    note("n1", "For trips shorter than a week, user generally prefers not to check bags.", "2025-04-05"),
    note("n2", "User usually prefers aisle seats.", "2024-06-25"),
    note("n3", "User generally likes central, walkable city-center neighborhoods.", "2024-02-11"),
    note("n4", "User generally likes to compare options side-by-side", "2023-02-17"),
    note("n5", "User prefers high floors", "2023-02-11"),
]
