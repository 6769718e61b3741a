"""Notes to consolidate, and what applying a proposal makes of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from bethink.lifecycle.plan_changes import source_of
from bethink.lifecycle.values import Add, Retire, Revise
from bethink.notes.values import Note

NOW = datetime(2026, 2, 1, tzinfo=UTC)


def at(day):
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


def note(name, text, day="2025-01-01", **fields):
    return Note(id=name, text=text, created_at=at(day), updated_at=at(day), **fields)


def staged(name, text, day="2026-01-07", **fields):
    return note(name, text, day, **{"session": "trip", "category": "conversation", **fields})


CONCIERGE = [
    note(
        "n1",
        "For trips shorter than a week, user generally prefers not to check bags.",
        "2025-04-05",
        keywords=("baggage", "short_trip"),
    ),
    note("n2", "User usually prefers aisle seats.", "2024-06-25", keywords=("seat_preference",)),
    note(
        "n3",
        "User generally likes central, walkable city-center neighborhoods.",
        "2024-02-11",
        keywords=("neighborhood",),
    ),
    note("n4", "User generally likes to compare options side-by-side", "2023-02-17", keywords=("pricing",)),
    note("n5", "User prefers high floors", "2023-02-11", keywords=("room",)),
]
TRIP = [
    staged("s1", "Vegetarian (prefers vegetarian meal options when traveling).", keywords=("dietary",)),
    staged("s2", "This trip only: prefers a window seat to sleep.", keywords=("seat", "flight")),
]


def applied(proposal, session_notes, global_notes, now=NOW):
    """Return all notes after a proposal was carried out, as a service would."""
    notes = {each.id: each for each in (*session_notes, *global_notes)}
    ids: dict[int, str] = {}
    for place, change in enumerate(proposal.changes):
        if isinstance(change, Add):
            ids[place] = f"new{place}of{len(notes)}{min(change.sources)}"
            notes[ids[place]] = Note(
                id=ids[place],
                text=change.text,
                keywords=change.keywords,
                category=change.category,
                source=source_of([notes[each] for each in change.sources]),
                sources=change.sources,
                confidence=change.confidence,
                valid_from=change.valid_from,
                created_at=now,
                updated_at=now,
            )
        elif isinstance(change, Revise):
            before = notes[change.note]
            notes[change.note] = replace(
                before,
                text=change.text,
                keywords=change.keywords,
                sources=change.sources,
                valid_from=change.valid_from or before.valid_from,
                updated_at=before.updated_at if change.valid_from is None else now,
            )
    for change in proposal.changes:
        if isinstance(change, Retire):
            status = "expired" if change.outcome == "expired" else "superseded"
            notes[change.note] = replace(notes[change.note], status=status, outcome=change.outcome)
    return list(notes.values())


def globals_of(notes):
    return [each for each in notes if each.session is None and each.status == "active"]


def outcomes(proposal):
    return {each.note: each.outcome for each in proposal.changes if isinstance(each, Retire)}


def texts(notes):
    return sorted(each.text for each in globals_of(notes))
