"""The namespace that most tests of recall look into."""

from __future__ import annotations

import pytest

from .samples import index_of, note, said


@pytest.fixture
def kitchen():
    """Return an index of two sessions and three notes."""
    talk = said(
        1,
        "We repainted the kitchen in a pale green.",
        "Lovely, and what did the plumber say?",
        "He wants nine hundred for the boiler.",
        "That is steep.",
        speaker="Ines",
    )
    trip = said(
        2,
        "The ferry to Naxos leaves at seven.",
        "I will bring the tent.",
        "Did anyone book the ferry?",
        speaker="Ruben",
        session="t",
    )
    notes = [
        note(1, "Prefers aisle seats."),
        note(2, "Allergic to walnuts."),
        note(3, "Lives above a bakery."),
    ]
    return index_of(talk, trip, notes)
