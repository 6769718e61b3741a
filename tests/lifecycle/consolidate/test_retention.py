"""Wording that holds for one session only."""

from __future__ import annotations

import pytest

from bethink.lifecycle.consolidate.retention import ephemeral


@pytest.mark.parametrize(
    "text",
    [
        "This trip only: prefers a window seat to sleep.",
        "Budget under $2,000 for this trip.",
        "This trip is a family vacation.",
        "This time, wants the aisle.",
        "For this booking, two rooms.",
        "Needs a quiet room right now.",
        "Wants sushi today.",
        "Arrives tonight.",
        "Flies tomorrow.",
        "For now: prefers short answers.",
        "Just this once, a smoking room.",
        "Diesmal lieber am Fenster.",
        "Für diese Buchung zwei Betten.",
        "Heute kein Fleisch.",
        "Reist morgen ab.",
        "Cette fois-ci, côté hublot.",
        "Pour ce voyage, un grand lit.",
        "Aujourd'hui sans viande.",
        "Esta vez prefiere ventanilla.",
        "Para este viaje, dos camas.",
        "Llega mañana.",
        "今回は窓側がいい",
        "今日は肉なし",
        "这次要靠窗",
        "今天不吃肉",
    ],
)
def test_what_is_said_for_once_is_recognised(text):
    assert ephemeral(text)


@pytest.mark.parametrize(
    "text",
    [
        "Prefers aisle seats.",
        "From now on, prefers window seats.",
        "Starting today, eats vegan.",
        "Likes to travel at this time of the year.",
        "Wants a summary every morning.",
        "Steht morgens früh auf.",
        "Fliegt am liebsten am Morgen.",
        "Isst ab heute vegan.",
        "Prefiere volar por la mañana.",
        "Se levanta temprano cada mañana.",
        "Préfère désormais le couloir.",
        "今後は窓側がいい",
        "喜欢靠窗",
    ],
)
def test_what_lasts_is_not_taken_for_once(text):
    assert ephemeral(text) is None
