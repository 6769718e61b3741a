"""The state file of the context personalization cookbook."""

from __future__ import annotations

import json
from datetime import date

import pytest

from bethink.errors import InvalidError
from bethink.state.seed_json import SeedNote, SeedState, read, write

STATE = {
    "profile": {"name": "John Doe", "loyalty_ids": {"marriott": "MR1"}, "active_visas": ["Schengen"]},
    "global_memory": {
        "notes": [
            {
                "text": "User usually prefers aisle seats.",
                "last_update_date": "2024-06-25",
                "keywords": ["seat"],
            }
        ]
    },
    "session_memory": {
        "notes": [
            {"text": "Vegetarian.", "last_update_date": "2026-01-07T", "keywords": [" Dietary ", "dietary"]}
        ]
    },
    "trip_history": {"trips": [{"to_city": "Paris", "flight": {"seat_selected": "aisle"}}]},
    "inject_session_memories_next_turn": False,
}


def test_the_file_is_read_into_plain_values():
    state = read(json.dumps(STATE))
    assert state.profile == STATE["profile"]
    assert state.global_notes == (
        SeedNote(text="User usually prefers aisle seats.", day=date(2024, 6, 25), keywords=("seat",)),
    )
    assert state.session_notes == (SeedNote(text="Vegetarian.", day=date(2026, 1, 7), keywords=("dietary",)),)
    assert state.trips == ({"to_city": "Paris", "flight": {"seat_selected": "aisle"}},)


def test_what_was_read_is_written_back():
    written = write(read(STATE))
    assert read(written) == read(STATE)
    assert written["inject_session_memories_next_turn"] is False
    assert written["global_memory"] == STATE["global_memory"]


def test_missing_parts_are_empty():
    assert read({}) == SeedState()
    assert read({"session_memory": {"notes": None}}) == SeedState()
    assert read({"global_memory": {"notes": [{"text": "x"}]}}).global_notes == (SeedNote(text="x"),)


@pytest.mark.parametrize(
    ("state", "argument"),
    [
        ("{", "state"),
        ([], "state"),
        ({"profile": []}, "profile"),
        ({"global_memory": {"notes": {}}}, "global_memory.notes"),
        ({"global_memory": {"notes": [{"text": " "}]}}, "global_memory.notes[0]"),
        ({"global_memory": {"notes": [{"text": 3}]}}, "global_memory.notes[0]"),
        (
            {"session_memory": {"notes": [{"text": "x", "last_update_date": "soon"}]}},
            "session_memory.notes[0].last_update_date",
        ),
        (
            {"session_memory": {"notes": [{"text": "x", "last_update_date": "2026-13-01"}]}},
            "session_memory.notes[0].last_update_date",
        ),
        ({"trip_history": {"trips": [1]}}, "trip_history.trips[0]"),
    ],
)
def test_a_part_of_another_shape_is_named(state, argument):
    with pytest.raises(InvalidError) as raised:
        read(state)
    assert raised.value.argument == argument
